/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/rpc-operation.h"
#include "helper/run-digest.h"
#include "helper/sha256.h"
#include "helper/stall-watchdog.h"
#include "nfs/v3/status3.h"
#include "nfs/v4/client/procedure.h"
#include "nfs/v4/protocol/status.h"

#include "ns3/simulator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

ByteVector
ToOctets(const std::string& text)
{
    return {text.begin(), text.end()};
}

TEST(Sha256Test, GivesTheVectorsOfFips180)
{
    Sha256 empty;
    EXPECT_EQ(empty.Finish(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    Sha256 abc;
    abc.Update(ToOctets("a"));
    abc.Update(ToOctets("bc"));
    EXPECT_EQ(abc.Finish(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256Test, NumbersAreEightOctets)
{
    Sha256 number;
    number.Update(0x6162636465666768);
    Sha256 octets;
    octets.Update(ToOctets("abcdefgh"));
    EXPECT_EQ(number.Finish(), octets.Finish());
}

class RunDigestTest : public ::testing::Test
{
  protected:
    static Ptr<Packet> MakeFrame(const std::string& text)
    {
        const auto octets = ToOctets(text);
        return Create<Packet>(octets.data(), octets.size());
    }
};

TEST_F(RunDigestTest, DependsOnHostTimeAndOctets)
{
    const auto digest = [](std::size_t host, int64_t time, const std::string& text) {
        RunDigest run(2);
        run.AddFrame(host, NanoSeconds(time), MakeFrame(text));
        return run.Finish();
    };
    EXPECT_EQ(digest(0, 5, "frame"), digest(0, 5, "frame"));
    EXPECT_NE(digest(0, 5, "frame"), digest(1, 5, "frame"));
    EXPECT_NE(digest(0, 5, "frame"), digest(0, 6, "frame"));
    EXPECT_NE(digest(0, 5, "frame"), digest(0, 5, "Frame"));
}

TEST_F(RunDigestTest, OrderOfHostsDoesNotCount)
{
    RunDigest one(2);
    one.AddFrame(0, NanoSeconds(5), MakeFrame("a"));
    one.AddFrame(1, NanoSeconds(5), MakeFrame("b"));
    RunDigest other(2);
    other.AddFrame(1, NanoSeconds(5), MakeFrame("b"));
    other.AddFrame(0, NanoSeconds(5), MakeFrame("a"));
    EXPECT_EQ(one.GetFrames(), 2U);
    EXPECT_EQ(one.Finish(), other.Finish());
}

TEST_F(RunDigestTest, CountsEveryFieldOfARecord)
{
    const auto digest = [](const RpcRecord& record) {
        RunDigest run(1);
        run.AddRecord(0, record);
        return run.Finish();
    };
    const RpcRecord plain;
    RpcRecord changed = plain;
    changed.registrations = 1;
    EXPECT_NE(digest(plain), digest(changed));
    changed = plain;
    changed.remotelyInvalidated = true;
    EXPECT_NE(digest(plain), digest(changed));
    changed = plain;
    changed.completed = NanoSeconds(1);
    EXPECT_NE(digest(plain), digest(changed));
    EXPECT_EQ(digest(plain), digest(RpcRecord()));
}

class StallWatchdogTest : public ::testing::Test
{
  protected:
    void TearDown() override
    {
        m_watchdog.Stop();
        Simulator::Destroy();
    }

    bool m_work{true};
    bool m_waiting{true};
    bool m_asked{true};
    std::vector<PendingTimer> m_pending;
    uint64_t m_octets{0};
    StallWatchdog m_watchdog{{Seconds(1), 10, 2},
                             {[this] { return m_work; },
                              [this] { return m_waiting; },
                              [this] { return m_asked; },
                              [this] { return m_pending; },
                              [this] { return m_octets; }}};
};

TEST_F(StallWatchdogTest, FindsThatNothingIsLeftToHappen)
{
    m_watchdog.Start();
    Simulator::Schedule(MilliSeconds(1), [] {});
    Simulator::Run();
    EXPECT_TRUE(m_watchdog.HasStalled());
    EXPECT_LT(Simulator::Now(), Seconds(1));
}

TEST_F(StallWatchdogTest, FindsThatNoRpcCompletes)
{
    m_watchdog.Start();
    Simulator::Schedule(MilliSeconds(700), [this] { m_watchdog.Progress(); });
    Simulator::Schedule(Seconds(100), [] {});
    Simulator::Run();
    EXPECT_TRUE(m_watchdog.HasStalled());
    EXPECT_EQ(m_watchdog.GetLastProgress(), MilliSeconds(700));
    EXPECT_GE(Simulator::Now(), MilliSeconds(1700));
    EXPECT_LT(Simulator::Now(), Seconds(2));
}

TEST_F(StallWatchdogTest, WaitsForATimerThatIsPending)
{
    m_pending = {{Seconds(60), "client-0: calls end", false}};
    m_watchdog.Start();
    Simulator::Schedule(Seconds(200), [] {});
    Simulator::Run();
    EXPECT_TRUE(m_watchdog.HasStalled());
    EXPECT_GE(Simulator::Now(), Seconds(61));
    EXPECT_LT(Simulator::Now(), Seconds(62));
    EXPECT_TRUE(m_watchdog.GetPending().empty());
    EXPECT_THAT(m_watchdog.GetReason(), ::testing::HasSubstr("cluster.stall_limit"));
}

TEST_F(StallWatchdogTest, WaitsForTimersThatComeAgainALimitedNumberOfTimes)
{
    m_watchdog.Start();
    for (int i = 0; i < 1000; ++i)
    {
        Simulator::Schedule(MilliSeconds(100) * i, [this] {
            m_pending = {{Simulator::Now() + Seconds(5), "client-0: connects again", true}};
        });
    }
    Simulator::Run();
    EXPECT_TRUE(m_watchdog.HasStalled());
    EXPECT_GE(Simulator::Now(), Seconds(1 + 2 * 6));
    EXPECT_LT(Simulator::Now(), Seconds(1 + 2 * 6 + 2));
    EXPECT_EQ(m_watchdog.GetPending().size(), 1U);
    EXPECT_THAT(m_watchdog.GetReason(), ::testing::HasSubstr("cluster.stall_retries"));
}

TEST_F(StallWatchdogTest, TriesAnewWhenAFaultHasEnded)
{
    m_watchdog.Start();
    for (int i = 0; i < 200; ++i)
    {
        Simulator::Schedule(MilliSeconds(100) * i, [this] {
            const Time now = Simulator::Now();
            m_pending = {{now + MilliSeconds(150), "client-0: connects again", true}};
            if (now >= MilliSeconds(2500) && now < Seconds(10))
            {
                m_pending.push_back({Seconds(10), "fault down of client-0 ends", false});
            }
        });
    }
    Simulator::Schedule(MilliSeconds(12500), [this] { m_work = false; });
    Simulator::Run();
    EXPECT_FALSE(m_watchdog.HasStalled()) << m_watchdog.GetReason();
    EXPECT_GT(Simulator::Now(), Seconds(12));
}

TEST_F(StallWatchdogTest, OctetsThatArriveAreNoStall)
{
    m_watchdog.Start();
    for (int i = 1; i <= 100; ++i)
    {
        Simulator::Schedule(MilliSeconds(100) * i, [this] { ++m_octets; });
    }
    Simulator::Schedule(Seconds(10), [this] { m_work = false; });
    Simulator::Run();
    EXPECT_FALSE(m_watchdog.HasStalled());
    EXPECT_GE(Simulator::Now(), Seconds(10));
}

TEST_F(StallWatchdogTest, FindsThatRpcsAreOnlyPutOff)
{
    m_watchdog.Start();
    for (int i = 1; i <= 100; ++i)
    {
        Simulator::Schedule(MilliSeconds(500) * i, [this] { m_watchdog.Progress(false); });
    }
    Simulator::Run();
    EXPECT_TRUE(m_watchdog.HasStalled());
    EXPECT_EQ(m_watchdog.GetLastProgress(), Time(0));
    EXPECT_GE(Simulator::Now(), Seconds(StallWatchdog::PUT_OFF_LIMITS));
    EXPECT_LT(Simulator::Now(), Seconds(StallWatchdog::PUT_OFF_LIMITS + 1));
}

TEST_F(StallWatchdogTest, LeasesRenewedInAPauseAreNoStall)
{
    m_waiting = false;
    m_asked = false;
    m_watchdog.Start();
    for (int i = 1; i <= 100; ++i)
    {
        Simulator::Schedule(MilliSeconds(500) * i, [this] { m_watchdog.Progress(false); });
    }
    Simulator::Schedule(Seconds(60), [this] { m_work = false; });
    Simulator::Run();
    EXPECT_FALSE(m_watchdog.HasStalled());
}

TEST(PutOffTest, IsWhatMayComeAgainOrOnlyRenewsALease)
{
    RpcRecord record;
    record.outcome = RpcOutcome::SUCCESS;
    record.program = NFS_PROGRAM;
    record.version = NFS_V4;
    record.operation = static_cast<uint32_t>(Nfs4ClientProcedure::LOCK);
    EXPECT_FALSE(IsPutOff(record));
    for (const auto status : {Nfs4Status::DELAY, Nfs4Status::GRACE, Nfs4Status::DENIED})
    {
        record.programStatus = static_cast<uint32_t>(status);
        EXPECT_TRUE(IsPutOff(record)) << ToString(status);
    }
    record.programStatus = static_cast<uint32_t>(Nfs4Status::NOENT);
    EXPECT_FALSE(IsPutOff(record));
    record.programStatus = 0;
    record.operation = static_cast<uint32_t>(Nfs4ClientProcedure::SEQUENCE);
    EXPECT_TRUE(IsPutOff(record));
    record.operation = static_cast<uint32_t>(Nfs4ClientProcedure::OFFLOAD_STATUS);
    EXPECT_TRUE(IsPutOff(record));
    record.operation = static_cast<uint32_t>(Nfs4ClientProcedure::BIND_CONN_TO_SESSION);
    EXPECT_TRUE(IsPutOff(record));
    record.version = 3;
    EXPECT_FALSE(IsPutOff(record));
    record.programStatus = static_cast<uint32_t>(Nfs3Status::JUKEBOX);
    EXPECT_TRUE(IsPutOff(record));
}

TEST_F(StallWatchdogTest, FindsThatRpcsAreSentAwayAgainAndAgainWithoutDelay)
{
    m_watchdog.Start();
    for (uint64_t i = 1; i <= StallWatchdog::PUT_OFF_RPCS + 10; ++i)
    {
        Simulator::Schedule(NanoSeconds(i), [this, i] { m_watchdog.Progress(i == 5); });
    }
    Simulator::Run();
    EXPECT_TRUE(m_watchdog.HasStalled());
    EXPECT_EQ(Simulator::Now(), NanoSeconds(5 + StallWatchdog::PUT_OFF_RPCS));
    EXPECT_THAT(m_watchdog.GetReason(), ::testing::HasSubstr("no operation further"));
}

TEST_F(StallWatchdogTest, FindsThatConnectionsAreMadeInVain)
{
    m_watchdog.Start();
    for (int i = 1; i <= 19; ++i)
    {
        Simulator::Schedule(MilliSeconds(i), [this] { m_watchdog.Connected(); });
    }
    Simulator::Schedule(MicroSeconds(9500), [this] { m_watchdog.Progress(); });
    Simulator::Schedule(MicroSeconds(19500), [this] { EXPECT_TRUE(m_watchdog.HasStalled()); });
    Simulator::Run();
    EXPECT_TRUE(m_watchdog.HasStalled());
    EXPECT_EQ(Simulator::Now(), MilliSeconds(19));
}

TEST_F(StallWatchdogTest, ConnectionsBetweenRpcsAreNoStall)
{
    m_watchdog.Start();
    for (int i = 1; i <= 9; ++i)
    {
        Simulator::Schedule(MilliSeconds(i), [this] { m_watchdog.Connected(); });
    }
    Simulator::Schedule(MilliSeconds(10), [this] { m_work = false; });
    Simulator::Run();
    EXPECT_FALSE(m_watchdog.HasStalled());
}

TEST_F(StallWatchdogTest, PausesAreNoStalls)
{
    m_waiting = false;
    m_watchdog.Start();
    Simulator::Schedule(Seconds(10), [this] { m_work = false; });
    Simulator::Run();
    EXPECT_FALSE(m_watchdog.HasStalled());
    EXPECT_GE(Simulator::Now(), Seconds(10));
}

TEST_F(StallWatchdogTest, StoppedItLetsTheRunEnd)
{
    m_watchdog.Start();
    Simulator::Schedule(MilliSeconds(1), [this] { m_watchdog.Stop(); });
    Simulator::Run();
    EXPECT_FALSE(m_watchdog.HasStalled());
}

} // namespace

} // namespace ns3::nfsrdma
