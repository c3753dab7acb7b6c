/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/cpu.h"

#include "host/interconnect.h"
#include "host/iommu.h"
#include "host/transfer-time.h"
#include "host/worker-pool.h"
#include "wire/simulation-clock.h"

#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(HostCpu);

TypeId
HostCpu::GetTypeId()
{
    static TypeId tid = AddAttributes(
        AddAttributes(
            TypeId("ns3::nfsrdma::HostCpu")
                .SetParent<Object>()
                .SetGroupName("NfsRdma")
                .AddConstructor<HostCpu>()
                .AddAttribute("Cores",
                              "Cores of the host (count). Default: 16, a small server.",
                              UintegerValue(16),
                              MakeUintegerAccessor(&HostCpu::SetCores, &HostCpu::GetCores),
                              MakeUintegerChecker<uint32_t>(1, 4096))
                .AddAttribute(
                    "PostCost",
                    "Of a call that posts, its doorbell included (time): a posted MMIO write "
                    "takes 50 to 150 ns. Default: low end.",
                    TimeValue(NanoSeconds(50)),
                    MakeTimeAccessor(&HostCpu::m_postCost),
                    MakeTimeChecker(Time(0)))
                .AddAttribute(
                    "PostPerRequest",
                    "Of each work request of such a call (time): writing a descriptor of a "
                    "cache line. Default: 10 ns, assumed.",
                    TimeValue(NanoSeconds(10)),
                    MakeTimeAccessor(&HostCpu::m_postPerRequest),
                    MakeTimeChecker(Time(0)))
                .AddAttribute("PollCost",
                              "Of each completion polled (time): a cache miss and a few branches. "
                              "Default: 20 ns, assumed.",
                              TimeValue(NanoSeconds(20)),
                              MakeTimeAccessor(&HostCpu::m_pollCost),
                              MakeTimeChecker(Time(0)))
                .AddAttribute(
                    "InterruptCost",
                    "Of an interrupt taken (time), the latency of the device's "
                    "InterruptLatency apart. Default: 500 ns, assumed: a quarter of the 2 us "
                    "from interrupt to handler.",
                    TimeValue(NanoSeconds(500)),
                    MakeTimeAccessor(&HostCpu::m_interruptCost),
                    MakeTimeChecker(Time(0)))
                .AddAttribute(
                    "WakeUp",
                    "To make a sleeping thread run on a core (time): 1 to 3 us. Default: low "
                    "end.",
                    TimeValue(MicroSeconds(1)),
                    MakeTimeAccessor(&HostCpu::m_wakeUp),
                    MakeTimeChecker(Time(0)))
                .AddAttribute("CopyRate",
                              "Of one core copying memory (bit/s): 8 to 12 GB/s. 0: takes no time. "
                              "Default: 10 GB/s.",
                              DataRateValue(DataRate("80Gb/s")),
                              MakeDataRateAccessor(&HostCpu::m_copyRate),
                              MakeDataRateChecker())
                .AddTraceSource("Work",
                                "A core has been given work: from when, until when, which core, in "
                                "what context.",
                                MakeTraceSourceAccessor(&HostCpu::m_workTrace),
                                "ns3::nfsrdma::HostCpu::WorkTracedCallback"),
            HostCosts::GetRows(),
            &HostCpu::m_costs),
        IommuSettings::GetRows(),
        &HostCpu::m_iommuSettings);
    return tid;
}

HostCpu::HostCpu()
{
    SimulationClock::Start();
}

HostCpu::~HostCpu() = default;

HostIommu*
HostCpu::MakeIommu()
{
    if (!m_iommu)
    {
        m_iommu = std::make_unique<HostIommu>(*this, m_iommuSettings);
    }
    return m_iommu.get();
}

HostInterconnect*
HostCpu::MakeInterconnect()
{
    if (!m_interconnect)
    {
        m_interconnect = std::make_unique<HostInterconnect>(m_costs);
    }
    return m_interconnect.get();
}

