/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/compound.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{
namespace
{

WriteArgs4
MakeWrite(ByteSpan octets)
{
    WriteArgs4 write;
    write.data = Nfs3Data(octets);
    return write;
}

WriteArgs4
MakeReducedWrite(uint32_t length)
{
    WriteArgs4 write;
    write.data = Nfs3Data::Reduced(length);
    return write;
}

/// COMPOUNDs with bulk items, some of them in chunks.
class Nfs4Items : public testing::Test
{
  protected:
    /// Encodes \p args behind START octets of other things, with its reduced items in chunks.
    void Encode(const Compound4Args& args, uint32_t slack = 0)
    {
        XdrWriter writer;
        std::vector<uint32_t> reducedAt;
        args.Encode(writer, &reducedAt);
        m_message.octets.assign(START, 0xff);
        m_message.octets.insert(m_message.octets.end(),
                                writer.GetOctets().begin(),
                                writer.GetOctets().end());
        uint32_t pulled = 0;
        auto at = reducedAt.begin();
        for (const Nfs4ArgOp& op : args.ops)
        {
            const Nfs3Data* const item = GetItem(op);
            if (item != nullptr && item->reduced)
            {
                m_message.items.push_back(
                    {START + *at++ + pulled, 0, item->length + slack, nullptr});
                pulled += RoundUp4(item->length);
            }
        }
        EXPECT_EQ(at, reducedAt.end());
    }

    Decoded<Compound4Args> Decode()
    {
        const ByteSpan octets = ByteSpan(m_message.octets).subspan(START);
        XdrReader reader(octets);
        auto items = Nfs4DataItems::OfCall(m_message, START);
        auto args = Compound4Args::Decode(reader, &items);
        m_allUsed = items.AllUsed();
        m_remaining = reader.Remaining();
        return args;
    }

    /// \return the data of each READ-class result, "-" for one that failed.
    static std::string Describe(const Decoded<Compound4Res>& result)
    {
        if (!result)
        {
            return "bad";
        }
        std::string text;
        for (const Nfs4ResOp& op : result->ops)
        {
            if (GivesItem(GetOp(op)))
            {
                const Nfs3Data* const item = GetItem(op);
                text += item == nullptr ? "-"
                        : item->reduced ? "r" + std::to_string(item->length)
                                        : "i" + std::to_string(item->length);
                text += ' ';
            }
        }
        return text;
    }

    std::string DecodeResult(const Compound4Res& result, const std::vector<uint32_t>& chunks)
    {
        XdrWriter writer;
        result.Encode(writer);
        RpcReceivedMessage message;
        for (const uint32_t length : chunks)
        {
            message.items.push_back({0, 0, length, nullptr});
        }
        XdrReader reader(writer.GetOctets());
        auto items = Nfs4DataItems::OfReply(message);
        const auto decoded = Compound4Res::Decode(reader, &items);
        const std::string text = Describe(decoded);
        if (decoded)
        {
            EXPECT_EQ(reader.Remaining(), 0U);
            XdrWriter again;
            decoded->Encode(again);
            EXPECT_EQ(again.GetOctets(), writer.GetOctets());
        }
        return text;
    }

    static ReadRes4 Read(const Nfs3Data& data)
    {
        ReadRes4 read;
        read.data = data;
        return read;
    }

    static constexpr uint32_t START = 100;

    RpcReceivedMessage m_message;
    bool m_allUsed{false};
    std::size_t m_remaining{0};
};

TEST_F(Nfs4Items, OfACallAreToldByPosition)
{
    const ByteVector octets{1, 2, 3, 4, 5};
    CreateArgs4 link;
    link.type = Ftype4::LNK;
    link.link = Nfs3Data::Reduced(7);
    link.name = "name";
    Compound4Args args;
    args.minorVersion = 1;
    args.ops = {PutrootfhArgs4(),
                MakeWrite(octets),
                MakeReducedWrite(4097),
                link,
                MakeWrite(octets),
                MakeReducedWrite(8)};
    Encode(args);
    ASSERT_EQ(m_message.items.size(), 3U);
    const auto decoded = Decode();
    ASSERT_TRUE(decoded);
    EXPECT_FALSE(decoded->error);
    EXPECT_TRUE(m_allUsed);
    EXPECT_EQ(m_remaining, 0U);
    ASSERT_EQ(decoded->ops.size(), 6U);
    const std::vector<uint32_t> lengths{5, 4097, 7, 5, 8};
    for (std::size_t i = 0; i < lengths.size(); ++i)
    {
        const Nfs3Data* const item = GetItem(decoded->ops[i + 1]);
        ASSERT_NE(item, nullptr);
        EXPECT_EQ(item->length, lengths[i]);
        EXPECT_EQ(item->reduced, lengths[i] != 5);
    }
}

TEST_F(Nfs4Items, ChunksMayHaveThePad)
{
    Compound4Args args;
    args.ops = {MakeReducedWrite(5)};
    Encode(args, 3);
    const auto decoded = Decode();
    ASSERT_TRUE(decoded && !decoded->error);
    EXPECT_TRUE(m_allUsed);
}

TEST_F(Nfs4Items, OfWrongPositionsAreNotTaken)
{
    Compound4Args args;
    args.ops = {PutrootfhArgs4(), MakeReducedWrite(4096)};
    Encode(args);
    m_message.items.front().position += 4;
    const auto decoded = Decode();
    // The length word is there, the octets are not.
    ASSERT_TRUE(decoded);
    ASSERT_TRUE(decoded->error);
    EXPECT_EQ(decoded->error->status, Nfs4Status::BADXDR);
    EXPECT_EQ(decoded->error->op, static_cast<uint32_t>(Nfs4Op::WRITE));
    EXPECT_EQ(decoded->ops.size(), 1U);
    EXPECT_EQ(decoded->opCount, 2U);
    EXPECT_FALSE(m_allUsed);
}

TEST_F(Nfs4Items, LongerThanTheirChunksAreRefused)
{
    Compound4Args args;
    args.ops = {MakeReducedWrite(4096)};
    Encode(args);
    m_message.items.front().length = 4095;
    const auto decoded = Decode();
    ASSERT_TRUE(decoded);
    EXPECT_TRUE(decoded->error);
}

TEST_F(Nfs4Items, OfAReplyArePairedInOrder)
{
    const ByteVector octets{1, 2, 3, 4};
    Compound4Res result;
    ReadRes4 failed;
    failed.status = Nfs4Status::LOCKED;
    ReadlinkRes4 link;
    link.link = Nfs3Data(octets);
    // Used; unused, for there was nothing to read; used.
    result.ops = {PutfhRes4(), Read(Nfs3Data::Reduced(100)), Read(Nfs3Data(ByteSpan()))};
    result.ops.push_back(Read(Nfs3Data::Reduced(7)));
    EXPECT_EQ(DecodeResult(result, {100, 0, 7}), "r100 i0 r7 ");
    // An empty chunk of the call: inline; and fewer chunks than operations.
    result.ops = {Read(Nfs3Data(octets)), Read(Nfs3Data::Reduced(7)), link};
    EXPECT_EQ(DecodeResult(result, {0, 7}), "i4 r7 i4 ");
    // No chunk at all.
    result.ops = {Read(Nfs3Data(octets)), link};
    EXPECT_EQ(DecodeResult(result, {}), "i4 i4 ");
    // A READ that failed has its chunk, unused, and the next operation the next.
    result.ops = {failed, Read(Nfs3Data::Reduced(12))};
    EXPECT_EQ(DecodeResult(result, {0, 12}), "- r12 ");
    // More in the result than in the chunk.
    result.ops = {Read(Nfs3Data::Reduced(13))};
    EXPECT_EQ(DecodeResult(result, {12}), "bad");
}

TEST(Nfs4CompoundDecoding, EndsAtABadOperation)
{
    Compound4Args args;
    args.minorVersion = 1;
    args.ops = {PutrootfhArgs4(), LookupArgs4{"a"}, GetfhArgs4()};
    XdrWriter writer;
    args.Encode(writer);
    constexpr std::size_t SECOND = 12 + 4;
    const auto decode = [&writer](uint32_t op) {
        writer.PatchU32(SECOND, op);
        XdrReader reader(writer.GetOctets());
        return Compound4Args::Decode(reader).value();
    };
    for (const uint32_t op : {0U, 2U, 59U, 76U, 10045U, 0xffffffffU})
    {
        const auto decoded = decode(op);
        EXPECT_EQ(decoded.ops.size(), 1U);
        EXPECT_EQ(decoded.opCount, 3U);
        ASSERT_TRUE(decoded.error);
        EXPECT_EQ(decoded.error->op, op);
        EXPECT_EQ(decoded.error->status, Nfs4Status::OP_ILLEGAL);
    }
    // Cut off within.
    writer.PatchU32(SECOND, static_cast<uint32_t>(Nfs4Op::LOOKUP));
    XdrReader cut(ByteSpan(writer.GetOctets()).first(SECOND + 8));
    const auto decoded = Compound4Args::Decode(cut).value();
    EXPECT_EQ(decoded.ops.size(), 1U);
    ASSERT_TRUE(decoded.error);
    EXPECT_EQ(decoded.error->status, Nfs4Status::BADXDR);
    // Operation ILLEGAL is one, with no arguments.
    args.ops = {IllegalArgs4(), PutrootfhArgs4()};
    XdrWriter illegal;
    args.Encode(illegal);
    XdrReader reader(illegal.GetOctets());
    const auto withIllegal = Compound4Args::Decode(reader).value();
    EXPECT_FALSE(withIllegal.error);
    EXPECT_EQ(withIllegal.ops.size(), 2U);
    EXPECT_EQ(GetOp(withIllegal.ops[0]), Nfs4Op::ILLEGAL);
}

TEST(Nfs4CompoundDecoding, CountsAndVersionsAreBounded)
{
    XdrWriter writer;
    writer.WriteOpaque({});
    writer.WriteU32(1);
    writer.WriteU32(0xffffffff);
    for (int i = 0; i < 2000; ++i)
    {
        writer.WriteU32(static_cast<uint32_t>(Nfs4Op::GETFH));
    }
    XdrReader reader(writer.GetOctets());
    const auto many = Compound4Args::Decode(reader).value();
    EXPECT_EQ(many.opCount, 0xffffffffU);
    EXPECT_EQ(many.ops.size(), NFS4_MAX_DECODED_OPS);
    XdrReader fewReader(writer.GetOctets());
    EXPECT_EQ(Compound4Args::Decode(fewReader, nullptr, 8).value().ops.size(), 8U);
    // Of an unknown minor version nothing is known.
    writer.PatchU32(4, 3);
    XdrReader later(writer.GetOctets());
    const auto unknown = Compound4Args::Decode(later).value();
    EXPECT_EQ(unknown.minorVersion, 3U);
    EXPECT_TRUE(unknown.ops.empty());
    EXPECT_FALSE(unknown.error);
    // Not even a header.
    XdrReader nothing(ByteSpan(writer.GetOctets()).first(8));
    EXPECT_FALSE(Compound4Args::Decode(nothing));
    // A count of elements that cannot be there.
    XdrWriter count;
    count.WriteU32(0x40000000);
    XdrReader countReader(count.GetOctets());
    EXPECT_FALSE(DecodeXdr<TestStateidArgs4>(countReader));
}

TEST(Nfs4AttributesCodec, KeepsWhatItDoesNotKnow)
{
    XdrWriter writer;
    Nfs4Bitmap mask{1, 33, 90};
    mask.SetWords(4);
    mask.Encode(writer);
    writer.WriteU32(16);
    writer.WriteU32(static_cast<uint32_t>(Ftype4::DIR));
    writer.WriteU32(0755);
    writer.WriteU64(12345);
    XdrReader reader(writer.GetOctets());
    const auto attributes = Nfs4Attributes::Decode(reader);
    EXPECT_TRUE(reader.Ok());
    EXPECT_EQ(attributes.type, Ftype4::DIR);
    EXPECT_EQ(attributes.mode, 0755U);
    EXPECT_TRUE(attributes.GetMask().Has(90));
    EXPECT_EQ(attributes.unknownValues.size(), 8U);
    XdrWriter again;
    attributes.Encode(again);
    EXPECT_EQ(again.GetOctets(), writer.GetOctets());
    // Octets left over, and too few.
    for (const uint32_t length : {12U, 4U})
    {
        XdrWriter bad;
        Nfs4Bitmap{1, 33}.Encode(bad);
        bad.WriteU32(length);
        for (uint32_t i = 0; i < length; i += 4)
        {
            bad.WriteU32(1);
        }
        XdrReader badReader(bad.GetOctets());
        static_cast<void>(Nfs4Attributes::Decode(badReader));
        EXPECT_FALSE(badReader.Ok());
    }
}

TEST(Nfs4BitmapSet, IsEqualWhateverItsWords)
{
    Nfs4Bitmap mask{3, 33};
    Nfs4Bitmap same = mask;
    same.SetWords(3);
    EXPECT_EQ(mask, same);
    EXPECT_EQ(mask.GetSize(), 12U);
    EXPECT_EQ(same.GetSize(), 16U);
    same.Clear(33);
    EXPECT_NE(mask, same);
    same.Trim();
    EXPECT_EQ(same.GetWords(), 1U);
    EXPECT_EQ(mask & Nfs4Bitmap({33, 70}), Nfs4Bitmap({33}));
    EXPECT_EQ(mask | Nfs4Bitmap({70}), Nfs4Bitmap({3, 33, 70}));
    EXPECT_TRUE(Nfs4Bitmap().IsEmpty());
    EXPECT_EQ(Nfs4Bitmap::FromWords({8, 2, 0}), mask);
}

} // namespace
} // namespace ns3::nfsrdma::test
