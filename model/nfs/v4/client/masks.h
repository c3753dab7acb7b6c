/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_MASKS_H
#define NFSRDMA_NFS_V4_CLIENT_MASKS_H

#include "nfs/v4/protocol/attributes.h"
#include "nfs/v4/protocol/file-ops.h"

namespace ns3::nfsrdma
{

// The rights and attributes that Linux's client asks for, as in captures of 6.1.

/// ACCESS that goes with OPEN: all but LOOKUP.
constexpr uint32_t OPEN_ACCESS =
    ACCESS4_READ | ACCESS4_MODIFY | ACCESS4_EXTEND | ACCESS4_DELETE | ACCESS4_EXECUTE;

/// nfs4_fattr_bitmap: what an inode is made of.
[[nodiscard]] inline Nfs4Bitmap
MakeObjectMask()
{
    return Nfs4Bitmap::FromWords({0x0010011a, 0x00b0a23a});
}

/// Of an entry of READDIR: the same, its error and handle.
[[nodiscard]] inline Nfs4Bitmap
MakeEntryMask()
{
    return Nfs4Bitmap::FromWords({0x0018091a, 0x00b0a23a});
}

/// Of an entry of READDIR without attributes: its error and number.
[[nodiscard]] inline Nfs4Bitmap
MakeNameMask()
{
    return Nfs4Bitmap::FromWords({0x00100800, 0x00800000});
}

/// nfs4_cache_consistency_bitmap: change, size, times of change and of modification.
[[nodiscard]] inline Nfs4Bitmap
MakeConsistencyMask()
{
    return Nfs4Bitmap::FromWords({0x00000018, 0x00300000});
}

/// The same with the space used: after WRITE, and with CLOSE.
[[nodiscard]] inline Nfs4Bitmap
MakeWrittenMask()
{
    return Nfs4Bitmap::FromWords({0x00000018, 0x00302000});
}

/// With an OPEN that reclaims: type and number.
[[nodiscard]] inline Nfs4Bitmap
MakeRecoveryMask()
{
    return Nfs4Bitmap::FromWords({0x00100002});
}

/// What the server can do; \param minorVersion from 1 on which attributes an exclusive create sets
[[nodiscard]] inline Nfs4Bitmap
MakeCapabilitiesMask(uint32_t minorVersion)
{
    return minorVersion == 0 ? Nfs4Bitmap::FromWords({0x00032065})
                             : Nfs4Bitmap::FromWords({0x00032065, 0, 0x00000800});
}

/// nfs4_fsinfo_bitmap, as far as \p supported.
[[nodiscard]] inline Nfs4Bitmap
MakeFsInfoMask(const Nfs4Bitmap& supported)
{
    return Nfs4Bitmap::FromWords({0xc8000400, 0x40080000, 0x00042002}) & supported;
}

/// MAXLINK and MAXNAME.
[[nodiscard]] inline Nfs4Bitmap
MakePathConfMask()
{
    return Nfs4Bitmap::FromWords({0x30000000});
}

/// Files and space, free, available and in all.
[[nodiscard]] inline Nfs4Bitmap
MakeStatFsMask()
{
    return Nfs4Bitmap::FromWords({0x00e00000, 0x00001c00});
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_MASKS_H
