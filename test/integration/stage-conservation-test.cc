/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cluster-helper.h"
#include "helper/conservation.h"
#include "helper/host-counters.h"
#include "workload/generate/lock-counters.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A cluster that has done its work, whose stages can be held against each other.
class StageConservation : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        ClusterHelper helper;
        helper.SetSize(2, 1);
        helper.SetNfsVersion("4.1");
        helper.SetSharedExport(true);
        helper.SetAttribute("RnicDevice::ContextCacheSize", UintegerValue(1));
        helper.SetWorkload([](uint32_t) {
            const auto workload = CreateObject<LockWorkload>();
            workload->SetAttribute("Requests", UintegerValue(20));
            return workload;
        });
        m_cluster = helper.Build();
        m_cluster->SetFinishedCallback([] { Simulator::Stop(); });
        m_cluster->Start();
        Simulator::Run();
        ASSERT_TRUE(m_cluster->IsFinished());
    }

    void TearDown() override
    {
        m_cluster.reset();
        Simulator::Destroy();
    }

    /// \return what is broken, by layer.
    std::map<std::string, std::vector<std::string>> Check() const
    {
        std::map<std::string, std::vector<std::string>> broken;
        for (const auto& balance : CheckConservation(*m_cluster, {true, false}))
        {
            EXPECT_GT(balance.sent, 0U) << balance.layer;
            if (!balance.broken.empty())
            {
                broken[balance.layer] = balance.broken;
            }
        }
        return broken;
    }

    RnicCounters& GetCounters(uint32_t host) const
    {
        return m_cluster->GetDevice(host)->Counters();
    }

    /// \return the sum over all hosts.
    uint64_t Sum(const std::string& source, const std::string& name) const
    {
        uint64_t sum = 0;
        uint32_t hosts = 0;
        for (const auto& counter : ListHostCounters(*m_cluster))
        {
            if (counter.source == source && counter.name == name)
            {
                sum += counter.value;
                ++hosts;
            }
        }
        EXPECT_EQ(hosts, m_cluster->GetHostCount()) << name;
        return sum;
    }

    std::unique_ptr<Cluster> m_cluster;
};

TEST_F(StageConservation, NothingIsMissing)
{
    EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(StageConservation, AWorkRequestThatIsMissingIsFoundAtItsHost)
{
    GetCounters(1).sendsPosted++;
    EXPECT_THAT(Check()["work_requests"], Each(HasSubstr(m_cluster->GetHostName(1))));
    EXPECT_EQ(Check().size(), 1U);
    GetCounters(1).sendsDone++;
    EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(StageConservation, AContextNeitherFoundNorFetchedIsMissed)
{
    GetCounters(0).contextUses++;
    EXPECT_THAT(Check()["contexts"], Each(HasSubstr(m_cluster->GetHostName(0))));
    EXPECT_EQ(Check().size(), 1U);
}

TEST_F(StageConservation, WhatNobodyAskedTheBusForIsFound)
{
    m_cluster->GetDevice(1)->GetClocks().GetPcie().GetCompletions().Add(8, Time(0), Time(1));
    EXPECT_THAT(Check()["bus_reads"], Each(HasSubstr(m_cluster->GetHostName(1))));
    EXPECT_EQ(Check().size(), 1U);
}

TEST_F(StageConservation, AnFpduThatPassesTheReceiveBufferByIsMissed)
{
    GetCounters(0).fpduOctetsReceived += 64;
    EXPECT_THAT(Check()["receive_buffers"], Each(HasSubstr(m_cluster->GetHostName(0))));
    EXPECT_EQ(Check().size(), 1U);
    m_cluster->GetDevice(0)->GetReceiveBuffer().Take(64, Simulator::Now());
    EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(StageConservation, PayloadThatDoesNotReachMemoryIsMissed)
{
    GetCounters(2).payloadReceived += 8;
    const auto broken = Check();
    EXPECT_EQ(broken.size(), 2U);
    EXPECT_EQ(broken.count("posted_writes"), 1U);
    EXPECT_EQ(broken.count("host_memory"), 1U);
}

TEST_F(StageConservation, CountersByLinuxNamesAgreeBetweenHosts)
{
    EXPECT_GT(Sum("rdma", "iwOutRdmaSends"), 0U);
    EXPECT_EQ(Sum("rdma", "iwOutRdmaSends"), Sum("rdma", "iwInRdmaSends"));
    EXPECT_EQ(Sum("rdma", "iwOutRdmaReads"), Sum("rdma", "iwInRdmaReads"));
    EXPECT_EQ(Sum("rdma", "iwOutRdmaWrites"), Sum("rdma", "iwInRdmaWrites"));
    EXPECT_GT(Sum("rdma", "iwInRdmaWrites"), 0U);
    EXPECT_EQ(Sum("rnic", "payload_octets_sent"), Sum("rnic", "payload_octets_received"));
    EXPECT_EQ(Sum("rnic", "context_uses"),
              Sum("rnic", "context_hits") + Sum("rnic", "context_misses"));
    EXPECT_GT(Sum("rnic", "context_misses"), 0U) << "two clients, room for one";
    EXPECT_GT(Sum("nstat", "TcpExtTCPOrigDataSent"), 0U);
    EXPECT_EQ(Sum("nstat", "TcpRetransSegs"), 0U);
    EXPECT_GT(Sum("ethtool", "tx_packets"), Sum("nstat", "TcpExtTCPOrigDataSent"))
        << "acknowledgments too";
    constexpr uint64_t UNDER_WAY = 4; // A segment of each end of both connections, at the end.
    EXPECT_GT(Sum("rdma", "tcpInSegs"), Sum("nstat", "TcpExtTCPOrigDataSent"));
    EXPECT_LE(Sum("rdma", "tcpInSegs"), Sum("rdma", "tcpOutSegs"));
    EXPECT_LE(Sum("rdma", "tcpOutSegs"), Sum("rdma", "tcpInSegs") + UNDER_WAY);
    EXPECT_EQ(Sum("rdma", "tcpRetransSegs"), 0U);
    EXPECT_EQ(Sum("nstat", "TcpExtTCPAbortOnTimeout"), 0U);
}

} // namespace ns3::nfsrdma
