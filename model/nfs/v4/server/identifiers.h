/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_IDENTIFIERS_H
#define NFSRDMA_NFS_V4_SERVER_IDENTIFIERS_H

#include "nfs/v4/protocol/types.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \file
 * The layouts that Linux's nfsd gives its identifiers, all words little-endian as on its x86:
 *
 *     clientid4   boot time | number
 *     sessionid4  boot time | number of the client | number of the session | 0
 *     stateid4    seqid, then as other: boot time | number of the client | number of the state
 *
 * A stateid whose boot time is another is of an earlier instance of the server.
 */

[[nodiscard]] Nfs4ClientId MakeNfs4ClientId(uint32_t boot, uint32_t number);
/// \return the boot time of \p client's server.
[[nodiscard]] uint32_t GetNfs4Boot(Nfs4ClientId client);

[[nodiscard]] Nfs4SessionId MakeNfs4SessionId(Nfs4ClientId client, uint32_t number);
[[nodiscard]] uint32_t GetNfs4SessionNumber(const Nfs4SessionId& id);

/// \return a stateid with seqid 0.
[[nodiscard]] Nfs4StateId MakeNfs4StateId(Nfs4ClientId client, uint32_t number);
[[nodiscard]] Nfs4ClientId GetNfs4Client(const Nfs4StateId& id);
[[nodiscard]] uint32_t GetNfs4StateNumber(const Nfs4StateId& id);

/// \return the stateid that a CLOSE answers: one that is never valid.
[[nodiscard]] Nfs4StateId MakeClosedStateId();

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_IDENTIFIERS_H
