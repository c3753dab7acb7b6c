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
 * event is left although work is.
 */
class StallWatchdog
{
  public:
    /// What the watchdog asks of the run.
    struct Probe
    {
        std::function<bool()> hasWork;   ///< Some workload has not finished.
        std::function<bool()> isWaiting; ///< Some RPC or connection is waited for.
    };

    /// \param limit of simulated time
    /// \param connections limit of connections made; 0: any number
    StallWatchdog(Time limit, uint64_t connections, Probe probe);
    ~StallWatchdog();
    StallWatchdog(const StallWatchdog&) = delete;
    StallWatchdog& operator=(const StallWatchdog&) = delete;

    /// Starts to watch. Simulator::Run() then ends at the latest when a stall is found.
    void Start();
    /// An RPC has completed.
    void Progress();
    /// A client has made a connection.
    void Connected();
    /// Watches no more.
    void Stop();

    [[nodiscard]] bool HasStalled() const;
    /// \return when the latest RPC completed.
    [[nodiscard]] Time GetLastProgress() const;

  private:
    void Check();

    void EndRun();

    Time m_limit;
    uint64_t m_maxConnections;
    uint64_t m_connections{0}; ///< Since the latest RPC completed.
    Probe m_probe;
    Time m_lastProgress;
    bool m_stalled{false};
    EventId m_check;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_STALL_WATCHDOG_H
