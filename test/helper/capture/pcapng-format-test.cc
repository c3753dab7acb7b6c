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

constexpr uint32_t INTERFACE = 1;
constexpr uint32_t SIMPLE = 3;
constexpr uint32_t STATISTICS = 5;
constexpr uint32_t ENHANCED = 6;

/// Blocks of a pcapng file in network order.
class PcapngBuilder
{
  public:
    PcapngBuilder& Section()
    {
        return Block(0x0a0d0d0a,
                     OctetBuilder().U32(0x1a2b3c4d).U16(1).U16(0).U32(~0U).U32(~0U).Get());
    }

    PcapngBuilder& Interface(uint16_t linkType, const ByteVector& options = {})
    {
        return Block(INTERFACE, OctetBuilder().U16(linkType).U16(0).U32(0).Octets(options).Get());
    }

    PcapngBuilder& Frame(uint32_t interface, uint64_t time, std::string_view text)
    {
        const auto length = static_cast<uint32_t>(text.size());
        return Block(ENHANCED,
                     OctetBuilder()
                         .U32(interface)
                         .U32(static_cast<uint32_t>(time >> 32))
                         .U32(static_cast<uint32_t>(time))
                         .U32(length)
                         .U32(length)
                         .Octets(TextOctets(text))
                         .Get());
    }

    PcapngBuilder& Block(uint32_t type, const ByteVector& body)
    {
        const uint32_t pad = Pad4(static_cast<uint32_t>(body.size()));
        const uint32_t length = static_cast<uint32_t>(body.size()) + pad + 12;
        m_file.U32(type).U32(length).Octets(body).Zeros(pad).U32(length);
        return *this;
    }

    [[nodiscard]] const ByteVector& Get() const
    {
        return m_file.Get();
    }

  private:
    OctetBuilder m_file;
};

std::string
TextOf(const CapturedFrame& frame)
{
    return {frame.octets.begin(), frame.octets.end()};
}

/// \return the frames of a file, and the error that ends it.
std::pair<std::vector<CapturedFrame>, std::optional<PcapError>>
ReadAll(const ByteVector& file)
{
    std::vector<CapturedFrame> frames;
    auto reader = PcapReader::Create(file);
    if (!reader)
    {
        return {frames, reader.error()};
    }
    for (;;)
    {
        const auto frame = reader->Next();
        if (!frame || !*frame)
        {
            return {frames, frame ? std::nullopt : std::optional<PcapError>(frame.error())};
        }
        frames.push_back(**frame);
    }
}

TEST(PcapngFormatTest, GivesFramesOfEachInterfaceAndPassesOtherBlocksOver)
{
    const auto nanoseconds = OctetBuilder().U16(9).U16(1).U8(9).Zeros(3).U32(0).Get();
    const auto binary = OctetBuilder().U16(9).U16(1).U8(0x80 | 10).Zeros(3).Get();
    PcapngBuilder builder;
    builder.Section().Interface(1).Interface(113, nanoseconds).Block(STATISTICS, {1, 2, 3, 4});
    builder.Frame(0, 1000000, "one").Frame(1, 2000000001, "second");
    builder.Section().Interface(101, binary).Frame(0, 3 * 1024 + 512, "third");
    builder.Block(SIMPLE, OctetBuilder().U32(2).Octets(TextOctets("no")).Get());
    const auto [frames, error] = ReadAll(builder.Get());
    EXPECT_FALSE(error);
    ASSERT_EQ(frames.size(), 4U);
    EXPECT_EQ(TextOf(frames[0]), "one");
    EXPECT_EQ(frames[0].linkType, 1U);
    EXPECT_EQ(frames[0].time, 1000000000);
    EXPECT_EQ(TextOf(frames[1]), "second");
    EXPECT_EQ(frames[1].linkType, 113U);
    EXPECT_EQ(frames[1].time, 2000000001);
    EXPECT_EQ(TextOf(frames[2]), "third");
    EXPECT_EQ(frames[2].linkType, 101U);
    EXPECT_EQ(frames[2].time, 3500000000);
    EXPECT_EQ(TextOf(frames[3]), "no");
    EXPECT_EQ(frames[3].number, 4U);
}

TEST(PcapngFormatTest, TakesTheFrameCheckSequenceAway)
{
    const auto fcs = OctetBuilder().U16(13).U16(1).U8(4).Zeros(3).Get();
    PcapngBuilder builder;
    builder.Section().Interface(1, fcs).Frame(0, 0, "frameFCSX");
    const auto [frames, error] = ReadAll(builder.Get());
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_EQ(TextOf(frames[0]), "frame");
    EXPECT_EQ(frames[0].wireLength, 5U);
}

TEST(PcapngFormatTest, TellsWhereTheFileIsCut)
{
    PcapngBuilder builder;
    builder.Section().Interface(1).Frame(0, 0, "one");
    const std::size_t one = builder.Get().size();
    builder.Frame(0, 0, "second");
    for (std::size_t size = one + 1; size < builder.Get().size(); ++size)
    {
        const ByteVector cut(builder.Get().begin(),
                             builder.Get().begin() + static_cast<std::ptrdiff_t>(size));
        const auto [frames, error] = ReadAll(cut);
        EXPECT_EQ(frames.size(), 1U);
        ASSERT_TRUE(error) << size;
        EXPECT_EQ(error->kind, PcapError::Kind::FRAME_CUT);
        EXPECT_EQ(error->frame, 2U);
    }
}

TEST(PcapngFormatTest, RefusesWhatIsDamaged)
{
    const auto head = PcapngBuilder().Section().Get();
    const auto expect = [&head](const ByteVector& rest, const std::string& text) {
        const auto [frames, error] = ReadAll(OctetBuilder().Octets(head).Octets(rest).Get());
        EXPECT_TRUE(frames.empty());
        ASSERT_TRUE(error) << text;
        EXPECT_NE(error->ToString().find(text), std::string::npos) << error->ToString();
    };
    expect(PcapngBuilder().Frame(0, 0, "one").Get(), "interface that is not described");
    expect(PcapngBuilder().Block(INTERFACE, {1, 2}).Get(), "interface description is cut short");
    expect(OctetBuilder().U32(ENHANCED).U32(13).Get(), "a block would have 13 octets");
    expect(OctetBuilder().U32(ENHANCED).U32(0xfffffffc).Get(), "a block would have 4294967292");
    expect(PcapngBuilder().Interface(1).Block(ENHANCED, {0, 0, 0, 0}).Get(), "block is cut short");
    expect(PcapngBuilder()
               .Interface(1)
               .Block(ENHANCED, OctetBuilder().Zeros(12).U32(99).U32(99).U32(0).Get())
               .Get(),
           "longer than its block");
    expect(PcapngBuilder().Interface(1, {0, 9, 0, 1, 64, 0, 0, 0}).Get(), "resolution of time");
}

} // namespace

} // namespace ns3::nfsrdma
