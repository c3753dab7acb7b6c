/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/transmit-hash.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

/// 02:00:00:00:00:07 to 02:00:00:00:00:0a, 10.77.0.3:1000 to 10.77.0.9:20049, TCP.
ByteVector
MakeIpv4Frame()
{
    return {2, 0, 0, 0,  0, 0x0a, 2, 0,  0,  0, 0, 7,  8,  0, 0x45, 0, 0,    40,   0,
            0, 0, 0, 64, 6, 0,    0, 10, 77, 0, 3, 10, 77, 0, 9,    3, 0xe8, 0x4e, 0x51};
}

ByteVector
MakeIpv6Frame()
{
    ByteVector frame{2, 0,    0,    0,    0, 0x0a, 2, 0, 0,  0,  0,
                     7, 0x86, 0xdd, 0x60, 0, 0,    0, 0, 20, 17, 64};
    frame.resize(54);
    frame[22] = 0xfd;
    frame[37] = 3;
    frame[38] = 0xfd;
    frame[53] = 9;
    frame.insert(frame.end(), {3, 0xe8, 0x4e, 0x51});
    return frame;
}

// Reckoned by hand from bond_xmit_hash(): octets folded by exclusive or.
TEST(TransmitHashTest, Layer2TakesTheLastOctetsOfBothAddressesAndTheType)
{
    EXPECT_EQ(HashTransmit(MakeIpv4Frame(), TransmitHashPolicy::LAYER2), 0x0aU ^ 0x07U ^ 0x0008U);
    EXPECT_EQ(HashTransmit(MakeIpv6Frame(), TransmitHashPolicy::LAYER2), 0x0aU ^ 0x07U ^ 0xdd86U);
}

TEST(TransmitHashTest, FurtherLayersFoldAddressesAndPorts)
{
    const uint32_t addresses = (3U ^ 9U) << 24U;
    const auto fold = [](uint32_t hash) {
        hash ^= hash >> 16U;
        return hash ^ hash >> 8U;
    };
    EXPECT_EQ(HashTransmit(MakeIpv4Frame(), TransmitHashPolicy::LAYER2_3),
              fold((0x0aU ^ 0x07U ^ 0x0008U) ^ addresses));
    EXPECT_EQ(HashTransmit(MakeIpv4Frame(), TransmitHashPolicy::LAYER3_4),
              fold(0x514ee803U ^ addresses) >> 1U);
    EXPECT_EQ(HashTransmit(MakeIpv6Frame(), TransmitHashPolicy::LAYER2_3),
              fold((0x0aU ^ 0x07U ^ 0xdd86U) ^ addresses));
    EXPECT_EQ(HashTransmit(MakeIpv6Frame(), TransmitHashPolicy::LAYER3_4),
              fold(0x514ee803U ^ addresses) >> 1U);
}

TEST(TransmitHashTest, FragmentsHaveNoPorts)
{
    auto frame = MakeIpv4Frame();
    frame[20] = 0x20; // More follow.
    const auto first = HashTransmit(frame, TransmitHashPolicy::LAYER3_4);
    frame[34] ^= 0xffU;
    EXPECT_EQ(HashTransmit(frame, TransmitHashPolicy::LAYER3_4), first);
    frame[33] ^= 0x2U;
    EXPECT_NE(HashTransmit(frame, TransmitHashPolicy::LAYER3_4), first);
}

TEST(TransmitHashTest, WhatIsNoIpOrTooShortIsHashedByEthernet)
{
    auto frame = MakeIpv4Frame();
    for (std::size_t size = 14; size < 34; ++size)
    {
        EXPECT_EQ(HashTransmit(ByteSpan(frame.data(), size), TransmitHashPolicy::LAYER3_4),
                  0x0aU ^ 0x07U ^ 0x0008U);
    }
    EXPECT_EQ(HashTransmit(ByteSpan(frame.data(), 13), TransmitHashPolicy::LAYER2), 0U);
    frame[13] = 6; // ARP
    EXPECT_EQ(HashTransmit(frame, TransmitHashPolicy::LAYER2_3), 0x0aU ^ 0x07U ^ 0x0608U);
}

} // namespace
} // namespace ns3::nfsrdma
