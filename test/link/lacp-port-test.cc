/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/lacp-port.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Info = LacpPortInfo;
using Receive = LacpPort::ReceiveState;
using Periodic = LacpPort::PeriodicState;
using Mux = LacpPort::MuxState;

Info
MakeInfo(uint8_t system, uint8_t state)
{
    Info info;
    info.systemPriority = 100;
    info.system.back() = system;
    info.key = 5;
    info.portPriority = 7;
    info.port = 1;
    info.state = static_cast<uint8_t>(state | Info::AGGREGATION);
    return info;
}

/// A port, and a partner that the test speaks for.
class LacpPortTest : public ::testing::Test
{
  protected:
    /// Goes on to \p seconds; what is sent meanwhile goes to sent.
    void RunTo(double seconds)
    {
        for (Time next = port.GetNext(); next <= Seconds(seconds); next = port.GetNext())
        {
            now = std::max(now, next);
            port.Advance(now);
            Take();
        }
        now = Seconds(seconds);
    }

    void Take()
    {
        while (const auto pdu = port.TakePdu(now))
        {
            sent.push_back(*pdu);
            times.push_back(now.GetSeconds());
        }
    }

    void Enable(bool enabled = true)
    {
        port.SetEnabled(enabled, now);
        Take();
    }

    /// The partner says \p state of itself, and repeats what it has heard unless \p deaf.
    void Hear(uint8_t state, bool deaf = false)
    {
        Lacpdu pdu;
        pdu.actor = MakeInfo(partner, state);
        pdu.partner = deaf ? Info{} : port.GetActor();
        port.Receive(pdu, now);
        Take();
    }

    /// In sync at 3 s, last heard at 2.5 s.
    void Join(uint8_t state = Info::ACTIVITY)
    {
        Enable();
        Hear(state | Info::SYNC | Info::COLLECTING);
        RunTo(2.5);
        Hear(state | Info::SYNC | Info::COLLECTING);
        RunTo(3);
        ASSERT_EQ(port.GetMuxState(), Mux::DISTRIBUTING);
        sent.clear();
        times.clear();
    }

    uint8_t partner{9};
    LacpPort port{MakeInfo(1, Info::ACTIVITY | Info::TIMEOUT)};
    Time now;
    std::vector<Lacpdu> sent;
    std::vector<double> times;
};

TEST_F(LacpPortTest, WithoutLinkNothingHappens)
{
    Hear(Info::ACTIVITY);
    RunTo(1000);
    EXPECT_EQ(port.GetReceiveState(), Receive::PORT_DISABLED);
    EXPECT_EQ(port.GetPeriodicState(), Periodic::NO_PERIODIC);
    EXPECT_EQ(port.GetMuxState(), Mux::DETACHED);
    EXPECT_EQ(port.GetNext(), Time::Max());
    EXPECT_THAT(sent, IsEmpty());
}

TEST_F(LacpPortTest, APartnerInSyncIsCollectedFromAndDistributedTo)
{
    Enable();
    EXPECT_EQ(port.GetReceiveState(), Receive::EXPIRED);
    EXPECT_EQ(port.GetPeriodicState(), Periodic::FAST);
    EXPECT_EQ(port.GetMuxState(), Mux::WAITING);
    RunTo(0.5);
    Hear(Info::ACTIVITY);
    EXPECT_EQ(port.GetReceiveState(), Receive::CURRENT);
    // The partner that was heard is another one than none: it waits anew.
    RunTo(2.4);
    EXPECT_EQ(port.GetMuxState(), Mux::WAITING);
    RunTo(2.5);
    EXPECT_EQ(port.GetMuxState(), Mux::ATTACHED);
    EXPECT_FALSE(port.Collects());
    Hear(Info::ACTIVITY | Info::SYNC);
    EXPECT_EQ(port.GetMuxState(), Mux::COLLECTING);
    EXPECT_TRUE(port.Collects());
    EXPECT_FALSE(port.Distributes());
    Hear(Info::ACTIVITY | Info::SYNC | Info::COLLECTING);
    EXPECT_EQ(port.GetMuxState(), Mux::DISTRIBUTING);
    EXPECT_TRUE(port.GetActor().Has(Info::SYNC | Info::COLLECTING | Info::DISTRIBUTING));
    EXPECT_FALSE(port.GetActor().Has(Info::EXPIRED));
    EXPECT_FALSE(port.GetActor().Has(Info::DEFAULTED));
    // What it says now, the partner has to say back.
    EXPECT_TRUE(sent.back().actor.Has(Info::SYNC | Info::COLLECTING));
    EXPECT_EQ(sent.back().partner.system.back(), 9);
}

