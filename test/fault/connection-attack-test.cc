/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/connection-attack.h"
#include "fault/adversary/private-data-mimic.h"
#include "fault/adversary/registry.h"
#include "rpcrdma/message/private-data.h"
#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

/// A role on the host of a client, and the client, beside it, that calls before and after.
class ConnectionAttackTest : public RpcRdmaTest
{
  protected:
    using Settings = std::map<std::string, std::string>;

    void ConfigureDevice(Ptr<RnicDevice> device) override
    {
        for (const auto& [name, value] : m_deviceSettings)
        {
            device->SetAttribute(name, StringValue(value));
        }
    }

    Ptr<ConnectionAttackRole> Make(const std::string& kind, const Settings& settings)
    {
        const auto role =
            DynamicCast<ConnectionAttackRole>(GetAdversaryRoles().Find(kind)->Create());
        role->SetAttribute("Interval", StringValue("100us"));
        for (const auto& [name, value] : settings)
        {
            role->SetAttribute(name, StringValue(value));
        }
        AdversaryHost host;
        host.name = "client-0";
        host.node = m_clientHost.node;
        host.device = m_clientHost.device;
        host.address = m_clientHost.address;
        host.target = MakeSocketAddress(m_serverHost.address, RpcRdmaServer::NFS_RDMA_PORT);
        host.peers[m_serverHost.address] = "server-0";
        role->SetHost(host);
        role->AssignStreams(100);
        role->TraceConnectWithoutContext("RuleBroken",
                                         MakeCallback(&ConnectionAttackTest::Note, this));
        return role;
    }

    void Note(const std::string& what, const std::string& peer)
    {
        EXPECT_EQ(peer, "server-0");
        ++m_notes[what];
    }

    /// Runs \p role for \p time; then nothing of it may be left at the server.
    void Attack(const Ptr<ConnectionAttackRole>& role, Time time = MilliSeconds(10))
    {
        Connect();
        const auto& before = Take(5000);
        Run();
        EXPECT_TRUE(before.intact);
        role->Begin();
        Simulator::Stop(time);
        Run();
        m_served = m_server->GetStatistics().accepted - 1;
        const auto& during = Take(20000);
        Simulator::Stop(MilliSeconds(1));
        Run();
        EXPECT_TRUE(during.intact) << "a good client is served meanwhile";
        role->End();
        Run();
        EXPECT_EQ(role->GetOpen(), 0U);
        ExpectCleanEnd();
        role->Dispose();
    }

    uint64_t CountOf(const std::string& start) const
    {
        uint64_t count = 0;
        for (const auto& [what, times] : m_notes)
        {
            count += what.rfind(start, 0) == 0 ? times : 0;
        }
        return count;
    }

    Settings m_deviceSettings;
    std::map<std::string, uint64_t> m_notes;
    uint64_t m_served{0};
};

class DripFedStartupTest : public ConnectionAttackTest,
                           public ::testing::WithParamInterface<const char*>
{
};

TEST_P(DripFedStartupTest, IsHeldForAsLongAsTheTimerAllows)
{
    m_serverHost.device->GetMpaSettings()->SetAttribute("RequestTimeout",
                                                        TimeValue(MilliSeconds(2)));
    Attack(Make("drip-fed-startup",
                {{"Manner", GetParam()}, {"Connections", "5"}, {"OctetInterval", "100us"}}));
    EXPECT_EQ(m_served, 0U);
    EXPECT_GE(m_notes["held in startup"], 15U);
    EXPECT_GE(m_notes["ended by the server"], 10U);
    EXPECT_EQ(m_serverHost.device->GetCounters().startupFailures.at(
                  static_cast<std::size_t>(MpaError::INVALID_STARTUP)),
              m_notes["ended by the server"]);
}

