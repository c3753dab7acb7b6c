/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_OPERATION_RULES_H
#define NFSRDMA_NFS_V4_PROTOCOL_OPERATION_RULES_H

#include "nfs/v4/protocol/types.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// The greatest minor version that nfsd 6.1 serves.
constexpr uint32_t NFS4_LAST_MINOR_VERSION = 2;

/// What nfsd's table of operations says of each (nfsd4_ops[] of nfs4proc.c).

/// \return whether \p op may come first in a COMPOUND of NFSv4.1 or later; all but SEQUENCE must
/// then be alone.
[[nodiscard]] bool MayBeFirst(Nfs4Op op);
/// \return whether \p op works without a current filehandle.
[[nodiscard]] bool MayLackHandle(Nfs4Op op);
/// \return whether \p op must not be carried out when its results may not fit.
[[nodiscard]] bool ModifiesSomething(Nfs4Op op);
/// \return octets of the results of an operation that modifies something, at most.
[[nodiscard]] uint32_t GetGreatestResult(Nfs4Op op);
/// \return whether a reply of NFSv4.0 with \p op belongs into the duplicate request cache.
[[nodiscard]] bool IsCachedNfs40(Nfs4Op op);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_OPERATION_RULES_H
