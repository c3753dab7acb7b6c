/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_FILE_ACCESS_H
#define NFSRDMA_NFS_TYPES_FILE_ACCESS_H

#include "nfs/v3/fattr.h"
#include "rpc/message.h"

#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/// The bits of a mode that SETATTR sets: permissions, set-user-ID, set-group-ID, sticky.
constexpr uint32_t MODE_BITS = 07777;
/// Of a directory: what is made in it gets its group.
constexpr uint32_t MODE_SET_GID = 02000;

/// Who asks. uid 0 passes every check, as on an export with no_root_squash.
struct FileCredential
{
    static constexpr uint32_t NOBODY = 65534;

    uint32_t uid{0};
    uint32_t gid{0};
    std::vector<uint32_t> gids;

    /// AUTH_SYS as sent, RPCSEC_GSS as the server maps principals; any other flavour is nobody.
    [[nodiscard]] static FileCredential FromCall(const RpcCallHeader& header);

    [[nodiscard]] bool IsSuperuser() const
    {
        return uid == 0;
    }

    [[nodiscard]] bool IsInGroup(uint32_t group) const;
};

/// Permission bits as in the low three bits of a mode.
constexpr uint32_t MAY_READ = 4;
constexpr uint32_t MAY_WRITE = 2;
constexpr uint32_t MAY_EXECUTE = 1;

/// \return true when \p credential has all of the \p wanted bits on an object with these
/// attributes. The superuser may execute a file only when some execute bit is set.
[[nodiscard]] bool MayAccess(const Fattr3& attributes,
                             const FileCredential& credential,
                             uint32_t wanted);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_FILE_ACCESS_H