TEST_P(DripFedStartupTest, IsHeldForEverWithoutATimer)
{
    m_serverHost.device->GetMpaSettings()->SetAttribute("RequestTimeout", TimeValue(Time(0)));
    Attack(Make("drip-fed-startup",
                {{"Manner", GetParam()}, {"Connections", "5"}, {"OctetInterval", "1s"}}),
           Seconds(20));
    EXPECT_EQ(m_notes["held in startup"], 5U);
    EXPECT_EQ(m_notes["ended by the server"], 0U);
}

INSTANTIATE_TEST_SUITE_P(Manners,
                         DripFedStartupTest,
                         ::testing::Values("octets", "withheld", "silent"),
                         [](const auto& manner) { return std::string(manner.param); });

class ConnectionChurnTest : public ConnectionAttackTest,
                            public ::testing::WithParamInterface<const char*>
{
};

TEST_P(ConnectionChurnTest, TheServerServesAndForgetsEachConnection)
{
    Attack(Make(
        "connection-churn",
        {{"Ending", GetParam()}, {"Attempts", "40"}, {"Connections", "4"}, {"Interval", "50us"}}));
    EXPECT_EQ(m_notes["dropped after one call"], 40U);
    EXPECT_EQ(m_notes["refused"], 0U);
    EXPECT_EQ(m_served, 40U);
}

TEST_P(ConnectionChurnTest, ARateIsKept)
{
    m_serverHost.device->SetAttribute("ConnectionRate", UintegerValue(1000));
    Attack(Make("connection-churn", {{"Ending", GetParam()}, {"Connections", "4"}}));
    EXPECT_LE(m_notes["dropped after one call"], 8U + 10U);
    EXPECT_GE(m_notes["dropped after one call"], 8U);
    EXPECT_GT(m_notes["refused"], 40U);
}

INSTANTIATE_TEST_SUITE_P(Endings,
                         ConnectionChurnTest,
                         ::testing::Values("reset", "fin", "terminate"),
                         [](const auto& ending) { return std::string(ending.param); });

struct MalformedCase
{
    std::string kind;
    std::string told; ///< Empty: nothing, and the connection is held.
    bool markers{false};
};

class MalformedSegmentsTest : public ConnectionAttackTest,
                              public ::testing::WithParamInterface<MalformedCase>
{
};

TEST_P(MalformedSegmentsTest, AreAnsweredAsTheSpecificationsSay)
{
    const auto& one = GetParam();
    m_serverHost.device->GetMpaSettings()->SetAttribute("Markers", BooleanValue(one.markers));
    Attack(Make("malformed-segments", {{"Kind", one.kind}, {"Attempts", "5"}}));
    EXPECT_EQ(m_notes[one.kind], 5U);
    EXPECT_EQ(CountOf("told"), one.told.empty() ? 0U : 5U);
    EXPECT_EQ(CountOf("told " + one.told), CountOf("told"));
    EXPECT_EQ(m_serverHost.device->GetCounters().terminatesReceived,
              one.kind == "terminate-storm" ? 5U : 0U);
}

INSTANTIATE_TEST_SUITE_P(Kinds,
                         MalformedSegmentsTest,
                         ::testing::Values(MalformedCase{"bad-crc", "2/0/02"},
                                           MalformedCase{"bad-marker", "2/0/03", true},
                                           MalformedCase{"long-ulpdu", ""},
                                           MalformedCase{"unknown-queue", "1/2/01"},
                                           MalformedCase{"msn-gap", "1/2/03"},
                                           MalformedCase{"mo-overlap", "1/2/04"},
                                           MalformedCase{"terminate-storm", ""}),
                         [](const auto& one) {
                             std::string name = one.param.kind;
                             name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
                             return name;
                         });

TEST_F(ConnectionAttackTest, AMarkerThatNobodyAskedForHarmsNobodyElse)
{
    Attack(Make("malformed-segments", {{"Kind", "bad-marker"}, {"Attempts", "5"}}));
    EXPECT_EQ(m_notes["bad-marker"], 5U);
}

