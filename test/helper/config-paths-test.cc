/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cluster-helper.h"
#include "helper/cluster.h"
#include "helper/nfs-host.h"
#include "workload/generate/fio.h"

#include "ns3/config-store.h"
#include "ns3/config.h"
#include "ns3/enum.h"
#include "ns3/object-ptr-container.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::IsSupersetOf;

const std::string PREFIX = "ns3::nfsrdma::";

/// An attribute or a trace source of an object, and the path of the object.
struct Place
{
    std::string path;
    Ptr<Object> object;
};

/// Finds the objects that paths of ns3::Config lead to from a node, each by the first path.
class ObjectWalk
{
  public:
    explicit ObjectWalk(const std::string& node)
    {
        const auto root = Config::LookupMatches(node).Get(0);
        for (auto i = root->GetAggregateIterator(); i.HasNext();)
        {
            const auto object = ConstCast<Object>(i.Next());
            const auto name = object->GetInstanceTypeId().GetName();
            if (name.rfind(PREFIX, 0) == 0)
            {
                Visit(node + "/$" + name, object);
            }
        }
    }

    [[nodiscard]] const std::vector<Place>& GetPlaces() const
    {
        return m_places;
    }

    /// \return the classes of the objects, without the namespace.
    [[nodiscard]] std::set<std::string> GetClasses() const
    {
        std::set<std::string> classes;
        for (const auto& place : m_places)
        {
            classes.insert(place.object->GetInstanceTypeId().GetName().substr(PREFIX.size()));
        }
        return classes;
    }

  private:
    void Visit(const std::string& path, const Ptr<Object>& object)
    {
        const bool isOurs = object && object->GetInstanceTypeId().GetName().rfind(PREFIX, 0) == 0;
        if (!isOurs || !m_seen.insert(PeekPointer(object)).second)
        {
            return;
        }
        m_places.push_back({path, object});
        for (auto tid = object->GetInstanceTypeId(); tid != Object::GetTypeId();
             tid = tid.GetParent())
        {
            for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
            {
                Follow(path, object, tid.GetAttribute(i));
            }
        }
    }

    void Follow(const std::string& path,
                const Ptr<Object>& object,
                const TypeId::AttributeInformation& attribute)
    {
        const auto own = std::string(path).append("/").append(attribute.name);
        if (dynamic_cast<const PointerChecker*>(PeekPointer(attribute.checker)) != nullptr)
        {
            PointerValue value;
            object->GetAttribute(attribute.name, value);
            Visit(own, value.Get<Object>());
        }
        if (dynamic_cast<const ObjectPtrContainerChecker*>(PeekPointer(attribute.checker)) !=
            nullptr)
        {
            ObjectPtrContainerValue value;
            object->GetAttribute(attribute.name, value);
            for (auto i = value.Begin(); i != value.End(); ++i)
            {
                Visit(std::string(own).append("/").append(std::to_string(i->first)), i->second);
            }
        }
    }

    std::vector<Place> m_places;
    std::set<const Object*> m_seen;
};

/// A server and a client that have mounted, whose files are written and read.
class ConfigPathsTest : public ::testing::TestWithParam<std::string>
{
  public:
    void TakeCall(std::string context, const RpcRecord& /* record */)
    {
        m_contexts.push_back(std::move(context));
    }

  protected:
    static constexpr uint32_t REQUESTS = 20;
    static constexpr const char* SERVER = "/NodeList/0";
    static constexpr const char* CLIENT = "/NodeList/1";

    void SetUp() override
    {
        ClusterHelper helper;
        helper.SetSize(1, 1);
        if (GetParam() == "tcp")
        {
            helper.SetTcp(true);
            helper.SetNfsPort(NFS_TCP_PORT);
        }
        else
        {
            helper.SetNfsVersion(GetParam());
        }
        helper.SetWorkload([](uint32_t /* client */) {
            const auto workload = CreateObject<FioWorkload>();
            workload->SetAttribute("Requests", UintegerValue(REQUESTS));
            return workload;
        });
        m_cluster = helper.Build();
        m_cluster->Start();
    }

    void TearDown() override
    {
        m_cluster.reset();
        Simulator::Destroy();
    }

    /// Runs until there are connections, and requests on them.
    static void RunAWhile()
    {
        Simulator::Stop(MilliSeconds(2));
        Simulator::Run();
    }

    std::unique_ptr<Cluster> m_cluster;
    std::vector<std::string> m_contexts;
};

TEST_P(ConfigPathsTest, LeadToTheObjectsOfServersAndClients)
{
    RunAWhile();
    EXPECT_THAT(ObjectWalk(SERVER).GetClasses(),
                IsSupersetOf({"HostCpu",
                              "HostMemory",
                              "HostBufferStore",
                              "RnicDevice",
                              "MpaSettings",
                              "MpaTransport",
                              "RpcRdmaServer",
                              "RpcServer",
                              "RpcThreadPool",
                              "GssAcceptor",
                              "FileStore",
                              "StorageModel",
                              "ServerStorage",
                              "Nfs3Server",
                              "Nfs4Server"}));
    const auto client = ObjectWalk(CLIENT).GetClasses();
    EXPECT_THAT(client, IsSupersetOf({"HostCpu", "RnicDevice", "RpcClient"}));
    const std::map<std::string, std::set<std::string>> own{
        {"2", {"RpcRdmaClient", "Nfs2Client", "Nfs2FileClient", "QueuePair", "CompletionQueue"}},
        {"3", {"RpcRdmaClient", "Nfs3Client", "Nfs3FileClient", "QueuePair", "CmId"}},
        {"4.1", {"RpcRdmaClient", "Nfs4CompoundClient", "Nfs4FileClient", "ProtectionDomain"}},
        {"tcp", {"RpcTcpClient", "Nfs3Client", "Nfs3FileClient"}}};
    EXPECT_THAT(client, IsSupersetOf(own.at(GetParam())));
}

