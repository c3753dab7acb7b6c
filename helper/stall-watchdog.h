/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_STALL_WATCHDOG_H
#define NFSRDMA_HELPER_STALL_WATCHDOG_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>

namespace ns3::nfsrdma
{

/**
 * \brief Ends a run that no longer gets anywhere: no RPC has completed for a limit of simulated
 * time while some were waited for, or while a limit of connections were made and lost again, or no
 * event is left although work is. RPCs that complete without getting an operation further count for
 * PUT_OFF_LIMITS limits: a grace period is no stall, a server that never does anything is one.
 */
class StallWatchdog
{
  public:
    /// Limits that may pass while all RPCs that complete are put off.
    static constexpr int64_t PUT_OFF_LIMITS = 20;

    /// What the watchdog asks of the run.
    struct Probe
    {
        std::function<bool()> hasWork;   ///< Some workload has not finished.
        std::function<bool()> isWaiting; ///< Some RPC or connection is waited for.
        std::function<bool()> isAsked;   ///< Some operation has begun and not ended.
    };

    /// \param limit of simulated time
    /// \param connections limit of connections made; 0: any number
    StallWatchdog(Time limit, uint64_t connections, Probe probe);
    ~StallWatchdog();
    StallWatchdog(const StallWatchdog&) = delete;
    StallWatchdog& operator=(const StallWatchdog&) = delete;

    /// Starts to watch. Simulator::Run() then ends at the latest when a stall is found.
    void Start();
    /// An RPC has completed. \param further false when it got no operation further
    void Progress(bool further = true);
    /// A client has made a connection.
    void Connected();
    /// Watches no more.
    void Stop();

    [[nodiscard]] bool HasStalled() const;
    /// \return when the latest RPC completed that got an operation further.
    [[nodiscard]] Time GetLastProgress() const;

  private:
    void Check();

    void EndRun();

    Time m_limit;
    uint64_t m_maxConnections;
    uint64_t m_connections{0}; ///< Since the latest RPC completed.
    Probe m_probe;
    Time m_lastCompletion;
    Time m_lastProgress;
    bool m_stalled{false};
    EventId m_check;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_STALL_WATCHDOG_H