uint32_t
HostCpu::CountPools() const
{
    switch (m_costs.serverPoolMode)
    {
    case HostCosts::PERCPU:
        return GetCores();
    case HostCosts::PERNODE:
        return m_costs.sockets;
    case HostCosts::GLOBAL:
        break;
    }
    return 1;
}

uint32_t
HostCpu::GetPoolOf(uint32_t core) const
{
    switch (m_costs.serverPoolMode)
    {
    case HostCosts::PERCPU:
        return core % GetCores();
    case HostCosts::PERNODE:
        return GetSocket(core % GetCores());
    case HostCosts::GLOBAL:
        break;
    }
    return 0;
}

HostThread
HostCpu::MakePoolThread(uint32_t number) const
{
    if (m_costs.serverPoolMode == HostCosts::PERCPU)
    {
        return HostThread(HostContext::PROCESS, number);
    }
    HostThread thread;
    if (m_costs.serverPoolMode == HostCosts::PERNODE)
    {
        thread.SetSocket(number);
    }
    return thread;
}

Time
HostCpu::GetRemoteCopyTime(Time cost, uint32_t socket) const
{
    const uint64_t remote = m_costs.copyRateRemote.GetBitRate();
    if (remote == 0 || m_costs.sockets == 1)
    {
        return Time(0);
    }
    double share = 1 - 1.0 / m_costs.sockets;
    if (m_costs.memorySocket != HostCosts::INTERLEAVED)
    {
        share = socket == (m_costs.memorySocket == HostCosts::ADAPTER ? 0U : 1U) ? 0 : 1;
    }
    const double longer =
        static_cast<double>(m_copyRate.GetBitRate()) / static_cast<double>(remote) - 1;
    return NanoSeconds(std::llround(cost.GetDouble() * share * std::max(longer, 0.0)));
}

void
HostCpu::DoDispose()
{
    m_commonLocks.clear();
    m_workerPools.clear();
    m_isLate = nullptr;
    m_late = nullptr;
    Object::DoDispose();
}

int64_t
HostCpu::AssignStreams(int64_t stream)
{
    m_stream = stream;
    return 2;
}

Time
HostCpu::Run(HostThread& thread, Time cost)
{
    return Occupy(thread, std::max(thread.m_free, SimulationClock::Now()), cost);
}

Time
HostCpu::Run(HostThread& thread, Time earliest, Time cost)
{
    return Occupy(thread, std::max({earliest, thread.m_free, SimulationClock::Now()}), cost);
}

Time
HostCpu::Run(HostThread& thread, const HostWork& work)
{
    return Occupy(thread, std::max(thread.m_free, SimulationClock::Now()), work);
}

Time
HostCpu::Run(HostThread& thread, Time earliest, const HostWork& work)
{
    return Occupy(thread, std::max({earliest, thread.m_free, SimulationClock::Now()}), work);
}

Time
HostCpu::Settle(HostThread& thread, Time since, Time cost)
{
    return Occupy(thread, std::max(since, thread.m_free), cost);
}

uint32_t
HostCpu::GetNumber(const Core& core) const
{
    return static_cast<uint32_t>(&core - m_cores.data());
}

HostCpu::Core&
HostCpu::ChooseCore(const HostThread& thread, Time ready)
{
    if (thread.m_core)
    {
        return m_cores[*thread.m_core % m_cores.size()];
    }
    if (!thread.m_onlySocket && (m_costs.migrationCost.IsZero() || !thread.m_socket))
    {
        return ChooseAnyCore(ready);
    }
    const uint32_t only = thread.m_onlySocket.value_or(0) % m_costs.sockets;
    const auto isElsewhere = [&](const Core& core) {
        return thread.m_onlySocket && GetSocket(GetNumber(core)) != only;
    };
    const auto isHome = [&](const Core& core) {
        return m_costs.migrationCost.IsZero() || !thread.m_socket ||
               GetSocket(GetNumber(core)) == *thread.m_socket;
    };
    const auto waitsLeast = [&](const Core& a, const Core& b) {
        if (isElsewhere(a) != isElsewhere(b))
        {
            return isElsewhere(b);
        }
        const bool idleA = a.free <= ready;
        const bool idleB = b.free <= ready;
        if (idleA && idleB)
        {
            return isHome(a) != isHome(b) ? isHome(a) : a.free > b.free;
        }
        return idleA != idleB ? idleA : a.free < b.free;
    };
    return *std::min_element(m_cores.begin(), m_cores.end(), waitsLeast);
}

