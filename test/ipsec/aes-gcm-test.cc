/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ipsec/aes-gcm.h"
#include "ipsec/key-material.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace ns3::nfsrdma
{
namespace
{

// clang-format off
/// Test cases 4 (AES-128) and 16 (AES-256, the key twice) of "The Galois/Counter Mode of Operation",
/// McGrew and Viega, appendix B.
const ByteVector KEY{
    0xfe, 0xff, 0xe9, 0x92, 0x86, 0x65, 0x73, 0x1c, 0x6d, 0x6a, 0x8f, 0x94, 0x67, 0x30, 0x83, 0x08};
constexpr std::array<uint8_t, 4> SALT{0xca, 0xfe, 0xba, 0xbe};
constexpr uint64_t IV = 0xfacedbaddecaf888;
const ByteVector AUTHENTICATED{
    0xfe, 0xed, 0xfa, 0xce, 0xde, 0xad, 0xbe, 0xef, 0xfe, 0xed, 0xfa, 0xce, 0xde, 0xad, 0xbe, 0xef,
    0xab, 0xad, 0xda, 0xd2};
const ByteVector PLAINTEXT{
    0xd9, 0x31, 0x32, 0x25, 0xf8, 0x84, 0x06, 0xe5, 0xa5, 0x59, 0x09, 0xc5, 0xaf, 0xf5, 0x26, 0x9a,
    0x86, 0xa7, 0xa9, 0x53, 0x15, 0x34, 0xf7, 0xda, 0x2e, 0x4c, 0x30, 0x3d, 0x8a, 0x31, 0x8a, 0x72,
    0x1c, 0x3c, 0x0c, 0x95, 0x95, 0x68, 0x09, 0x53, 0x2f, 0xcf, 0x0e, 0x24, 0x49, 0xa6, 0xb5, 0x25,
    0xb1, 0x6a, 0xed, 0xf5, 0xaa, 0x0d, 0xe6, 0x57, 0xba, 0x63, 0x7b, 0x39};
const ByteVector CIPHERTEXT_128{
    0x42, 0x83, 0x1e, 0xc2, 0x21, 0x77, 0x74, 0x24, 0x4b, 0x72, 0x21, 0xb7, 0x84, 0xd0, 0xd4, 0x9c,
    0xe3, 0xaa, 0x21, 0x2f, 0x2c, 0x02, 0xa4, 0xe0, 0x35, 0xc1, 0x7e, 0x23, 0x29, 0xac, 0xa1, 0x2e,
    0x21, 0xd5, 0x14, 0xb2, 0x54, 0x66, 0x93, 0x1c, 0x7d, 0x8f, 0x6a, 0x5a, 0xac, 0x84, 0xaa, 0x05,
    0x1b, 0xa3, 0x0b, 0x39, 0x6a, 0x0a, 0xac, 0x97, 0x3d, 0x58, 0xe0, 0x91};
const ByteVector TAG_128{
    0x5b, 0xc9, 0x4f, 0xbc, 0x32, 0x21, 0xa5, 0xdb, 0x94, 0xfa, 0xe9, 0x5a, 0xe7, 0x12, 0x1a, 0x47};
const ByteVector CIPHERTEXT_256{
    0x52, 0x2d, 0xc1, 0xf0, 0x99, 0x56, 0x7d, 0x07, 0xf4, 0x7f, 0x37, 0xa3, 0x2a, 0x84, 0x42, 0x7d,
    0x64, 0x3a, 0x8c, 0xdc, 0xbf, 0xe5, 0xc0, 0xc9, 0x75, 0x98, 0xa2, 0xbd, 0x25, 0x55, 0xd1, 0xaa,
    0x8c, 0xb0, 0x8e, 0x48, 0x59, 0x0d, 0xbb, 0x3d, 0xa7, 0xb0, 0x8b, 0x10, 0x56, 0x82, 0x88, 0x38,
    0xc5, 0xf6, 0x1e, 0x63, 0x93, 0xba, 0x7a, 0x0a, 0xbc, 0xc9, 0xf6, 0x62};
const ByteVector TAG_256{
    0x76, 0xfc, 0x6e, 0xce, 0x0f, 0x4e, 0x17, 0x68, 0xcd, 0xdf, 0x88, 0x53, 0xbb, 0x2d, 0x55, 0x1b};

// clang-format on

EspKey
MakeKey(EspSuite suite)
{
    EspKey key{KEY, SALT};
    if (suite == EspSuite::AES_256_GCM)
    {
        key.key.insert(key.key.end(), KEY.begin(), KEY.end());
    }
    return key;
}

class AesGcmTest : public ::testing::TestWithParam<EspSuite>
{
  protected:
    const ByteVector ciphertext =
        GetParam() == EspSuite::AES_128_GCM ? CIPHERTEXT_128 : CIPHERTEXT_256;
    const ByteVector tag = GetParam() == EspSuite::AES_128_GCM ? TAG_128 : TAG_256;
    AesGcm cipher{GetParam(), MakeKey(GetParam())};
};

TEST_P(AesGcmTest, EncryptsAsPublished)
{
    for (int turn = 0; turn < 2; ++turn)
    {
        ByteVector text = PLAINTEXT;
        ByteVector made(AesGcm::TAG_SIZE);
        cipher.Seal(IV, AUTHENTICATED, text, made);
        EXPECT_EQ(text, ciphertext) << turn;
        EXPECT_EQ(made, tag) << turn;
    }
}

TEST_P(AesGcmTest, DecryptsAsPublished)
{
    ByteVector text = ciphertext;
    EXPECT_TRUE(cipher.Open(IV, AUTHENTICATED, text, tag));
    EXPECT_EQ(text, PLAINTEXT);
}

TEST_P(AesGcmTest, TellsEachOctetThatWasChanged)
{
    const auto changed = [](ByteVector octets, std::size_t at) {
        octets[at] ^= 0x80;
        return octets;
    };
    for (std::size_t i = 0; i < ciphertext.size(); ++i)
    {
        ByteVector text = changed(ciphertext, i);
        EXPECT_FALSE(cipher.Open(IV, AUTHENTICATED, text, tag)) << i;
    }
    for (std::size_t i = 0; i < tag.size(); ++i)
    {
        ByteVector text = ciphertext;
        EXPECT_FALSE(cipher.Open(IV, AUTHENTICATED, text, changed(tag, i))) << i;
    }
    for (std::size_t i = 0; i < AUTHENTICATED.size(); ++i)
    {
        ByteVector text = ciphertext;
        EXPECT_FALSE(cipher.Open(IV, changed(AUTHENTICATED, i), text, tag)) << i;
    }
    ByteVector text = ciphertext;
    EXPECT_FALSE(cipher.Open(IV + 1, AUTHENTICATED, text, tag));
    text = ciphertext;
    EXPECT_TRUE(cipher.Open(IV, AUTHENTICATED, text, tag)) << "after all that";
}

INSTANTIATE_TEST_SUITE_P(Suites,
                         AesGcmTest,
                         ::testing::Values(EspSuite::AES_128_GCM, EspSuite::AES_256_GCM));

TEST(KeyMaterialTest, EachAssociationHasKeysAndSpiOfItsOwn)
{
    std::set<ByteVector> keys;
    std::set<std::array<uint8_t, 4>> salts;
    std::set<std::pair<uint32_t, uint32_t>> spis;
    for (uint32_t sender = 0; sender < 3; ++sender)
    {
        for (uint32_t receiver = 0; receiver < 3; ++receiver)
        {
            for (uint32_t generation = 0; generation < 3; ++generation)
            {
                const AssociationName name{7, sender, receiver, generation};
                const auto key = DeriveEspKey(name, EspSuite::AES_256_GCM);
                EXPECT_EQ(key.key.size(), 32U);
                EXPECT_GE(name.GetSpi(), 256U) << "RFC 4303 section 2.1";
                keys.insert(key.key);
                salts.insert(key.salt);
                spis.insert({receiver, name.GetSpi()});
            }
        }
    }
    EXPECT_EQ(keys.size(), 27U);
    EXPECT_EQ(salts.size(), 27U);
    EXPECT_EQ(spis.size(), 27U) << "of one receiver";
    const AssociationName name{7, 0, 1, 0};
    const AssociationName otherSeed{8, 0, 1, 0};
    EXPECT_EQ(DeriveEspKey(name, EspSuite::AES_128_GCM).key,
              DeriveEspKey(name, EspSuite::AES_128_GCM).key);
    EXPECT_NE(DeriveEspKey(name, EspSuite::AES_128_GCM).key,
              DeriveEspKey(otherSeed, EspSuite::AES_128_GCM).key);
}

} // namespace
} // namespace ns3::nfsrdma
