/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_OPERATION_RULES_H
#define NFSRDMA_NFS_V4_PROTOCOL_OPERATION_RULES_H

#include "nfs/v4/protocol/status.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// The greatest minor version that nfsd 6.1 serves.
constexpr uint32_t NFS4_LAST_MINOR_VERSION = 2;

/// What the columns of operations.def say of each operation; of a number that is no operation,
/// nothing.

/// \return whether minor version \p minorVersion (0 to 2) has an operation of number \p op;
/// ILLEGAL is of none. As Linux's server, operations that NFSv4.1 forbids (OPEN_CONFIRM, RENEW,
/// SETCLIENTID, SETCLIENTID_CONFIRM, RELEASE_LOCKOWNER) are there in all: they are not illegal
/// but not supported.
[[nodiscard]] bool IsLegal(uint32_t op, uint32_t minorVersion);
/// \return whether \p op may come first in a COMPOUND of NFSv4.1 or later; all but SEQUENCE must
/// then be alone.
[[nodiscard]] bool MayBeFirst(Nfs4Op op);
/// \return whether \p op works without a current filehandle.
[[nodiscard]] bool MayLackHandle(Nfs4Op op);
/// \return whether \p op does not work without a saved filehandle.
[[nodiscard]] bool NeedsSavedHandle(Nfs4Op op);
/// \return whether \p op must not be carried out when its results may not fit.
[[nodiscard]] bool ModifiesSomething(Nfs4Op op);
/// \return whether \p op may change what is in the export.
[[nodiscard]] bool ChangesFiles(Nfs4Op op);
/// \return octets of the results of an operation that modifies something, at most.
[[nodiscard]] uint32_t GetGreatestResult(Nfs4Op op);
/// \return whether a reply of NFSv4.0 with \p op belongs into the duplicate request cache.
[[nodiscard]] bool IsCachedNfs40(Nfs4Op op);
/// \return whether the arguments of \p op can have a DDP-eligible item: WRITE and CREATE (RFC 8267
/// section 6.1).
[[nodiscard]] bool TakesItem(Nfs4Op op);
/// \return whether the results of \p op can have a DDP-eligible item: READ and READLINK, the
/// operations that are paired with Write chunks (RFC 8267 section 6.4.1).
[[nodiscard]] bool GivesItem(Nfs4Op op);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_OPERATION_RULES_H
