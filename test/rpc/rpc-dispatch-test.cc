/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/rpc-loop.h"
#include "rpc/server.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

/// A server with two threads whose calls take 1 us of a core and 10 us of the program.
class RpcDispatchTest : public ::testing::Test
{
  protected:
    RpcDispatchTest()
    {
        m_server->SetAttribute("Threads", UintegerValue(2));
        m_server->SetAttribute("CallCost", TimeValue(MicroSeconds(1)));
        m_server->SetHostCpu(m_cpu);
        SetFetching("thread");
        m_server->Register(m_program);
    }

    ~RpcDispatchTest() override
    {
        m_server->Dispose();
        Simulator::Destroy();
    }

    [[nodiscard]] RpcReceivedMessage MakeCall()
    {
        return MakeAdderCall(*m_program, ++m_calls);
    }

    void Call(uint64_t connection)
    {
        m_server->Receive(
            MakeCall(),
            [this, connection](RpcPayload&&) {
                m_replied.push_back(connection);
                m_repliedAt.push_back(Simulator::Now());
            },
            IpAddress(),
            connection);
    }

    /// A call of a user with AUTH_SYS.
    void CallAs(uint32_t uid)
    {
        RpcCallHeader header;
        header.xid = ++m_calls;
        header.program = m_program->GetProgram();
        header.version = m_program->GetVersion();
        header.procedure = 1;
        header.flavor = RpcAuthFlavor::SYS;
        header.authSys.uid = uid;
        XdrWriter writer;
        header.Encode(writer);
        writer.WriteU32(1);
        writer.WriteU32(2);
        RpcReceivedMessage message;
        message.octets = writer.Take();
        m_server->Receive(
            std::move(message),
            [this](RpcPayload&&) { m_repliedAt.push_back(Simulator::Now()); },
            IpAddress(),
            1);
    }

    /// A call whose octets come 20 us after they are asked for.
    void CallFetched(uint64_t connection)
    {
        m_server->Receive(
            [this, message = MakeCall()](RpcServer::Fetched fetched) {
                m_asked.push_back(Simulator::Now());
                Simulator::Schedule(MicroSeconds(20), [fetched, message] {
                    RpcReceivedMessage octets = message;
                    EXPECT_TRUE(fetched(std::move(octets)));
                });
            },
            [this, connection](RpcPayload&&) {
                m_replied.push_back(connection);
                m_repliedAt.push_back(Simulator::Now());
            },
            IpAddress(),
            connection);
    }

    void SetFetching(const std::string& who)
    {
        m_server->SetAttribute("CallFetching", StringValue(who));
    }

    Ptr<RpcServer> m_server{CreateObject<RpcServer>()};
    Ptr<HostCpu> m_cpu{CreateObject<HostCpu>()};
    Ptr<AdderProgram> m_program{Create<AdderProgram>(1)};
    uint32_t m_calls{0};
    std::vector<uint64_t> m_replied; ///< Connections.
    std::vector<Time> m_repliedAt;
    std::vector<Time> m_asked; ///< For octets.
};

TEST_F(RpcDispatchTest, ConnectionsTakeTurnsAtTheThreads)
{
    for (int i = 0; i < 4; ++i)
    {
        Call(1);
    }
    Call(2);
    Simulator::Run();
    EXPECT_EQ(m_replied, (std::vector<uint64_t>{1, 1, 1, 2, 1}));
}

TEST_F(RpcDispatchTest, ArrivalGivesTheOldestCallAThread)
{
    m_server->SetAttribute("Dispatch", StringValue("arrival"));
    for (int i = 0; i < 4; ++i)
    {
        Call(1);
    }
    Call(2);
    Simulator::Run();
    EXPECT_EQ(m_replied, (std::vector<uint64_t>{1, 1, 1, 1, 2}));
}

