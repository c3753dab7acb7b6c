/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/sparse-file.h"

#include <gtest/gtest.h>
#include <random>

namespace ns3::nfsrdma::test
{
namespace
{

// ---- holes ----

TEST(SparseFileHoles, EqualAModelOfPages)
{
    constexpr uint64_t PAGES = 12;
    std::mt19937_64 random(5);
    SparseFile file;
    file.SetSize(PAGES * SparseFile::PAGE_SIZE);
    std::vector<uint8_t> model(PAGES * SparseFile::PAGE_SIZE, 0);
    for (int step = 0; step < 400; ++step)
    {
        const uint64_t offset = random() % model.size();
        const uint64_t length = random() % (model.size() - offset);
        if (random() % 2 == 0)
        {
            ByteVector octets(length, static_cast<uint8_t>(1 + random() % 255));
            file.Write(offset, octets);
            std::copy(octets.begin(), octets.end(), model.begin() + offset);
        }
        else
        {
            file.Punch(offset, length);
            std::fill(model.begin() + offset, model.begin() + offset + length, uint8_t{0});
        }
        ByteVector content(model.size());
        file.Read(0, content);
        ASSERT_EQ(content, model);
        uint64_t used = 0;
        for (uint64_t at = file.FindData(0); at < file.GetSize(); at = file.FindData(at))
        {
            const uint64_t hole = file.FindHole(at);
            ASSERT_GT(hole, at);
            used += hole - at;
            at = hole;
        }
        EXPECT_EQ(used, file.GetUsed());
    }
    file.Punch(0, file.GetSize());
    EXPECT_EQ(file.GetUsed(), 0U);
    EXPECT_EQ(file.FindData(0), file.GetSize());
}

} // namespace
} // namespace ns3::nfsrdma::test
