/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/capture-builder.h"
#include "helper/capture/pcap-reader.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

class PcapFormatTest : public testing::TestWithParam<std::tuple<bool, bool>>
{
};

TEST_P(PcapFormatTest, GivesEachFrameWithItsTime)
{
    const auto [bigEndian, nanoseconds] = GetParam();
    PcapBuilder builder({bigEndian, nanoseconds, 101});
    const ByteVector first = TextOctets("first");
    const ByteVector second = TextOctets("the second");
    builder.Frame(first, 7);
    builder.Frame(second, 9, 1500);

    auto reader = PcapReader::Create(builder.Get());
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->GetLinkType(), 101U);
    const int64_t tick = nanoseconds ? 1 : 1000;
    auto frame = reader->Next();
    ASSERT_TRUE(frame && *frame);
    EXPECT_EQ((*frame)->number, 1U);
    EXPECT_EQ((*frame)->time, 1000000000000 + 7 * tick);
    EXPECT_EQ((*frame)->wireLength, first.size());
    EXPECT_EQ(ByteVector((*frame)->octets.begin(), (*frame)->octets.end()), first);
    frame = reader->Next();
    ASSERT_TRUE(frame && *frame);
    EXPECT_EQ((*frame)->number, 2U);
    EXPECT_EQ((*frame)->time, 1000000000000 + 9 * tick);
    EXPECT_EQ((*frame)->wireLength, 1500U);
    EXPECT_EQ(ByteVector((*frame)->octets.begin(), (*frame)->octets.end()), second);
    frame = reader->Next();
    ASSERT_TRUE(frame);
    EXPECT_FALSE(*frame);
}

INSTANTIATE_TEST_SUITE_P(Formats,
                         PcapFormatTest,
                         testing::Combine(testing::Bool(), testing::Bool()));

TEST(PcapReaderTest, RefusesWhatIsNoCapture)
{
    for (const auto& octets : {ByteVector{}, TextOctets("abc"), TextOctets("no capture at all")})
    {
        const auto reader = PcapReader::Create(octets);
        ASSERT_FALSE(reader);
        EXPECT_EQ(reader.error().kind, PcapError::Kind::NOT_A_CAPTURE);
    }
}

TEST(PcapReaderTest, RefusesALinkTypeItDoesNotKnow)
{
    const auto reader = PcapReader::Create(PcapBuilder({false, false, 147}).Get());
    ASSERT_FALSE(reader);
    EXPECT_EQ(reader.error().kind, PcapError::Kind::LINK_TYPE);
    EXPECT_NE(reader.error().ToString().find("147"), std::string::npos);
}

TEST(PcapReaderTest, TellsInWhichFrameTheFileEnds)
{
    PcapBuilder builder;
    builder.Frame(TextOctets("first"));
    const std::size_t whole = builder.Get().size();
    builder.Frame(TextOctets("second"));
    for (std::size_t size = 0; size < builder.Get().size(); ++size)
    {
        auto reader = PcapReader::Create(ByteSpan(builder.Get()).first(size));
        if (size < 24)
        {
            ASSERT_FALSE(reader) << size;
            continue;
        }
        ASSERT_TRUE(reader) << size;
        uint64_t frames = 0;
        auto frame = reader->Next();
        for (; frame && *frame; frame = reader->Next())
        {
            ++frames;
        }
        if (size == 24 || size == whole)
        {
            EXPECT_TRUE(frame) << size;
            continue;
        }
        ASSERT_FALSE(frame) << size;
        EXPECT_EQ(frame.error().kind, PcapError::Kind::FRAME_CUT);
        EXPECT_EQ(frame.error().frame, frames + 1);
        EXPECT_EQ(frames, size < whole ? 0U : 1U);
    }
}

} // namespace

} // namespace ns3::nfsrdma
