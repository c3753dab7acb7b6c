/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_STATUS3_H
#define NFSRDMA_NFS_V3_STATUS3_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace ns3::nfsrdma
{

/// Program and version number of NFSv3, RFC 1813 section 3.
constexpr uint32_t NFS_PROGRAM = 100003;
constexpr uint32_t NFS_V3 = 3;

/// nfsstat3, RFC 1813 section 2.6. The names are those of the RFC without "NFS3_" and "NFS3ERR_".
enum class Nfs3Status : uint32_t
{
    OK = 0,
    PERM = 1,
    NOENT = 2,
    IO = 5,
    NXIO = 6,
    ACCES = 13,
    EXIST = 17,
    XDEV = 18,
    NODEV = 19,
    NOTDIR = 20,
    ISDIR = 21,
    INVAL = 22,
    FBIG = 27,
    NOSPC = 28,
    ROFS = 30,
    MLINK = 31,
    NAMETOOLONG = 63,
    NOTEMPTY = 66,
    DQUOT = 69,
    STALE = 70,
    REMOTE = 71,
    BADHANDLE = 10001,
    NOT_SYNC = 10002,
    BAD_COOKIE = 10003,
    NOTSUPP = 10004,
    TOOSMALL = 10005,
    SERVERFAULT = 10006,
    BADTYPE = 10007,
    JUKEBOX = 10008
};

/// \return the RFC's name, as "NFS3_OK" or "NFS3ERR_NOENT"; "NFS3ERR_UNKNOWN" for another number.
[[nodiscard]] const char* ToString(Nfs3Status status);
/// \return the status that ToString() calls \p name.
[[nodiscard]] std::optional<Nfs3Status> ParseNfs3Status(std::string_view name);

/// Procedures, RFC 1813 section 3.3.
enum class Nfs3Procedure : uint32_t
{
    NULLPROC = 0,
    GETATTR = 1,
    SETATTR = 2,
    LOOKUP = 3,
    ACCESS = 4,
    READLINK = 5,
    READ = 6,
    WRITE = 7,
    CREATE = 8,
    MKDIR = 9,
    SYMLINK = 10,
    MKNOD = 11,
    REMOVE = 12,
    RMDIR = 13,
    RENAME = 14,
    LINK = 15,
    READDIR = 16,
    READDIRPLUS = 17,
    FSSTAT = 18,
    FSINFO = 19,
    PATHCONF = 20,
    COMMIT = 21
};

/// How many procedures there are; valid numbers are below it.
constexpr uint32_t NFS3_PROCEDURES = 22;

/// \return the name without "NFSPROC3_", as "NULL" or "READDIRPLUS".
[[nodiscard]] const char* ToString(Nfs3Procedure procedure);
/// \return the procedure that ToString() calls \p name.
[[nodiscard]] std::optional<Nfs3Procedure> ParseNfs3Procedure(std::string_view name);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_STATUS3_H