TEST_F(RpcDispatchTest, ThreadWaitsForTheOctetsOfItsCall)
{
    for (int i = 0; i < 3; ++i)
    {
        CallFetched(1);
    }
    Simulator::Schedule(MicroSeconds(5), [this] {
        EXPECT_EQ(m_server->GetBusyThreads(), 2U);
        EXPECT_EQ(m_server->GetQueuedCalls(), 1U);
    });
    Simulator::Run();
    EXPECT_EQ(m_asked, (std::vector<Time>{Time(0), Time(0), MicroSeconds(31)}));
    EXPECT_EQ(m_repliedAt.back(), MicroSeconds(62));
    EXPECT_EQ(m_server->GetStatistics().calls, 3U);
    EXPECT_EQ(m_server->GetDispatchStatistics().dequeued,
              3U + m_server->GetDispatchStatistics().empty);
}

TEST_F(RpcDispatchTest, StagedCallsAreTakenTwice)
{
    SetFetching("staged");
    for (int i = 0; i < 3; ++i)
    {
        CallFetched(1);
    }
    EXPECT_EQ(m_server->GetBusyThreads(), 0U);
    Simulator::Run();
    EXPECT_EQ(m_asked, (std::vector<Time>{Time(0), Time(0), Time(0)}));
    EXPECT_EQ(m_repliedAt.back(), MicroSeconds(20 + 22));
    EXPECT_EQ(m_server->GetStatistics().calls, 3U);
    EXPECT_EQ(m_server->GetDispatchStatistics().dequeued,
              6U + m_server->GetDispatchStatistics().empty);
}

TEST_F(RpcDispatchTest, CallsFetchedAheadWaitForThreadsWhole)
{
    SetFetching("ahead");
    m_server->SetStalledThreads(2);
    CallFetched(1);
    EXPECT_EQ(m_asked.size(), 1U);
    EXPECT_EQ(m_server->GetQueuedCalls(), 0U);
    Simulator::Schedule(MicroSeconds(30), [this] {
        EXPECT_EQ(m_server->GetQueuedCalls(), 1U);
        m_server->SetStalledThreads(0);
    });
    Simulator::Run();
    EXPECT_EQ(m_repliedAt, (std::vector<Time>{MicroSeconds(41)}));
}

/// The Send of each reply takes 50 us.
TEST_F(RpcDispatchTest, ThreadWaitsForTheSendOfItsReply)
{
    m_server->SetAttribute("Threads", UintegerValue(1));
    const auto call = [this] {
        m_server->Receive(
            MakeCall(),
            [this](RpcPayload&& reply) {
                m_repliedAt.push_back(Simulator::Now());
                Simulator::Schedule(MicroSeconds(50), [sending = std::move(reply.sending)] {});
            },
            IpAddress(),
            1);
    };
    call();
    call();
    Simulator::Run();
    ASSERT_EQ(m_repliedAt.size(), 2U);
    EXPECT_EQ(m_repliedAt[1] - m_repliedAt[0], MicroSeconds(11)) << "nobody waits";

    m_server->SetAttribute("SendWait", BooleanValue(true));
    m_repliedAt.clear();
    call();
    call();
    Simulator::Run();
    ASSERT_EQ(m_repliedAt.size(), 2U);
    EXPECT_EQ(m_repliedAt[1] - m_repliedAt[0], MicroSeconds(61));
    EXPECT_EQ(m_server->GetBusyThreads(), 0U);
}

TEST_F(RpcDispatchTest, NobodyWaitsForAReplyThatIsSentAtOnce)
{
    m_server->SetAttribute("Threads", UintegerValue(1));
    m_server->SetAttribute("SendWait", BooleanValue(true));
    Call(1);
    Call(1);
    Simulator::Run();
    ASSERT_EQ(m_repliedAt.size(), 2U);
    EXPECT_EQ(m_repliedAt[1] - m_repliedAt[0], MicroSeconds(11));
}

TEST_F(RpcDispatchTest, ThreadIsFreeWhenTheOctetsNeverCome)
{
    m_server->SetAttribute("Threads", UintegerValue(1));
    RpcServer::Fetched lost;
    m_server->Receive([&lost](RpcServer::Fetched fetched) { lost = std::move(fetched); },
                      [](RpcPayload&&) { FAIL() << "there is nothing to answer"; },
                      IpAddress(),
                      1);
    Call(2);
    EXPECT_EQ(m_server->GetQueuedCalls(), 1U);
    Simulator::Schedule(MicroSeconds(50), [&lost] { lost = nullptr; });
    Simulator::Run();
    EXPECT_EQ(m_repliedAt, (std::vector<Time>{MicroSeconds(61)}));
    EXPECT_EQ(m_server->GetStatistics().dropped, 1U);
    EXPECT_EQ(m_server->GetBusyThreads(), 0U);
}

