/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/rdmap-stream-fixture.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

struct Side
{
    explicit Side(uint32_t ird)
        : stream(lower, consumer, {ird})
    {
    }

    RecordingUlpduStream lower;
    RecordingConsumer consumer;
    RdmapStream stream;
};

/**
 * \brief Two streams back to back. A case says what the initiator does next, and checks at the end.
 */
class RdmapStreamPairTest : public testing::Test
{
  protected:
    static constexpr uint32_t IRD = 4;
    static constexpr Stag REMOTE = 0xb001;
    static constexpr Stag SINK = 0xa001;
    static constexpr uint32_t MEMORY = 20000;

    void SetUp() override
    {
        m_initiator.consumer.memory[SINK] = ByteVector(MEMORY);
        m_responder.consumer.memory[REMOTE] = RandomBytes(m_generator, MEMORY);
    }

    /// Hook: starts the initiator's next message; \return false when there is none left.
    virtual bool StartNext() = 0;

    /// Runs until neither side has anything to say.
    void Run()
    {
        bool more = true;
        bool moved = true;
        while (more || moved)
        {
            if (m_initiator.stream.IsIdle() && more)
            {
                more = StartNext();
            }
            moved = Step(m_initiator, m_responder);
            moved = Step(m_responder, m_initiator) || moved;
        }
    }

    bool Step(Side& from, Side& to)
    {
        if (!from.stream.HasSegment())
        {
            return false;
        }
        from.lower.mulpdu = 128 + m_generator() % 3000;
        from.stream.EmitSegment();
        const ByteVector ulpdu = from.lower.ulpdus.front();
        from.lower.ulpdus.pop_front();
        to.stream.ReceiveUlpdu(ulpdu);
        return true;
    }

    std::mt19937 m_generator{8166};
    Side m_initiator{IRD};
    Side m_responder{IRD};
};

class SendsPairTest : public RdmapStreamPairTest
{
  protected:
    bool StartNext() override
    {
        if (!m_last.empty())
        {
            EXPECT_EQ(m_responder.consumer.send, m_last);
        }
        if (m_started == 100)
        {
            return false;
        }
        ++m_started;
        m_last = RandomBytes(m_generator, m_generator() % 5000);
        const auto length = static_cast<uint32_t>(m_last.size());
        m_initiator.stream.StartSend(RdmapOpcode::SEND, length, 0, SourceOf(m_last));
        return true;
    }

    ByteVector m_last;
    int m_started{0};
};

TEST_F(SendsPairTest, ArriveWhole)
{
    Run();
    EXPECT_EQ(m_responder.consumer.sends.size(), 100U);
    EXPECT_FALSE(m_responder.stream.IsFailed());
}

class WritesPairTest : public RdmapStreamPairTest
{
  protected:
    bool StartNext() override
    {
        if (m_started == 100)
        {
            return false;
        }
        ++m_started;
        const uint32_t offset = m_generator() % MEMORY;
        const ByteVector octets = RandomBytes(m_generator, m_generator() % (MEMORY - offset));
        if (m_expected.empty())
        {
            m_expected = m_responder.consumer.memory[REMOTE];
        }
        std::copy(octets.begin(), octets.end(), m_expected.begin() + offset);
        const auto length = static_cast<uint32_t>(octets.size());
        m_initiator.stream.StartWrite(REMOTE, offset, length, SourceOf(octets));
        return true;
    }

    ByteVector m_expected;
    int m_started{0};
};

TEST_F(WritesPairTest, FillTheMemory)
{
    Run();
    EXPECT_EQ(m_responder.consumer.memory[REMOTE], m_expected);
    EXPECT_FALSE(m_responder.stream.IsFailed());
}

class ReadsPairTest : public RdmapStreamPairTest
{
  protected:
    virtual uint32_t Ord() const
    {
        return IRD;
    }

    bool StartNext() override
    {
        if (m_started == 20)
        {
            return false;
        }
        if (m_initiator.stream.GetOutstandingReads() < Ord())
        {
            const uint32_t part = MEMORY / 20;
            const uint32_t offset = m_started * part;
            m_initiator.stream.StartReadRequest({SINK, offset, part, REMOTE, offset});
            ++m_started;
        }
        return true;
    }

