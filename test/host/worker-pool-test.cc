/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/cpu.h"
#include "host/worker-pool.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

class WorkerPoolTest : public ::testing::Test
{
  protected:
    void TearDown() override
    {
        m_cpu->Dispose();
        Simulator::Destroy();
    }

    void Set(const std::string& attribute, Time time)
    {
        m_cpu->SetAttribute(attribute, TimeValue(time));
    }

    void Set(const std::string& attribute, uint32_t count)
    {
        m_cpu->SetAttribute(attribute, UintegerValue(count));
    }

    void SetCosts()
    {
        Set("ClientQueueHold", NanoSeconds(100));
        Set("ClientWorkerWakeHold", NanoSeconds(500));
        Set("ClientWorkerWakeUp", MicroSeconds(2));
        Set("ClientWorkerHold", NanoSeconds(50));
    }

    [[nodiscard]] const HostLockStatistics& GetLock() const
    {
        return *m_cpu->GetLockClasses().at("workqueue_pool");
    }

    std::vector<Time> RunTasks(uint32_t tasks)
    {
        std::vector<Time> done;
        for (uint32_t i = 0; i < tasks; ++i)
        {
            done.push_back(m_cpu->RunTask(Time(0), TASK));
        }
        return done;
    }

    static inline const Time TASK = MicroSeconds(10);

    const Ptr<HostCpu> m_cpu = CreateObject<HostCpu>();
};

TEST_F(WorkerPoolTest, TasksNeedNothingByDefault)
{
    EXPECT_EQ(RunTasks(3), (std::vector<Time>{TASK, TASK, TASK}));
    EXPECT_TRUE(m_cpu->GetLockClasses().empty());
}

TEST_F(WorkerPoolTest, ATaskPassesTheLockAndWakesAWorker)
{
    SetCosts();
    EXPECT_EQ(RunTasks(1), (std::vector<Time>{NanoSeconds(100 + 500 + 2000 + 50) + TASK}));
    EXPECT_EQ(GetLock().acquisitions, 3U) << "to be queued, taken, and done with";
    EXPECT_EQ(GetLock().holdTotal, NanoSeconds(100 + 500 + 50 + 50));
}

/// Who queues the second task wakes nobody: the worker on its way to the first one does, when it
/// is there.
TEST_F(WorkerPoolTest, AWorkerThatTakesATaskWakesTheNext)
{
    SetCosts();
    EXPECT_EQ(RunTasks(2), (std::vector<Time>{NanoSeconds(2650) + TASK, NanoSeconds(5200) + TASK}));
    EXPECT_EQ(GetLock().holdTotal, NanoSeconds(2 * 100 + 2 * 500 + 4 * 50));
}

/// A worker that is through with its task before the woken one runs takes the next, and the woken
/// one, which has found none, the one after that.
TEST_F(WorkerPoolTest, AWorkerLooksForAnotherTaskBeforeItSleeps)
{
    SetCosts();
    EXPECT_EQ(RunTasks(1), (std::vector<Time>{NanoSeconds(2650) + TASK}));
    EXPECT_EQ(m_cpu->RunTask(NanoSeconds(12000), TASK), NanoSeconds(12700) + TASK);
    EXPECT_EQ(m_cpu->RunTask(NanoSeconds(14000), TASK), NanoSeconds(14650) + TASK);
}

TEST_F(WorkerPoolTest, TheLockIsOneForAllTasksOfAPool)
{
    Set("ClientWorkerHold", MicroSeconds(1));
    EXPECT_EQ(RunTasks(3),
              (std::vector<Time>{TASK + MicroSeconds(1),
                                 TASK + MicroSeconds(2),
                                 TASK + MicroSeconds(3)}));
}

TEST_F(WorkerPoolTest, PoolsHaveLocksOfTheirOwn)
{
    Set("ClientWorkerPools", 3);
    Set("ClientWorkerHold", MicroSeconds(1));
    const Time done = TASK + MicroSeconds(1);
    EXPECT_EQ(RunTasks(3), (std::vector<Time>{done, done, done}));
    EXPECT_EQ(GetLock().contentions, 0U);
}

TEST_F(WorkerPoolTest, TasksBeyondTheMostWait)
{
    Set("ClientWorkers", 2);
    EXPECT_EQ(RunTasks(4), (std::vector<Time>{TASK, TASK, 2 * TASK, 2 * TASK}));
}

TEST_F(WorkerPoolTest, TasksOfOneCoreRunOnAnyUnlessWorkersAreBound)
{
    EXPECT_EQ(m_cpu->RunTask(Time(0), TASK, 3), TASK);
    EXPECT_EQ(m_cpu->RunTask(Time(0), TASK, 3), TASK) << "any core is free";
}

TEST_F(WorkerPoolTest, BoundWorkersRunOnTheCoreThatQueuedTheTask)
{
    m_cpu->SetAttribute("ClientWorkersBound", BooleanValue(true));
    EXPECT_EQ(m_cpu->RunTask(Time(0), TASK, 3), TASK);
    EXPECT_EQ(m_cpu->RunTask(Time(0), TASK, 3), 2 * TASK);
    EXPECT_EQ(m_cpu->GetUsedOf(3), 2 * TASK);
    Set("ClientWorkers", 4);
    EXPECT_EQ(m_cpu->RunTask(Time(0), TASK, 3), 3 * TASK) << "of a pool with workers, too";
    EXPECT_EQ(m_cpu->RunTask(Time(0), TASK), TASK) << "one that no known core has queued";
    EXPECT_EQ(m_cpu->GetUsedOf(3), 3 * TASK);
}

/// Who is through with a task has gone to sleep by the time the next is queued, and is woken.
TEST_F(WorkerPoolTest, IdleWorkersAreUsedAgain)
{
    HostWorkerPool pool(*m_cpu, nullptr);
    Set("ClientWorkerWakeUp", MicroSeconds(2));
    pool.Run(Time(0), TASK);
    pool.Run(Time(0), TASK);
    EXPECT_EQ(pool.CountWorkers(), 2U);
    EXPECT_EQ(pool.Run(2 * TASK, TASK), 3 * TASK + MicroSeconds(2));
    EXPECT_EQ(pool.CountWorkers(), 2U);
}

/// A task that is queued ahead of its time wakes a worker then: one before it waits for none of
/// that.
TEST_F(WorkerPoolTest, ATaskDoesNotWaitForAWorkerThatIsWokenAfterIt)
{
    HostWorkerPool pool(*m_cpu, nullptr);
    Set("ClientWorkerWakeUp", MicroSeconds(2));
    EXPECT_EQ(pool.Run(MicroSeconds(5), TASK), MicroSeconds(7) + TASK);
    EXPECT_EQ(pool.Run(MicroSeconds(1), TASK), MicroSeconds(3) + TASK);
    EXPECT_EQ(pool.Run(MicroSeconds(2), TASK), MicroSeconds(5) + TASK)
        << "the worker on its way wakes one";
    EXPECT_EQ(pool.Run(MicroSeconds(6), TASK), MicroSeconds(9) + TASK)
        << "as that of the first does";
}

} // namespace
} // namespace ns3::nfsrdma
