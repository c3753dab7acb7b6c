/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_MOUNT_MNT_MESSAGES_H
#define NFSRDMA_NFS_MOUNT_MNT_MESSAGES_H

#include "nfs/types/rpc-stub.h"
#include "nfs/v3/fattr.h"

#include <array>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

// Program 100005: version 3, RFC 1813 appendix I; version 1, RFC 1094 appendix A; version 2, which
// is version 1 and PATHCONF: X/Open's "Protocols for Interworking: XNFS", and mount.x of Linux's
// nfs-utils.

constexpr uint32_t MOUNT_PROGRAM = 100005;
constexpr uint32_t MOUNT_V1 = 1;
constexpr uint32_t MOUNT_V2 = 2;
constexpr uint32_t MOUNT_V3 = 3;
constexpr uint32_t MOUNT_PATH_MAX = 1024; ///< MNTPATHLEN.
constexpr uint32_t MOUNT_NAME_MAX = 255;  ///< MNTNAMLEN.

enum class MountProcedure : uint32_t
{
    NULLPROC = 0,
    MNT = 1,
    DUMP = 2,
    UMNT = 3,
    UMNTALL = 4,
    EXPORT = 5,
    EXPORTALL = 6, ///< Versions 1 and 2: the same as EXPORT.
    PATHCONF = 7   ///< Version 2.
};

/// mountstat3; version 1 has errno values, which these are up to MNT3ERR_NAMETOOLONG.
enum class MountStatus : uint32_t
{
    OK = 0,
    PERM = 1,
    NOENT = 2,
    IO = 5,
    ACCES = 13,
    NOTDIR = 20,
    INVAL = 22,
    NAMETOOLONG = 63,
    NOTSUPP = 10004,
    SERVERFAULT = 10006
};

/// dirpath as arguments.
struct MountPath
{
    XdrBounded<std::string, MOUNT_PATH_MAX> path;
};

/// mountres3.
struct Mount3Res
{
    static constexpr XdrOkFields OK_FIELDS{1};

    static constexpr uint32_t MAX_FLAVORS = 64; ///< A choice; RFC 1813 has no bound.

    MountStatus status{MountStatus::OK};
    NfsFh3 handle; ///< OK.
    XdrBounded<std::vector<uint32_t>, MAX_FLAVORS>
        flavors; ///< OK: RPC security flavours, those of GSS by pseudo flavour.
};

/// fhstatus of versions 1 and 2.
struct Mount1Res
{
    static constexpr XdrOkFields OK_FIELDS{1};

    static constexpr uint32_t HANDLE = 32;

    MountStatus status{MountStatus::OK};
    std::array<uint8_t, HANDLE> handle{}; ///< OK.
};

/// mountbody: who has mounted what.
struct MountEntry
{
    XdrBounded<std::string, MOUNT_NAME_MAX> host;
    XdrBounded<std::string, MOUNT_PATH_MAX> path;
};

/// mountlist.
struct MountList
{
    XdrList<MountEntry> entries;
};

/// exportnode: a directory, and who may mount it.
struct ExportNode
{
    std::string path;
    std::vector<std::string> groups;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr.Bounded(self.path, MOUNT_PATH_MAX);
        xdr.List(self.groups, MOUNT_NAME_MAX);
    }
};

/// exports.
struct ExportList
{
    XdrList<ExportNode> exports;
};

/// ppathcnf of version 2: what pathconf(3) says of a directory. It has no status: all is 0 where
/// the directory may not be mounted.
struct Mount2PathConf
{
    uint32_t linkMax{0};
    uint32_t maxCanon{0}; ///< Octets of a line of a terminal, before it is read.
    uint32_t maxInput{0}; ///< Octets that a terminal keeps.
    uint32_t nameMax{0};  ///< Octets.
    uint32_t pathMax{0};  ///< Octets.
    uint32_t pipeBuf{0};  ///< Octets that are written to a pipe in one piece.
    uint32_t vdisable{0}; ///< The character that disables a terminal's special ones.
    uint32_t unused{0};
    uint32_t mask1{0}; ///< Options, and those that could not be told: no bit by Linux.
    uint32_t mask2{0};
};

using MountNull = RpcProcedure<MountProcedure::NULLPROC, XdrVoid, XdrVoid>;
using MountMnt3 = RpcProcedure<MountProcedure::MNT, MountPath, Mount3Res>;
using MountMnt1 = RpcProcedure<MountProcedure::MNT, MountPath, Mount1Res>;
using MountDump = RpcProcedure<MountProcedure::DUMP, XdrVoid, MountList>;
using MountUmnt = RpcProcedure<MountProcedure::UMNT, MountPath, XdrVoid>;
using MountUmntall = RpcProcedure<MountProcedure::UMNTALL, XdrVoid, XdrVoid>;
using MountExportAll = RpcProcedure<MountProcedure::EXPORTALL, XdrVoid, ExportList>;
using MountPathConf = RpcProcedure<MountProcedure::PATHCONF, MountPath, Mount2PathConf>;
using MountExport = RpcProcedure<MountProcedure::EXPORT, XdrVoid, ExportList>;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_MNT_MESSAGES_H
