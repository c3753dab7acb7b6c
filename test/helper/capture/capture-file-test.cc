/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/advertised-memory.h"
#include "helper/capture/capture-builder.h"
#include "helper/capture/capture-file.h"
#include "helper/capture/mpa-conversation.h"
#include "helper/capture/named-stags.h"
#include "helper/capture/tcp-conversation.h"
#include "mpa/fpdu.h"
#include "temporary-file.h"

#include <deque>
#include <fstream>
#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

TEST(CaptureFileTest, GivesAFileInParts)
{
    const test::TemporaryFile file;
    std::ofstream(file.GetPath()) << "some octets";
    auto source = CaptureFile::Open(file.GetPath());
    ASSERT_TRUE(source);
    for (const std::string expected : {"some", " oct", "ets", ""})
    {
        const auto part = (*source)->Take(4);
        ASSERT_TRUE(part);
        EXPECT_EQ(std::string(part->begin(), part->end()), expected);
    }
    EXPECT_EQ(ReadCaptureFile(file.GetPath()).value(), TextOctets("some octets"));
}

TEST(CaptureFileTest, SaysWhyAFileCannotBeRead)
{
    EXPECT_EQ(CaptureFile::Open("/").error(), "is a directory");
    EXPECT_EQ(CaptureFile::Open("/nowhere/at all").error(), "No such file or directory");
    const test::TemporaryFile file;
    std::ofstream(file.GetPath()) << "\x1f\x8b\x08 nothing of gzip";
    const auto octets = ReadCaptureFile(file.GetPath());
    ASSERT_FALSE(octets);
    EXPECT_EQ(octets.error().rfind("damaged gzip file: ", 0), 0U) << octets.error();
    EXPECT_EQ(octets.error().find(file.GetPath()), std::string::npos);
}

TEST(PcapReaderTest, NamesOtherFormats)
{
    const std::vector<std::pair<ByteVector, std::string>> cases{
        {{}, "is empty"},
        {{0x28, 0xb5, 0x2f, 0xfd, 0}, "compressed by zstd"},
        {{0xfd, '7', 'z', 'X', 'Z', 0}, "compressed by xz"},
        {TextOctets("BZh91AY"), "compressed by bzip2"},
        {TextOctets("snoop"), "a snoop file"},
        {TextOctets("# nfsrdma-trace 1"), "a trace of the simulator"},
        {{0xa1, 0xb2, 0xcd, 0x34}, "a modified libpcap"}};
    for (const auto& [octets, text] : cases)
    {
        const auto reader = PcapReader::Create(octets);
        ASSERT_FALSE(reader) << text;
        EXPECT_EQ(reader.error().kind, PcapError::Kind::NOT_A_CAPTURE);
        EXPECT_NE(reader.error().ToString().find(text), std::string::npos);
    }
}

TEST(PcapReaderTest, TakesWhatStandsAboveTheLinkTypeForTheFcs)
{
    PcapBuilder flag({false, false, 0x04000001});
    flag.Frame(TextOctets("frame"));
    auto reader = PcapReader::Create(flag.Get());
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->GetLinkType(), 1U);
    EXPECT_EQ((*reader->Next())->octets.size(), 5U);

    PcapBuilder fcs({false, false, 0x24000001});
    fcs.Frame(TextOctets("frameFCSX"));
    reader = PcapReader::Create(fcs.Get());
    ASSERT_TRUE(reader);
    const auto frame = reader->Next();
    EXPECT_EQ((*frame)->octets.size(), 5U);
    EXPECT_EQ((*frame)->wireLength, 5U);
}

TEST(PcapReaderTest, RefusesFramesThatCannotBe)
{
    for (const uint32_t length : {0U, 0x40000000U})
    {
        OctetBuilder file;
        file.Octets(PcapBuilder({true, false, 1}).Get()).U32(0).U32(0).U32(length).U32(length);
        auto reader = PcapReader::Create(file.Get());
        ASSERT_TRUE(reader);
        const auto frame = reader->Next();
        ASSERT_FALSE(frame);
        EXPECT_EQ(frame.error().kind, PcapError::Kind::DAMAGED);
        EXPECT_EQ(frame.error().frame, 1U);
    }
}

FrameMiss
MissOf(const ByteVector& octets, std::size_t wireLength)
{
    CapturedFrame frame;
    frame.octets = octets;
    frame.wireLength = static_cast<uint32_t>(wireLength);
    const auto segment = DecodeTcpSegment(1, frame);
    EXPECT_FALSE(segment);
    return segment ? FrameMiss{} : segment.error();
}

