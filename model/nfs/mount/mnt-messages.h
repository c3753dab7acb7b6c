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
    std::string path;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr.Bounded(self.path, MOUNT_PATH_MAX);
    }
};

/// mountres3.
struct Mount3Res
{
    static constexpr uint32_t MAX_FLAVORS = 64; ///< A choice; RFC 1813 has no bound.

    MountStatus status{MountStatus::OK};
    NfsFh3 handle;                 ///< OK.
    std::vector<uint32_t> flavors; ///< OK: RPC security flavours, those of GSS by pseudo flavour.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status);
        if (self.status == MountStatus::OK)
        {
            xdr(self.handle);
            xdr.Bounded(self.flavors, MAX_FLAVORS);
        }
    }
};

/// fhstatus of version 1.
struct Mount1Res
{
    static constexpr uint32_t HANDLE = 32;

    MountStatus status{MountStatus::OK};
    std::array<uint8_t, HANDLE> handle{}; ///< OK.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status);
        xdr.When(self.status == MountStatus::OK, self.handle);
    }
};

/// mountbody: who has mounted what.
struct MountEntry
{
    std::string host;
    std::string path;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr.Bounded(self.host, MOUNT_NAME_MAX);
        xdr.Bounded(self.path, MOUNT_PATH_MAX);
    }
};

/// mountlist.
struct MountList
{
    std::vector<MountEntry> entries;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr.List(self.entries);
    }
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
    std::vector<ExportNode> exports;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr.List(self.exports);
    }
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
