/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/inline-data.h"
#include "rnic/rnic-fixture.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <deque>
#include <gmock/gmock.h>
#include <random>

namespace ns3::nfsrdma
{

using ::testing::Each;
using ::testing::ElementsAre;

TEST(InlineDataQueue, GivesEachWorkRequestItsOctets)
{
    std::mt19937_64 random(4);
    InlineData data;
    std::deque<ByteVector> expected;
    for (int step = 0; step < 20000; step++)
    {
        if (expected.empty() || (expected.size() < 50 && random() % 2 == 0))
        {
            ByteVector octets(random() % 20);
            for (uint8_t& octet : octets)
            {
                octet = static_cast<uint8_t>(random());
            }
            const MutableByteSpan room = data.Append(static_cast<uint32_t>(octets.size()));
            ASSERT_EQ(room.size(), octets.size());
            std::copy(octets.begin(), octets.end(), room.begin());
            expected.push_back(octets);
        }
        const ByteVector& oldest = expected.front();
        const std::size_t offset = oldest.empty() ? 0 : random() % oldest.size();
        ByteVector got(oldest.size() - offset);
        data.Read(static_cast<uint32_t>(offset), got);
        ASSERT_TRUE(std::equal(got.begin(),
                               got.end(),
                               oldest.begin() + static_cast<std::ptrdiff_t>(offset)));
        if (random() % 2 == 0)
        {
            data.Remove(static_cast<uint32_t>(oldest.size()));
            expected.pop_front();
        }
    }
}

class InlineWork : public RnicTest
{
  protected:
    static constexpr uint32_t MAX_INLINE = 64;

    QueuePairCapabilities GetCapabilities(const RnicHost& /* host */) override
    {
        QueuePairCapabilities capabilities;
        capabilities.maxInline = MAX_INLINE;
        return capabilities;
    }

    void SetUp() override
    {
        RnicTest::SetUp();
        Connect();
        OpenResponder();
    }

    static SendWorkRequest Inline(SendWorkRequest request)
    {
        request.inlineData = true;
        return request;
    }

    bool IsRefused(const SendWorkRequest& request)
    {
        const auto posted = m_client.pair->PostSend(request);
        return !posted && posted.error() == VerbsError::INVALID_ARGUMENT;
    }
};

TEST_F(InlineWork, TheBufferMayChangeAtOnce)
{
    std::vector<const HostBuffer*> rooms;
    HostBuffer buffer = m_client.Room(MAX_INLINE);
    for (uint8_t i = 0; i < 4; i++)
    {
        rooms.push_back(&Keep(m_server.Room(MAX_INLINE)));
        PostReceive(m_server, i, *rooms.back());
        buffer.Write(0, Pattern(MAX_INLINE, i));
        PostSend(m_client, Inline(Send(i, buffer)));
    }
    buffer.Write(0, ByteVector(MAX_INLINE, 0xff));
    Run();
    EXPECT_THAT(m_client.SentStatuses(), Each(Status::SUCCESS));
    for (uint8_t i = 0; i < 4; i++)
    {
        EXPECT_EQ(m_server.Octets(*rooms[i]), Pattern(MAX_INLINE, i));
    }
}

TEST_F(InlineWork, TheBufferMayBeFreedAtOnce)
{
    const HostBuffer room = m_server.Room(20);
    PostReceive(m_server, 1, room);
    PostSend(m_client, Inline(Send(1, m_client.Fill(Pattern(20)))));
    Run();
    EXPECT_EQ(m_server.Octets(room), Pattern(20));
}

TEST_F(InlineWork, IsGatheredAndItsKeysAreNotLookedAt)
{
    const HostBuffer room = m_server.Room(30);
    PostReceive(m_server, 1, room);
    const HostBuffer buffer = m_client.Fill(Pattern(30));
    SendWorkRequest request;
    request.elements = {{buffer.GetAddress() + 10, 20, 0xdeadbeef},
                        {0, 0, 0x77},
                        {buffer.GetAddress(), 10, 0x12345678}};
    PostSend(m_client, Inline(request));
    Run();
    ByteVector expected = Pattern(30);
    std::rotate(expected.begin(), expected.begin() + 10, expected.end());
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::SUCCESS));
    EXPECT_EQ(m_server.Octets(room), expected);
}