TEST(FrameMissTest, SaysWhyThereIsNoSegment)
{
    const SegmentSpec spec{0, 1, SegmentSpec::ACK, TextOctets("payload")};
    const ByteVector packet = spec.Encode();
    const ByteVector whole = OctetBuilder().Zeros(12).U16(0x0800).Octets(packet).Get();
    const auto changed = [&whole](std::size_t position, uint8_t value) {
        ByteVector octets = whole;
        octets.at(position) = value;
        return octets;
    };
    constexpr std::size_t IP = 14;
    EXPECT_EQ(MissOf({whole.begin(), whole.begin() + 38}, whole.size()).kind, FrameMiss::Kind::CUT);
    EXPECT_EQ(MissOf({whole.begin(), whole.begin() + 38}, 38).kind, FrameMiss::Kind::MALFORMED);
    EXPECT_EQ(MissOf(changed(IP, 0x44), whole.size()).kind, FrameMiss::Kind::MALFORMED);
    EXPECT_EQ(MissOf(changed(IP + 3, 10), whole.size()).kind, FrameMiss::Kind::MALFORMED);
    EXPECT_EQ(MissOf(changed(IP + 20 + 12, 0x40), whole.size()).kind, FrameMiss::Kind::MALFORMED);
    EXPECT_EQ(MissOf(changed(IP + 20 + 12, 0xf0), whole.size()).kind, FrameMiss::Kind::MALFORMED);
    EXPECT_EQ(MissOf(changed(IP + 6, 0x20), whole.size()).kind, FrameMiss::Kind::FRAGMENT);
    EXPECT_EQ(MissOf(changed(IP + 9, 17), whole.size()).kind, FrameMiss::Kind::NOT_TCP);
    const FrameMiss arp = MissOf(changed(13, 0x06), whole.size());
    EXPECT_EQ(arp.kind, FrameMiss::Kind::NOT_IP);
    EXPECT_EQ(arp.type, 0x0806U);

    FrameMisses misses;
    misses.Add(arp);
    misses.Add({FrameMiss::Kind::CUT, 0});
    misses.Add({FrameMiss::Kind::LINK_TYPE, 127});
    EXPECT_EQ(misses.DescribeLost(),
              (std::vector<std::string>{"1 frame is not read: the snap length cut a header off",
                                        "1 frame is not read: link type 127"}));
    EXPECT_EQ(
        misses.DescribeOthers(),
        (std::vector<std::string>{"1 frame is not read: neither IPv4 nor IPv6, EtherType 0x0806"}));
}

TEST(TcpConversationTest, DoesNotKeepWhatIsNotMpa)
{
    ConnectionBuilder builder;
    builder.Say(0, TextOctets("GET / HTTP/1.1"));
    for (int i = 0; i < 100; ++i)
    {
        builder.Say(1, ByteVector(1000, 'x'));
    }
    const auto capture = TcpCapture::Read(builder.Get()).value();
    ASSERT_EQ(capture.conversations.size(), 1U);
    const TcpConversation& conversation = capture.conversations.front();
    EXPECT_TRUE(conversation.IsForeign());
    EXPECT_TRUE(conversation.GetDirection(1).octets.empty());
    EXPECT_EQ(conversation.GetDirection(1).frames, 101U);
    EXPECT_LT(conversation.GetMemory(), 10000U);
    EXPECT_FALSE(MpaConversation(conversation).IsMpa());
}

TEST(TcpConversationTest, DoesNotKeepMuchOfASideWithoutAnswer)
{
    ConnectionBuilder builder;
    for (int i = 0; i < 2000; ++i)
    {
        builder.Say(0, ByteVector(1000, 'x'));
    }
    const auto capture = TcpCapture::Read(builder.Get()).value();
    EXPECT_TRUE(capture.conversations.front().IsForeign());
}

TEST(MpaMemoryTest, DecodesNoMoreThanFitsIntoTheMemoryAllowed)
{
    MpaStartupFrame request;
    MpaStartupFrame reply;
    reply.kind = MpaStartupFrame::Kind::REPLY;
    ConnectionBuilder builder;
    builder.Say(0, request.Encode());
    builder.Say(1, reply.Encode());
    const ByteVector ulpdu(20);
    const ByteVector fpdu = Fpdu::Encode(ulpdu, false);
    for (int i = 0; i < 1000; ++i)
    {
        builder.Say(0, fpdu);
    }
    const auto capture = TcpCapture::Read(builder.Get()).value();
    const MpaConversation all(capture.conversations.front());
    EXPECT_FALSE(all.IsCurtailed());
    EXPECT_EQ(all.GetDirection(0).fpdus.size(), 1000U);
    const MpaConversation some(capture.conversations.front(), all.GetMemory() / 2);
    EXPECT_TRUE(some.IsCurtailed());
    EXPECT_LT(some.GetDirection(0).fpdus.size(), 600U);
}