TEST_F(RpcDispatchTest, OctetsThatAreNoCallFreeTheThread)
{
    m_server->Receive(
        [](RpcServer::Fetched fetched) {
            RpcReceivedMessage message;
            message.octets = ByteVector(3);
            EXPECT_FALSE(fetched(std::move(message)));
        },
        [](RpcPayload&&) { FAIL() << "there is nothing to answer"; },
        IpAddress(),
        1);
    EXPECT_EQ(m_server->GetBusyThreads(), 0U);
    EXPECT_EQ(m_server->GetStatistics().badFormat, 1U);
}

TEST_F(RpcDispatchTest, OctetsThatComeAfterARestartAreIgnored)
{
    CallFetched(1);
    Simulator::Schedule(MicroSeconds(10), [this] { m_server->Restart(); });
    Simulator::Run();
    EXPECT_TRUE(m_replied.empty());
    EXPECT_TRUE(m_program->started.empty());
    EXPECT_EQ(m_server->GetBusyThreads(), 0U);
}

TEST_F(RpcDispatchTest, CallsThatWaitAreDroppedWithTheirConnection)
{
    for (int i = 0; i < 4; ++i)
    {
        Call(1);
    }
    Call(2);
    m_server->EndConnection(1);
    EXPECT_EQ(m_server->GetQueuedCalls(), 1U);
    Simulator::Run();
    EXPECT_EQ(m_replied, (std::vector<uint64_t>{1, 1, 2}));
}

TEST_F(RpcDispatchTest, EmptyLooksTakeTheTimeOfAThread)
{
    m_cpu->SetAttribute("ServerWakeUp", TimeValue(MicroSeconds(3)));
    m_cpu->SetAttribute("ServerEmptyCost", TimeValue(MicroSeconds(7)));
    Call(1);
    Simulator::Run();
    EXPECT_EQ(m_repliedAt, (std::vector<Time>{MicroSeconds(3 + 1 + 10)}));
    const auto& statistics = m_server->GetThreadPool()->GetStatistics();
    EXPECT_EQ(statistics.taken, 1U);
    EXPECT_EQ(statistics.empty, 1U);
    EXPECT_EQ(statistics.heldEmpty, MicroSeconds(3 + 7));
    EXPECT_EQ(m_server->GetDispatchStatistics().dequeued, 2U);
    EXPECT_EQ(m_server->GetDispatchStatistics().empty, 1U);
}

/// To take the connection, and once more in vain, after which it is put in again.
TEST_F(RpcDispatchTest, WhatIsPutIntoAQueueOfLinux67NeedsNoLock)
{
    m_cpu->SetAttribute("ServerQueueHold", TimeValue(MicroSeconds(1)));
    Call(1);
    Simulator::Run();
    const auto& lock = *m_cpu->GetLockClasses().at("sp_lock");
    EXPECT_EQ(lock.acquisitions, 3U);
    m_cpu->SetAttribute("ServerQueueLocked", BooleanValue(false));
    EXPECT_TRUE(m_cpu->GetCosts().GetPutHold().IsZero());
    Call(1);
    Simulator::Run();
    EXPECT_EQ(lock.acquisitions, 3U + 2U);
}

TEST_F(RpcDispatchTest, SessionsOfAServerHaveOneLock)
{
    m_program->isOfSession = true;
    Call(1);
    Simulator::Run();
    EXPECT_EQ(m_cpu->GetLockClasses().count("client_lock"), 0U);
    EXPECT_EQ(m_repliedAt, (std::vector<Time>{MicroSeconds(1 + 10)}));
    m_repliedAt.clear();
    m_cpu->SetAttribute("ServerSessionHold", TimeValue(MicroSeconds(3)));
    Simulator::Schedule(MicroSeconds(9), [this] {
        Call(1);
        Call(2);
    });
    Simulator::Run();
    EXPECT_EQ(m_repliedAt,
              (std::vector<Time>{MicroSeconds(20 + 1 + 10 + 9), MicroSeconds(20 + 1 + 10 + 12)}))
        << "the first waits for the second, which wants the lock before it gives its session back";
    EXPECT_EQ(m_cpu->GetLockClasses().at("client_lock")->acquisitions, 4U);
}

