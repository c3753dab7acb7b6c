/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_THREAD_POOL_H
#define NFSRDMA_RPC_THREAD_POOL_H

#include "host/cpu.h"
#include "host/memory.h"
#include "host/occupancy-meter.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace ns3::nfsrdma
{

/// What an RpcThreadPool counts of all threads.
struct RpcThreadPoolStatistics
{
    uint64_t taken{0};    ///< Calls that a thread has taken.
    uint64_t released{0}; ///< Calls that it is through with.
    Time waited;          ///< Time that calls taken have waited for a thread, together.
    Time held;            ///< Time that threads were held by calls released, together.
    Time longestWait;     ///< Of one call.
    uint64_t empty{0};    ///< Threads that were awake and have found no call.
    Time heldEmpty;       ///< Time for which that held them, together.
    uint64_t started{0};  ///< Threads that were started since there were too few.
    uint64_t left{0};     ///< Threads that have left since they were idle.
};

/// What one thread has done.
struct RpcThreadAccount
{
    uint64_t calls{0}; ///< Calls released.
    Time held;         ///< Time held by them.
};

/**
 * \brief The threads of a server and the books about them: who is free, how many calls wait, how
 * long, how busy each thread is. The calls themselves wait in the server.
 *
 * A thread is held from when it takes a call until the reply is handed over: on a core, waiting for
 * one, or waiting for the storage; and, without a call, while it is awake and looks for one. Of
 * several free threads the one that became free last takes the next call; one that has never had a
 * call only when there is no other.
 *
 * The threads may be in several pools (svc_pool of Linux), in equal parts: a thread takes calls of
 * its own pool alone.
 *
 * There are GetSize() of them at all times; or, with SetMinimum(), at least so many in each pool,
 * and GetSize() of all pools at most (nfsd() and svc_recv() of Linux since 7.0):
 *
 *     a thread takes a connection, and no other one of its pool is idle
 *         --> it starts another one when it is through with the call
 *     a thread of a pool that has more than the minimum has been idle for the time, or a multiple
 *         --> it leaves
 *
 * One thread is started at a time: of a pool, and of the server. Who finds another one being
 * started starts none.
 */
class RpcThreadPool : public Object
{
  public:
    static TypeId GetTypeId();

    /// \param threads calls at a time; may change while calls are there
    void SetSize(uint32_t threads)
    {
        m_size = threads;
    }

    [[nodiscard]] uint32_t GetSize() const
    {
        return m_size;
    }

    /// Each pool has \p threads threads at least, and more only as long as no thread of it has been
    /// idle for \p idle, which is more than zero; 0 threads: GetSize() at all times. Before
    /// Start().
    void SetMinimum(uint32_t threads, Time idle);

    /// \return whether threads come and go.
    [[nodiscard]] bool IsDynamic() const
    {
        return m_minimum != 0;
    }

    /// Each thread holds \p octets of \p memory while it exists. Before Start().
    void SetMemory(const Ptr<HostMemory>& memory, uint64_t octets);
    /// Starts the threads that there are at first. After SetPools().
    void Start();

    /// \return threads that there are, in all pools.
    [[nodiscard]] uint32_t GetRunning() const;

    /// \return threads that there were: peak and mean over time.
    [[nodiscard]] const OccupancyMeter& GetRunningMeter() const
    {
        return m_runningMeter;
    }

    /// \p thread has taken a connection; if no other one of its pool is idle, it is to start one.
    void NoteTurn(std::size_t thread);
    /// \return whether \p thread, which is through with its call, is to start another one now:
    /// then AddThread() follows.
    [[nodiscard]] bool TakeStart(std::size_t thread);
    /// \p thread has started another one of its pool.
    void AddThread(std::size_t thread);

    /// Has the threads be in \p pools pools, as many as there are threads at most; before a thread
    /// is woken. \param make makes a thread of a pool
    void SetPools(uint32_t pools, std::function<HostThread(uint32_t pool)> make);

    [[nodiscard]] uint32_t GetPools() const
    {
        return m_pools.size();
    }

    /// A call waits from now on.
    void Arrive();
    [[nodiscard]] bool HasFree(uint32_t pool = 0) const;
    /// A free thread of \p pool is to look for a call; there must be one. \return its number
    std::size_t Wake(uint32_t pool = 0);

    /// \return the pool that \p thread is of.
    [[nodiscard]] uint32_t GetPool(std::size_t thread) const
    {
        return m_threads.at(thread).pool;
    }

    /// \p thread, which is held, takes the call that has waited since \p arrival, and that waits no
    /// longer.
    void Begin(std::size_t thread, Time arrival);
    /// The call that has waited since \p arrival gets a thread, and waits no longer. There must be
    /// a free one. \return its number
    std::size_t Take(Time arrival);
    /// The thread is through with its call, or has found none.
    void Release(std::size_t thread);

    /// So many of the calls that wait are dropped.
    void Drop(uint32_t calls)
    {
        SetQueued(m_queued - calls);
    }

    /// As all calls that wait are dropped.
    void DropQueued()
    {
        SetQueued(0);
    }

    /// As every call taken is given up; threads above the minimum leave.
    void ReleaseAll();

    /// So many threads stand still from now on: free ones at once, others when they are through
    /// with their calls. 0: none any more.
    void SetStalled(uint32_t threads)
    {
        m_stalled = threads;
    }

    [[nodiscard]] uint32_t GetStalled() const
    {
        return m_stalled;
    }

    /// \return what the host's processor knows of the thread.
    [[nodiscard]] HostThread& GetHostThread(std::size_t thread)
    {
        return m_threads.at(thread).host;
    }

    /// \return threads that have a call.
    [[nodiscard]] uint32_t GetBusy() const
    {
        return m_busy;
    }

    [[nodiscard]] uint32_t GetQueued() const
    {
        return m_queued;
    }

    [[nodiscard]] const RpcThreadPoolStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    /// \return of each thread that has ever had a call.
    [[nodiscard]] std::vector<RpcThreadAccount> GetAccounts() const;

    /// \return threads held: peak and mean over time.
    [[nodiscard]] const OccupancyMeter& GetBusyMeter() const
    {
        return m_busyMeter;
    }

    /// \return calls that waited: peak and mean over time.
    [[nodiscard]] const OccupancyMeter& GetQueueMeter() const
    {
        return m_queueMeter;
    }

    /// Trace source "Arrived": a call waits, one of so many.
    typedef void (*ArrivedTracedCallback)(uint32_t queued);
    /// Trace source "Taken": a thread takes a call that has waited so long.
    typedef void (*TakenTracedCallback)(uint64_t thread, Time waited);
    /// Trace source "Released": a thread was held so long.
    typedef void (*ReleasedTracedCallback)(uint64_t thread, Time held);

  protected:
    void DoDispose() override;

  private:
    struct Thread
    {
        HostThread host;
        uint32_t pool{0};
        bool hasCall{false};
        bool isToStart{false}; ///< Another one, when it is through.
        Time taken;
        Time idleSince;
        RpcThreadAccount account;
    };

    struct Pool
    {
        std::vector<std::size_t> idle; ///< Threads that have had a call, the one freed last last.
        uint32_t held{0};              ///< Threads.
        uint32_t running{0};           ///< Threads that there are, with a minimum.
        bool isStarting{false};        ///< A thread is to start another one.
        std::vector<std::size_t> gone; ///< Threads that have left.
        EventId check;                 ///< Of those that are idle.
    };

    /// \return the most threads that \p pool has at a time.
    [[nodiscard]] uint32_t CountMost(uint32_t pool) const;
    /// \return the threads of \p pool that may be held at once.
    [[nodiscard]] uint32_t CountThreads(uint32_t pool) const;
    void ChangeRunning(Pool& pool, int32_t threads);
    /// A thread of \p pool that is idle.
    void MakeIdle(uint32_t pool);
    /// \return when \p thread, which is idle, looks next for how long it has been.
    [[nodiscard]] Time GetNextCheck(std::size_t thread) const;
    void ScheduleCheck(uint32_t pool);
    void CheckIdle(uint32_t pool);

    /// \return the part of \p threads that \p pool has, the first pools one more than others.
    [[nodiscard]] uint32_t GetPart(uint32_t threads, uint32_t pool) const;
    void SetBusy(uint32_t threads);
    void SetQueued(uint32_t calls);

    uint32_t m_size{1};
    std::deque<Thread> m_threads; ///< That have had a call.
    std::vector<Pool> m_pools{1};
    std::function<HostThread(uint32_t)> m_make; ///< Null: threads of any core.
    uint32_t m_stalled{0};
    uint32_t m_minimum{0}; ///< Of each pool; 0: all.
    Time m_idleTime;
    bool m_isStarting{false}; ///< A thread is being started.
    Ptr<HostMemory> m_memory;
    uint64_t m_threadMemory{0};
    std::vector<HostBuffer> m_buffers; ///< One of each thread that there is.
    TracedValue<uint32_t> m_running{0};
    OccupancyMeter m_runningMeter;
    TracedValue<uint32_t> m_busy{0};
    TracedValue<uint32_t> m_queued{0};
    OccupancyMeter m_busyMeter;
    OccupancyMeter m_queueMeter;
    RpcThreadPoolStatistics m_statistics;
    TracedCallback<uint32_t> m_arrivedTrace;
    TracedCallback<uint64_t, Time> m_takenTrace;
    TracedCallback<uint64_t, Time> m_releasedTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_THREAD_POOL_H
