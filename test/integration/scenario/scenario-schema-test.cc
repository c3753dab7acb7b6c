/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/connection-attack.h"
#include "fault/adversary/on-path-role.h"
#include "fault/adversary/registry.h"
#include "fault/adversary/rogue-requester.h"
#include "fault/adversary/rogue-responder.h"
#include "host/buffer-store.h"
#include "ipsec/inline-crypto.h"
#include "link/bond-net-device.h"
#include "link/ethernet-channel.h"
#include "link/ethernet-switch.h"
#include "link/impairment.h"
#include "link/resegmenting-middlebox.h"
#include "mpa/tcp-engine.h"
#include "nfs/mount/automounter.h"
#include "nfs/mount/daemons.h"
#include "nfs/mount/rpcbind-server.h"
#include "nfs/v2/file-client2.h"
#include "nfs/v3/client3.h"
#include "nfs/v3/file-client3.h"
#include "nfs/v3/server3.h"
#include "nfs/v4/client/mounted-files.h"
#include "nfs/v4/server/service.h"
#include "rpc/multipath.h"
#include "rpc/security/gss-acceptor.h"
#include "rpc/security/gss-costs.h"
#include "rpc/security/gss-flavour.h"
#include "rpc/tcp/caller.h"
#include "rpc/tcp/listener.h"
#include "rpc/tcp/transport-security.h"
#include "rpcrdma/client/requester.h"
#include "rpcrdma/server/responder.h"
#include "scenarios/simulator/keys/scenario-schema.h"
#include "workload/generate/acl-storm.h"
#include "workload/generate/fio.h"
#include "workload/generate/listing-storm.h"
#include "workload/generate/lock-counters.h"
#include "workload/generate/mdtest.h"
#include "workload/generate/measured-files.h"
#include "workload/generate/mix.h"
#include "workload/replay/trace-rows.h"

#include "ns3/attribute.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace ns3::nfsrdma
{

namespace
{

/// \return the class of a target; every class that keys name is made known first.
TypeId
FindClass(const std::string& target)
{
    std::vector<TypeId> classes{BondNetDevice::GetTypeId(),
                                EthernetNetDevice::GetTypeId(),
                                EthernetChannel::GetTypeId(),
                                EthernetSwitch::GetTypeId(),
                                ResegmentingMiddlebox::GetTypeId(),
                                LinkImpairment::GetTypeId(),
                                RnicDevice::GetTypeId(),
                                HostCpu::GetTypeId(),
                                HostMemory::GetTypeId(),
                                HostBufferStore::GetTypeId(),
                                MpaSettings::GetTypeId(),
                                RpcMultipath::GetTypeId(),
                                MpaTransport::GetTypeId(),
                                TcpEngine::GetTypeId(),
                                InlineCrypto::GetTypeId(),
                                RpcRdmaClient::GetTypeId(),
                                RpcRdmaServer::GetTypeId(),
                                RpcClient::GetTypeId(),
                                RpcServer::GetTypeId(),
                                GssAcceptor::GetTypeId(),
                                GssCosts::GetTypeId(),
                                GssSecurity::GetTypeId(),
                                Nfs3Client::GetTypeId(),
                                Nfs3FileClient::GetTypeId(),
                                Nfs3Server::GetTypeId(),
                                Nfs4Server::GetTypeId(),
                                Nfs4CompoundClient::GetTypeId(),
                                Nfs4FileClient::GetTypeId(),
                                NfsMount::GetTypeId(),
                                NfsDaemons::GetTypeId(),
                                FileStore::GetTypeId(),
                                FileWorkload::GetTypeId(),
                                StorageModel::GetTypeId(),
                                MixWorkload::GetTypeId(),
                                ReplayWorkload::GetTypeId(),
                                RequestWorkload::GetTypeId(),
                                FioWorkload::GetTypeId(),
                                MdtestWorkload::GetTypeId(),
                                ListingWorkload::GetTypeId(),
                                AclWorkload::GetTypeId(),
                                ServerStorage::GetTypeId(),
                                Nfs2Client::GetTypeId(),
                                Nfs2FileClient::GetTypeId(),
                                NlmClient::GetTypeId(),
                                NlmServer::GetTypeId(),
                                RpcbindServer::GetTypeId(),
                                RpcTcpClient::GetTypeId(),
                                RpcTcpServer::GetTypeId(),
                                RpcTls::GetTypeId(),
                                LockWorkload::GetTypeId(),
                                AdversaryRole::GetTypeId(),
                                RogueResponder::GetTypeId(),
                                RogueRequester::GetTypeId(),
                                ConnectionAttackRole::GetTypeId(),
                                OnPathRole::GetTypeId()};
    for (const AdversaryEntry& entry : GetAdversaryRoles())
    {
        classes.push_back(entry.GetType());
    }
    const auto name = "ns3::nfsrdma::" + target.substr(0, target.find("::"));
    const auto found = std::find_if(classes.begin(), classes.end(), [&name](const TypeId& type) {
        return type.GetName() == name;
    });
    return found == classes.end() ? TypeId() : *found;
}

std::string
GetRequireError(const std::string& name)
{
    try
    {
        (void)ScenarioSchema::Standard().Require(name, "a.ini:7");
    }
    catch (const ScenarioError& error)
    {
        return error.what();
    }
    return "no error";
}

TEST(ScenarioSchemaTest, HasEveryNameOnce)
{
    const auto schema = ScenarioSchema::Standard();
    std::set<std::string> names;
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        const auto& name = schema.GetFullName(index);
        EXPECT_TRUE(names.insert(name).second) << name;
        EXPECT_EQ(schema.Find(name), index);
    }
}

TEST(ScenarioSchemaTest, DefaultsAreValidAndMeaningsAreOneLine)
{
    const auto schema = ScenarioSchema::Standard();
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        const auto& key = schema.GetKey(index);
        EXPECT_NO_THROW((void)schema.ParseValue(index, key.defaultText, "default"))
            << schema.GetFullName(index);
        EXPECT_EQ(std::string(key.meaning).find('\n'), std::string::npos);
        EXPECT_NE(std::string(key.meaning), "");
    }
}

