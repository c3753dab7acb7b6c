/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wire/spare-octets.h"

#include <gtest/gtest.h>
#include <tuple>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

class SpareOctetsTest : public ::testing::Test
{
  protected:
    SpareOctetsTest()
    {
        while (SpareOctets::Count() > 0)
        {
            std::ignore = SpareOctets::Take();
        }
    }
};

TEST_F(SpareOctetsTest, TheLastThatWasGivenIsLentFirst)
{
    ByteVector first(100, 1);
    ByteVector second(200, 2);
    const auto* const firstOctets = first.data();
    const auto* const secondOctets = second.data();
    SpareOctets::Give(std::move(first));
    SpareOctets::Give(std::move(second));
    EXPECT_EQ(SpareOctets::Count(), 2U);
    EXPECT_EQ(SpareOctets::Take().data(), secondOctets);
    EXPECT_EQ(SpareOctets::Take().data(), firstOctets);
    EXPECT_TRUE(SpareOctets::Take().empty());
}

TEST_F(SpareOctetsTest, WhatIsGivenHasNothingAfterwards)
{
    ByteVector octets(100, 1);
    ByteVector* const given = &octets;
    SpareOctets::Give(std::move(*given));
    EXPECT_EQ(given->capacity(), 0U);
}

TEST_F(SpareOctetsTest, NeitherNothingNorVeryMuchIsKept)
{
    SpareOctets::Give(ByteVector());
    SpareOctets::Give(ByteVector(1 << 20));
    EXPECT_EQ(SpareOctets::Count(), 0U);
    for (int i = 0; i < 1000; ++i)
    {
        SpareOctets::Give(ByteVector(10));
    }
    EXPECT_LT(SpareOctets::Count(), 100U);
}

} // namespace

} // namespace ns3::nfsrdma