TEST_F(RpcDispatchTest, WithoutRecheckNobodyLooksInVain)
{
    m_cpu->SetAttribute("ServerWakeUp", TimeValue(MicroSeconds(3)));
    m_server->SetAttribute("DispatchRecheck", BooleanValue(false));
    Call(1);
    Simulator::Run();
    EXPECT_EQ(m_server->GetThreadPool()->GetStatistics().empty, 0U);
    EXPECT_EQ(m_server->GetDispatchStatistics().dequeued, 1U);
}

/// Who is awake takes what is ready before who was woken for it.
TEST_F(RpcDispatchTest, ThreadThatIsWokenMayFindNothing)
{
    m_cpu->SetAttribute("ServerWakeUp", TimeValue(MicroSeconds(3)));
    m_server->SetAttribute("DispatchRecheck", BooleanValue(false));
    Call(1);
    Simulator::Schedule(MicroSeconds(12), [this] { Call(2); });
    Simulator::Run();
    EXPECT_EQ(m_repliedAt, (std::vector<Time>{MicroSeconds(14), MicroSeconds(14 + 11)}));
    EXPECT_EQ(m_server->GetThreadPool()->GetStatistics().empty, 1U);
    EXPECT_EQ(m_server->GetDispatchStatistics().empty, 0U);
}

/// One thread at first, three at most; each starts another one in 2 us, when it is through.
class DynamicThreadsTest : public RpcDispatchTest
{
  protected:
    DynamicThreadsTest()
    {
        m_server->SetAttribute("Threads", UintegerValue(3));
        m_server->SetAttribute("MinThreads", UintegerValue(1));
        m_server->SetAttribute("ThreadIdleTime", TimeValue(MicroSeconds(100)));
        m_server->SetAttribute("ThreadMemory", UintegerValue(8192));
        m_server->SetHostMemory(m_memory);
        m_cpu->SetAttribute("ServerThreadStart", TimeValue(MicroSeconds(2)));
    }

    [[nodiscard]] uint32_t GetRunning() const
    {
        return m_server->GetThreadPool()->GetRunning();
    }

    Ptr<HostMemory> m_memory{CreateObject<HostMemory>()};
};

TEST_F(DynamicThreadsTest, AThreadIsStartedBehindEachCallThatLeftNoneIdle)
{
    m_server->StartThreads();
    EXPECT_EQ(GetRunning(), 1U);
    EXPECT_EQ(m_memory->GetAllocatedBytes(HostMemoryUse::THREADS), 8192U);
    for (uint64_t connection = 1; connection <= 5; ++connection)
    {
        Call(connection);
    }
    Simulator::Schedule(MicroSeconds(12), [this] { EXPECT_EQ(GetRunning(), 1U); });
    Simulator::Schedule(MicroSeconds(14), [this] { EXPECT_EQ(GetRunning(), 2U); });
    Simulator::Schedule(MicroSeconds(25), [this] {
        EXPECT_EQ(GetRunning(), 2U);
        EXPECT_EQ(m_memory->GetAllocatedBytes(HostMemoryUse::THREADS), 2 * 8192U);
    });
    Simulator::Schedule(MicroSeconds(27), [this] { EXPECT_EQ(GetRunning(), 3U); });
    Simulator::Run();
    EXPECT_EQ(m_server->GetThreadPool()->GetStatistics().started, 2U);
    ASSERT_EQ(m_repliedAt.size(), 5U);
    EXPECT_EQ(m_repliedAt[0], MicroSeconds(11));
    EXPECT_EQ(m_repliedAt[1], MicroSeconds(13 + 11)) << "the second thread is there at 13 us";
    EXPECT_EQ(m_repliedAt[2], MicroSeconds(13 + 11)) << "and so is the first one again";
}

