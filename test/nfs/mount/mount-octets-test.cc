/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/mnt-messages.h"
#include "nfs/mount/nlm-messages.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

/// \return \p octets decoded as a \p Message, once they have been encoded again as they were.
template <typename Message>
Message
DecodeWhole(const ByteVector& octets)
{
    XdrReader reader(octets);
    auto message = DecodeXdr<Message>(reader);
    EXPECT_TRUE(message);
    EXPECT_EQ(reader.Remaining(), 0U);
    if (!message)
    {
        return {};
    }
    XdrWriter writer;
    EncodeXdr(writer, *message);
    EXPECT_EQ(writer.Take(), octets);
    return *message;
}

// clang-format off

TEST(MountOctets, PathConfIsTenWords)
{
    const auto limits = DecodeWhole<Mount2PathConf>({
        0, 0, 0xfd, 0xe8, // pc_link_max
        0, 0, 0, 0xff,    // pc_max_canon
        0, 0, 0, 0xfe,    // pc_max_input
        0, 0, 0, 0xfd,    // pc_name_max
        0, 0, 0x10, 0,    // pc_path_max
        0, 0, 0x20, 0,    // pc_pipe_buf
        0, 0, 0, 1,       // pc_vdisable
        0, 0, 0, 0,       // pc_xxx
        0, 0, 0, 2,       // pc_mask[0]
        0, 0, 0, 3});     // pc_mask[1]
    EXPECT_EQ(limits.linkMax, 65000U);
    EXPECT_EQ(limits.maxCanon, 255U);
    EXPECT_EQ(limits.maxInput, 254U);
    EXPECT_EQ(limits.nameMax, 253U);
    EXPECT_EQ(limits.pathMax, 4096U);
    EXPECT_EQ(limits.pipeBuf, 8192U);
    EXPECT_EQ(limits.vdisable, 1U);
    EXPECT_EQ(limits.mask1, 2U);
    EXPECT_EQ(limits.mask2, 3U);
}

TEST(NlmOctets, ShareIsDenyModeAndThenAccess)
{
    const auto share = DecodeWhole<NlmShareArgs>({
        0, 0, 0, 2, 0xaa, 0xbb, 0, 0, // cookie
        0, 0, 0, 1, 'h', 0, 0, 0,     // caller_name
        0, 0, 0, 4, 1, 2, 3, 4,       // fh
        0, 0, 0, 1, 9, 0, 0, 0,       // oh
        0, 0, 0, 2,                   // mode: deny write
        0, 0, 0, 1,                   // access: read
        0, 0, 0, 1});                 // reclaim
    EXPECT_EQ(share.cookie, (ByteVector{0xaa, 0xbb}));
    EXPECT_EQ(share.caller, "h");
    EXPECT_EQ(share.file.length, 4U);
    EXPECT_EQ(share.deny, NlmShareArgs::WRITE);
    EXPECT_EQ(share.access, NlmShareArgs::READ);
    EXPECT_TRUE(share.reclaim);
}

TEST(NlmOctets, ResultOfAShareHasASequence)
{
    const auto results = DecodeWhole<NlmShareRes>({
        0, 0, 0, 1, 5, 0, 0, 0, // cookie
        0, 0, 0, 4,             // nlm_denied_grace_period
        0, 0, 0, 7});           // sequence
    EXPECT_EQ(results.status, NlmStatus::DENIED_GRACE_PERIOD);
    EXPECT_EQ(results.sequence, 7U);
}

TEST(NlmOctets, LockOfVersionThreeHasOffsetsOf32Bits)
{
    const auto args = DecodeWhole<NlmNarrow<NlmLockArgs>>({
        0, 0, 0, 0,               // cookie
        0, 0, 0, 1,               // block
        0, 0, 0, 1,               // exclusive
        0, 0, 0, 2, 'p', 'c', 0, 0, // caller_name
        0, 0, 0, 4, 1, 2, 3, 4,   // fh
        0, 0, 0, 1, 9, 0, 0, 0,   // oh
        0, 0, 0, 6,               // svid
        0, 0, 0, 16,              // l_offset
        0, 0, 0, 8,               // l_len
        0, 0, 0, 0,               // reclaim
        0, 0, 0, 3}).message;     // state
    EXPECT_EQ(args.lock.caller, "pc");
    EXPECT_EQ(args.lock.offset, 16U);
    EXPECT_EQ(args.lock.length, 8U);
    EXPECT_EQ(args.state, 3U);
}

TEST(NlmOctets, FreeAllNamesAHostAndItsState)
{
    const auto notify = DecodeWhole<NlmNotify>({
        0, 0, 0, 3, 'd', 'o', 's', 0, // name
        0, 0, 0, 5});                 // state
    EXPECT_EQ(notify.name, "dos");
    EXPECT_EQ(notify.state, 5U);
}

TEST(NlmOctets, RebootCarriesWhatStatdWasGiven)
{
    const auto reboot = DecodeWhole<NlmReboot>({
        0, 0, 0, 1, 'h', 0, 0, 0, // mon
        0, 0, 0, 9,               // state
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}); // priv
    EXPECT_EQ(reboot.name, "h");
    EXPECT_EQ(reboot.state, 9U);
    EXPECT_EQ(reboot.data[15], 15);
}

// clang-format on

} // namespace
} // namespace ns3::nfsrdma
