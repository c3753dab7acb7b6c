/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "adversary-fixture.h"
#include "tshark.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr const char* ROLE = "[adversary path]\nhosts = client-0\nrole = ";

/// Somebody at the switch's end of the link of client-0; client-1 has a link of its own.
class OnPathTest : public AdversaryTest
{
  protected:
    static std::string MakeScenario(const std::string& role, const std::string& more = "")
    {
        return "[cluster]\nclients = 2\n[output]\npcap = all\n[rnic]\nstag_indices = sequential\n"
               "[workload]\nkind = fio\nreadwrite = randrw\nbssplit = 2048:1,16384:2\n"
               "size = 128KiB\ndirect = true\niodepth = 4\nrequests = 100\n" +
               more + ROLE + role + "\n";
    }

    int RunText(const std::string& scenario, const std::vector<std::string>& settings = {})
    {
        m_directory.WriteFile("one.ini", scenario);
        return RunFile("one.ini", settings);
    }

    [[nodiscard]] uint64_t Did(const std::string& what) const
    {
        return m_summary.at("adversaries").at("roles").at(0).at("broken").value(what, uint64_t{0});
    }

    [[nodiscard]] uint64_t GetMismatches() const
    {
        const auto& verification = m_summary.at("verification");
        return verification.at("reads").at("mismatches").get<uint64_t>() +
               verification.at("exports").at("mismatches").get<uint64_t>();
    }

    [[nodiscard]] std::vector<std::string> Look(const std::string& host,
                                                const std::string& filter) const
    {
        return test::RunTshark(m_directory.GetPath() + "/out/" + host + ".pcap",
                               "-Y '" + filter + "'");
    }

    void ExpectNobodyNoticed() const
    {
        for (const auto* counter : {"connections_lost", "calls_failed", "calls_sent_again"})
        {
            EXPECT_EQ(Noticed("client-0", counter), 0U) << counter;
            EXPECT_EQ(Noticed("client-1", counter), 0U) << counter;
        }
    }
};

TEST_F(OnPathTest, ReadsEveryCallReplyAndTransferOfItsLinkAlone)
{
    ASSERT_EQ(RunText(MakeScenario("on-path-read")), 0) << m_result.errors;
    ExpectSound();
    ExpectNobodyNoticed();
    EXPECT_EQ(Did("read rpc-call"), Did("read rpc-reply"));
    EXPECT_GE(Did("read rpc-call"), 100U);
    EXPECT_GT(Did("read rdma-write"), 20U);
    EXPECT_GT(Did("read read-response"), 20U);
    const std::string digest = m_summary["digest"];
    ASSERT_EQ(RunText(MakeScenario("none")), 0);
    EXPECT_EQ(m_summary["digest"], digest) << "whoever only reads changes nothing";
}

TEST_F(OnPathTest, ReadsNfsOverTcp)
{
    ASSERT_EQ(RunText("[cluster]\nclients = 2\ntransport = tcp\n"
                      "[workload]\noperations = 40\nfiles = 4\n" +
                      std::string(ROLE) + "on-path-read\n"),
              0)
        << m_result.errors;
    EXPECT_EQ(Did("read rpc-call"), Did("read rpc-reply"));
    EXPECT_GT(Did("read rpc-call"), 40U);
}

TEST_F(OnPathTest, AltersDataAndNoCrcTells)
{
    ASSERT_EQ(RunText(MakeScenario("on-path-alter\nprobability = 0.05\nstart = 200us")), 1)
        << m_result.errors;
    EXPECT_GT(Did("altered read-response") + Did("altered rdma-write"), 0U);
    EXPECT_GT(GetMismatches(), 0U);
    EXPECT_EQ(Noticed("server-0", "terminates_sent"), 0U);
    EXPECT_EQ(Noticed("client-0", "terminates_sent"), 0U);
}

/// NFS version, when its client is mounted, and what else is there.
using InjectionCase = std::tuple<const char*, const char*, const char*>;

class OnPathInjection : public OnPathTest, public ::testing::WithParamInterface<InjectionCase>
{
};