TEST_P(ConfigPathsTest, SetEachAttribute)
{
    RunAWhile();
    for (const auto* node : {SERVER, CLIENT})
    {
        const ObjectWalk walk(node);
        for (const auto& place : walk.GetPlaces())
        {
            for (auto tid = place.object->GetInstanceTypeId(); tid != Object::GetTypeId();
                 tid = tid.GetParent())
            {
                for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
                {
                    const auto attribute = tid.GetAttribute(i);
                    const auto path = std::string(place.path).append("/").append(attribute.name);
                    const auto wanted = TypeId::ATTR_GET | TypeId::ATTR_SET;
                    const bool isObject = attribute.accessor->HasSetter() &&
                                          dynamic_cast<const PointerChecker*>(
                                              PeekPointer(attribute.checker)) != nullptr;
                    if ((attribute.flags & wanted) != wanted || !attribute.accessor->HasSetter() ||
                        !attribute.accessor->HasGetter() || isObject)
                    {
                        continue;
                    }
                    StringValue value;
                    place.object->GetAttribute(attribute.name, value);
                    EXPECT_TRUE(Config::SetFailSafe(path, value)) << path << " = " << value.Get();
                }
            }
        }
    }
}

TEST_P(ConfigPathsTest, FindOneObjectEach)
{
    RunAWhile();
    for (const auto* node : {SERVER, CLIENT})
    {
        const ObjectWalk walk(node);
        for (const auto& place : walk.GetPlaces())
        {
            const auto matches = Config::LookupMatches(place.path);
            ASSERT_EQ(matches.GetN(), 1U) << place.path;
            EXPECT_EQ(matches.Get(0), place.object) << place.path;
        }
    }
}

TEST_P(ConfigPathsTest, ConnectToTraceSources)
{
    const std::string transport = GetParam() == "tcp" ? "RpcTcpClientList" : "RpcRdmaClientList";
    const auto path =
        std::string(CLIENT) + "/$ns3::nfsrdma::NfsHost/ClientList/*/" + transport + "/*/CallSent";
    m_contexts.clear();
    const auto sink = MakeCallback(&ConfigPathsTest::TakeCall, this);
    ASSERT_TRUE(Config::ConnectFailSafe(path, sink));
    RunAWhile();
    ASSERT_FALSE(m_contexts.empty());
    EXPECT_EQ(m_contexts.front(),
              std::string(CLIENT) + "/$ns3::nfsrdma::NfsHost/ClientList/0/" + transport +
                  "/0/CallSent");
    Config::Disconnect(path, sink);
}

TEST_P(ConfigPathsTest, AreSavedAndRestored)
{
    const std::string file = ::testing::TempDir() + "cluster-" + GetParam() + ".config";
    const std::string credits =
        std::string(SERVER) + "/$ns3::nfsrdma::NfsHost/ServerList/0/RpcRdmaServer/Credits";
    const std::string cores = std::string(SERVER) + "/$ns3::nfsrdma::HostCpu/Cores";
    const auto get = [](const std::string& path) {
        const auto slash = path.rfind('/');
        StringValue value;
        Config::LookupMatches(path.substr(0, slash))
            .Get(0)
            ->GetAttribute(path.substr(slash + 1), value);
        return value.Get();
    };
    const auto store = [&file](ConfigStore::Mode mode) {
        Config::SetDefault("ns3::ConfigStore::Mode", EnumValue(mode));
        Config::SetDefault("ns3::ConfigStore::FileFormat", EnumValue(ConfigStore::RAW_TEXT));
        Config::SetDefault("ns3::ConfigStore::Filename", StringValue(file));
        ConfigStore().ConfigureAttributes();
    };
    Config::Set(credits, UintegerValue(17));
    Config::Set(cores, UintegerValue(3));
    store(ConfigStore::SAVE);
    std::ifstream saved(file);
    const std::string text{std::istreambuf_iterator<char>(saved), {}};
    EXPECT_NE(text.find("::RpcRdmaServer/Credits \"17\"\n"), std::string::npos);
    Config::Set(credits, UintegerValue(99));
    Config::Set(cores, UintegerValue(8));
    store(ConfigStore::LOAD);
    EXPECT_EQ(get(credits), "17");
    EXPECT_EQ(get(cores), "3");
}

INSTANTIATE_TEST_SUITE_P(Versions,
                         ConfigPathsTest,
                         ::testing::Values("2", "3", "4.1", "tcp"),
                         [](const auto& version) {
                             auto name = "V" + version.param;
                             name.erase(std::remove(name.begin(), name.end(), '.'), name.end());
                             return name;
                         });

} // namespace

} // namespace ns3::nfsrdma
