/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V2_MESSAGES2_H
#define NFSRDMA_NFS_V2_MESSAGES2_H

#include "nfs/v2/types2.h"

#include <vector>

namespace ns3::nfsrdma
{

// Arguments and results of NFSv2's procedures, RFC 1094 section 2.2.

/// Arguments that are a handle: GETATTR, READLINK, STATFS.
struct Handle2Args
{
    Nfs2Fh object;
};

/// sattrargs.
struct Setattr2Args
{
    Nfs2Fh object;
    Sattr2 attributes;
};

/// diropargs: LOOKUP, REMOVE, RMDIR.
struct DirOp2Args
{
    Nfs2Fh dir;
    XdrBounded<std::string, NFS2_MAXNAMLEN> name;
};

/// readargs.
struct Read2Args
{
    Nfs2Fh file;
    uint32_t offset{0};
    uint32_t count{0};
    uint32_t totalcount{0}; ///< Not used.
};

/// writeargs.
struct Write2Args
{
    Nfs2Fh file;
    uint32_t beginoffset{0}; ///< Not used.
    uint32_t offset{0};
    uint32_t totalcount{0};                  ///< Not used.
    XdrBounded<Nfs3Data, NFS2_MAXDATA> data; ///< DDP-eligible.
};

/// createargs: CREATE, MKDIR.
struct Create2Args
{
    DirOp2Args where;
    Sattr2 attributes;
};

/// renameargs.
struct Rename2Args
{
    DirOp2Args from;
    DirOp2Args to;
};

/// linkargs.
struct Link2Args
{
    Nfs2Fh file;
    DirOp2Args link;
};

/// symlinkargs. The attributes follow the path.
struct Symlink2Args
{
    DirOp2Args where;
    XdrBounded<Nfs3Data, NFS2_MAXPATHLEN> path; ///< DDP-eligible.
    Sattr2 attributes;

    /// \return octets up to and with the path's length word, which is where it belongs.
    [[nodiscard]] uint32_t GetPathOffset() const;
};

/// readdirargs.
struct Readdir2Args
{
    Nfs2Fh dir;
    uint32_t cookie{0};
    uint32_t count{0}; ///< Octets of the results at most.
};

/// Results that are a status: REMOVE, RENAME, LINK, SYMLINK, RMDIR.
struct Status2Res
{
    Nfs2Status status{Nfs2Status::OK};
};

/// attrstat: GETATTR, SETATTR, WRITE.
struct Attr2Res
{
    Nfs2Status status{Nfs2Status::OK};
    Fattr2 attributes; ///< OK.
};

/// diropres: LOOKUP, CREATE, MKDIR.
struct DirOp2Res
{
    Nfs2Status status{Nfs2Status::OK};
    Nfs2Fh object;     ///< OK.
    Fattr2 attributes; ///< OK.
};

/// readlinkres.
struct Readlink2Res
{
    Nfs2Status status{Nfs2Status::OK};
    XdrBounded<Nfs3Data, NFS2_MAXPATHLEN> path; ///< OK. DDP-eligible.
};

/// readres.
struct Read2Res
{
    Nfs2Status status{Nfs2Status::OK};
    Fattr2 attributes;                       ///< OK.
    XdrBounded<Nfs3Data, NFS2_MAXDATA> data; ///< OK. DDP-eligible.
};

/// entry.
struct Entry2
{
    uint32_t fileid{0};
    XdrBounded<std::string, NFS2_MAXNAMLEN> name;
    uint32_t cookie{0};
};

/// readdirres.
struct Readdir2Res
{
    Nfs2Status status{Nfs2Status::OK};
    XdrList<Entry2> entries; ///< OK.
    bool eof{false};         ///< OK.
};

/// statfsres.
struct Statfs2Res
{
    Nfs2Status status{Nfs2Status::OK};
    uint32_t tsize{0}; ///< OK, and those below: octets of a transfer,
    uint32_t bsize{0}; ///< of a block; blocks in all, free, free for users.
    uint32_t blocks{0};
    uint32_t bfree{0};
    uint32_t bavail{0};
};

using Nfs2Null = RpcProcedure<Nfs2Procedure::NULLPROC, XdrVoid, XdrVoid>;
using Nfs2Getattr = RpcProcedure<Nfs2Procedure::GETATTR, Handle2Args, Attr2Res>;
using Nfs2Setattr = RpcProcedure<Nfs2Procedure::SETATTR, Setattr2Args, Attr2Res>;
using Nfs2Root = RpcProcedure<Nfs2Procedure::ROOT, XdrVoid, XdrVoid>;
using Nfs2Lookup = RpcProcedure<Nfs2Procedure::LOOKUP, DirOp2Args, DirOp2Res>;
using Nfs2Readlink = RpcProcedure<Nfs2Procedure::READLINK, Handle2Args, Readlink2Res>;
using Nfs2Read = RpcProcedure<Nfs2Procedure::READ, Read2Args, Read2Res>;
using Nfs2Writecache = RpcProcedure<Nfs2Procedure::WRITECACHE, XdrVoid, XdrVoid>;
using Nfs2Write = RpcProcedure<Nfs2Procedure::WRITE, Write2Args, Attr2Res>;
using Nfs2Create = RpcProcedure<Nfs2Procedure::CREATE, Create2Args, DirOp2Res>;
using Nfs2Remove = RpcProcedure<Nfs2Procedure::REMOVE, DirOp2Args, Status2Res>;
using Nfs2Rename = RpcProcedure<Nfs2Procedure::RENAME, Rename2Args, Status2Res>;
using Nfs2Link = RpcProcedure<Nfs2Procedure::LINK, Link2Args, Status2Res>;
using Nfs2Symlink = RpcProcedure<Nfs2Procedure::SYMLINK, Symlink2Args, Status2Res>;
using Nfs2Mkdir = RpcProcedure<Nfs2Procedure::MKDIR, Create2Args, DirOp2Res>;
using Nfs2Rmdir = RpcProcedure<Nfs2Procedure::RMDIR, DirOp2Args, Status2Res>;
using Nfs2Readdir = RpcProcedure<Nfs2Procedure::READDIR, Readdir2Args, Readdir2Res>;
using Nfs2Statfs = RpcProcedure<Nfs2Procedure::STATFS, Handle2Args, Statfs2Res>;

/// A \p Template of every procedure, in the order of their numbers.
template <template <typename...> class Template>
using OfNfs2Procedures = Template<Nfs2Null,
                                  Nfs2Getattr,
                                  Nfs2Setattr,
                                  Nfs2Root,
                                  Nfs2Lookup,
                                  Nfs2Readlink,
                                  Nfs2Read,
                                  Nfs2Writecache,
                                  Nfs2Write,
                                  Nfs2Create,
                                  Nfs2Remove,
                                  Nfs2Rename,
                                  Nfs2Link,
                                  Nfs2Symlink,
                                  Nfs2Mkdir,
                                  Nfs2Rmdir,
                                  Nfs2Readdir,
                                  Nfs2Statfs>;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V2_MESSAGES2_H
