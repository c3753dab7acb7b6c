/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HOST_CPU_H
#define NFSRDMA_HOST_CPU_H

#include "host/costs.h"
#include "host/iommu-settings.h"
#include "host/lock.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simple-ref-count.h"
#include "ns3/traced-callback.h"

#include <array>
#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

class HostInterconnect;
class HostIommu;
class HostWorkerPool;

/// What a thread does without a pause: on a core for some time, under a lock for some time, and so
/// on. It waits for a lock on its core.
class HostWork
{
  public:
    HostWork() = default;

    /// On a core, for \p cost.
    explicit HostWork(Time cost)
    {
        Then(cost);
    }

    /// Then on a core for \p cost.
    HostWork& Then(Time cost)
    {
        return Add({cost, nullptr, Time(0), false});
    }

    /// Then copies on a core, \p cost where the memory is that of its socket.
    HostWork& ThenCopy(Time cost)
    {
        return Add({cost, nullptr, Time(0), true});
    }

    /// Then under \p lock, for \p hold; nothing when there is no lock.
    HostWork& Under(const Ptr<HostLock>& lock, Time hold)
    {
        return Add({Time(0), lock, hold, false});
    }

    /// One part.
    struct Section
    {
        Time cost;
        Ptr<HostLock> lock; ///< Null: none.
        Time hold;
        bool copies;
    };

    [[nodiscard]] bool IsNothing() const
    {
        return m_sections.empty();
    }

    [[nodiscard]] const Section* begin() const
    {
        return m_sections.data();
    }

    [[nodiscard]] const Section* end() const
    {
        return m_sections.data() + m_sections.size();
    }

  private:
    static constexpr std::size_t MOST = 6;

    HostWork& Add(const Section& section)
    {
        if (!section.cost.IsZero() || !section.hold.IsZero())
        {
            m_sections.push_back(section);
        }
        return *this;
    }

    boost::container::static_vector<Section, MOST> m_sections;
};

/// A thread of a host: what it does, it does one after the other.
class HostThread : public SimpleRefCount<HostThread>
{
  public:
    /// \param core on which alone it runs; none: on any
    explicit HostThread(HostContext context = HostContext::PROCESS,
                        std::optional<uint32_t> core = std::nullopt)
        : m_context(context),
          m_core(core),
          m_number(context == HostContext::WORK_QUEUE ? 0 : ++s_threads)
    {
    }

    [[nodiscard]] HostContext GetContext() const
    {
        return m_context;
    }

    /// Has it go before threads that are not urgent, as an interrupt does, and after interrupts.
    void SetUrgent()
    {
        m_isUrgent = true;
    }

    /// Has it run on the cores of \p socket alone.
    void SetSocket(uint32_t socket)
    {
        m_onlySocket = socket;
    }

    /// \return on which alone it runs; none: on any.
    [[nodiscard]] std::optional<uint32_t> GetCore() const
    {
        return m_core;
    }

    /// \return when it has done all it was given.
    [[nodiscard]] Time GetFree() const
    {
        return m_free;
    }

    /// \return time it has run on a core.
    [[nodiscard]] Time GetUsed() const
    {
        return m_used;
    }

  private:
    friend class HostCpu;

    static inline uint64_t s_threads{0}; ///< Made so far; equality alone matters.

    HostContext m_context;
    std::optional<uint32_t> m_core;
    std::optional<uint32_t> m_onlySocket;
    bool m_isUrgent{false};
    std::optional<uint32_t> m_socket; ///< That it ran on last.
    uint64_t m_number;                ///< Of all threads; those of work queues have one.
    Time m_free;
    Time m_used;
};

/**
 * \brief The processor of a host: threads share its cores, in the order in which work is given; and
 * what the calls of the verbs and the stages of RPCs cost it.
 *
 * Aggregated to the node. Work starts when the thread is through with what it had, and a core is
 * free; of several free cores the one that became free last takes it (with a migrationCost, one of
 * the socket that the thread ran on last, if there is one). Work in a soft interrupt or
 * an interrupt does not wait for threads: it starts when its core is through with other interrupts,
 * and what the core was to do after the work under way begins later by what it took. (Work under
 * way ends when it was said to.) Urgent threads lie between the two.
 */
