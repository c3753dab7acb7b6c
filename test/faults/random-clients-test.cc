/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cluster.h"
#include "scenarios/simulator/config/scenario-config.h"
#include "scenarios/simulator/config/scenario-file.h"
#include "scenarios/simulator/run/adversary-run.h"
#include "scenarios/simulator/run/cluster-from-plan.h"
#include "scenarios/simulator/run/fault-run.h"
#include "scenarios/simulator/setup/scenario-check.h"
#include "scenarios/simulator/setup/workload-input.h"
#include "wire/ip-address.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

/**
 * What one connection of a client may do with credits, at every change (RFC 8166 section 3.3): no
 * more calls under way than the latest grant, and one until the first valid reply of the
 * connection, whether or not somebody still waits for it.
 */
class CreditRules
{
  public:
    /// \p changed is called after each change.
    CreditRules(const Ptr<RpcRdmaClient>& transport, std::function<void()> changed)
        : m_changed(std::move(changed))
    {
        transport->TraceConnectWithoutContext("Connected",
                                              MakeCallback(&CreditRules::HandleConnected, this));
        transport->TraceConnectWithoutContext("Credits",
                                              MakeCallback(&CreditRules::HandleCredits, this));
        transport->TraceConnectWithoutContext("Outstanding",
                                              MakeCallback(&CreditRules::HandleOutstanding, this));
        transport->TraceConnectWithoutContext("CallHeader",
                                              MakeCallback(&CreditRules::HandleCall, this));
        transport->TraceConnectWithoutContext("ReplyHeader",
                                              MakeCallback(&CreditRules::HandleReply, this));
        transport->TraceConnectWithoutContext("BadMessage",
                                              MakeCallback(&CreditRules::HandleMessage, this));
    }

    CreditRules(const CreditRules&) = delete;
    CreditRules& operator=(const CreditRules&) = delete;

    uint32_t mostUsed{0};
    uint32_t connections{0};

  private:
    void HandleConnected(uint32_t /* inlineSend */, uint32_t /* inlineReceive */)
    {
        ++connections;
        m_credits = 1;
        m_hasReply = false;
        m_calls = 0;
    }

    void HandleCredits(uint32_t /* before */, uint32_t now)
    {
        m_credits = now;
        m_hasReply = m_hasReply || now > 1;
        m_changed();
    }

    void HandleOutstanding(uint32_t before, uint32_t now)
    {
        if (now > before)
        {
            EXPECT_LE(now, m_credits) << "at " << Simulator::Now().As(Time::NS);
        }
        mostUsed = std::max(mostUsed, now);
        m_changed();
    }

    void HandleCall(const RpcRdmaHeader& /* header */)
    {
        ++m_calls;
        EXPECT_TRUE(m_hasReply || m_calls == 1)
            << "call " << m_calls << " before the first reply, at "
            << Simulator::Now().As(Time::NS);
    }

    void HandleReply(const RpcRdmaHeader& /* header */)
    {
        m_hasReply = true;
    }

    /// The reply to a call that was given up is no less a reply.
    void HandleMessage(uint32_t /* xid */, ReplyVerdict /* verdict */, ReplyFault /* fault */)
    {
        m_hasReply = true;
    }

    std::function<void()> m_changed;
    uint32_t m_credits{1};
    uint32_t m_calls{0};
    bool m_hasReply{false};
};

/**
 * One seed: clients that read and write, cancel calls, lose connections and hosts, under policies
 * for credits, inline thresholds and cancelled calls, and under bounds that the seed chooses.
 * Looked at with every change and every microsecond: nobody uses more credits than were granted,
 * each credit has a receive behind it, and no pool is above its limit.
 *
 * A seed that fails is run alone with --gtest_filter='*RandomClients.KeepPromisedBounds/SEED'.
 */
class RandomClients : public ::testing::TestWithParam<uint64_t>
{
  public:
    void HandleEnd(IpAddress peer, const std::string& reason)
    {
        m_ends << Simulator::Now().As(Time::US) << ' ' << peer << ": " << reason << '\n';
    }

  protected:
    RandomClients()
        : m_random(GetParam())
    {
    }

    uint32_t Between(uint32_t least, uint32_t most)
    {
        return least + static_cast<uint32_t>(m_random() % (most - least + 1));
    }

