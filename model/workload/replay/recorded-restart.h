/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_RECORDED_RESTART_H
#define NFSRDMA_WORKLOAD_REPLAY_RECORDED_RESTART_H

#include "workload/replay/trace.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/// A restart of the server that a recording of NFSv4 shows.
struct RecordedRestart
{
    uint64_t calls{0};   ///< It comes when the server has taken so many calls of the client.
    uint32_t line{0};    ///< Of the row of the last of them, which it loses.
    Time down;           ///< Until it can be reached again.
    bool hasGrace{true}; ///< Clients may reclaim what they held.
};

/**
 * \brief Finds the restarts in the rows of one client: a call that was answered with
 * NFS4ERR_BADSESSION, behind which there is a new client ID.
 *
 * How long the server was down is not in a trace: half of the time that the call took. Whether it
 * had a grace period shows when a client reclaims an open: NFS4ERR_NO_GRACE says that it had none.
 *
 * \param client index of a client of the trace
 */
[[nodiscard]] std::vector<RecordedRestart> FindRestarts(const Trace& trace, uint32_t client);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_RECORDED_RESTART_H