TEST_F(InlineWork, WritesCarryTheirOctetsAmongOtherWork)
{
    const HostBuffer target = m_server.Room(3000);
    const auto region = RegisterNow(m_server, target, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    const uint64_t base = target.GetAddress();
    const HostBuffer large = m_client.Fill(Pattern(2000, 9));
    HostBuffer small = m_client.Fill(Pattern(50, 1));
    std::vector<SendWorkRequest> chain{
        Inline(Write(1, small, region->GetStag(), base)),
        Write(2, large, region->GetStag(), base + 50),
        Inline(Write(3, small, region->GetStag(), base + 2050)),
    };
    chain[0].signaled = false;
    ASSERT_TRUE(m_client.pair->PostSend(chain));
    small.Write(0, Pattern(50, 77));
    Run();
    EXPECT_THAT(m_client.SentIds(), ElementsAre(2, 3));
    ByteVector expected = Pattern(50, 1);
    const ByteVector middle = Pattern(2000, 9);
    expected.insert(expected.end(), middle.begin(), middle.end());
    const ByteVector last = Pattern(50, 1);
    expected.insert(expected.end(), last.begin(), last.end());
    expected.resize(3000);
    EXPECT_EQ(m_server.Octets(target), expected);
}

TEST_F(InlineWork, TheLimitIsThatOfTheQueuePair)
{
    ASSERT_TRUE(m_server.pair->PostReceive({1, {Element(Keep(m_server.Room(MAX_INLINE)))}}));
    EXPECT_TRUE(IsRefused(Inline(Send(1, m_client.Room(MAX_INLINE + 1)))));
    EXPECT_TRUE(m_client.pair->PostSend(Inline(Send(1, m_client.Room(MAX_INLINE)))));
    QueuePairCapabilities capabilities;
    const auto make = [&](uint32_t maxInline) {
        capabilities.maxInline = maxInline;
        return m_client.device->CreateQueuePair(m_client.domain,
                                                m_client.sendCompletions,
                                                m_client.receiveCompletions,
                                                capabilities);
    };
    EXPECT_EQ(make(81).error(), VerbsError::INVALID_ARGUMENT) << "more than MaxInline";
    EXPECT_TRUE(make(80));
    EXPECT_EQ((*make(0))->GetCapabilities().maxInline, 0U);
}

TEST_F(InlineWork, OnlySendsAndWritesCarryOctets)
{
    const HostBuffer buffer = m_client.Room(8);
    const auto region = RegisterNow(m_client, buffer, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    EXPECT_TRUE(IsRefused(Inline(Read(1, *region, 8, 1, 0))));
    EXPECT_TRUE(IsRefused(Inline(Invalidate(1, region->GetStag()))));
    EXPECT_TRUE(IsRefused(Inline(Register(1, region, buffer, 9, ACCESS_REMOTE_READ))));
    EXPECT_EQ(m_client.pair->GetOutstandingSends(), 0U);
}

TEST_F(InlineWork, MemoryOutsideAnyAllocationIsRefusedAtThePost)
{
    SendWorkRequest request;
    {
        const HostBuffer gone = m_client.Fill(Pattern(10));
        request = Inline(Send(1, gone));
    }
    EXPECT_TRUE(IsRefused(request));
    const HostBuffer buffer = m_client.Fill(Pattern(10));
    request = Inline(Send(1, buffer));
    request.elements[0].length = 11;
    EXPECT_TRUE(IsRefused(request)) << "one octet too far";
    const auto posted = m_client.pair->PostSend(std::vector<SendWorkRequest>{{}, request});
    EXPECT_EQ(posted.error(), VerbsError::INVALID_ARGUMENT);
    EXPECT_EQ(m_client.pair->GetOutstandingSends(), 0U) << "a chain is posted whole or not at all";
}

TEST_F(InlineWork, IsFlushedLikeAnyOther)
{
    const HostBuffer buffer = m_client.Fill(Pattern(10));
    ASSERT_TRUE(m_client.pair->PostSend(
        std::vector<SendWorkRequest>{Inline(Send(1, buffer)), Inline(Send(2, buffer))}));
    m_client.pair->MoveToError();
    PostSend(m_client, Inline(Send(3, buffer)));
    Run();
    EXPECT_THAT(m_client.SentIds(), ElementsAre(1, 2, 3));
    EXPECT_THAT(m_client.SentStatuses(), Each(Status::WR_FLUSH_ERR));
}

class FewElements : public RnicTest
{
  protected:
    QueuePairCapabilities GetCapabilities(const RnicHost& /* host */) override
    {
        QueuePairCapabilities capabilities;
        capabilities.maxSendElements = 2;
        capabilities.maxReceiveElements = 1;
        return capabilities;
    }
};

TEST_F(FewElements, AreTheLimitOfTheQueuePair)
{
    Connect();
    const HostBuffer buffer = m_client.Room(8);
    ASSERT_TRUE(m_server.pair->PostReceive({1, {Element(Keep(m_server.Room(16)))}}));
    SendWorkRequest send;
    send.elements.assign(3, Element(buffer));
    EXPECT_EQ(m_client.pair->PostSend(send).error(), VerbsError::INVALID_ARGUMENT);
    send.elements.resize(2);
    EXPECT_TRUE(m_client.pair->PostSend(send));
    ReceiveWorkRequest receive;
    receive.elements.assign(2, Element(buffer));
    EXPECT_EQ(m_client.pair->PostReceive(receive).error(), VerbsError::INVALID_ARGUMENT);
    receive.elements.resize(1);
    EXPECT_TRUE(m_client.pair->PostReceive(receive));
    Run();
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::SUCCESS));
}

TEST_F(FewElements, AreNotAboveTheLimitOfTheDevice)
{
    const auto make = [this](const QueuePairCapabilities& capabilities) {
        return m_client.device->CreateQueuePair(m_client.domain,
                                                m_client.sendCompletions,
                                                m_client.receiveCompletions,
                                                capabilities);
    };
    QueuePairCapabilities capabilities;
    capabilities.maxSendElements = 7;
    EXPECT_EQ(make(capabilities).error(), VerbsError::INVALID_ARGUMENT);
    capabilities = {};
    capabilities.maxReceiveElements = 7;
    EXPECT_EQ(make(capabilities).error(), VerbsError::INVALID_ARGUMENT);
    const auto pair = make({}).value();
    EXPECT_EQ(pair->GetCapabilities().maxSendElements, 6U);
    EXPECT_EQ(pair->GetCapabilities().maxReceiveElements, 6U);
}

TEST_F(FewElements, AQueuePairHasAThreadOfItsOwnUntilItIsGivenOne)
{
    ASSERT_TRUE(m_client.pair->GetThread());
    EXPECT_NE(m_client.pair->GetThread(), m_server.pair->GetThread());
    const auto thread = Create<HostThread>();
    m_client.pair->SetThread(thread);
    EXPECT_EQ(m_client.pair->GetThread(), thread);
}

} // namespace ns3::nfsrdma