    template <typename T>
    T OneOf(const std::vector<T>& values)
    {
        return values[m_random() % values.size()];
    }

    std::string OneOfKey(const std::string& name)
    {
        const auto schema = ScenarioSchema::Standard();
        return OneOf(schema.GetKey(schema.Find(name).value()).constraint.choices);
    }

    std::string MakeScenario()
    {
        m_clients = Between(1, 5);
        const uint32_t nconnect = Between(1, 2);
        const uint32_t connections = m_clients * nconnect;
        const auto grant = OneOfKey("rpcrdma.server_credit_grant");
        m_threshold = OneOf<uint32_t>({1024, 4096, 16384});
        if (grant == "fair-share")
        {
            // What a crashed client held is given back only when its connection has ended.
            m_pool = connections * 2 + Between(0, 12);
        }
        // The least of a connection is one receive; thresholds may be above theirs.
        m_memory = OneOf<uint64_t>({0, 1, 2, 8}) * (connections * uint64_t{2} + 5) * 32768;
        std::ostringstream text;
        text << "[cluster]\nclients = " << m_clients << "\nseed = " << GetParam()
             << "\n[nfs]\nversion = " << OneOf<std::string>({"3", "4.1"})
             << "\nnconnect = " << nconnect
             << "\nlease_time = 1s\n[rpcrdma]\nclient_timeout = " << Between(3, 20)
             << "ms\nclient_soft = false\nserver_credit_grant = " << grant
             << "\nserver_inline_policy = " << OneOfKey("rpcrdma.server_inline_policy")
             << "\nclient_inline_policy = " << OneOfKey("rpcrdma.client_inline_policy")
             << "\ninline_threshold = " << m_threshold << "B\nserver_credits = " << Between(1, 40)
             << "\nclient_slots = " << Between(1, 40)
             << "\nclient_cancel = " << (m_cancel = OneOfKey("rpcrdma.client_cancel"));
        if (m_pool > 0)
        {
            text << "\nserver_shared_receives = " << m_pool;
        }
        if (m_memory > 0)
        {
            text << "\nserver_receive_memory_limit = " << m_memory << "B";
        }
        text << "\n[workload]\nkind = fio\nreadwrite = randrw\ndirect = true\n"
                "bssplit = 512:1,4096:2,20000:1\nsize = 256KiB\niodepth = "
             << Between(1, 24)
             << "\nrequests = 120\n[adversary storm]\nrole = abort-storm\nhosts = "
             << (m_clients > 1 ? "client-0..1" : "client-0") << "\nevery = " << Between(20, 300)
             << "us\npatience = " << Between(1, 60) << "us\ncalls = " << Between(1, 6)
             << "\nstop = 30ms\n[faults]\n";
        const uint32_t faults = Between(0, 3);
        for (uint32_t i = 0; i < faults; ++i)
        {
            text << "f" << i << " = at " << Between(200, 9000) << "us: " << MakeFault() << "\n";
        }
        if (Between(0, 2) == 0)
        {
            text << "loss = every " << Between(4, 40) << "0th segment: drop\n";
        }
        return text.str();
    }

    std::string MakeFault()
    {
        const std::string host =
            Between(0, 1) == 0 ? "server-0" : "client-" + std::to_string(Between(0, m_clients - 1));
        switch (Between(0, 3))
        {
        case 0:
            return "qp-error on " + host;
        case 1:
            return "rnic-reset for " + std::to_string(Between(1, 10)) + "ms on " + host;
        case 2:
            return "link-down for " + std::to_string(Between(1, 10)) + "ms on " + host;
        default:
            return "restart for " + std::to_string(Between(1, 10)) + "ms on server-0";
        }
    }

    void CheckServer(const RpcRdmaServer& server)
    {
        uint64_t receives = 0;
        for (const auto& connection : server.GetConnections())
        {
            const uint32_t posted = connection->GetCredits().GetPosted();
            receives += posted;
            m_mostGranted = std::max(m_mostGranted, connection->GetCredits().GetGranted());
            EXPECT_GE(posted + connection->GetCallsInService(),
                      connection->GetCredits().GetGranted())
                << "at " << Simulator::Now().As(Time::NS);
        }
        if (m_pool > 0)
        {
            EXPECT_LE(receives, m_pool);
        }
        const auto& statistics = server.GetStatistics();
        if (m_memory > 0)
        {
            EXPECT_LE(statistics.receiveOctets, m_memory);
        }
    }

