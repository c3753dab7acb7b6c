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

// Program 100005: version 3, RFC 1813 appendix I; version 1, RFC 1094 appendix A.

constexpr uint32_t MOUNT_PROGRAM = 100005;
constexpr uint32_t MOUNT_V1 = 1;
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
    EXPORT = 5
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

/// fhstatus of version 1.
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

using MountNull = RpcProcedure<MountProcedure::NULLPROC, XdrVoid, XdrVoid>;
using MountMnt3 = RpcProcedure<MountProcedure::MNT, MountPath, Mount3Res>;
using MountMnt1 = RpcProcedure<MountProcedure::MNT, MountPath, Mount1Res>;
using MountDump = RpcProcedure<MountProcedure::DUMP, XdrVoid, MountList>;
using MountUmnt = RpcProcedure<MountProcedure::UMNT, MountPath, XdrVoid>;
using MountUmntall = RpcProcedure<MountProcedure::UMNTALL, XdrVoid, XdrVoid>;
using MountExport = RpcProcedure<MountProcedure::EXPORT, XdrVoid, ExportList>;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_MNT_MESSAGES_H
