/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/rpc-loop.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

constexpr int64_t CALLS = 240;
const Time CALL_COST = MicroSeconds(7);
const Time REPLY_COST = MicroSeconds(3);
const Time SERVER_COST = MicroSeconds(4);
/// What AdderProgram takes, without a core.
const Time SERVICE = MicroSeconds(10);

/// Many calls at once, from a client to a server of some cores each; the parameter is their number.
class Processors : public ::testing::TestWithParam<int64_t>
{
  protected:
    void SetUp() override
    {
        m_server->Register(Create<AdderProgram>(3));
        m_server->SetAttribute("Threads", UintegerValue(CALLS));
        m_client->SetTransport(CreateObject<LoopTransport>(m_server));
        m_client->SetProgram(400000, 3);
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    static Ptr<HostCpu> MakeCpu(int64_t cores)
    {
        const auto cpu = CreateObject<HostCpu>();
        cpu->SetAttribute("Cores", UintegerValue(cores));
        return cpu;
    }

    void SetCosts(Time call, Time reply, Time server)
    {
        m_client->SetAttribute("CallCost", TimeValue(call));
        m_client->SetAttribute("ReplyCost", TimeValue(reply));
        m_server->SetAttribute("CallCost", TimeValue(server));
    }

    /// \return when the last of all calls has ended.
    Time RunCalls()
    {
        for (int64_t i = 0; i < CALLS; ++i)
        {
            XdrWriter writer;
            writer.WriteU32(1);
            writer.WriteU32(2);
            RpcArguments arguments;
            arguments.octets = writer.Take();
            m_client->Call(1, std::move(arguments), RpcReplyEstimate(), nullptr);
        }
        Simulator::Run();
        return Simulator::Now();
    }

    Ptr<RpcServer> m_server{CreateObject<RpcServer>()};
    Ptr<RpcClient> m_client{CreateObject<RpcClient>()};
};

TEST_P(Processors, OfAServerBoundItsRate)
{
    SetCosts(Time(0), Time(0), SERVER_COST);
    const auto cpu = MakeCpu(GetParam());
    m_server->SetHostCpu(cpu);
    EXPECT_EQ(RunCalls(), SERVER_COST * (CALLS / GetParam()) + SERVICE);
    EXPECT_EQ(cpu->GetUsed(), SERVER_COST * CALLS);
}

TEST_P(Processors, OfAClientBoundItsRate)
{
    SetCosts(CALL_COST, Time(0), Time(0));
    const auto cpu = MakeCpu(GetParam());
    m_client->SetHostCpu(cpu);
    EXPECT_EQ(RunCalls(), CALL_COST * (CALLS / GetParam()) + SERVICE);
    EXPECT_EQ(cpu->GetUsed(), CALL_COST * CALLS);
}

TEST_P(Processors, WorkAsLongAsAllCallsCost)
{
    SetCosts(CALL_COST, REPLY_COST, SERVER_COST);
    const auto client = MakeCpu(GetParam());
    const auto server = MakeCpu(GetParam());
    m_client->SetHostCpu(client);
    m_server->SetHostCpu(server);
    const Time end = RunCalls();
    EXPECT_EQ(client->GetUsed(), (CALL_COST + REPLY_COST) * CALLS);
    EXPECT_EQ(server->GetUsed(), SERVER_COST * CALLS);
    EXPECT_GE(end * GetParam(), client->GetUsed());
}

TEST_P(Processors, AreSharedByClientAndServerOfAHost)
{
    SetCosts(CALL_COST, REPLY_COST, SERVER_COST);
    const auto cpu = MakeCpu(GetParam());
    m_client->SetHostCpu(cpu);
    m_server->SetHostCpu(cpu);
    const Time all = (CALL_COST + REPLY_COST + SERVER_COST) * CALLS;
    const Time end = RunCalls();
    EXPECT_EQ(cpu->GetUsed(), all);
    EXPECT_GE(end * GetParam(), all);
    EXPECT_LE(end * GetParam(), all + (SERVICE + CALL_COST) * GetParam());
}

/// One to send the call, one for its reply, and with data one that releases it.
TEST(TaskRelease, IsATaskMoreOfACallWithData)
{
    const auto server = CreateObject<RpcServer>();
    const auto client = CreateObject<RpcClient>();
    const auto cpu = CreateObject<HostCpu>();
    cpu->SetAttribute("ClientQueueHold", TimeValue(MicroSeconds(1)));
    cpu->SetAttribute("ClientReleaseWork", BooleanValue(true));
    server->Register(Create<AdderProgram>(3));
    client->SetTransport(CreateObject<LoopTransport>(server));
    client->SetProgram(400000, 3);
    client->SetHostCpu(cpu);
    std::vector<uint64_t> tasks;
    for (const uint32_t octets : {0, 4096})
    {
        XdrWriter writer;
        writer.WriteU32(1);
        writer.WriteU32(2);
        RpcArguments arguments;
        arguments.octets = writer.Take();
        RpcReplyEstimate reply;
        reply.items.emplace_back().maximum = octets;
        client->Call(1, std::move(arguments), std::move(reply), nullptr);
        Simulator::Run();
        tasks.push_back(cpu->GetLockClasses().at("workqueue_pool")->acquisitions);
    }
    EXPECT_EQ(tasks, (std::vector<uint64_t>{2, 2 + 3}));
    Simulator::Destroy();
}

INSTANTIATE_TEST_SUITE_P(Cores, Processors, ::testing::Values(1, 2, 4));

} // namespace
} // namespace ns3::nfsrdma
