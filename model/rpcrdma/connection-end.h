/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CONNECTION_END_H
#define NFSRDMA_RPCRDMA_CONNECTION_END_H

#include "rnic/connect/cm-event.h"
#include "rnic/hardware/device.h"

#include <string>

namespace ns3::nfsrdma
{

/// \return for people, what \p event says has ended a connection of which this host has decided
/// nothing, with the keys that bound it. The host that decided says its reason.
[[nodiscard]] std::string DescribeEnd(const CmEvent& event);
/// \return for people, why \p device makes no verbs objects for a connection.
[[nodiscard]] std::string DescribeMissingObjects(RnicDevice& device);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CONNECTION_END_H