TEST_F(DynamicThreadsTest, IdleThreadsLeaveDownToTheMinimum)
{
    for (uint64_t connection = 1; connection <= 5; ++connection)
    {
        Call(connection);
    }
    Simulator::Schedule(MicroSeconds(120), [this] { EXPECT_EQ(GetRunning(), 3U); });
    Simulator::Run();
    EXPECT_EQ(GetRunning(), 1U);
    EXPECT_EQ(m_server->GetThreadPool()->GetStatistics().left, 2U);
    EXPECT_EQ(m_server->GetThreadPool()->GetRunningMeter().GetPeak(), 3U);
    EXPECT_EQ(m_memory->GetAllocatedBytes(HostMemoryUse::THREADS), 8192U);
    EXPECT_LE(Simulator::Now(), MicroSeconds(50 + 100)) << "who is the last one keeps no timer";
}

TEST_F(DynamicThreadsTest, WithoutAMinimumAllAreThereAtAllTimes)
{
    m_server->SetAttribute("MinThreads", UintegerValue(0));
    for (uint64_t connection = 1; connection <= 3; ++connection)
    {
        Call(connection);
    }
    EXPECT_EQ(m_server->GetBusyThreads(), 3U);
    EXPECT_EQ(m_memory->GetAllocatedBytes(HostMemoryUse::THREADS), 3 * 8192U);
    Simulator::Run();
    EXPECT_EQ(GetRunning(), 3U);
    EXPECT_EQ(m_server->GetThreadPool()->GetStatistics().started, 0U);
}

TEST_F(DynamicThreadsTest, ARestartLeavesTheMinimum)
{
    for (uint64_t connection = 1; connection <= 5; ++connection)
    {
        Call(connection);
    }
    Simulator::Schedule(MicroSeconds(30), [this] {
        EXPECT_EQ(GetRunning(), 3U);
        m_server->Restart();
        EXPECT_EQ(GetRunning(), 1U);
        Call(1);
    });
    Simulator::Run();
    EXPECT_EQ(m_repliedAt.back(), MicroSeconds(30 + 11));
    EXPECT_EQ(m_memory->GetAllocatedBytes(HostMemoryUse::THREADS), 8192U);
}

/// Two sockets of two cores, and a pool of one thread on each.
class RpcPoolsTest : public RpcDispatchTest
{
  protected:
    RpcPoolsTest()
    {
        m_cpu->SetAttribute("Cores", UintegerValue(4));
        m_cpu->SetAttribute("Sockets", UintegerValue(2));
        m_cpu->SetAttribute("ServerPoolMode", StringValue("pernode"));
    }

    void CallFourAndOne()
    {
        for (int i = 0; i < 4; ++i)
        {
            Call(1);
        }
        Call(2);
    }
};

TEST_F(RpcPoolsTest, ThreadsServeConnectionsOfTheirOwnSocketAlone)
{
    m_server->SetReceivingCore(1, 3);
    m_server->SetReceivingCore(2, 0);
    CallFourAndOne();
    EXPECT_EQ(m_server->GetQueuedCalls(), 3U);
    Simulator::Run();
    EXPECT_EQ(m_replied, (std::vector<uint64_t>{1, 2, 1, 1, 1}));
    EXPECT_EQ(m_repliedAt.back(), MicroSeconds(44)) << "the other thread does not help";
    EXPECT_EQ(m_cpu->GetUsedOf(0) + m_cpu->GetUsedOf(1), MicroSeconds(1));
    EXPECT_EQ(m_cpu->GetUsedOf(2) + m_cpu->GetUsedOf(3), MicroSeconds(4));
    EXPECT_EQ(m_server->GetDispatchStatistics().attempts, 5U);
}

TEST_F(RpcPoolsTest, ConnectionsOfOneSocketShareItsPool)
{
    m_server->SetReceivingCore(1, 2);
    m_server->SetReceivingCore(2, 3);
    CallFourAndOne();
    Simulator::Run();
    EXPECT_EQ(m_replied, (std::vector<uint64_t>{1, 1, 2, 1, 1}));
    EXPECT_EQ(m_repliedAt.back(), MicroSeconds(55));
    EXPECT_EQ(m_cpu->GetUsedOf(0) + m_cpu->GetUsedOf(1), Time(0));
}

TEST_F(RpcPoolsTest, ConnectionsOfNoCoreHaveThePoolsInTurn)
{
    CallFourAndOne();
    Simulator::Run();
    EXPECT_EQ(m_repliedAt.back(), MicroSeconds(44));
    EXPECT_EQ(m_cpu->GetUsedOf(0) + m_cpu->GetUsedOf(1), MicroSeconds(1));
}

