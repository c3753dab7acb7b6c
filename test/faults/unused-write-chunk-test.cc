/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-test.h"

#include <set>

namespace ns3::nfsrdma
{

namespace
{

/// Write chunks of READs that failed. Two sections contradict each other.
class UnusedWriteChunk : public FaultTest
{
  protected:
    /// \return octets of the replies to READs that failed, each once.
    [[nodiscard]] std::set<uint32_t> GetSizes() const
    {
        std::set<uint32_t> sizes;
        for (const auto& row : Table("rpc.csv"))
        {
            if (row.at("operation") == "READ" && row.at("status") != "0")
            {
                EXPECT_EQ(row.at("outcome"), "SUCCESS");
                EXPECT_EQ(row.at("write_segments"), "1");
                sizes.insert(std::stoul(row.at("reply_inline_bytes")));
            }
        }
        return sizes;
    }
};

TEST_F(UnusedWriteChunk, HasItsSegmentsOrNone)
{
    constexpr uint32_t segment = 16;
    // RFC 8166 section 3.4.6, as Linux.
    EXPECT_EQ(RunFault("unused-write-chunk").status, 0);
    const auto withSegments = GetSizes();
    ASSERT_EQ(withSegments.size(), 1U);
    EXPECT_EQ(Summary()["verification"]["failed_operations"], 0);
    // RFC 8267 section 6.4.1.
    EXPECT_EQ(RunFault("unused-write-chunk", {"--set", "nfs.empty_write_chunks=true"}).status, 0);
    EXPECT_EQ(GetSizes(), std::set<uint32_t>({*withSegments.begin() - segment}));
    EXPECT_EQ(Summary()["verification"]["failed_operations"], 0);
}

} // namespace

} // namespace ns3::nfsrdma