/// Calls \p check (target, its attribute, the default of its key, the key's full name) for every
/// attribute that keys of \p schema set.
template <typename Check>
void
ForEachTarget(const ScenarioSchema& schema, Check check)
{
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        const auto& key = schema.GetKey(index);
        const auto value = schema.ParseValue(index, key.defaultText, "default");
        for (const auto& target : key.targets)
        {
            const auto type = FindClass(target);
            ASSERT_NE(type.GetUid(), 0U) << target;
            TypeId::AttributeInformation attribute;
            ASSERT_TRUE(
                type.LookupAttributeByName(target.substr(target.find("::") + 2), &attribute))
                << target;
            check(target, attribute, value.ToAttributeText(), schema.GetFullName(index));
        }
    }
}

TEST(ScenarioSchemaTest, TargetsAreAttributesThatTakeTheDefault)
{
    ForEachTarget(ScenarioSchema::Standard(),
                  [](const auto& target, const auto& attribute, const auto& text, const auto&) {
                      EXPECT_TRUE(attribute.checker->CreateValidValue(StringValue(text)))
                          << target << " = " << text;
                  });
}

/// \return the least and the greatest number that a constraint allows, as attributes read them.
std::vector<std::string>
ListBounds(const ScenarioConstraint& constraint)
{
    constexpr double GREATEST_QUANTITY = 9.0e18;
    const auto format = [&constraint](double bound) {
        const auto base = std::to_string(static_cast<uint64_t>(bound));
        switch (constraint.type)
        {
        case ScenarioType::REAL:
            return std::to_string(bound);
        case ScenarioType::TIME:
            return base + "ns";
        case ScenarioType::RATE:
            return base + "bps";
        default:
            return base;
        }
    };
    switch (constraint.type)
    {
    case ScenarioType::BOOLEAN:
    case ScenarioType::TEXT:
        return {};
    case ScenarioType::CHOICE:
        return constraint.choices;
    default:
        return {format(constraint.minimum),
                format(constraint.maximum > 0 ? constraint.maximum : GREATEST_QUANTITY)};
    }
}

