/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/generator.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{
namespace
{

constexpr int ROUNDS = 300;

template <typename T>
ByteVector
Encode(const T& value)
{
    XdrWriter writer;
    EncodeXdr(writer, value);
    return writer.Take();
}

/// Every argument and result type of one union of operations.
template <typename Union>
class Nfs4RoundTrip : public testing::Test
{
  protected:
    template <typename T>
    void Check(const T& value, const char* name)
    {
        const ByteVector octets = Encode(value);
        XdrReader reader(octets);
        const auto decoded = DecodeXdr<T>(reader);
        ASSERT_TRUE(decoded) << name;
        EXPECT_EQ(reader.Remaining(), 0U) << name;
        EXPECT_EQ(Encode(*decoded), octets) << name;
        // Cut short anywhere it is refused, unless what is left out may be.
        const ByteSpan whole(octets);
        for (std::size_t length = 0; length < octets.size(); length += 4)
        {
            XdrReader cut(whole.first(length));
            EXPECT_FALSE(DecodeXdr<T>(cut)) << name << " of " << length << " octets";
        }
    }

    Nfs4Generator m_generator{7530};
};

using Unions = testing::Types<Nfs4ArgOp, Nfs4ResOp, Nfs4CbArgOp, Nfs4CbResOp>;
TYPED_TEST_SUITE(Nfs4RoundTrip, Unions, );

TYPED_TEST(Nfs4RoundTrip, EveryOperationComesOutAgain)
{
    for (std::size_t index = 0; index < std::variant_size_v<typename TypeParam::Variant>; ++index)
    {
        for (int round = 0; round < ROUNDS; ++round)
        {
            TypeParam value;
            this->m_generator.FillAlternative(value, index);
            std::visit([&](const auto& op) { this->Check(op, ToString(GetOp(value))); }, value);
        }
    }
}

/// Any octets at all are decoded without harm, whatever the type.
TYPED_TEST(Nfs4RoundTrip, AnyOctetsAreRefusedOrComeOutAgain)
{
    for (std::size_t index = 0; index < std::variant_size_v<typename TypeParam::Variant>; ++index)
    {
        for (int round = 0; round < ROUNDS; ++round)
        {
            TypeParam value;
            this->m_generator.FillAlternative(value, index);
            std::visit(
                [&](const auto& op) {
                    using T = std::decay_t<decltype(op)>;
                    ByteVector octets = Encode(op);
                    for (uint32_t i = 0; !octets.empty() && i <= this->m_generator.Below(4); ++i)
                    {
                        octets[this->m_generator.Below(octets.size())] ^=
                            1U << this->m_generator.Below(8);
                    }
                    XdrReader reader(octets);
                    const auto decoded = DecodeXdr<T>(reader);
                    if (decoded)
                    {
                        const ByteSpan read = ByteSpan(octets).first(reader.Position());
                        const ByteVector again = Encode(*decoded);
                        EXPECT_EQ(ByteSpan(again), read) << ToString(GetOp(value));
                    }
                },
                value);
        }
    }
}

TEST(Nfs4Compound, RandomOnesComeOutAgain)
{
    Nfs4Generator generator(8881);
    for (uint32_t round = 0; round < 600; ++round)
    {
        Compound4Args args;
        args.tag = generator.Octets(generator.Below(20));
        args.minorVersion = round % 3;
        Compound4Res result;
        result.tag = args.tag;
        for (uint32_t i = 0; i < generator.Below(9); ++i)
        {
            args.ops.push_back(generator.ArgOp(args.minorVersion));
            generator.FillAlternative(result.ops.emplace_back(), args.ops.back().index());
            EXPECT_EQ(GetOp(args.ops.back()), GetOp(result.ops.back()));
            result.status = GetStatus(result.ops.back());
        }
        XdrWriter writer;
        args.Encode(writer);
        XdrReader reader(writer.GetOctets());
        const auto decoded = Compound4Args::Decode(reader);
        ASSERT_TRUE(decoded);
        EXPECT_FALSE(decoded->error);
        EXPECT_EQ(decoded->ops.size(), args.ops.size());
        EXPECT_EQ(reader.Remaining(), 0U);
        XdrWriter again;
        decoded->Encode(again);
        EXPECT_EQ(again.GetOctets(), writer.GetOctets());

        XdrWriter resultWriter;
        result.Encode(resultWriter);
        XdrReader resultReader(resultWriter.GetOctets());
        const auto decodedResult = Compound4Res::Decode(resultReader);
        ASSERT_TRUE(decodedResult);
        EXPECT_EQ(decodedResult->status, result.status);
        XdrWriter resultAgain;
        decodedResult->Encode(resultAgain);
        EXPECT_EQ(resultAgain.GetOctets(), resultWriter.GetOctets());
    }
}

TEST(Nfs4Compound, EveryOperationHasItsNumberAndName)
{
    uint32_t number = NFS4_FIRST_OP;
    for (std::size_t index = 0; index + 1 < std::variant_size_v<Nfs4ArgOp::Variant>;
         ++index, ++number)
    {
        const auto op = static_cast<Nfs4Op>(number);
        EXPECT_EQ(GetOp(MakeResult(op, Nfs4Status::OK)), op);
        EXPECT_EQ(ParseNfs4Op(ToString(op)), op);
        EXPECT_EQ(MakeResult(op, Nfs4Status::STALE).index(), index);
        EXPECT_EQ(GetStatus(MakeResult(op, Nfs4Status::STALE)), Nfs4Status::STALE);
    }
    EXPECT_EQ(number, NFS4_LAST_OP + 1);
    EXPECT_EQ(GetOp(MakeResult(static_cast<Nfs4Op>(2), Nfs4Status::OP_ILLEGAL)), Nfs4Op::ILLEGAL);
    EXPECT_TRUE(IsLegal(39, 0));
    EXPECT_FALSE(IsLegal(40, 0));
    EXPECT_TRUE(IsLegal(58, 1));
    EXPECT_FALSE(IsLegal(59, 1));
    EXPECT_TRUE(IsLegal(NFS4_LAST_OP, 2));
    EXPECT_FALSE(IsLegal(NFS4_LAST_OP + 1, 2));
    EXPECT_FALSE(IsLegal(2, 2));
    EXPECT_EQ(ParseNfs4Status("NFS4ERR_XATTR2BIG"), Nfs4Status::XATTR2BIG);
    EXPECT_STREQ(ToString(Nfs4Status::OK), "NFS4_OK");
}

} // namespace
} // namespace ns3::nfsrdma::test
