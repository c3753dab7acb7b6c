/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_RUN_CLIENT_TIMERS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_RUN_CLIENT_TIMERS_H

#include "helper/pending-timer.h"
#include "rpc/tcp/caller.h"
#include "rpcrdma/client/requester.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Knows when the transport of a client will do something by itself about calls that wait:
 * send them again, connect, or give them up. It only listens to the transport's trace sources.
 */
class ClientTimers
{
  public:
    /// \param host its name
    /// \param attempt how long an attempt to connect may take
    ClientTimers(std::string host, Time attempt, const Ptr<RpcRdmaClient>& transport);
    /// As above.
    ClientTimers(std::string host, Time attempt, const Ptr<RpcTcpClient>& transport);
    ~ClientTimers();
    ClientTimers(const ClientTimers&) = delete;
    ClientTimers& operator=(const ClientTimers&) = delete;

    /// Adds what is pending; nothing while no call is.
    void AddPending(std::vector<PendingTimer>& pending) const;

  private:
    /// The keys that say how long things take.
    struct Keys
    {
        const char* timeout; ///< And whether a call is soft.
        const char* attempt;
        const char* retryDelay;
    };

    void Listen();
    void TakeSent(const RpcRecord& record);
    void TakeRetry(Time delay);

    std::string m_host;
    Time m_attemptLimit;
    Ptr<RpcClientTransport> m_transport;
    std::function<bool()> m_isConnected;
    Keys m_keys;
    Time m_lastSent;
    Time m_nextAttempt;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_RUN_CLIENT_TIMERS_H
