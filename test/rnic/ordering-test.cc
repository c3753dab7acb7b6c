/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-fixture.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// The ordering table of RFC 5040 section 5.5 at the issuer: completions and fences.
class Ordering : public RnicTest
{
  protected:
    static constexpr uint32_t SIZE = 100000;

    void ConfigureDevice(RnicHost& host) override
    {
        host.device->SetAttribute("RdmapExtensions", BooleanValue(true));
    }

    void SetUp() override
    {
        RnicTest::SetUp();
        Connect();
        m_target = m_server.Fill(Pattern(SIZE, 1));
        m_remote = RegisterNow(m_server,
                               m_target,
                               ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ |
                                   ACCESS_REMOTE_ATOMIC);
        m_sink = m_client.Room(SIZE);
        m_local = RegisterNow(m_client, m_sink, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
        m_source = m_client.Fill(Pattern(SIZE, 2));
        m_word = m_client.Room(8);
        for (uint64_t id = 0; id < 4; id++)
        {
            PostReceive(m_server, id, Keep(m_server.Room(SIZE)));
        }
    }

    SendWorkRequest Make(uint64_t id, WorkRequestOpcode opcode, uint32_t length)
    {
        SendWorkRequest request;
        request.id = id;
        request.opcode = opcode;
        request.elements = {{m_source.GetAddress(), length, 0}};
        request.remoteStag = m_remote->GetStag();
        request.remoteOffset = m_target.GetAddress();
        if (opcode == WorkRequestOpcode::RDMA_READ)
        {
            request.elements = {{m_sink.GetAddress(), length, m_local->GetStag()}};
        }
        else if (opcode == WorkRequestOpcode::ATOMIC_FETCH_AND_ADD)
        {
            request.elements = {Element(m_word)};
        }
        return request;
    }

    uint64_t Sent(RdmapOpcode opcode) const
    {
        return m_client.device->GetCounters().segmentsSent[static_cast<std::size_t>(opcode)];
    }

    HostBuffer m_target;
    HostBuffer m_sink;
    HostBuffer m_source;
    HostBuffer m_word;
    Ptr<MemoryRegion> m_remote;
    Ptr<MemoryRegion> m_local;
};

class CompletionOrder
    : public Ordering,
      public ::testing::WithParamInterface<std::tuple<WorkRequestOpcode, WorkRequestOpcode>>
{
};

TEST_P(CompletionOrder, IsThatOfPosting)
{
    const auto [first, second] = GetParam();
    ASSERT_TRUE(m_client.pair->PostSend(
        std::vector<SendWorkRequest>{Make(1, first, SIZE), Make(2, second, 10)}));
    Run();
    EXPECT_THAT(m_client.SentIds(), ElementsAre(1, 2));
    EXPECT_THAT(m_client.SentStatuses(), Each(Status::SUCCESS));
    const auto receives = [](WorkRequestOpcode opcode) {
        return opcode == WorkRequestOpcode::SEND ||
               opcode == WorkRequestOpcode::RDMA_WRITE_WITH_IMM;
    };
    EXPECT_EQ(m_server.received.size(),
              static_cast<std::size_t>(receives(first)) +
                  static_cast<std::size_t>(receives(second)));
}

constexpr auto KINDS = {WorkRequestOpcode::SEND,
                        WorkRequestOpcode::RDMA_WRITE,
                        WorkRequestOpcode::RDMA_READ,
                        WorkRequestOpcode::RDMA_WRITE_WITH_IMM,
                        WorkRequestOpcode::ATOMIC_FETCH_AND_ADD};

INSTANTIATE_TEST_SUITE_P(Pairs,
                         CompletionOrder,
                         ::testing::Combine(::testing::ValuesIn(KINDS), ::testing::ValuesIn(KINDS)),
                         [](const auto& pair) {
                             return std::string(ToString(std::get<0>(pair.param))) + "_then_" +
                                    ToString(std::get<1>(pair.param));
                         });

TEST_F(Ordering, AWriteDoesNotWaitForTheReadBeforeIt)
{
    ASSERT_TRUE(m_client.pair->PostSend(
        std::vector<SendWorkRequest>{Make(1, WorkRequestOpcode::RDMA_READ, SIZE),
                                     Make(2, WorkRequestOpcode::RDMA_WRITE, 10)}));
    while (Sent(RdmapOpcode::WRITE) == 0)
    {
        Simulator::Stop(NanoSeconds(20));
        Simulator::Run();
    }
    EXPECT_LT(m_client.device->GetCounters().payloadReceived, SIZE);
    EXPECT_THAT(m_client.sent, IsEmpty()) << "its completion waits";
    Run();
    EXPECT_THAT(m_client.SentIds(), ElementsAre(1, 2));
}

TEST_F(Ordering, WithAFenceTheReadReturnsWhatWasThereBeforeTheWrite)
{
    SendWorkRequest write = Make(2, WorkRequestOpcode::RDMA_WRITE, SIZE);
    write.fence = true;
    ASSERT_TRUE(m_client.pair->PostSend(
        std::vector<SendWorkRequest>{Make(1, WorkRequestOpcode::RDMA_READ, SIZE), write}));
    Run();
    EXPECT_EQ(m_client.Octets(m_sink), Pattern(SIZE, 1));
    EXPECT_EQ(m_server.Octets(m_target), Pattern(SIZE, 2));
    EXPECT_EQ(m_client.device->GetCounters().fenceStalls, 1U);
}

TEST_F(Ordering, AFenceWaitsForAnAtomicToo)
{
    SendWorkRequest send = Make(2, WorkRequestOpcode::SEND, 10);
    send.fence = true;
    ASSERT_TRUE(m_client.pair->PostSend(
        std::vector<SendWorkRequest>{Make(1, WorkRequestOpcode::ATOMIC_FETCH_AND_ADD, 8), send}));
    while (m_client.sent.empty())
    {
        Simulator::Stop(NanoSeconds(20));
        Simulator::Run();
        if (m_client.device->GetCounters()
                .segmentsReceived[static_cast<std::size_t>(RdmapOpcode::ATOMIC_RESPONSE)] == 0)
        {
            ASSERT_EQ(Sent(RdmapOpcode::SEND), 0U);
        }
    }
    Run();
    EXPECT_THAT(m_client.SentIds(), ElementsAre(1, 2));
    EXPECT_EQ(m_client.device->GetCounters().fenceStalls, 1U);
}

TEST_F(Ordering, ASendIsDeliveredBeforeTheReadBeforeItCompletes)
{
    ASSERT_TRUE(m_client.pair->PostSend(
        std::vector<SendWorkRequest>{Make(1, WorkRequestOpcode::RDMA_READ, SIZE),
                                     Make(2, WorkRequestOpcode::SEND, 10)}));
    while (m_server.received.empty())
    {
        Simulator::Stop(NanoSeconds(100));
        Simulator::Run();
    }
    EXPECT_THAT(m_client.sent, IsEmpty());
    EXPECT_LT(m_client.device->GetCounters().payloadReceived, SIZE);
    Run();
    EXPECT_THAT(m_client.SentIds(), ElementsAre(1, 2));
}

TEST_F(Ordering, WhatASendFollowsIsPlacedWhenItIsDelivered)
{
    ASSERT_TRUE(m_client.pair->PostSend(
        std::vector<SendWorkRequest>{Make(1, WorkRequestOpcode::RDMA_WRITE, SIZE),
                                     Make(2, WorkRequestOpcode::SEND, 10)}));
    while (m_server.received.empty())
    {
        Simulator::Stop(NanoSeconds(100));
        Simulator::Run();
    }
    EXPECT_EQ(m_server.Octets(m_target), Pattern(SIZE, 2));
}

TEST_F(Ordering, SendsAreDeliveredInOrder)
{
    std::vector<SendWorkRequest> chain;
    for (uint32_t i = 0; i < 4; i++)
    {
        chain.push_back(Make(i, WorkRequestOpcode::SEND, 10000 - i * 3000));
    }
    ASSERT_TRUE(m_client.pair->PostSend(chain));
    Run();
    ASSERT_THAT(m_server.received, SizeIs(4));
    for (uint32_t i = 0; i < 4; i++)
    {
        EXPECT_EQ(m_server.received[i].id, i);
        EXPECT_EQ(m_server.received[i].length, 10000 - i * 3000);
    }
}

} // namespace ns3::nfsrdma
