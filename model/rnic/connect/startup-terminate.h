/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_CONNECT_STARTUP_TERMINATE_H
#define NFSRDMA_RNIC_CONNECT_STARTUP_TERMINATE_H

#include "mpa/connection.h"

namespace ns3::nfsrdma
{

/// Sends a Terminate for \p error on a connection that has no RDMAP stream yet (RFC 6581 section
/// 6). \return false when the connection cannot send
bool SendStartupTerminate(MpaConnection& connection, MpaError error);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_CONNECT_STARTUP_TERMINATE_H