    uint32_t m_started{0};
};

TEST_F(ReadsPairTest, FetchTheMemory)
{
    Run();
    EXPECT_EQ(m_initiator.consumer.memory[SINK], m_responder.consumer.memory[REMOTE]);
    EXPECT_EQ(m_initiator.stream.GetOutstandingReads(), 0U);
    EXPECT_EQ(m_responder.stream.GetInboundReads(), 0U);
    EXPECT_FALSE(m_initiator.stream.IsFailed());
}

class GreedyReadsPairTest : public ReadsPairTest
{
  protected:
    uint32_t Ord() const override
    {
        return 100;
    }
};

TEST_F(GreedyReadsPairTest, BeyondIrdEndTheStreamOnBothSides)
{
    Run();
    ASSERT_TRUE(m_responder.consumer.failure);
    ASSERT_TRUE(m_initiator.consumer.peerTerminate);
    EXPECT_EQ(m_responder.consumer.failure->reason,
              TerminateReason::From(DdpError::UNTAGGED_NO_BUFFER));
    EXPECT_EQ(m_initiator.consumer.peerTerminate->reason, m_responder.consumer.failure->reason);
    EXPECT_TRUE(m_initiator.consumer.peerTerminate->readRequest);
    EXPECT_FALSE(m_responder.stream.HasSegment());
    EXPECT_FALSE(m_initiator.stream.HasSegment());
}

class MixedPairTest : public RdmapStreamPairTest
{
  protected:
    bool StartNext() override
    {
        if (m_started == 300)
        {
            return false;
        }
        switch (m_generator() % 3)
        {
        case 0:
            ++m_sends;
            m_initiator.stream.StartSend(RdmapOpcode::SEND_INVALIDATE,
                                         700,
                                         REMOTE,
                                         SourceOf(ByteVector(700, 1)));
            break;
        case 1:
            m_initiator.stream.StartWrite(REMOTE, 5000, 3001, SourceOf(ByteVector(3001, 2)));
            break;
        default:
            if (m_initiator.stream.GetOutstandingReads() == IRD)
            {
                return true;
            }
            ++m_reads;
            m_initiator.stream.StartReadRequest({SINK, 100, 4003, REMOTE, 1});
            break;
        }
        ++m_started;
        return true;
    }

    int m_started{0};
    std::size_t m_sends{0};
    std::size_t m_reads{0};
};

TEST_F(MixedPairTest, EveryMessageIsDeliveredOnce)
{
    Run();
    EXPECT_EQ(m_responder.consumer.sends.size(), m_sends);
    const auto& events = m_initiator.consumer.events;
    EXPECT_EQ(static_cast<std::size_t>(std::count(events.begin(), events.end(), "read done")),
              m_reads);
    EXPECT_FALSE(m_initiator.stream.IsFailed());
    EXPECT_FALSE(m_responder.stream.IsFailed());
}

TEST(RdmapStreamRandomTest, RandomUlpdusNeverDoMoreThanEndTheStream)
{
    std::mt19937 generator(5040);
    int failed = 0;
    for (int round = 0; round < 3000; ++round)
    {
        Side side(4);
        side.consumer.memory[1] = ByteVector(64);
        for (int segment = 0; segment < 4; ++segment)
        {
            ByteVector ulpdu = RandomBytes(generator, 1 + generator() % 60);
            ulpdu[0] = static_cast<uint8_t>((ulpdu[0] & 0xc0) | DDP_VERSION);
            if (ulpdu.size() > 13)
            {
                ulpdu[1] = EncodeRdmapControl(static_cast<RdmapOpcode>(ulpdu[1] & 7));
                std::fill(ulpdu.begin() + 2, ulpdu.begin() + 13, uint8_t{0});
                ulpdu[5] = 1;
            }
            side.stream.ReceiveUlpdu(ulpdu);
            while (side.stream.HasSegment())
            {
                side.stream.EmitSegment();
            }
        }
        failed += side.stream.IsFailed() ? 1 : 0;
    }
    EXPECT_GT(failed, 1000);
}

} // namespace

} // namespace ns3::nfsrdma
