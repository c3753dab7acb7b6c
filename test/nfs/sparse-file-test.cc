/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/message-filler.h"
#include "nfs/store/sparse-file.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{

namespace
{

uint8_t
BackgroundOctet(uint64_t offset)
{
    return static_cast<uint8_t>(offset * 31 + (offset >> 8) + 1);
}

void
FillBackground(uint64_t offset, MutableByteSpan out)
{
    for (std::size_t i = 0; i < out.size(); ++i)
    {
        out[i] = BackgroundOctet(offset + i);
    }
}

ByteVector
ReadAll(const SparseFile& file)
{
    ByteVector octets(file.GetSize());
    EXPECT_EQ(file.Read(0, octets), octets.size());
    return octets;
}

} // namespace

TEST(SparseFile, HolesReadAsZerosAndCostNothing)
{
    SparseFile file;
    const ByteVector data{1, 2, 3};
    file.Write(uint64_t{1} << 40, data);
    EXPECT_EQ(file.GetSize(), (uint64_t{1} << 40) + 3);
    EXPECT_EQ(file.GetUsed(), SparseFile::PAGE_SIZE);
    ByteVector out(8, 0xff);
    EXPECT_EQ(file.Read(12345, out), 8U);
    EXPECT_EQ(out, ByteVector(8, 0));
    int pieces = 0;
    file.Read(0, 1 << 20, [&](uint64_t, uint64_t) {
        ++pieces;
        return MutableByteSpan();
    });
    EXPECT_EQ(pieces, 0);
}

TEST(SparseFile, FillsRoomThatComesInParts)
{
    constexpr uint64_t PART = 1000;
    SparseFile file(3 * SparseFile::PAGE_SIZE, FillBackground);
    file.Write(SparseFile::PAGE_SIZE + 7, ByteVector(100, 0xee));
    const ByteVector expected = ReadAll(file);
    ByteVector out(2 * SparseFile::PAGE_SIZE, 0);
    file.Read(500, out.size(), [&out](uint64_t position, uint64_t length) {
        const uint64_t toBoundary = PART - position % PART;
        return MutableByteSpan(out).subspan(position, std::min(length, toBoundary));
    });
    EXPECT_TRUE(std::equal(out.begin(), out.end(), expected.begin() + 500));
}

TEST(SparseFile, ReadStopsAtTheEnd)
{
    SparseFile file;
    file.Write(0, ByteVector{1, 2, 3});
    ByteVector out(8, 0xff);
    EXPECT_EQ(file.Read(1, out), 2U);
    EXPECT_EQ(out, (ByteVector{2, 3, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(file.Read(3, out), 0U);
    EXPECT_EQ(file.Read(~uint64_t{0}, out), 0U);
}

TEST(SparseFile, CutOctetsDoNotComeBack)
{
    SparseFile file(10000, FillBackground);
    file.Write(5000, ByteVector(100, 0xee));
    EXPECT_EQ(file.GetUsed(), 3 * SparseFile::PAGE_SIZE);
    file.SetSize(5050);
    EXPECT_EQ(file.GetUsed(), 2 * SparseFile::PAGE_SIZE);
    file.SetSize(10000);
    ByteVector out(5000);
    file.Read(5000, out);
    EXPECT_EQ(ByteVector(out.begin(), out.begin() + 50), ByteVector(50, 0xee));
    EXPECT_EQ(ByteVector(out.begin() + 50, out.end()), ByteVector(4950, 0));
    EXPECT_EQ(out.size(), 5000U);
    ByteVector first(10);
    file.Read(0, first);
    EXPECT_EQ(first[9], BackgroundOctet(9));
}

TEST(SparseFile, EqualsAPlainVectorUnderRandomOperations)
{
    constexpr uint32_t LIMIT = 40000;
    MessageGenerator generator(4096);
    for (const bool withBackground : {false, true})
    {
        SparseFile file;
        ByteVector model;
        if (withBackground)
        {
            model.resize(20000);
            FillBackground(0, model);
            file = SparseFile(model.size(), FillBackground);
        }
        for (int round = 0; round < 400; ++round)
        {
            const uint32_t offset = generator.Below(LIMIT);
            if (generator.Below(4) == 0)
            {
                file.SetSize(offset);
                model.resize(offset);
            }
            else
            {
                const ByteVector data = generator.Octets(generator.Below(9000));
                file.Write(offset, data);
                if (!data.empty())
                {
                    model.resize(std::max<std::size_t>(model.size(), offset + data.size()));
                    std::copy(data.begin(), data.end(), model.begin() + offset);
                }
            }
            ASSERT_EQ(file.GetSize(), model.size());
            ASSERT_EQ(ReadAll(file), model) << "round " << round;
            const uint64_t pages =
                (model.size() + SparseFile::PAGE_SIZE - 1) / SparseFile::PAGE_SIZE;
            ASSERT_LE(file.GetUsed(), pages * SparseFile::PAGE_SIZE);
        }
    }
}

} // namespace ns3::nfsrdma::test
