/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_RECONNECT_BACKOFF_H
#define NFSRDMA_RPCRDMA_CLIENT_RECONNECT_BACKOFF_H

#include "ns3/nstime.h"

#include <algorithm>

namespace ns3::nfsrdma
{

/**
 * \brief How long a requester waits before it tries to connect again.
 *
 * As Linux 6.1 does. After a live connection: not at all. After an attempt that failed: RetryDelay
 * from then on. That wait is sunrpc's, 3 s in call_connect_status(), and it closes the transport,
 * so that the delay of xprt_reconnect_delay() begins anew; captured twice, after a Request that was
 * not answered and after a refusal. When no attempt could be made, for want of verbs objects, or
 * RetryDelay is 0: ReconnectDelay, doubling up to its maximum, counted from the start of the
 * attempt (xprt_reconnect_delay(), 5 s to 30 s).
 */
class ReconnectBackoff
{
  public:
    struct Settings
    {
        Time retryDelay;
        Time reconnectDelay;
        Time reconnectDelayMaximum;
    };

    /// A connection was made.
    void OnConnected()
    {
        m_delay = Time(0);
    }

    /// An attempt begun at \p started has failed at \p now. \return when the next may start.
    /// \param made whether the peer could be asked at all
    Time OnFailure(const Settings& settings, bool made, Time started, Time now)
    {
        if (made && !settings.retryDelay.IsZero())
        {
            m_delay = Time(0);
            return now + settings.retryDelay;
        }
        m_delay = std::clamp(m_delay + m_delay,
                             settings.reconnectDelay,
                             std::max(settings.reconnectDelay, settings.reconnectDelayMaximum));
        return std::max(now, started + m_delay);
    }

  private:
    Time m_delay;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_RECONNECT_BACKOFF_H
