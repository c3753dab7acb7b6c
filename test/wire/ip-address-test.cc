/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wire/ip-address.h"

#include <gtest/gtest.h>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

TEST(IpAddressText, IsReadAndWrittenAsRfc5952Says)
{
    for (const char* const text : {"0.0.0.0",
                                   "10.77.0.1",
                                   "255.255.255.255",
                                   "::",
                                   "::1",
                                   "fd00:0:0:77::1",
                                   "2001:db8::1:0:0:1",
                                   "fe80::ff:fe00:1"})
    {
        const auto address = IpAddress::Parse(text);
        ASSERT_TRUE(address) << text;
        EXPECT_EQ(address->ToString(), text);
        std::ostringstream stream;
        stream << *address;
        EXPECT_EQ(stream.str(), text);
        EXPECT_EQ(IpAddress(address->GetOctets()), *address) << text;
    }
    EXPECT_EQ(IpAddress::Parse("2001:DB8:0:0:1:0:0:1")->ToString(), "2001:db8::1:0:0:1");
    EXPECT_EQ(IpAddress::Parse("10.77.0.1")->GetIpv4(), 0x0a4d0001U);
    EXPECT_EQ(IpAddress::Parse("::ffff:10.77.0.1"), IpAddress(0x0a4d0001)) << "the mapped one";
}

TEST(IpAddressText, WhatIsNoneIsRefused)
{
    for (const char* const text :
         {"", "10.77.0", "10.77.0.256", "10.77.0.1.", "fd00", "fd00:::1", "1:2:3:4:5:6:7:8:9", "x"})
    {
        EXPECT_FALSE(IpAddress::Parse(text)) << text;
    }
}

TEST(IpAddressKind, AnyAndLoopback)
{
    EXPECT_EQ(IpAddress::GetAnyIpv6().ToString(), "::");
    EXPECT_FALSE(IpAddress::GetAnyIpv6().IsIpv4());
    EXPECT_NE(IpAddress::GetAnyIpv6(), IpAddress());
    for (const char* const text : {"127.0.0.1", "127.255.0.9", "::1"})
    {
        EXPECT_TRUE(IpAddress::Parse(text)->IsLoopback()) << text;
    }
    for (const char* const text : {"0.0.0.0", "126.0.0.1", "128.0.0.1", "::", "::2", "fd00::1"})
    {
        EXPECT_FALSE(IpAddress::Parse(text)->IsLoopback()) << text;
    }
}

} // namespace

} // namespace ns3::nfsrdma
