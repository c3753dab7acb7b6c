/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_PENDING_TIMER_H
#define NFSRDMA_HELPER_PENDING_TIMER_H

#include "ns3/nstime.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Something that will happen by itself and may get an operation further that waits.
struct PendingTimer
{
    Time at; ///< When; what is under way already: now.
    /// What, and where: "client-0: calls without reply are sent again (rpcrdma.client_timeout)".
    std::string what;
    /// It comes again and again as long as nothing helps: the timeout of a call, an attempt to
    /// connect. The end of a fault does not.
    bool repeats{false};
};

/// \return "at 60.002100 s client-0: calls ...".
[[nodiscard]] std::string ToString(const PendingTimer& timer);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_PENDING_TIMER_H
