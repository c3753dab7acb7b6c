/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_REPLY_PARTS_H
#define NFSRDMA_NFS_TYPES_REPLY_PARTS_H

#include <cstdint>

namespace ns3::nfsrdma
{

/// Octets of a list of directory entries without one: its end, and whether it is that of the
/// directory.
constexpr uint32_t EMPTY_LIST_SIZE = 8;
/// Octets that may follow a bulk item: its XDR padding.
constexpr uint32_t ITEM_PADDING_ROOM = 4;
/// Octets that a client has ready for the access lists of GETACL (NFSACL_MAXPAGES of Linux).
constexpr uint32_t GETACL_ROOM = 7 * 4096;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_REPLY_PARTS_H
