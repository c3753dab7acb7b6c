/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ipsec/association-chain.h"
#include "ipsec/security-association.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

// clang-format off
/// Made by another program: key 00 01 ... 0f, salt a0 a1 a2 a3, SPI 0x10000, PAYLOAD, next header 6.
const ByteVector SEALED{
    0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01,
    0x03, 0x71, 0x6c, 0x93, 0x15, 0xe8, 0x18, 0x31, 0xe3, 0x4d, 0x3e, 0x16, 0xd9, 0x07, 0x97, 0x60,
    0x8e, 0xe8, 0xf4, 0x13, 0x1d, 0x7f, 0xcb, 0xba, 0x32, 0x60, 0x6d, 0x0c, 0x09, 0xa2, 0x20, 0xc1};
/// The same with the extended sequence number 0x100000005.
const ByteVector SEALED_EXTENDED{
    0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x05,
    0x9d, 0x6e, 0xb5, 0x56, 0x61, 0xcc, 0xb1, 0x82, 0x36, 0x97, 0x8a, 0x33, 0x73, 0xb8, 0x22, 0xd5,
    0xd7, 0x04, 0x16, 0xbf, 0xcf, 0xdc, 0x73, 0xf5, 0x2c, 0xfd, 0xd3, 0xda, 0x30, 0x2b, 0x4b, 0xa4};

// clang-format on

constexpr uint32_t SPI = 0x10000;
const std::string PAYLOAD("\x45\x00payload!x", 11);

EspKey
MakeKey()
{
    EspKey key;
    for (uint8_t i = 0; i < 16; ++i)
    {
        key.key.push_back(i);
    }
    key.salt = {0xa0, 0xa1, 0xa2, 0xa3};
    return key;
}

AssociationTraits
MakeTraits(bool extended = false)
{
    AssociationTraits traits;
    traits.extended = extended;
    return traits;
}

ByteVector
Seal(SecurityAssociation& association, const std::string& payload = PAYLOAD, Time now = Time())
{
    ByteVector esp(SecurityAssociation::GetSealedSize(payload.size()));
    std::copy(payload.begin(),
              payload.end(),
              esp.begin() + static_cast<std::ptrdiff_t>(SecurityAssociation::GetPayloadOffset()));
    const bool isSealed = association.Seal(esp, payload.size(), 6, payload.size(), now);
    return isSealed ? esp : ByteVector{};
}

std::string
TextOf(const EspPlaintext& plaintext)
{
    return {plaintext.payload.begin(), plaintext.payload.end()};
}

TEST(SecurityAssociationTest, SealsAsAnotherProgram)
{
    SecurityAssociation association(SPI, MakeKey(), MakeTraits(), Time());
    EXPECT_EQ(Seal(association), SEALED);
    SecurityAssociation extended(SPI, MakeKey(), MakeTraits(true), Time(), 0x100000004);
    EXPECT_EQ(Seal(extended), SEALED_EXTENDED);
}

TEST(SecurityAssociationTest, OpensWhatAnotherProgramSealed)
{
    SecurityAssociation association(SPI, MakeKey(), MakeTraits(), Time());
    ByteVector esp = SEALED;
    const auto plaintext = association.Open(esp);
    ASSERT_TRUE(plaintext.has_value());
    EXPECT_EQ(TextOf(*plaintext), PAYLOAD);
    EXPECT_EQ(plaintext->nextHeader, 6);
    SecurityAssociation extended(SPI, MakeKey(), MakeTraits(true), Time(), 0xfffffff0);
    esp = SEALED_EXTENDED;
    ASSERT_TRUE(extended.Open(esp).has_value()) << "its high half is not on the wire";
}

TEST(SecurityAssociationTest, EveryChangedOctetIsTold)
{
    for (std::size_t at = 0; at < SEALED.size(); ++at)
    {
        SecurityAssociation association(SPI, MakeKey(), MakeTraits(), Time());
        ByteVector esp = SEALED;
        esp[at] ^= 0x01;
        const auto plaintext = association.Open(esp);
        ASSERT_FALSE(plaintext.has_value() && at >= 4) << at;
        ByteVector sound = SEALED;
        EXPECT_TRUE(association.Open(sound).has_value() || at < 4) << "nothing moved, " << at;
    }
}

TEST(SecurityAssociationTest, ReplaysAreRefused)
{
    SecurityAssociation association(SPI, MakeKey(), MakeTraits(), Time());
    ByteVector esp = SEALED;
    ASSERT_TRUE(association.Open(esp).has_value());
    esp = SEALED;
    const auto again = association.Open(esp);
    ASSERT_FALSE(again.has_value());
    EXPECT_EQ(again.error(), EspFailure::REPLAYED);
}

TEST(SecurityAssociationTest, TheSequenceNumberNeverBeginsAgain)
{
    SecurityAssociation association(SPI, MakeKey(), MakeTraits(), Time(), 0xfffffffd);
    EXPECT_TRUE(association.IsSoftExpired(Time()));
    EXPECT_FALSE(association.IsHardExpired(Time()));
    EXPECT_FALSE(Seal(association).empty());
    EXPECT_FALSE(Seal(association).empty());
    EXPECT_TRUE(association.IsHardExpired(Time()));
    EXPECT_TRUE(Seal(association).empty());
    EXPECT_EQ(association.GetSequence(), 0xffffffffU);
    SecurityAssociation extended(SPI, MakeKey(), MakeTraits(true), Time(), 0xfffffffd);
    EXPECT_FALSE(extended.IsSoftExpired(Time()));
    for (int i = 0; i < 4; ++i)
    {
        EXPECT_FALSE(Seal(extended).empty());
    }
    EXPECT_EQ(extended.GetSequence(), 0x100000001U);
}