TEST_F(ConnectionAttackTest, APeerOfManyTerminatesIsIgnored)
{
    m_serverHost.device->SetAttribute("FaultLimit", UintegerValue(3));
    Attack(Make("malformed-segments", {{"Kind", "unknown-queue"}}));
    EXPECT_EQ(CountOf("told"), 3U);
    EXPECT_GT(m_serverHost.device->GetCounters().admissions.at(
                  static_cast<std::size_t>(AdmissionVerdict::IGNORED)),
              20U);
}

struct FalseDepthCase
{
    std::string announcement;
    std::string noted; ///< What comes of each.
};

class FalseReadDepthsTest : public ConnectionAttackTest,
                            public ::testing::WithParamInterface<FalseDepthCase>
{
};

TEST_P(FalseReadDepthsTest, AreToldOrBounded)
{
    Attack(Make("false-read-depths",
                {{"Kind", GetParam().announcement}, {"Attempts", "5"}, {"Connections", "2"}}));
    EXPECT_EQ(CountOf(GetParam().noted), 5U);
    const bool ends = GetParam().announcement == "high-ird";
    EXPECT_EQ(m_serverHost.device->GetCounters().terminatesReceived, ends ? 5U : 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Announcements,
    FalseReadDepthsTest,
    ::testing::Values(FalseDepthCase{"low-ord", "told 1/2/02"},
                      FalseDepthCase{"zero-ord", "told 1/2/02"},
                      FalseDepthCase{"unused-ord", "answered with bounded depths"},
                      FalseDepthCase{"high-ird", "sent more Reads than are held"},
                      FalseDepthCase{"zero-ird", "zero-ird refused"}),
    [](const auto& one) {
        std::string name = one.param.announcement;
        name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
        return name;
    });

class StagGuesserTest : public ConnectionAttackTest
{
  protected:
    uint64_t CountJudged()
    {
        return m_notes["placed"] + m_notes["read"] + m_notes["found"] + m_notes["foreign"] +
               m_notes["unknown"] + m_notes["unanswered"];
    }
};

TEST_F(StagGuesserTest, WhatHasBeenSeenIsGoodForEverWithFixedKeys)
{
    m_serverHost.device->SetAttribute("StagKeys", StringValue("fixed"));
    const auto role = Make("guessed-stags", {{"Strategy", "replay"}});
    Attack(role);
    EXPECT_GT(m_notes["placed"], 20U);
}

TEST_F(StagGuesserTest, WhatHasBeenSeenIsWorthNothingWhenKeysAreCounted)
{
    const auto role = Make("guessed-stags", {{"Strategy", "replay"}});
    Attack(role);
    EXPECT_EQ(m_notes["placed"] + m_notes["read"], 0U);
    EXPECT_GT(m_notes["unknown"], 20U);
    EXPECT_EQ(CountJudged(), m_notes["unknown"] + m_notes["unanswered"]);
}

TEST_F(StagGuesserTest, RandomStagsAreUnknown)
{
    const auto role = Make("guessed-stags", {{"Strategy", "random"}, {"Operation", "read"}});
    Attack(role);
    EXPECT_EQ(m_notes["placed"] + m_notes["read"], 0U);
    EXPECT_GT(CountJudged(), 20U);
}

TEST_F(ConnectionAttackTest, MimicsSayWhatTheyAreMeantTo)
{
    const auto decode = [](MimicKind kind) {
        return DecodePrivateDataOrDefault(MakeMimicPrivateData(kind)).receiveSize;
    };
    EXPECT_EQ(decode(MimicKind::FOREIGN), 262144U);
    EXPECT_EQ(decode(MimicKind::OTHER_VERSION), 1024U);
    EXPECT_EQ(decode(MimicKind::CUT_SHORT), 1024U);
    EXPECT_EQ(decode(MimicKind::ABSURD_SIZES), 262144U);
    EXPECT_EQ(decode(MimicKind::SECOND), 262144U);
}

} // namespace

} // namespace ns3::nfsrdma
