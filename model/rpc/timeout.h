/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_TIMEOUT_H
#define NFSRDMA_RPC_TIMEOUT_H

#include "rpc/client-transport.h"

#include <algorithm>

namespace ns3::nfsrdma
{

/**
 * \brief How long a requester waits for replies (struct rpc_timeout): the mount options timeo and
 * retrans, linear.
 *
 * The first transmission waits Initial for its reply, each later one Initial more, up to
 * (Retries + 1) times Initial. That long after the start of the RPC it is a major timeout: a soft
 * RPC ends, a hard one begins anew.
 */
struct RpcTimeout
{
    Time initial; ///< 0: no RPC times out.
    uint32_t retries{0};
    bool soft{false};

    [[nodiscard]] Time GetMaximum() const
    {
        return initial * (retries + 1);
    }

    void Start(RpcCallTimes& times, Time now) const
    {
        times.wait = initial;
        times.major = now + GetMaximum();
    }

    /// \return when a call sent at \p sent has waited long enough.
    [[nodiscard]] static Time GetDeadline(const RpcCallTimes& times, Time sent)
    {
        return std::min(sent + times.wait, times.major);
    }

    /// The deadline has come. \return whether it is a major timeout.
    [[nodiscard]] bool Expire(RpcCallTimes& times, Time now) const
    {
        if (now < times.major)
        {
            times.wait = std::min(times.wait + initial, GetMaximum());
            return false;
        }
        Start(times, now);
        return true;
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_TIMEOUT_H
