/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/lacpdu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

using ::testing::ElementsAreArray;

/// As a host of Linux sends it: no partner yet.
ByteVector
MakeOctets()
{
    ByteVector octets{0x01, 0x80, 0xc2, 0x00, 0x00, 0x02, 0x02, 0x00, 0x00, 0x00, 0x00, 0x07,
                      0x88, 0x09, 0x01, 0x01, 0x01, 0x14, 0xff, 0xff, 0x02, 0x00, 0x00, 0x00,
                      0x00, 0x01, 0x03, 0xe8, 0x00, 0xff, 0x00, 0x02, 0x47, 0x00, 0x00, 0x00,
                      0x02, 0x14, 0x80, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x65, 0x00, 0x0b,
                      0x80, 0x00, 0x00, 0x0c, 0x3d, 0x00, 0x00, 0x00, 0x03, 0x10, 0x00, 0x32};
    octets.resize(Lacpdu::SIZE);
    return octets;
}

ByteVector
Encode(const Lacpdu& pdu)
{
    ByteVector octets(Lacpdu::SIZE, 0xee);
    pdu.Encode(octets);
    return octets;
}

TEST(LacpduTest, OctetsAreReadAndWrittenAlike)
{
    const auto octets = MakeOctets();
    const auto pdu = Lacpdu::Decode(octets);
    ASSERT_TRUE(pdu);
    EXPECT_THAT(pdu->source, ElementsAreArray({2, 0, 0, 0, 0, 7}));
    EXPECT_EQ(pdu->version, 1);
    EXPECT_EQ(pdu->actor.systemPriority, 0xffff);
    EXPECT_THAT(pdu->actor.system, ElementsAreArray({2, 0, 0, 0, 0, 1}));
    EXPECT_EQ(pdu->actor.key, 1000);
    EXPECT_EQ(pdu->actor.portPriority, 0xff);
    EXPECT_EQ(pdu->actor.port, 2);
    EXPECT_EQ(pdu->actor.state,
              LacpPortInfo::ACTIVITY | LacpPortInfo::TIMEOUT | LacpPortInfo::AGGREGATION |
                  LacpPortInfo::DEFAULTED);
    EXPECT_EQ(pdu->partner.systemPriority, 0x8000);
    EXPECT_EQ(pdu->partner.system.back(), 0x65);
    EXPECT_EQ(pdu->partner.key, 11);
    EXPECT_EQ(pdu->partner.portPriority, 0x8000);
    EXPECT_EQ(pdu->partner.port, 12);
    EXPECT_TRUE(pdu->partner.Has(LacpPortInfo::SYNC | LacpPortInfo::DISTRIBUTING));
    EXPECT_EQ(pdu->collectorDelay, 50);
    EXPECT_EQ(Encode(*pdu), octets);
}

TEST(LacpduTest, ReservedOctetsAreNotLookedAt)
{
    auto octets = MakeOctets();
    octets[35] = 7;
    octets[60] = 7;
    octets.back() = 7;
    const auto pdu = Lacpdu::Decode(octets);
    ASSERT_TRUE(pdu);
    EXPECT_EQ(Encode(*pdu), MakeOctets());
}

TEST(LacpduTest, LaterVersionsAreReadAsTheFirst)
{
    auto octets = MakeOctets();
    octets[15] = 2;
    octets[72] = 4; // Another part in place of the terminator.
    ASSERT_TRUE(Lacpdu::Decode(octets));
    octets[15] = 0;
    EXPECT_FALSE(Lacpdu::Decode(octets));
}

TEST(LacpduTest, WhatIsNoneIsRefused)
{
    for (const std::size_t at : {0U, 5U, 12U, 13U, 14U, 16U, 17U, 36U, 37U, 56U, 57U, 72U, 73U})
    {
        auto octets = MakeOctets();
        octets[at] ^= 0x80;
        EXPECT_FALSE(Lacpdu::Decode(octets)) << at;
    }
    const auto octets = MakeOctets();
    EXPECT_FALSE(Lacpdu::Decode(ByteSpan(octets).subspan(0, Lacpdu::SIZE - 1)));
    EXPECT_FALSE(Lacpdu::Decode({}));
    EXPECT_TRUE(Lacpdu::IsSlowProtocol(octets));
    EXPECT_FALSE(Lacpdu::IsSlowProtocol(ByteSpan(octets).subspan(0, 5)));
}

} // namespace
} // namespace ns3::nfsrdma