TEST(SecurityAssociationTest, LifetimesEnd)
{
    AssociationTraits traits = MakeTraits();
    traits.soft = {20, 0, Time()};
    traits.hard = {0, 3, Seconds(1)};
    SecurityAssociation association(SPI, MakeKey(), traits, Time());
    EXPECT_FALSE(Seal(association).empty());
    EXPECT_FALSE(association.IsSoftExpired(Time())) << "11 octets";
    EXPECT_FALSE(Seal(association).empty());
    EXPECT_TRUE(association.IsSoftExpired(Time())) << "22 octets";
    EXPECT_FALSE(association.IsHardExpired(Seconds(1) - NanoSeconds(1)));
    EXPECT_TRUE(association.IsHardExpired(Seconds(1)));
    EXPECT_FALSE(Seal(association).empty());
    EXPECT_TRUE(Seal(association).empty()) << "3 packets";
}

/// Sends by an OutboundChain to an InboundChain.
class AssociationChainTest : public ::testing::Test
{
  protected:
    AssociationChainTest()
    {
        traits.soft.packets = 3;
    }

    ByteVector Send(OutboundChain& chain, Time now)
    {
        return Seal(chain.GetCurrent(now), PAYLOAD, now);
    }

    static bool Receive(InboundChain& chain, ByteVector esp, Time now)
    {
        const auto packet = EspPacket::Decode(esp);
        if (!packet)
        {
            return false;
        }
        auto* const association = chain.Find(packet->spi, now);
        if (association == nullptr || !association->Open(esp))
        {
            return false;
        }
        chain.Used(*association, now);
        return true;
    }

    const AssociationName first{1, 0, 1, 0};
    AssociationTraits traits;
};

TEST_F(AssociationChainTest, NothingIsLostWhileKeysChange)
{
    OutboundChain out(first, traits, MicroSeconds(2));
    InboundChain in(first, traits, MilliSeconds(1));
    for (int i = 0; i < 40; ++i)
    {
        const Time now = MicroSeconds(i);
        EXPECT_TRUE(Receive(in, Send(out, now), now)) << i;
    }
    EXPECT_EQ(out.GetRekeys(), 7U) << "three packets, and two while keys are made";
    EXPECT_EQ(in.GetRekeys(), out.GetRekeys());
}

TEST_F(AssociationChainTest, LatePacketsOfTheOldAssociationAreTakenForATime)
{
    OutboundChain out(first, traits, Time());
    InboundChain in(first, traits, MicroSeconds(10));
    std::vector<ByteVector> old;
    for (int i = 0; i < 3; ++i)
    {
        old.push_back(Send(out, Time()));
    }
    EXPECT_TRUE(Receive(in, Send(out, Time()), MicroSeconds(1))) << "the new overtakes the old";
    EXPECT_EQ(in.GetRekeys(), 1U);
    EXPECT_TRUE(Receive(in, old[0], MicroSeconds(2)));
    EXPECT_TRUE(Receive(in, old[1], MicroSeconds(10)));
    EXPECT_FALSE(Receive(in, old[0], MicroSeconds(10))) << "a replay";
    EXPECT_FALSE(Receive(in, old[2], MicroSeconds(11)));
}

TEST_F(AssociationChainTest, ForgedPacketsOfLaterAssociationsChangeNothing)
{
    OutboundChain out(first, traits, Time());
    InboundChain in(first, traits, MicroSeconds(10));
    for (const uint8_t generation : {uint8_t{1}, uint8_t{7}})
    {
        ByteVector forged = SEALED;
        forged[3] = generation; // In its SPI.
        EXPECT_FALSE(Receive(in, forged, Time()));
        EXPECT_EQ(in.GetRekeys(), 0U);
    }
    for (int i = 0; i < 10; ++i)
    {
        EXPECT_TRUE(Receive(in, Send(out, Time()), Time())) << i;
    }
}

TEST_F(AssociationChainTest, ASenderThatWentOnUnheardIsHeardAgain)
{
    OutboundChain out(first, traits, Time());
    InboundChain in(first, traits, MicroSeconds(10));
    EXPECT_TRUE(Receive(in, Send(out, Time()), Time()));
    for (int i = 0; i < 8; ++i)
    {
        EXPECT_FALSE(Send(out, Time()).empty()) << "lost";
    }
    EXPECT_EQ(out.GetRekeys(), 2U);
    for (int i = 0; i < 10; ++i)
    {
        EXPECT_TRUE(Receive(in, Send(out, Time()), Time())) << i;
    }
    EXPECT_EQ(in.GetRekeys(), out.GetRekeys());
}

TEST_F(AssociationChainTest, PacketsAreLostWhenKeysComeTooLate)
{
    traits.hard.packets = 4;
    OutboundChain out(first, traits, MicroSeconds(10));
    for (int i = 0; i < 4; ++i)
    {
        EXPECT_FALSE(Send(out, MicroSeconds(i)).empty()) << i;
    }
    EXPECT_TRUE(Send(out, MicroSeconds(5)).empty());
    EXPECT_TRUE(Send(out, MicroSeconds(12)).empty());
    EXPECT_FALSE(Send(out, MicroSeconds(13)).empty());
}

} // namespace
} // namespace ns3::nfsrdma