TEST_F(RpcPoolsTest, PoolsDoNotWaitForEachOthersLock)
{
    m_cpu->SetAttribute("ServerQueueHold", TimeValue(MicroSeconds(1)));
    m_server->SetAttribute("DispatchRecheck", BooleanValue(false));
    m_server->SetReceivingCore(1, 3);
    m_server->SetReceivingCore(2, 0);
    Call(1);
    Call(2);
    EXPECT_NE(m_server->GetQueueLock(1), m_server->GetQueueLock(2));
    Simulator::Run();
    EXPECT_EQ(m_repliedAt, (std::vector<Time>{MicroSeconds(12), MicroSeconds(12)}));
    EXPECT_EQ(m_cpu->GetLockClasses().at("sp_lock")->contentions, 0U);
}

TEST_F(RpcPoolsTest, CallsOfAnEndedConnectionLeaveItsPool)
{
    m_server->SetReceivingCore(1, 3);
    m_server->SetReceivingCore(2, 0);
    CallFourAndOne();
    m_server->EndConnection(1);
    EXPECT_EQ(m_server->GetQueuedCalls(), 0U);
    Simulator::Run();
    EXPECT_EQ(m_replied, (std::vector<uint64_t>{1, 2}));
}

/// Calls that must not be carried out twice.
class LastingAdderProgram : public AdderProgram
{
  public:
    LastingAdderProgram()
        : AdderProgram(2)
    {
    }

    [[nodiscard]] bool IsIdempotentCall(const RpcCallHeader& /* header */,
                                        const RpcReceivedMessage& /* message */,
                                        uint32_t /* argumentsPosition */) const override
    {
        return false;
    }
};

class RpcDuplicateCostTest : public RpcDispatchTest
{
  protected:
    RpcDuplicateCostTest()
    {
        m_program = Create<LastingAdderProgram>();
        m_server->Register(m_program);
    }
};

/// 1 us of the call, the look-up, and 10 us of the program.
TEST_F(RpcDuplicateCostTest, ALookUpAmongDuplicatesTakesTheThread)
{
    m_cpu->SetAttribute("ServerDuplicateCost", TimeValue(MicroSeconds(2)));
    m_cpu->SetAttribute("ServerDuplicateHold", TimeValue(MicroSeconds(3)));
    m_cpu->SetAttribute("ServerDuplicateStep", TimeValue(MicroSeconds(4)));
    m_cpu->SetAttribute("ServerDuplicateKeep", TimeValue(MicroSeconds(5)));
    Call(1);
    Simulator::Run();
    EXPECT_EQ(m_repliedAt, (std::vector<Time>{MicroSeconds(1 + 2 + 3 + 10 + 5)}));
    EXPECT_EQ(m_cpu->GetLockClasses().at("cache_lock")->holdTotal, MicroSeconds(3));
}

TEST_F(RpcDuplicateCostTest, OneBucketHasOneLock)
{
    m_server->SetAttribute("DuplicateEntries", UintegerValue(64));
    m_cpu->SetAttribute("ServerDuplicateHold", TimeValue(MicroSeconds(3)));
    Call(1);
    Call(2);
    Simulator::Run();
    EXPECT_EQ(m_repliedAt, (std::vector<Time>{MicroSeconds(1 + 3 + 10), MicroSeconds(1 + 6 + 10)}));
}

TEST_F(RpcDispatchTest, GroupsAreLookedUpOnceAndSortedForEachCall)
{
    m_server->SetAttribute("Groups", UintegerValue(100));
    m_server->SetAttribute("GroupUpcall", TimeValue(MicroSeconds(50)));
    m_cpu->SetAttribute("ServerGroupCost", TimeValue(NanoSeconds(20)));
    CallAs(7);
    Simulator::Schedule(MicroSeconds(100), [this] { CallAs(7); });
    Simulator::Run();
    EXPECT_EQ(m_repliedAt,
              (std::vector<Time>{MicroSeconds(50 + 1 + 2 + 10), MicroSeconds(100 + 1 + 2 + 10)}));
}

} // namespace
} // namespace ns3::nfsrdma
