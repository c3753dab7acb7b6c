/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_STALL_WATCHDOG_H
#define NFSRDMA_HELPER_STALL_WATCHDOG_H

#include "helper/pending-timer.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Ends a run that no longer gets anywhere, when nothing that is pending can help:
 *
 * - no event is left although work is;
 * - no RPC has completed, and no octet has been placed in memory, for a limit of simulated time
 *   while some were waited for, and no timer is pending that may help (PendingTimer). When one is,
 *   it is waited for, and the limit counts from when it is due. Timers that come again and again
 *   are waited for a limited number of times, and anew once something has happened that is pending
 *   once, as the end of a fault;
 * - a limit of connections were made and lost again without an RPC that completed. Those that take
 *   the place of connections that a server has closed for newcomers are allowed DISPLACED_LIMITS
 *   times as often: clients that take each other's place get on, if slowly.
 *
 * RPCs that complete without getting an operation further count for PUT_OFF_LIMITS limits: a grace
 * period is no stall, a server that never does anything is one. And PUT_OFF_RPCS of them in a row
 * are a stall however little time they took: a client that is sent away asks again at once.
 */
class StallWatchdog
{
  public:
    /// Limits that may pass while all RPCs that complete are put off.
    static constexpr int64_t PUT_OFF_LIMITS = 20;
    /// RPCs that may complete one after the other and be put off.
    static constexpr uint64_t PUT_OFF_RPCS = 100'000;

    /// Limits of connections that may be closed for newcomers and made anew.
    static constexpr uint64_t DISPLACED_LIMITS = 10;

    /// The bounds of a run that does not get anywhere; their names are those of the keys.
    struct Limits
    {
        Time idle;               ///< cluster.stall_limit.
        uint64_t connections{0}; ///< cluster.stall_connections, of all clients; 0: any number.
        uint32_t retries{0};     ///< cluster.stall_retries.
    };

    /// What the watchdog asks of the run.
    struct Probe
    {
        std::function<bool()> hasWork;   ///< Some workload has not finished.
        std::function<bool()> isWaiting; ///< Some RPC or connection is waited for.
        std::function<bool()> isAsked;   ///< Some operation has begun and not ended.
        /// What is pending that may help; may be null: nothing.
        std::function<std::vector<PendingTimer>()> pending{};
        /// Octets that have been placed in memory of hosts so far; may be null.
        std::function<uint64_t()> octets{};
    };

    StallWatchdog(const Limits& limits, Probe probe);
    ~StallWatchdog();
    StallWatchdog(const StallWatchdog&) = delete;
    StallWatchdog& operator=(const StallWatchdog&) = delete;

    /// Starts to watch. Simulator::Run() then ends at the latest when a stall is found.
    void Start();
    /// An RPC has completed. \param further false when it got no operation further
    void Progress(bool further = true);
    /// A client has made a connection.
    void Connected();
    /// A server has closed a connection for a newcomer (RpcServer's MaxConnections), which the next
    /// that is made takes the place of.
    void Displaced();
    /// Watches no more.
    void Stop();

    [[nodiscard]] bool HasStalled() const;
    /// \return when the latest RPC completed that got an operation further.
    [[nodiscard]] Time GetLastProgress() const;
    /// \return which limit has ended the run, by the name of its key; empty unless it has stalled.
    [[nodiscard]] const std::string& GetReason() const;
    /// \return what was still pending when it stalled, soonest first.
    [[nodiscard]] const std::vector<PendingTimer>& GetPending() const;

  private:
    void Check();
    /// The limit is over: \return whether a timer is waited for.
    bool WaitForTimer();
    [[nodiscard]] std::vector<PendingTimer> FindPending() const;
    void EndRun(std::string reason);

    Limits m_limits;
    uint64_t m_connections{0}; ///< Since the latest RPC completed.
    uint64_t m_displaced{0};   ///< Closed for newcomers, and not made anew.
    uint64_t m_replaced{0};    ///< Made anew since the latest RPC completed.
    uint64_t m_putOff{0};      ///< RPCs in a row.
    uint32_t m_retries{0};     ///< Of those that come again, waited for since then.
    Time m_waitsUntil;         ///< The latest of them.
    Probe m_probe;
    Time m_lastCompletion;
    Time m_lastProgress;
    uint64_t m_octets{0};
    bool m_stalled{false};
    std::string m_reason;
    std::vector<PendingTimer> m_pending;
    EventId m_check;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_STALL_WATCHDOG_H
