/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-fixture.h"

namespace ns3::nfsrdma
{
namespace
{

/// RDMA Read with Invalidate Local STag.
class ReadInvalidates : public RnicTest
{
  protected:
    void SetUp() override
    {
        RnicTest::SetUp();
        Connect();
        m_octets = Pattern(20000);
        m_source = RegisterNow(m_server, Keep(m_server.Fill(m_octets)), ACCESS_REMOTE_READ);
        m_room = &Keep(m_client.Room(m_octets.size()));
        m_sink = RegisterNow(m_client, *m_room, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
        m_client.sent.clear();
    }

    SendWorkRequest MakeRead(uint64_t id, uint32_t offset, uint32_t length, bool invalidates)
    {
        SendWorkRequest read = Read(id,
                                    *m_sink,
                                    length,
                                    m_source->GetStag(),
                                    m_source->GetRegistration().iova + offset);
        read.elements[0].address += offset;
        read.invalidatesSink = invalidates;
        return read;
    }

    ByteVector m_octets;
    Ptr<MemoryRegion> m_source;
    Ptr<MemoryRegion> m_sink;
    const HostBuffer* m_room{nullptr};
};

TEST_F(ReadInvalidates, TheSinkIsThereAndInvalidWithTheCompletion)
{
    PostSend(m_client, MakeRead(1, 0, 20000, true));
    Run();
    EXPECT_EQ(m_client.SentStatuses(), std::vector{WorkCompletionStatus::SUCCESS});
    EXPECT_EQ(m_client.Octets(*m_room), m_octets);
    EXPECT_FALSE(m_sink->IsValid());
    EXPECT_EQ(m_client.device->GetCounters().localInvalidations, 1U);
    PostSend(m_client, Register(2, m_sink, *m_room, 7, ACCESS_LOCAL_WRITE));
    Run();
    EXPECT_TRUE(m_sink->IsValid());
}

TEST_F(ReadInvalidates, AnEarlierReadIntoItLeavesItValid)
{
    PostSend(m_client, MakeRead(1, 0, 5000, false));
    PostSend(m_client, MakeRead(2, 5000, 15000, true));
    Run();
    EXPECT_EQ(m_client.SentIds(), (std::vector<uint64_t>{1, 2}));
    EXPECT_EQ(m_client.Octets(*m_room), m_octets);
    EXPECT_FALSE(m_sink->IsValid());
}

TEST_F(ReadInvalidates, AReadBehindItFindsNoSink)
{
    PostSend(m_client, MakeRead(1, 0, 5000, true));
    Run();
    PostSend(m_client, MakeRead(2, 5000, 15000, false));
    Run();
    ASSERT_EQ(m_client.sent.size(), 2U);
    EXPECT_EQ(m_client.sent[0].status, WorkCompletionStatus::SUCCESS);
    EXPECT_NE(m_client.sent[1].status, WorkCompletionStatus::SUCCESS);
}

TEST_F(ReadInvalidates, ASinkThatIsARegularRegionFailsTheQueuePair)
{
    const HostBuffer& room = Keep(m_client.Room(100));
    const auto regular = m_client.device->RegisterMemory(m_client.domain,
                                                         room.GetAddress(),
                                                         room.GetLength(),
                                                         ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE,
                                                         room.GetAddress());
    ASSERT_TRUE(regular);
    SendWorkRequest read =
        Read(1, **regular, 100, m_source->GetStag(), m_source->GetRegistration().iova);
    read.invalidatesSink = true;
    PostSend(m_client, read);
    Run();
    ASSERT_EQ(m_client.sent.size(), 1U);
    EXPECT_EQ(m_client.sent[0].status, WorkCompletionStatus::LOC_QP_OP_ERR);
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::ERROR);
    EXPECT_TRUE((*regular)->IsValid());
}

TEST_F(ReadInvalidates, TheTagOfAllMemoryIsRefused)
{
    SendWorkRequest read = MakeRead(1, 0, 100, true);
    read.elements[0].lkey = ScatterGatherElement::LOCAL_DMA_LKEY;
    EXPECT_FALSE(m_client.pair->PostSend(read));
}

} // namespace
} // namespace ns3::nfsrdma
