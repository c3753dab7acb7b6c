/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/cpu.h"

#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

const Time COST = MicroSeconds(3);

class CpuContextsTest : public ::testing::Test
{
  protected:
    void TearDown() override
    {
        m_cpu->Dispose();
        Simulator::Destroy();
    }

    void SetCores(uint32_t cores)
    {
        m_cpu->SetAttribute("Cores", UintegerValue(cores));
    }

    void Set(const std::string& attribute, Time time)
    {
        m_cpu->SetAttribute(attribute, TimeValue(time));
    }

    const Ptr<HostCpu> m_cpu = CreateObject<HostCpu>();
    HostThread m_process;
    HostThread m_other;
    HostThread m_worker{HostContext::WORK_QUEUE};
    HostThread m_softInterrupt{HostContext::SOFT_INTERRUPT};
};

TEST_F(CpuContextsTest, ASoftInterruptDoesNotWaitForAThread)
{
    SetCores(1);
    EXPECT_EQ(m_cpu->Run(m_process, COST), COST);
    EXPECT_EQ(m_cpu->Run(m_softInterrupt, COST), COST);
}

TEST_F(CpuContextsTest, WhatComesAfterASoftInterruptIsLaterByItsWork)
{
    SetCores(1);
    m_cpu->Run(m_process, COST);
    m_cpu->Run(m_softInterrupt, COST);
    EXPECT_EQ(m_cpu->Run(m_other, COST), 3 * COST) << "all work of the core is done, none twice";
}

TEST_F(CpuContextsTest, SoftInterruptsOfACoreTakeTurns)
{
    SetCores(1);
    HostThread second(HostContext::SOFT_INTERRUPT);
    EXPECT_EQ(m_cpu->Run(m_softInterrupt, COST), COST);
    EXPECT_EQ(m_cpu->Run(second, COST), 2 * COST);
}

TEST_F(CpuContextsTest, AThreadOfACoreWaitsForIt)
{
    SetCores(2);
    HostThread bound(HostContext::PROCESS, 0);
    HostThread boundToo(HostContext::PROCESS, 0);
    EXPECT_EQ(m_cpu->Run(bound, COST), COST);
    EXPECT_EQ(m_cpu->Run(boundToo, COST), 2 * COST);
    EXPECT_EQ(m_cpu->GetUsedOf(0), 2 * COST);
    EXPECT_EQ(m_cpu->GetUsedOf(1), Time(0));
}

TEST_F(CpuContextsTest, ContextsAndCoresAddUp)
{
    SetCores(2);
    for (HostThread* thread : {&m_process, &m_worker, &m_softInterrupt, &m_other})
    {
        m_cpu->Run(*thread, COST);
    }
    EXPECT_EQ(m_cpu->GetUsed(HostContext::PROCESS), 2 * COST);
    EXPECT_EQ(m_cpu->GetUsed(HostContext::WORK_QUEUE), COST);
    EXPECT_EQ(m_cpu->GetUsed(HostContext::SOFT_INTERRUPT), COST);
    EXPECT_EQ(m_cpu->GetUsed(HostContext::INTERRUPT), Time(0));
    EXPECT_EQ(m_cpu->GetUsedOf(0) + m_cpu->GetUsedOf(1), m_cpu->GetUsed());
    EXPECT_EQ(m_cpu->GetUsed(), 4 * COST);
}

TEST_F(CpuContextsTest, AThreadThatWaitsForALockKeepsItsCore)
{
    SetCores(2);
    const auto lock = m_cpu->MakeLock("a_lock");
    m_cpu->Run(m_process, HostWork().Under(lock, COST));
    EXPECT_EQ(m_cpu->Run(m_other, HostWork().Under(lock, COST).Then(COST)), 3 * COST);
    EXPECT_EQ(m_cpu->GetUsed(), 4 * COST) << "of them one is waiting";
    HostThread third;
    EXPECT_EQ(m_cpu->Run(third, COST), 2 * COST) << "on the core that the first has left";
    EXPECT_EQ(m_cpu->GetLockClasses().at("a_lock")->waitTotal, COST);
}

TEST_F(CpuContextsTest, ALockCrossesSockets)
{
    SetCores(2);
    m_cpu->SetAttribute("Sockets", UintegerValue(2));
    Set("LockHandover", NanoSeconds(100));
    Set("LockHandoverRemote", NanoSeconds(300));
    const auto lock = m_cpu->MakeLock("a_lock");
    m_cpu->Run(m_process, HostWork().Under(lock, COST));
    EXPECT_EQ(m_cpu->Run(m_other, HostWork().Under(lock, COST)), 2 * COST + NanoSeconds(300));
}

