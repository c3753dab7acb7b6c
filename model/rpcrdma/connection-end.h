/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CONNECTION_END_H
#define NFSRDMA_RPCRDMA_CONNECTION_END_H

#include "rnic/connect/cm-event.h"

#include <string>

namespace ns3::nfsrdma
{

/// \return for people, what has ended a connection of which this host has decided nothing: what it
/// can have been, with the keys that bound it. The host that decided says its reason.
[[nodiscard]] std::string DescribeEnd(CmEventType type);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CONNECTION_END_H
