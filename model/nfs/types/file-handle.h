/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_FILE_HANDLE_H
#define NFSRDMA_NFS_TYPES_FILE_HANDLE_H

#include "nfs/v3/fattr.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief What a server puts into its file handles, in the layout of Linux nfsd (fs/nfsd/nfsfh.h,
 * struct knfsd_fh with fsid_type 1):
 *
 *     version 1 | auth 0 | fsid_type 1 | fileid_type | fsid | inode | generation | filler
 *
 * The four words are little-endian, as on the server's x86. fileid_type is 0 for an export's root
 * (nothing follows the fsid) and 1 for anything else. Filler stands for the longer fsids (UUID) of
 * other exports and is checked.
 */
struct FileHandle
{
    static constexpr uint32_t MIN_ROOT_OCTETS = 8;
    static constexpr uint32_t MIN_OCTETS = 16;

    uint32_t fsid{0};
    bool isRoot{false};
    uint32_t inode{0};      ///< Not of a root.
    uint32_t generation{0}; ///< Not of a root.

    /// \param octets length of the handle, MIN_ROOT_OCTETS or MIN_OCTETS at least
    [[nodiscard]] NfsFh3 Encode(uint32_t octets) const;
    /// \param rootOctets length of a root's handle
    /// \param otherOctets length of any other handle
    /// \return nothing when no Encode() with these lengths gives \p handle.
    [[nodiscard]] static std::optional<FileHandle> Decode(const NfsFh3& handle,
                                                          uint32_t rootOctets,
                                                          uint32_t otherOctets);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_FILE_HANDLE_H