TEST(ScenarioSchemaTest, BoundsAreValuesThatTheAttributesTake)
{
    const auto schema = ScenarioSchema::Standard();
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        const auto& key = schema.GetKey(index);
        for (const auto& target : key.targets)
        {
            TypeId::AttributeInformation attribute;
            ASSERT_TRUE(
                FindClass(target).LookupAttributeByName(target.substr(target.find("::") + 2),
                                                        &attribute));
            for (const auto& bound : ListBounds(key.constraint))
            {
                const bool isOfNoBond = target == "BondNetDevice::Mode" && bound == "none";
                EXPECT_NE(isOfNoBond,
                          attribute.checker->CreateValidValue(StringValue(bound)) != nullptr)
                    << schema.GetFullName(index) << " = " << bound << ", " << target;
            }
        }
    }
}

TEST(ScenarioSchemaTest, DefaultsAreThoseOfTheAttributes)
{
    ForEachTarget(ScenarioSchema::Standard(),
                  [](const auto& target, const auto& attribute, const auto& text, const auto& key) {
                      const auto own = attribute.checker->CreateValidValue(StringValue(text));
                      EXPECT_EQ(own->SerializeToString(attribute.checker),
                                attribute.initialValue->SerializeToString(attribute.checker))
                          << key << " and " << target;
                  });
}

/// \return those attributes of \p type that no key of \p schema sets, its parents' included.
std::set<std::string>
ListUnreached(const ScenarioSchema& schema, TypeId type)
{
    const std::string space = "ns3::nfsrdma::";
    std::set<std::string> names;
    for (TypeId at = type; at != Object::GetTypeId(); at = at.GetParent())
    {
        for (std::size_t i = 0; i < at.GetAttributeN(); ++i)
        {
            names.insert(at.GetAttribute(i).name);
        }
    }
    const std::string className = type.GetName().substr(space.size());
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        for (const auto& target : schema.GetKey(index).targets)
        {
            const auto colons = target.find("::");
            if (target.substr(0, colons) == className)
            {
                names.erase(target.substr(colons + 2));
            }
        }
    }
    return names;
}

TEST(ScenarioSchemaTest, HasEveryCostAndLimitOfDeviceAndHost)
{
    const auto schema = ScenarioSchema::Standard();
    const std::set<std::string> objects{"FirstStagIndex",
                                        "MpaSettings",
                                        "MpaTransport",
                                        "DomainList",
                                        "CompletionQueueList",
                                        "QueuePairList",
                                        "SharedReceiveQueueList",
                                        "CmIdList"};
    EXPECT_EQ(ListUnreached(schema, RnicDevice::GetTypeId()), objects);
    EXPECT_EQ(ListUnreached(schema, HostCpu::GetTypeId()), std::set<std::string>());
}

TEST(ScenarioSchemaTest, NamesTheNearestKey)
{
    EXPECT_EQ(GetRequireError("link.mtuu"),
              "a.ini:7: link.mtuu: got unknown key 'mtuu', expected a key of section link (see "
              "--list-keys); nearest key: link.mtu");
    EXPECT_EQ(
        GetRequireError("lnk.rate"),
        "a.ini:7: lnk.rate: got unknown section 'lnk', expected one of cluster, kernel, topology, "
        "link, middlebox, tcp, rnic, ipsec, tls, host, rpcrdma, nfs, storage, workload, measure, "
        "faults, "
        "adversary, sweep, explore, output; nearest key: link.rate");
    EXPECT_EQ(GetRequireError("clients").rfind("a.ini:7: clients: got a key outside", 0), 0U);
}

TEST(ScenarioSchemaTest, ListsEveryKey)
{
    const auto schema = ScenarioSchema::Standard();
    const auto list = schema.DescribeKeys();
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        EXPECT_NE(list.find("\n" + schema.GetFullName(index) + " "), std::string::npos)
            << schema.GetFullName(index);
        EXPECT_NE(list.find(schema.GetKey(index).meaning), std::string::npos);
    }
}

} // namespace

} // namespace ns3::nfsrdma