TEST(AdvertisedMemoryTest, FindsAnStagThatTwoSegmentsShare)
{
    const ByteVector before{0, 0x12};
    const ByteVector middle{0x34};
    const ByteVector after{0x56, 0x78, 0};
    AdvertisedMemory memory;
    memory.Advertise(before);
    memory.Advertise(middle);
    EXPECT_FALSE(memory.IsValid(0x12345678));
    memory.Advertise(after);
    EXPECT_TRUE(memory.IsValid(0x12345678));
    memory.Invalidate(0x12345678);
    EXPECT_FALSE(memory.IsValid(0x12345678));
    memory.Advertise(after);
    EXPECT_FALSE(memory.IsValid(0x12345678));
    const ByteVector again{0x12, 0x34, 0x56, 0x78};
    memory.Advertise(again);
    EXPECT_TRUE(memory.IsValid(0x12345678));
}

/// Connections of the same two hosts, on each of which one side sends one message.
class NamedStagsTest : public testing::Test
{
  protected:
    void Connect(std::size_t side, ByteSpan message)
    {
        MpaStartupFrame request;
        MpaStartupFrame reply;
        reply.kind = MpaStartupFrame::Kind::REPLY;
        ConnectionBuilder builder;
        builder.Say(0, request.Encode());
        builder.Say(1, reply.Encode());
        DdpUntaggedHeader header;
        header.last = true;
        header.rsvdUlp = EncodeRdmapControl(RdmapOpcode::SEND);
        header.messageSequenceNumber = 1;
        ByteVector ulpdu(DdpUntaggedHeader::SIZE + message.size());
        ByteWriter writer(ulpdu);
        header.Encode(writer);
        writer.WriteBytes(message);
        builder.Say(side, Fpdu::Encode(ulpdu, false));
        m_captures.push_back(TcpCapture::Read(builder.Get()).value());
        m_conversations.emplace_back(m_captures.back().conversations.front());
    }

    std::deque<TcpCapture> m_captures;
    std::vector<MpaConversation> m_conversations;
};

TEST_F(NamedStagsTest, AreThoseOfTheSameHostsOnOtherConnections)
{
    m_conversations.reserve(4);
    Connect(0, ByteVector{0, 0x12, 0x34, 0x56, 0x78, 0});
    Connect(1, ByteVector{0xaa, 0xbb, 0xcc, 0xdd, 0, 0});
    Connect(0, ByteVector{0x99, 0x99, 0x99});
    Connect(0, ByteVector{0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa});
    const NamedStags named(m_conversations);
    const auto isNamed = [&](std::size_t connection, std::size_t side, Stag stag) {
        return named.IsNamedElsewhere(m_conversations[connection], side, stag);
    };
    EXPECT_FALSE(isNamed(0, 0, 0x12345678)); // By itself alone.
    EXPECT_TRUE(isNamed(1, 0, 0x12345678));
    EXPECT_TRUE(isNamed(2, 0, 0x12345678));
    EXPECT_FALSE(isNamed(2, 1, 0x12345678)); // By the other host.
    EXPECT_TRUE(isNamed(2, 1, 0xaabbccdd));
    EXPECT_FALSE(isNamed(1, 1, 0xaabbccdd));
    EXPECT_FALSE(isNamed(2, 0, 0x99999999)); // Too short to be named.
    EXPECT_FALSE(isNamed(3, 0, 0xaaaaaaaa)); // More than once, but nowhere else.
    EXPECT_TRUE(isNamed(0, 0, 0xaaaaaaaa));
}

TEST_F(NamedStagsTest, AreLookedForInOnePassHoweverManyConnectionsThereAre)
{
    constexpr std::size_t CONNECTIONS = 200;
    constexpr std::size_t OCTETS = 100;
    m_conversations.reserve(CONNECTIONS);
    for (std::size_t i = 0; i < CONNECTIONS; ++i)
    {
        Connect(0, ByteVector(OCTETS, static_cast<uint8_t>(i)));
    }
    const NamedStags named(m_conversations);
    EXPECT_EQ(named.GetOctetsSearched(), CONNECTIONS * OCTETS);
    for (const MpaConversation& conversation : m_conversations)
    {
        EXPECT_EQ(named.IsNamedElsewhere(conversation, 0, 0), &conversation != &m_conversations[0]);
        EXPECT_TRUE(named.IsNamedElsewhere(conversation, 0, 0x07070707) ||
                    &conversation == &m_conversations[7]);
    }
    // One that nothing uses costs one pass more.
    EXPECT_EQ(named.GetOctetsSearched(), 2 * CONNECTIONS * OCTETS);
}

} // namespace

} // namespace ns3::nfsrdma
