/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_SERVER_RESTARTS_H
#define NFSRDMA_WORKLOAD_SERVER_RESTARTS_H

#include "rpc/rpc-server.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <deque>
#include <functional>

namespace ns3::nfsrdma
{

/**
 * \brief Stops a server when it has taken a number of calls, and starts it again later: what an
 * administrator did while a recording was made.
 *
 * The call that it stops at gets no answer; its client makes it again, so that it is taken twice.
 */
class ServerRestarts : public Object
{
  public:
    static TypeId GetTypeId();

    /// \param rpc of this host, whose calls are counted
    /// \param stop ends the service and its connections, and forgets all state
    /// \param start takes connections again
    void SetServer(const Ptr<RpcServer>& rpc,
                   std::function<void()> stop,
                   std::function<void()> start);
    /// A restart after \p calls calls, those that are made again not counted; \p down until it can
    /// be reached again. In order of calls.
    void Add(uint64_t calls, Time down);

  private:
    struct Restart
    {
        uint64_t calls{0};
        Time down;
    };

    void DoDispose() override;
    void TakeCall(const RpcCallHeader& header, Time queued);

    Ptr<RpcServer> m_rpc;
    std::function<void()> m_stop;
    std::function<void()> m_start;
    std::deque<Restart> m_restarts;
    uint64_t m_taken{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_SERVER_RESTARTS_H
