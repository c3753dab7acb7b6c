/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_CONNECTION_WATCH_H
#define NFSRDMA_RPCRDMA_CLIENT_CONNECTION_WATCH_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief Looks after an established connection of a requester.
 *
 * One that no call has used for IdleTimeout is closed (RPCRDMA_IDLE_DISC_TO). With a ProbePeriod,
 * one on which nothing was heard for so long is asked with a probe, and closed when that has no
 * answer in as long a time (RFC 8267 section 6.7.2).
 */
class RpcRdmaConnectionWatch
{
  public:
    struct Settings
    {
        Time idleTimeout; ///< 0: an idle connection stays.
        Time probePeriod; ///< 0: no probes.
    };

    /// The connection, as it is looked at.
    struct Subject
    {
        std::function<bool()> isIdle;    ///< No call is pending.
        std::function<Time()> lastUsed;  ///< When it carried a call last.
        std::function<Time()> lastHeard; ///< When a message was received last.
        std::function<bool()> probe;     ///< Sends a NULL RPC. \return whether it was posted.
        std::function<void(const std::string& reason)> drop;
    };

    /// \p settings are read whenever they are needed, and outlive the watch.
    RpcRdmaConnectionWatch(const Settings& settings, Subject subject);
    RpcRdmaConnectionWatch(const RpcRdmaConnectionWatch&) = delete;
    RpcRdmaConnectionWatch& operator=(const RpcRdmaConnectionWatch&) = delete;

    /// The connection is established.
    void Start();
    /// Looks no more; a probe may still be answered.
    void Stop();
    /// The connection has ended, and its probes with it.
    void Reset();

    /// A probe has had its answer.
    void EndProbe()
    {
        --m_probes;
    }

    /// \return probes that are outstanding.
    [[nodiscard]] uint32_t GetProbes() const
    {
        return m_probes;
    }

  private:
    void CheckIdle();
    void CheckHealth();

    const Settings& m_settings;
    Subject m_subject;
    EventId m_idleCheck;
    EventId m_healthCheck;
    bool m_due{false}; ///< Nothing was heard since a probe was due.
    uint32_t m_probes{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_CONNECTION_WATCH_H