TEST_P(OnPathInjection, WritesIntoMemoryOfTheClientAndTcpGoesOn)
{
    const auto& [version, start, more] = GetParam();
    const auto scenario =
        MakeScenario(std::string("on-path-inject\nprobability = 0.5\nstart = ") + start,
                     std::string("[nfs]\nversion = ") + version + "\n" + more);
    ASSERT_EQ(RunText(scenario), 1) << m_result.errors;
    const auto injected = Did("injected rdma-write");
    EXPECT_GT(injected, 5U);
    EXPECT_GT(GetMismatches(), 0U);
    EXPECT_LE(GetMismatches(), injected);
    ExpectNobodyNoticed();
    const std::string forged = "frame contains ee:ee:ee:ee:ee:ee:ee:ee:ee:ee:ee:ee";
    EXPECT_EQ(Look("server-0", forged).size(), 0U);
    const std::string digest = m_summary["digest"];
    ASSERT_EQ(RunText(scenario), 1);
    EXPECT_EQ(m_summary["digest"], digest);
}

INSTANTIATE_TEST_SUITE_P(
    Every,
    OnPathInjection,
    ::testing::Values(InjectionCase{"3", "1200us", ""},
                      InjectionCase{"4.1", "2500us", ""},
                      InjectionCase{"3", "1200us", "[link]\nmtu = 9000\n[topology]\nip = ipv6\n"},
                      InjectionCase{
                          "3",
                          "1200us",
                          "[faults]\nlost = data with probability 0.01 on client-0: drop\n"}));

TEST_F(OnPathTest, CapturesOfBothEndsOfASplicedStreamAreWhole)
{
    ASSERT_EQ(RunText(MakeScenario("on-path-inject\nprobability = 1\ncount = 4")), 1);
    EXPECT_EQ(Did("injected rdma-write"), 4U);
    const std::string forged = "frame contains ee:ee:ee:ee:ee:ee:ee:ee:ee:ee:ee:ee";
    EXPECT_EQ(Look("client-0", forged).size(), 4U);
    for (const auto* host : {"server-0", "client-0", "client-1"})
    {
        EXPECT_EQ(Look(host, "tcp.analysis.flags").size(), 0U) << host;
        EXPECT_EQ(Look(host, "iwarp_mpa.bad_crc").size(), 0U) << host;
    }
}

TEST_F(OnPathTest, ReplaysAreOldNewsToTcp)
{
    ASSERT_EQ(RunText(MakeScenario("on-path-replay\nprobability = 0.2")), 0) << m_result.errors;
    EXPECT_GT(Did("replayed segment"), 20U);
    ExpectSound();
    ExpectNobodyNoticed();
}

TEST_F(OnPathTest, EachResetCostsAConnection)
{
    ASSERT_EQ(RunText(MakeScenario("on-path-reset\nprobability = 0.05\ncount = 4\nstart = 200us")),
              0)
        << m_result.errors;
    EXPECT_EQ(Did("reset connection"), 4U);
    ExpectSound();
    EXPECT_GE(Noticed("client-0", "connections_lost"), 2U) << "some met one that was reset already";
    EXPECT_LE(Noticed("client-0", "connections_lost"), 4U);
    EXPECT_EQ(Noticed("client-1", "connections_lost"), 0U);
}

TEST_F(OnPathTest, WhatIsDroppedIsSentAgain)
{
    ASSERT_EQ(RunText(MakeScenario("on-path-drop\nprobability = 0.05")), 0) << m_result.errors;
    EXPECT_GT(Did("dropped segment"), 10U);
    ExpectSound();
    EXPECT_EQ(Noticed("client-0", "calls_failed"), 0U);
    EXPECT_GT(Look("server-0", "tcp.analysis.retransmission").size(), 5U);
}

TEST_F(OnPathTest, SitsInTheLinkOfAServerToo)
{
    ASSERT_EQ(RunText(MakeScenario("on-path-read"), {"adversary path.hosts=server-0"}), 0);
    EXPECT_GE(Did("read rpc-call"), 200U) << "of both clients";
    EXPECT_EQ(Did("read rpc-call"), Did("read rpc-reply"));
}

/// With ESP between the hosts, in either mode.
class OnPathOfEsp : public OnPathTest, public ::testing::WithParamInterface<const char*>
{
  protected:
    int RunSealed(const std::string& role)
    {
        return RunText(MakeScenario(role, std::string("[ipsec]\nmode = ") + GetParam() + "\n"));
    }

