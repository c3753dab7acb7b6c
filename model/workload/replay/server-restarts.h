/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_SERVER_RESTARTS_H
#define NFSRDMA_WORKLOAD_REPLAY_SERVER_RESTARTS_H

#include "rpc/server.h"
#include "workload/replay/recorded-restart.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Stops a server when its clients have made a number of calls, and starts it again later:
 * what an administrator did while a recording was made.
 *
 * The call that it stops at gets no answer; its client makes it again, so that it is taken twice.
 * When several clients do what was recorded of one, the restart is the same for all of them: who
 * comes to the call that it loses waits until all have come to theirs.
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
    /// A client of this host sees \p restarts, in their order.
    void AddClient(const std::vector<RecordedRestart>& restarts);
    /// A client has come to the call that it loses by restart \p number of its own, from 0.
    /// \param go is called, not from within, when it may make the call
    void Await(std::size_t number, std::function<void()> go);

  private:
    struct Restart
    {
        uint64_t calls{1}; ///< Taken by then, that of the restart included.
        Time down;
        std::size_t clients{0}; ///< That it is of.
        std::vector<std::function<void()>> waiting;
        bool isDue{false}; ///< All of them have come to it.
    };

    void DoDispose() override;
    void TakeCall(const RpcCallHeader& header, Time queued, uint64_t thread);

    Ptr<RpcServer> m_rpc;
    std::function<void()> m_stop;
    std::function<void()> m_start;
    std::vector<Restart> m_restarts;
    std::size_t m_next{0}; ///< The first that has not been.
    uint64_t m_taken{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_SERVER_RESTARTS_H