class HostCpu : public Object
{
  public:
    /// No core in particular.
    static constexpr int32_t ANY_CORE = -1;

    static TypeId GetTypeId();
    HostCpu();
    ~HostCpu() override;

    /// Gives \p thread work of \p cost, not before now. \return when it is done
    Time Run(HostThread& thread, Time cost);
    /// As above, not before \p earliest.
    Time Run(HostThread& thread, Time earliest, Time cost);
    /// As above, for work that was there to be done since \p since, which may be past: it takes the
    /// time that thread and core have had nothing to do since then. \return when it is, or was,
    /// done
    Time Settle(HostThread& thread, Time since, Time cost);

    /// Gives \p thread work that may need a lock, not before \p earliest. \return when it is done
    Time Run(HostThread& thread, Time earliest, const HostWork& work);
    /// As above, not before now.
    Time Run(HostThread& thread, const HostWork& work);

    /// \return what \p thread takes to run at \p time if it sleeps then: \p wakeUp, and the tail of
    /// wake-ups.
    [[nodiscard]] Time GetWakeUp(const HostThread& thread, Time time, Time wakeUp);

    /// \return a lock of its own for who asks, of class \p name.
    [[nodiscard]] Ptr<HostLock> MakeLock(const std::string& name);
    /// \return the lock called \p name, of which the host has one.
    Ptr<HostLock> GetLock(const std::string& name);

    /// \return what all locks of a class have counted, by its name.
    [[nodiscard]] const std::map<std::string, std::shared_ptr<HostLockStatistics>>& GetLockClasses()
        const
    {
        return m_lockClasses;
    }

    /// Has a worker of rpciod do a task that takes \p cost and is queued not before \p earliest:
    /// one of the next pool or, where workers are bound, of the pool of \p core, unless it is
    /// ANY_CORE. \return when it is done
    Time RunTask(Time earliest, Time cost, int32_t core = ANY_CORE);

    /// \return a thread that handles completions as \p completions says, on the next core of
    /// CompletionVectors.
    Ptr<HostThread> MakeCompletionThread(HostCosts::Completions completions);

    [[nodiscard]] const HostCosts& GetCosts() const
    {
        return m_costs;
    }

    /// \return the IOMMU of the host; null when it translates nothing.
    [[nodiscard]] HostIommu* GetIommu()
    {
        return m_iommuSettings.iommu == IommuSettings::PASSTHROUGH ? nullptr : MakeIommu();
    }

    /// \return the links between the sockets of the host; null when memory has no distance from the
    /// adapter.
    [[nodiscard]] HostInterconnect* GetInterconnect()
    {
        return m_costs.sockets == 1 || m_costs.memorySocket == HostCosts::ADAPTER
                   ? nullptr
                   : MakeInterconnect();
    }

    /// \return how many pools of threads a server has.
    [[nodiscard]] uint32_t CountPools() const;
    /// \return the number of the pool that \p core is of.
    [[nodiscard]] uint32_t GetPoolOf(uint32_t core) const;
    /// \return a thread of the pool \p number.
    [[nodiscard]] HostThread MakePoolThread(uint32_t number) const;

    /// \return the socket of a core.
    [[nodiscard]] uint32_t GetSocket(uint32_t core) const
    {
        return m_costs.sockets == 1
                   ? 0
                   : static_cast<uint32_t>(uint64_t{core} * m_costs.sockets / m_cores.size());
    }

    /// \return how many streams it took.
    int64_t AssignStreams(int64_t stream);

    /// \return when work of \p thread could start, given now.
    [[nodiscard]] Time GetAvailable(const HostThread& thread) const;

    /// \return of a call that posts \p requests, \p inlineOctets of data in them.
    [[nodiscard]] Time GetPostCost(uint32_t requests, uint64_t inlineOctets) const
    {
        return m_postCost + m_postPerRequest * int64_t{requests} + GetCopyTime(inlineOctets);
    }