    /// \return \p counter of ESP, of all hosts.
    [[nodiscard]] uint64_t Count(const std::string& counter) const
    {
        uint64_t sum = 0;
        for (const auto& [path, value] : ReadCounters())
        {
            const auto name = "/" + counter;
            const bool is = path.size() > name.size() &&
                            path.compare(path.size() - name.size(), name.size(), name) == 0;
            sum += is && path.find("/ipsec/") != std::string::npos ? value : 0;
        }
        return sum;
    }
};

TEST_P(OnPathOfEsp, NothingIsRead)
{
    ASSERT_EQ(RunSealed("on-path-read"), 0) << m_result.errors;
    EXPECT_EQ(GetBroken(), 0U);
    EXPECT_GT(Count("opened_packets"), 400U);
    ExpectSound();
}

TEST_P(OnPathOfEsp, WhatIsAlteredIsThrownAwayAndSentAgain)
{
    ASSERT_EQ(RunSealed("on-path-alter\nprobability = 0.05"), 0) << m_result.errors;
    EXPECT_GT(Did("altered sealed packet"), 10U);
    EXPECT_EQ(Count("XfrmInStateProtoError"), Did("altered sealed packet"));
    ExpectSound();
    EXPECT_EQ(Noticed("client-0", "calls_failed"), 0U);
}

TEST_P(OnPathOfEsp, WhatIsMadeUpIsThrownAway)
{
    ASSERT_EQ(RunSealed("on-path-inject\nprobability = 0.05"), 0) << m_result.errors;
    EXPECT_GT(Did("injected sealed packet"), 10U);
    EXPECT_EQ(Count("XfrmInStateProtoError"), Did("injected sealed packet"));
    ExpectSound();
    ExpectNobodyNoticed();
}

TEST_P(OnPathOfEsp, ReplaysAreKnown)
{
    ASSERT_EQ(RunSealed("on-path-replay\nprobability = 0.05"), 0) << m_result.errors;
    EXPECT_GT(Did("replayed sealed packet"), 10U);
    EXPECT_GT(Count("XfrmInStateSeqError"), 10U);
    EXPECT_LE(Count("XfrmInStateSeqError"), Did("replayed sealed packet"));
    ExpectSound();
    ExpectNobodyNoticed();
}

TEST_P(OnPathOfEsp, ResetsInClearAreDiscarded)
{
    ASSERT_EQ(RunSealed("on-path-reset\nprobability = 0.05"), 0) << m_result.errors;
    EXPECT_GT(Did("guessed reset"), 10U);
    EXPECT_EQ(Count("XfrmInTmplMismatch"), Did("guessed reset"));
    ExpectSound();
    ExpectNobodyNoticed();
}

TEST_P(OnPathOfEsp, DroppingIsNoSecret)
{
    ASSERT_EQ(RunSealed("on-path-drop\nprobability = 0.05"), 0) << m_result.errors;
    EXPECT_GT(Did("dropped sealed packet"), 10U);
    ExpectSound();
    EXPECT_EQ(Noticed("client-0", "calls_failed"), 0U);
}

INSTANTIATE_TEST_SUITE_P(Modes, OnPathOfEsp, ::testing::Values("transport", "tunnel"));

TEST_F(OnPathTest, RefusesWhatHasNoPlaceForIt)
{
    EXPECT_EQ(RunText(MakeScenario("on-path-read", "[topology]\nshape = pair\n")), 2);
    EXPECT_NE(m_result.errors.find("a topology with a switch"), std::string::npos)
        << m_result.errors;
    EXPECT_EQ(RunText(MakeScenario("on-path-read") +
                      "[adversary other]\nrole = on-path-drop\nhosts = clients\n"),
              2);
    EXPECT_NE(m_result.errors.find("hosts in whose link no other role is: client-0 has one"),
              std::string::npos)
        << m_result.errors;
    EXPECT_EQ(RunText("[cluster]\ntransport = tcp\n" + std::string(ROLE) + "abort-storm\n"), 2);
    EXPECT_NE(m_result.errors.find("cluster.transport = rdma"), std::string::npos)
        << m_result.errors;
}

} // namespace

} // namespace ns3::nfsrdma
