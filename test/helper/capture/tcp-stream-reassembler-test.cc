/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/capture-builder.h"
#include "wire/tcp-stream-reassembler.h"

#include <gtest/gtest.h>
#include <random>

namespace ns3::nfsrdma
{

namespace
{

class TcpStreamReassemblerTest : public testing::Test
{
  protected:
    static constexpr uint32_t SYN = 999;
    static constexpr uint32_t FIRST = 1000;

    TcpStreamReassemblerTest()
    {
        m_stream.Open(SYN);
    }

    std::string Add(uint32_t sequence, std::string_view text)
    {
        const ByteVector ready = m_stream.Add(sequence, TextOctets(text));
        return {ready.begin(), ready.end()};
    }

    TcpStreamReassembler m_stream;
};

TEST_F(TcpStreamReassemblerTest, GivesOctetsInOrder)
{
    EXPECT_EQ(Add(FIRST, "abc"), "abc");
    EXPECT_EQ(Add(FIRST + 3, "de"), "de");
    EXPECT_EQ(m_stream.GetOffset(), 5U);
    EXPECT_EQ(m_stream.GetRepeatedOctets(), 0U);
}

TEST_F(TcpStreamReassemblerTest, HoldsWhatComesAheadOfItsTurn)
{
    EXPECT_EQ(Add(FIRST + 6, "gh"), "");
    EXPECT_EQ(Add(FIRST + 3, "def"), "");
    EXPECT_EQ(m_stream.GetWaitingOctets(), 5U);
    EXPECT_EQ(m_stream.GetOutOfOrderSegments(), 2U);
    EXPECT_EQ(Add(FIRST, "abc"), "abcdefgh");
    EXPECT_EQ(m_stream.GetWaitingOctets(), 0U);
}

TEST_F(TcpStreamReassemblerTest, LetsTheFirstOctetsStand)
{
    EXPECT_EQ(Add(FIRST, "abc"), "abc");
    EXPECT_EQ(Add(FIRST, "zzz"), "");
    EXPECT_EQ(Add(FIRST + 1, "XXd"), "d");
    EXPECT_EQ(m_stream.GetRepeatedOctets(), 5U);
    EXPECT_EQ(Add(FIRST + 6, "g"), "");
    EXPECT_EQ(Add(FIRST + 8, "i"), "");
    EXPECT_EQ(Add(FIRST + 5, "fXhXj"), "");
    EXPECT_EQ(Add(FIRST + 4, "eXX"), "efghij");
    EXPECT_EQ(m_stream.GetRepeatedOctets(), 9U);
}

TEST_F(TcpStreamReassemblerTest, IgnoresARepeatedSyn)
{
    EXPECT_EQ(Add(FIRST, "abc"), "abc");
    m_stream.Open(SYN);
    EXPECT_EQ(Add(FIRST + 3, "d"), "d");
    EXPECT_TRUE(m_stream.IsOpenAt(SYN));
    EXPECT_FALSE(m_stream.IsOpenAt(SYN + 1));
}

TEST_F(TcpStreamReassemblerTest, IsCompleteOnceEveryOctetBeforeTheFinIsThere)
{
    m_stream.Close(FIRST + 6);
    EXPECT_FALSE(m_stream.IsComplete());
    EXPECT_EQ(Add(FIRST + 3, "def"), "");
    EXPECT_FALSE(m_stream.IsComplete());
    EXPECT_EQ(Add(FIRST, "abc"), "abcdef");
    EXPECT_TRUE(m_stream.IsComplete());
}

TEST(TcpStreamReassemblerStartTest, BeginsWithTheFirstSegmentWithoutASyn)
{
    TcpStreamReassembler stream;
    EXPECT_FALSE(stream.IsOpen());
    EXPECT_EQ(stream.Add(5000, TextOctets("abc")), TextOctets("abc"));
    EXPECT_EQ(stream.Add(4990, TextOctets("before")), ByteVector());
    EXPECT_EQ(stream.GetOffset(), 3U);
}

/// The sequence wraps, with swapped and repeated segments on both sides of the wrap.
TEST(TcpStreamReassemblerStartTest, KeepsCountingWhereTheSequenceWraps)
{
    constexpr uint32_t UNIT = 1000;
    constexpr uint32_t UNITS = 40;
    constexpr uint32_t START = 0U - UNITS / 2 * UNIT - 300;
    const ByteVector octets(UNIT, 0x55);
    TcpStreamReassembler stream;
    stream.Open(START - 1);
    std::mt19937_64 random(1);
    for (uint32_t unit = 0; unit < UNITS; unit += 2)
    {
        const uint32_t here = START + unit * UNIT;
        const bool swapped = random() % 2 == 0;
        std::size_t got = stream.Add(swapped ? here + UNIT : here, octets).size();
        got += stream.Add(here, octets).size();
        got += stream.Add(here + UNIT, octets).size();
        ASSERT_EQ(got, 2 * UNIT);
    }
    EXPECT_EQ(stream.GetOffset(), uint64_t{UNITS} * UNIT);
    EXPECT_EQ(stream.GetRepeatedOctets(), uint64_t{UNITS} / 2 * UNIT);
}

/// Random cuts of a stream, in random order: the octets come out as they are.
TEST(TcpStreamReassemblerStartTest, PutsAnyCutsTogether)
{
    std::mt19937_64 random(7);
    ByteVector octets(3000);
    for (std::size_t i = 0; i < octets.size(); ++i)
    {
        octets[i] = static_cast<uint8_t>(i * 7 + i / 251);
    }
    for (int round = 0; round < 50; ++round)
    {
        const auto start = static_cast<uint32_t>(random());
        TcpStreamReassembler stream;
        stream.Open(start - 1);
        ByteVector got;
        while (got.size() < octets.size())
        {
            const std::size_t from = random() % octets.size();
            const std::size_t length =
                std::min<std::size_t>(1 + random() % 400, octets.size() - from);
            const auto ready = stream.Add(start + static_cast<uint32_t>(from),
                                          ByteSpan(octets).subspan(from, length));
            got.insert(got.end(), ready.begin(), ready.end());
        }
        ASSERT_EQ(got, octets);
        ASSERT_EQ(stream.GetWaitingOctets(), 0U);
    }
}

} // namespace

} // namespace ns3::nfsrdma
