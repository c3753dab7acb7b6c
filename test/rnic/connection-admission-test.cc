/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/connect/admission.h"

#include "ns3/inet-socket-address.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

using Verdict = AdmissionVerdict;

const Address FIRST = Ipv4Address("10.0.0.1");
const Address SECOND = Ipv4Address("10.0.0.2");

TEST(ConnectionAdmissionTest, WithoutLimitsThereAreNone)
{
    EXPECT_FALSE(AdmissionLimits().IsAny());
    AdmissionLimits limits;
    limits.rate = 1;
    EXPECT_TRUE(limits.IsAny());
}

TEST(ConnectionAdmissionTest, StartupsAreLimitedByPeer)
{
    AdmissionLimits limits;
    limits.startups = 2;
    ConnectionAdmission admission(limits);
    EXPECT_EQ(admission.Admit(FIRST, Time(0)), Verdict::ADMIT);
    EXPECT_EQ(admission.Admit(FIRST, Time(0)), Verdict::ADMIT);
    EXPECT_EQ(admission.Admit(FIRST, Time(0)), Verdict::TOO_MANY_STARTUPS);
    EXPECT_EQ(admission.Admit(SECOND, Time(0)), Verdict::ADMIT) << "another is not affected";
    admission.EndStartup(FIRST);
    EXPECT_EQ(admission.Admit(FIRST, Time(0)), Verdict::ADMIT);
    EXPECT_EQ(admission.Admit(FIRST, Time(0)), Verdict::TOO_MANY_STARTUPS);
}

TEST(ConnectionAdmissionTest, ConnectionsCountUntilTheyEnd)
{
    AdmissionLimits limits;
    limits.connections = 1;
    ConnectionAdmission admission(limits);
    EXPECT_EQ(admission.Admit(FIRST, Time(0)), Verdict::ADMIT);
    admission.EndStartup(FIRST);
    EXPECT_EQ(admission.Admit(FIRST, Time(0)), Verdict::TOO_MANY_CONNECTIONS);
    admission.End(FIRST, Time(0));
    EXPECT_EQ(admission.GetPeerCount(), 0U) << "nothing is left to know of it";
    EXPECT_EQ(admission.Admit(FIRST, Time(0)), Verdict::ADMIT);
}

TEST(ConnectionAdmissionTest, RateHasRoomForABurst)
{
    AdmissionLimits limits;
    limits.rate = 100;
    limits.burst = 3;
    ConnectionAdmission admission(limits);
    const auto admitAt = [&admission](Time now) {
        const auto verdict = admission.Admit(FIRST, now);
        if (verdict == Verdict::ADMIT)
        {
            admission.EndStartup(FIRST);
            admission.End(FIRST, now);
        }
        return verdict;
    };
    for (int i = 0; i < 3; ++i)
    {
        EXPECT_EQ(admitAt(Time(0)), Verdict::ADMIT) << i;
    }
    EXPECT_EQ(admitAt(Time(0)), Verdict::TOO_OFTEN);
    EXPECT_EQ(admitAt(MilliSeconds(9)), Verdict::TOO_OFTEN);
    EXPECT_EQ(admitAt(MilliSeconds(10)), Verdict::ADMIT);
    EXPECT_EQ(admitAt(MilliSeconds(11)), Verdict::TOO_OFTEN);
    for (int i = 0; i < 3; ++i)
    {
        EXPECT_EQ(admitAt(Seconds(1)), Verdict::ADMIT) << "not more than the burst is saved";
    }
    EXPECT_EQ(admitAt(Seconds(1)), Verdict::TOO_OFTEN);
    uint32_t admitted = 0;
    for (Time now = Seconds(2); now < Seconds(4); now += MicroSeconds(100))
    {
        admitted += admitAt(now) == Verdict::ADMIT ? 1 : 0;
    }
    EXPECT_EQ(admitted, 3U + 199U);
}

TEST(ConnectionAdmissionTest, FaultsHaveAPeerIgnoredForATime)
{
    AdmissionLimits limits;
    limits.faults = 2;
    limits.ignoreTime = MilliSeconds(10);
    ConnectionAdmission admission(limits);
    admission.CountFault(FIRST, Time(0));
    EXPECT_EQ(admission.Admit(FIRST, Time(0)), Verdict::ADMIT);
    admission.EndStartup(FIRST);
    admission.CountFault(FIRST, MilliSeconds(1));
    EXPECT_EQ(admission.Admit(FIRST, MilliSeconds(1)), Verdict::IGNORED);
    EXPECT_EQ(admission.Admit(SECOND, MilliSeconds(1)), Verdict::ADMIT);
    EXPECT_EQ(admission.Admit(FIRST, MilliSeconds(10)), Verdict::IGNORED);
    EXPECT_EQ(admission.Admit(FIRST, MilliSeconds(11)), Verdict::ADMIT);
}

TEST(ConnectionAdmissionTest, FaultsFarApartAreForgotten)
{
    AdmissionLimits limits;
    limits.faults = 2;
    limits.ignoreTime = MilliSeconds(10);
    ConnectionAdmission admission(limits);
    for (int i = 0; i < 5; ++i)
    {
        admission.CountFault(FIRST, MilliSeconds(11 * i));
        EXPECT_EQ(admission.Admit(FIRST, MilliSeconds(11 * i)), Verdict::ADMIT) << i;
    }
}

TEST(ConnectionAdmissionTest, ManyPeersThatAreQuietAreForgotten)
{
    AdmissionLimits limits;
    limits.faults = 3;
    limits.ignoreTime = MilliSeconds(1);
    ConnectionAdmission admission(limits);
    for (uint32_t i = 0; i < 10000; ++i)
    {
        const Address peer = Ipv4Address(0x0a000000 + i);
        const Time now = MicroSeconds(100 * i);
        ASSERT_EQ(admission.Admit(peer, now), Verdict::ADMIT);
        admission.CountFault(peer, now);
        admission.EndStartup(peer);
        admission.End(peer, now);
    }
    EXPECT_LE(admission.GetPeerCount(), 64U);
}

TEST(ConnectionAdmissionTest, PortsAreOfNoInterest)
{
    const InetSocketAddress one("10.0.0.1", 1000);
    EXPECT_EQ(ConnectionAdmission::GetHost(one), FIRST);
    EXPECT_EQ(ConnectionAdmission::GetHost(InetSocketAddress("10.0.0.1", 2000)), FIRST);
}

} // namespace

} // namespace ns3::nfsrdma