HostCpu::Core&
HostCpu::ChooseAnyCore(Time ready)
{
    if (m_cores[m_latest].free <= ready)
    {
        return m_cores[m_latest];
    }
    Core* first = m_cores.data();
    Core* idle = nullptr;
    for (Core& core : m_cores)
    {
        if (core.free <= ready)
        {
            idle = idle == nullptr || core.free > idle->free ? &core : idle;
        }
        else if (core.free < first->free)
        {
            first = &core;
        }
    }
    return idle != nullptr ? *idle : *first;
}

HostCpu::Turn
HostCpu::Begin(HostThread& thread, Time ready)
{
    Core& core = ChooseCore(thread, ready);
    const uint32_t number = GetNumber(core);
    const bool interrupts = thread.m_context >= HostContext::SOFT_INTERRUPT;
    const Time begin =
        thread.m_isUrgent ? std::max(core.urgentDone, core.interruptsDone) : core.free;
    const Time start = std::max(interrupts ? core.interruptsDone : begin, ready);
    Turn turn{core, number, GetSocket(number), start, start};
    if (!interrupts && std::exchange(core.thread, thread.m_number) != thread.m_number)
    {
        turn.end += m_costs.contextSwitch;
    }
    if (thread.m_socket.value_or(turn.socket) != turn.socket)
    {
        turn.end += m_costs.migrationCost;
    }
    thread.m_socket = turn.socket;
    return turn;
}

Time
HostCpu::End(HostThread& thread, const Turn& turn)
{
    Core& core = turn.core;
    const Time used = turn.end - turn.start;
    core.free = std::max(core.free, turn.start) + used;
    const Time latest = m_cores[m_latest].free;
    if (core.free > latest || (core.free == latest && turn.number < m_latest))
    {
        m_latest = turn.number;
    }
    if (thread.m_context >= HostContext::SOFT_INTERRUPT)
    {
        core.interruptsDone = turn.end;
        core.urgentDone += core.urgentDone > turn.start ? used : Time(0);
    }
    else if (thread.m_isUrgent)
    {
        core.urgentDone = turn.end;
    }
    core.used += used;
    m_workTrace(turn.start, turn.end, turn.number, thread.m_context);
    m_used += used;
    m_usedIn[static_cast<std::size_t>(thread.m_context)] += used;
    thread.m_used += used;
    thread.m_free = turn.end;
    return turn.end;
}

Time
HostCpu::Occupy(HostThread& thread, Time ready, Time cost)
{
    if (cost.IsZero())
    {
        return ready;
    }
    Turn turn = Begin(thread, ready);
    turn.end += cost;
    return End(thread, turn);
}

Time
HostCpu::Occupy(HostThread& thread, Time ready, const HostWork& work)
{
    if (work.IsNothing())
    {
        return ready;
    }
    Turn turn = Begin(thread, ready);
    for (const HostWork::Section& section : work)
    {
        turn.end += section.cost;
        if (section.copies)
        {
            turn.end += GetRemoteCopyTime(section.cost, turn.socket);
        }
        if (section.lock)
        {
            turn.end = section.lock->Acquire(turn.end, section.hold, turn.number, turn.socket) +
                       section.hold;
        }
    }
    return End(thread, turn);
}