    void Watch(const Cluster& cluster)
    {
        CheckServer(*cluster.GetServers().front().transport);
        if (cluster.IsFinished())
        {
            Simulator::Stop();
            return;
        }
        // Then clients wait, seconds at times, to connect again.
        const Time period =
            Simulator::Now() < MilliSeconds(BUSY_MS) ? MicroSeconds(1) : MicroSeconds(100);
        Simulator::Schedule(period, [this, &cluster] { Watch(cluster); });
    }

    static constexpr uint64_t BUSY_MS = 30;

    std::mt19937_64 m_random;
    std::ostringstream m_ends; ///< Of connections, as the server tells them.
    uint32_t m_clients{1};
    uint32_t m_threshold{0};
    std::string m_cancel;
    uint32_t m_pool{0};   ///< Receives that connections share; 0: any number.
    uint64_t m_memory{0}; ///< Octets of receives; 0: any amount.
    uint32_t m_mostGranted{0};
};

TEST_P(RandomClients, KeepPromisedBounds)
{
    const auto text = MakeScenario();
    SCOPED_TRACE(text);
    const auto schema = ScenarioSchema::Standard();
    const ScenarioPath path{{NFSRDMA_SOURCE_DIR "/scenarios"}};
    const ScenarioConfig config(schema, path, ScenarioFile::Parse("test.ini", text).GetEntries());
    CheckCombinations(config);
    const auto plan = ClusterPlan::Resolve(config, WorkloadInput::Load(config, path));
    ConfigureSimulator(plan);
    auto cluster = BuildCluster(plan);
    auto faults = std::make_unique<FaultRun>(plan, *cluster);
    auto adversaries = std::make_unique<AdversaryRun>(plan.adversaries, *cluster);
    const auto check = [this, server = cluster->GetServers().front().transport] {
        CheckServer(*server);
    };
    std::vector<std::unique_ptr<CreditRules>> rules;
    for (const auto& client : cluster->GetClients())
    {
        for (const auto& transport : client.stack.transports)
        {
            rules.push_back(std::make_unique<CreditRules>(transport, check));
        }
    }
    cluster->GetServers().front().transport->TraceConnectWithoutContext(
        "ConnectionEnded",
        MakeCallback(&RandomClients::HandleEnd, this));
    faults->Start();
    adversaries->Start();
    cluster->Start();
    Watch(*cluster);
    Simulator::Stop(Seconds(60));
    Simulator::Run();
    EXPECT_TRUE(cluster->IsFinished());
    faults->Stop();
    adversaries->Stop();
    cluster->Disconnect();
    Simulator::Stop(Seconds(20));
    Simulator::Run();
    const auto server = cluster->GetServers().front().transport;
    // Linux's client takes the credit of a call that it has given up for free (CancelPolicy).
    if (m_cancel != "linux")
    {
        EXPECT_EQ(server->GetStatistics().overruns, 0U) << m_ends.str();
    }
    uint32_t mostUsed = 0;
    for (const auto& one : rules)
    {
        mostUsed = std::max(mostUsed, one->mostUsed);
        EXPECT_GE(one->connections, 1U);
    }
    EXPECT_GE(mostUsed, 1U);
    EXPECT_LE(mostUsed, m_mostGranted);
    cluster->Stop();
    Simulator::Stop(Seconds(20));
    Simulator::Run();
    EXPECT_EQ(server->GetStatistics().receiveOctets, 0U);
    faults.reset();
    adversaries.reset();
    cluster.reset();
    Simulator::Destroy();
}

INSTANTIATE_TEST_SUITE_P(Quick,
                         RandomClients,
                         ::testing::Range(uint64_t{26}, uint64_t{41}),
                         ::testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(Nightly,
                         RandomClients,
                         ::testing::Range(uint64_t{1}, uint64_t{26}),
                         ::testing::PrintToStringParamName());

} // namespace

} // namespace ns3::nfsrdma