TEST_F(LacpPortTest, ASilentPartnerIsExpiredAfterThreeSecondsAndGoneAfterThreeMore)
{
    Join();
    Hear(Info::ACTIVITY | Info::SYNC | Info::COLLECTING);
    RunTo(5.9);
    EXPECT_TRUE(port.Distributes());
    RunTo(6);
    EXPECT_EQ(port.GetReceiveState(), Receive::EXPIRED);
    EXPECT_EQ(port.GetMuxState(), Mux::ATTACHED);
    EXPECT_TRUE(port.GetActor().Has(Info::EXPIRED));
    RunTo(9);
    EXPECT_EQ(port.GetReceiveState(), Receive::DEFAULTED);
    EXPECT_EQ(port.GetMuxState(), Mux::WAITING);
    EXPECT_TRUE(port.IsIndividual());
    RunTo(11);
    EXPECT_TRUE(port.Distributes());
    // And back.
    Hear(Info::ACTIVITY | Info::SYNC | Info::COLLECTING);
    EXPECT_EQ(port.GetMuxState(), Mux::WAITING);
    EXPECT_FALSE(port.IsIndividual());
}

TEST_F(LacpPortTest, WithoutLacpRateFastItIsExpiredAfterNinetySeconds)
{
    port = LacpPort(MakeInfo(1, Info::ACTIVITY));
    Join();
    RunTo(92);
    EXPECT_EQ(port.GetReceiveState(), Receive::CURRENT);
    RunTo(92.5);
    EXPECT_EQ(port.GetReceiveState(), Receive::EXPIRED);
    RunTo(95.5);
    EXPECT_EQ(port.GetReceiveState(), Receive::DEFAULTED);
}

TEST_F(LacpPortTest, SpeaksAsOftenAsThePartnerWants)
{
    port = LacpPort(MakeInfo(1, Info::ACTIVITY));
    Join();
    EXPECT_EQ(port.GetPeriodicState(), Periodic::SLOW);
    RunTo(70);
    EXPECT_THAT(times, ElementsAre(30, 60));
    Hear(Info::ACTIVITY | Info::TIMEOUT | Info::SYNC | Info::COLLECTING);
    EXPECT_EQ(port.GetPeriodicState(), Periodic::FAST);
    RunTo(73.5);
    EXPECT_THAT(times, ElementsAre(30, 60, 70, 71, 72, 73));
}

TEST_F(LacpPortTest, TwoPassiveEndsAreSilent)
{
    port = LacpPort(MakeInfo(1, 0));
    Enable();
    RunTo(200);
    EXPECT_THAT(sent, IsEmpty());
    EXPECT_EQ(port.GetReceiveState(), Receive::DEFAULTED);
    Hear(Info::ACTIVITY);
    RunTo(201);
    EXPECT_EQ(port.GetPeriodicState(), Periodic::SLOW);
    EXPECT_EQ(sent.size(), 1U);
}

TEST_F(LacpPortTest, AtMostThreeLacpdusASecond)
{
    Join();
    for (int i = 0; i < 10; ++i)
    {
        Hear(i % 2 == 0 ? Info::ACTIVITY : Info::ACTIVITY | Info::SYNC | Info::COLLECTING, true);
    }
    RunTo(3.9);
    EXPECT_EQ(times.size(), 3U);
    RunTo(4.1);
    EXPECT_EQ(times.size(), 4U);
}

TEST_F(LacpPortTest, AnotherPartnerIsSelectedAnew)
{
    Join();
    partner = 10;
    Hear(Info::ACTIVITY | Info::SYNC | Info::COLLECTING);
    EXPECT_EQ(port.GetMuxState(), Mux::WAITING);
    EXPECT_FALSE(port.GetActor().Has(Info::SYNC));
    RunTo(5);
    EXPECT_TRUE(port.Distributes());
}

TEST_F(LacpPortTest, APartnerThatDoesNotHearIsNotInSync)
{
    Join();
    Hear(Info::ACTIVITY | Info::SYNC | Info::COLLECTING, true);
    EXPECT_EQ(port.GetMuxState(), Mux::ATTACHED);
    Hear(Info::ACTIVITY | Info::SYNC);
    EXPECT_EQ(port.GetMuxState(), Mux::COLLECTING);
}

TEST_F(LacpPortTest, WithoutLinkItIsDetachedAtOnce)
{
    Join();
    Enable(false);
    EXPECT_EQ(port.GetMuxState(), Mux::DETACHED);
    EXPECT_EQ(port.GetNext(), Time::Max());
    EXPECT_THAT(sent, IsEmpty());
    now = Seconds(20);
    Enable();
    EXPECT_EQ(port.GetReceiveState(), Receive::EXPIRED);
    EXPECT_FALSE(port.GetPartner().Has(Info::SYNC));
}

} // namespace
} // namespace ns3::nfsrdma