TEST_F(CpuContextsTest, OtherThreadsOfACoreCostASwitch)
{
    SetCores(1);
    Set("ContextSwitch", MicroSeconds(1));
    m_cpu->Run(m_process, COST);
    EXPECT_EQ(m_cpu->Run(m_process, COST), 2 * COST + MicroSeconds(1)) << "one at the beginning";
    EXPECT_EQ(m_cpu->Run(m_other, COST), 3 * COST + MicroSeconds(2));
    HostThread secondWorker(HostContext::WORK_QUEUE);
    m_cpu->Run(m_worker, COST);
    EXPECT_EQ(m_cpu->Run(secondWorker, COST), 5 * COST + MicroSeconds(3))
        << "a worker takes one task after the other";
}

TEST_F(CpuContextsTest, OnlySleepingThreadsAreWoken)
{
    const Time wakeUp = MicroSeconds(2);
    EXPECT_EQ(m_cpu->GetWakeUp(m_process, Time(0), wakeUp), wakeUp);
    m_cpu->Run(m_process, COST);
    EXPECT_EQ(m_cpu->GetWakeUp(m_process, COST / 2, wakeUp), Time(0));
    EXPECT_EQ(m_cpu->GetWakeUp(m_process, COST, wakeUp), wakeUp);
    EXPECT_EQ(m_cpu->GetWakeUp(m_softInterrupt, Time(0), wakeUp), Time(0));
}

TEST_F(CpuContextsTest, SomeWakeUpsTakeLonger)
{
    constexpr int WAKE_UPS = 20000;
    const Time wakeUp = MicroSeconds(2);
    const Time tail = MicroSeconds(10);
    Set("WakeUpTail", tail);
    m_cpu->SetAttribute("WakeUpTailShare", DoubleValue(0.25));
    m_cpu->AssignStreams(7);
    int late = 0;
    Time sum;
    for (int i = 0; i < WAKE_UPS; ++i)
    {
        const Time taken = m_cpu->GetWakeUp(m_process, Time(0), wakeUp);
        late += taken > wakeUp ? 1 : 0;
        sum += taken - wakeUp;
    }
    EXPECT_NEAR(late, 0.25 * WAKE_UPS, 0.02 * WAKE_UPS);
    EXPECT_NEAR(sum.GetDouble() / late, tail.GetDouble(), 0.05 * tail.GetDouble());
}

TEST_F(CpuContextsTest, CompletionThreadsTakeTheVectorsInTurn)
{
    m_cpu->SetAttribute("CompletionVectors", UintegerValue(2));
    EXPECT_EQ(m_cpu->MakeCompletionThread(HostCosts::WORK_QUEUE)->GetCore(), 0);
    const auto second = m_cpu->MakeCompletionThread(HostCosts::SOFT_INTERRUPT);
    EXPECT_EQ(second->GetCore(), 1);
    EXPECT_EQ(second->GetContext(), HostContext::SOFT_INTERRUPT);
    EXPECT_EQ(m_cpu->MakeCompletionThread(HostCosts::THREAD)->GetCore(), 0);
}

TEST_F(CpuContextsTest, HighPriorityLiesBetweenThreadsAndInterrupts)
{
    SetCores(1);
    const auto urgent = m_cpu->MakeCompletionThread(HostCosts::HIGH_PRIORITY);
    EXPECT_EQ(urgent->GetContext(), HostContext::WORK_QUEUE);
    EXPECT_EQ(m_cpu->Run(m_process, COST), COST);
    EXPECT_EQ(m_cpu->Run(*urgent, COST), COST) << "it does not wait for the thread";
    EXPECT_EQ(m_cpu->Run(m_softInterrupt, COST), COST) << "which does not wait for it";
    const auto second = m_cpu->MakeCompletionThread(HostCosts::HIGH_PRIORITY);
    EXPECT_EQ(m_cpu->Run(*second, COST), 3 * COST) << "it waits for both";
    EXPECT_EQ(m_cpu->Run(m_other, COST), 5 * COST) << "all work of the core is done, none twice";
}

TEST_F(CpuContextsTest, HighPriorityIsWoken)
{
    const auto urgent = m_cpu->MakeCompletionThread(HostCosts::HIGH_PRIORITY);
    EXPECT_EQ(m_cpu->GetWakeUp(*urgent, Time(0), COST), COST);
    EXPECT_EQ(m_cpu->GetWakeUp(m_softInterrupt, Time(0), COST), Time(0));
}

} // namespace
} // namespace ns3::nfsrdma
