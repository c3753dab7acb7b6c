/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_SERVICE_TIMES_H
#define NFSRDMA_RPC_SERVICE_TIMES_H

#include "wire/ip-address.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace ns3::nfsrdma
{

/// When a call was where in its server. What it does not pass has the time of the step before.
struct RpcServiceTimes
{
    uint32_t xid{0};
    IpAddress client;       ///< Its address.
    uint64_t connection{0}; ///< As the RPC server numbers it (RpcServer::OpenConnection()).
    Time arrived;           ///< The first octet of the call's message came.
    Time received;          ///< The transport took the message from its completion queue.
    Time queued;            ///< The RPC server had the whole call, chunks and all.
    Time started;           ///< A thread took it.
    Time storageBegan;      ///< The program turned to its storage.
    Time storageEnded;      ///< The storage was through with it.
    Time posted;            ///< The reply was given to the send queue.

    /// \return what calls \p done, and notes that the storage, which \p times are turned to now, is
    /// through. \param times may be null: nobody wants them
    [[nodiscard]] static std::function<void()> Around(const std::shared_ptr<RpcServiceTimes>& times,
                                                      std::function<void()> done)
    {
        if (!times)
        {
            return done;
        }
        times->storageBegan = Simulator::Now();
        return [times, done = std::move(done)] {
            times->storageEnded = Simulator::Now();
            done();
        };
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_SERVICE_TIMES_H