    /// \return of a completion polled.
    [[nodiscard]] Time GetPollCost() const
    {
        return m_pollCost;
    }

    /// \return of an interrupt taken.
    [[nodiscard]] Time GetInterruptCost() const
    {
        return m_interruptCost;
    }

    /// \return to make a sleeping thread run.
    [[nodiscard]] Time GetWakeUp() const
    {
        return m_wakeUp;
    }

    /// \return to copy \p octets.
    [[nodiscard]] Time GetCopyTime(uint64_t octets) const;

    [[nodiscard]] uint32_t GetCores() const
    {
        return m_cores.size();
    }

    /// \return time all cores have worked, or are to work.
    [[nodiscard]] Time GetUsed() const
    {
        return m_used;
    }

    /// \return of that, by one core.
    [[nodiscard]] Time GetUsedOf(uint32_t core) const
    {
        return m_cores.at(core).used;
    }

    /// \return of that of all cores, in one context.
    [[nodiscard]] Time GetUsed(HostContext context) const
    {
        return m_usedIn[static_cast<std::size_t>(context)];
    }

    /// Signature of the Work trace source.
    using WorkTracedCallback = void (*)(Time start, Time end, uint32_t core, HostContext context);

  protected:
    void DoDispose() override;

  private:
    struct Core
    {
        Time free;           ///< Of threads.
        Time urgentDone;     ///< Of urgent threads.
        Time interruptsDone; ///< Of interrupts.
        Time used;
        uint64_t thread{0}; ///< That has run last.
    };

    void SetCores(uint32_t cores)
    {
        m_cores.assign(cores, {});
        m_latest = 0;
    }

    HostIommu* MakeIommu();
    HostInterconnect* MakeInterconnect();
    /// \return what a copy that takes \p cost with memory of its own socket takes longer on \p
    /// socket.
    [[nodiscard]] Time GetRemoteCopyTime(Time cost, uint32_t socket) const;

    /// What a thread is about to do.
    struct Turn
    {
        Core& core;
        uint32_t number; ///< Of the core.
        uint32_t socket; ///< The same.
        Time start;
        Time end; ///< So far.
    };

    [[nodiscard]] Turn Begin(HostThread& thread, Time ready);
    /// \return when the turn ends.
    Time End(HostThread& thread, const Turn& turn);
    Time Occupy(HostThread& thread, Time ready, Time cost);
    Time Occupy(HostThread& thread, Time ready, const HostWork& work);
    [[nodiscard]] Core& ChooseCore(const HostThread& thread, Time ready);
    /// \return as ChooseCore(), of a thread to which all cores are alike.
    [[nodiscard]] Core& ChooseAnyCore(Time ready);
    [[nodiscard]] uint32_t GetNumber(const Core& core) const;

    Time m_postCost;
    Time m_postPerRequest;
    Time m_pollCost;
    Time m_interruptCost;
    Time m_wakeUp;
    DataRate m_copyRate;
    HostCosts m_costs;
    IommuSettings m_iommuSettings;
    std::unique_ptr<HostIommu> m_iommu;               ///< Made when first needed.
    std::unique_ptr<HostInterconnect> m_interconnect; ///< The same.
    std::vector<HostWorkerPool> m_workerPools;        ///< Made when first needed.
    std::size_t m_tasks{0};                           ///< Queued so far.
    std::vector<Core> m_cores;
    std::size_t m_latest{0}; ///< The first of those that become free last.
    Time m_used;
    std::array<Time, HOST_CONTEXTS> m_usedIn; ///< By context.
    uint32_t m_vectors{0};                    ///< Given to completion threads so far.
    int64_t m_stream{0};
    Ptr<UniformRandomVariable> m_isLate;   ///< Made when first needed.
    Ptr<ExponentialRandomVariable> m_late; ///< With it.
    std::map<std::string, std::shared_ptr<HostLockStatistics>> m_lockClasses;
    std::map<std::string, Ptr<HostLock>> m_commonLocks;
    TracedCallback<Time, Time, uint32_t, HostContext> m_workTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_CPU_H