Time
HostCpu::GetWakeUp(const HostThread& thread, Time time, Time wakeUp)
{
    if (thread.m_free > time || thread.m_context >= HostContext::SOFT_INTERRUPT)
    {
        return Time(0);
    }
    if (m_costs.wakeUpTail.IsZero() || m_costs.wakeUpTailShare <= 0)
    {
        return wakeUp;
    }
    if (!m_isLate)
    {
        m_isLate = CreateObject<UniformRandomVariable>();
        m_isLate->SetStream(m_stream);
        m_late = CreateObject<ExponentialRandomVariable>();
        m_late->SetStream(m_stream + 1);
    }
    if (m_isLate->GetValue() >= m_costs.wakeUpTailShare)
    {
        return wakeUp;
    }
    const auto mean = static_cast<double>(m_costs.wakeUpTail.GetNanoSeconds());
    return wakeUp + NanoSeconds(std::llround(m_late->GetValue(mean, 0)));
}

Ptr<HostLock>
HostCpu::MakeLock(const std::string& name)
{
    auto& counted = m_lockClasses[name];
    if (!counted)
    {
        counted = std::make_shared<HostLockStatistics>();
    }
    return Create<HostLock>(counted, m_costs.lockHandover, m_costs.lockHandoverRemote);
}

Ptr<HostLock>
HostCpu::GetLock(const std::string& name)
{
    auto& lock = m_commonLocks[name];
    if (!lock)
    {
        lock = MakeLock(name);
    }
    return lock;
}

Time
HostCpu::RunTask(Time earliest, Time cost, int32_t core)
{
    const bool isBound = m_costs.clientWorkersBound;
    const bool hasWorkers = m_costs.clientWorkers != 0 || !m_costs.clientWorkerHold.IsZero() ||
                            !m_costs.clientWorkerWakeHold.IsZero() ||
                            !m_costs.clientWorkerWakeUp.IsZero();
    if (m_workerPools.empty())
    {
        const uint32_t pools = isBound ? GetCores() : m_costs.clientWorkerPools;
        m_workerPools.reserve(pools);
        for (uint32_t pool = 0; pool < pools; ++pool)
        {
            m_workerPools.emplace_back(*this,
                                       m_costs.clientQueueHold.IsZero() && !hasWorkers
                                           ? nullptr
                                           : MakeLock("workqueue_pool"),
                                       isBound ? std::optional(pool) : std::nullopt);
        }
    }
    const std::size_t number =
        isBound && core != ANY_CORE ? static_cast<std::size_t>(core) : m_tasks++;
    HostWorkerPool& pool = m_workerPools[number % m_workerPools.size()];
    return hasWorkers ? pool.Run(earliest, cost) : pool.RunAlone(earliest, cost);
}

Ptr<HostThread>
HostCpu::MakeCompletionThread(HostCosts::Completions completions)
{
    static constexpr std::array<HostContext, 4> CONTEXTS{HostContext::PROCESS,
                                                         HostContext::WORK_QUEUE,
                                                         HostContext::SOFT_INTERRUPT,
                                                         HostContext::WORK_QUEUE};
    std::optional<uint32_t> core;
    if (m_costs.completionVectors != 0)
    {
        core = m_vectors++ % m_costs.completionVectors;
    }
    const auto thread = Create<HostThread>(CONTEXTS.at(completions), core);
    if (completions == HostCosts::HIGH_PRIORITY)
    {
        thread->SetUrgent();
    }
    return thread;
}

Time
HostCpu::GetAvailable(const HostThread& thread) const
{
    const auto first =
        std::min_element(m_cores.begin(), m_cores.end(), [](const Core& a, const Core& b) {
            return a.free < b.free;
        });
    return std::max({first->free, thread.m_free, SimulationClock::Now()});
}

Time
HostCpu::GetCopyTime(uint64_t octets) const
{
    return GetTransferTime(octets, m_copyRate);
}

} // namespace ns3::nfsrdma
