/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V2_PROCEDURES2_H
#define NFSRDMA_NFS_V2_PROCEDURES2_H

#include "nfs/v2/messages2.h"
#include "nfs/v3/procedures3.h"

namespace ns3::nfsrdma
{

/// Lengths of a store's handles, which those of version 2 begin with.
struct Nfs2HandleSizes
{
    uint32_t root{0};  ///< Of an export's root, octets.
    uint32_t other{0}; ///< Of anything else.

    [[nodiscard]] static Nfs2HandleSizes Of(const FileStore& store);
    /// \return whether handles fit into NFS2_FHSIZE.
    [[nodiscard]] bool Fit() const;
    /// \return the handle of version 3 that \p handle begins with.
    [[nodiscard]] NfsFh3 ToNfs3(const Nfs2Fh& handle) const;

    [[nodiscard]] DirOpArgs3 ToNfs3(const DirOp2Args& args) const
    {
        return {ToNfs3(args.dir), args.name};
    }
};

/**
 * \brief The procedures of RFC 1094 section 2.2, by those of version 3 (as Linux's nfsproc.c and
 * nfs3proc.c share nfsd's own): arguments in, results out, no time and no messages.
 *
 * A WRITE is stable. A READ gives 8192 octets at most; what lies past 4 GiB has no offset. CREATE
 * makes what the type bits of the mode say: a device, whose number is the size, a FIFO (CHR without
 * a size, or FIFO), a socket, or a file.
 */
class Nfs2Procedures
{
  public:
    /// \param store the files; must outlive this
    /// \param sizes of the store's handles
    /// \param who the caller
    Nfs2Procedures(FileStore& store, const Nfs2HandleSizes& sizes, const FileCredential& who);

    // The procedure comes first, since several have the same arguments. READ's and READLINK's items
    // go into a new buffer of \p memory, WRITE's and SYMLINK's are taken from \p item when reduced.

    [[nodiscard]] XdrVoid Run(Nfs2Null, const XdrVoid& /* args */)
    {
        return {};
    }

    [[nodiscard]] XdrVoid Run(Nfs2Root, const XdrVoid& /* args */)
    {
        return {};
    }

    [[nodiscard]] XdrVoid Run(Nfs2Writecache, const XdrVoid& /* args */)
    {
        return {};
    }

    [[nodiscard]] Attr2Res Run(Nfs2Getattr, const Handle2Args& args);
    [[nodiscard]] Attr2Res Run(Nfs2Setattr, const Setattr2Args& args);
    [[nodiscard]] DirOp2Res Run(Nfs2Lookup, const DirOp2Args& args);
    [[nodiscard]] Readlink2Res Run(Nfs2Readlink,
                                   const Handle2Args& args,
                                   Ptr<HostMemory> memory,
                                   Nfs3Item& item);
    [[nodiscard]] Read2Res Run(Nfs2Read,
                               const Read2Args& args,
                               Ptr<HostMemory> memory,
                               Nfs3Item& item);
    [[nodiscard]] Attr2Res Run(Nfs2Write, const Write2Args& args, const Nfs3Item& item);
    [[nodiscard]] DirOp2Res Run(Nfs2Create, const Create2Args& args);
    [[nodiscard]] Status2Res Run(Nfs2Remove, const DirOp2Args& args);
    [[nodiscard]] Status2Res Run(Nfs2Rename, const Rename2Args& args);
    [[nodiscard]] Status2Res Run(Nfs2Link, const Link2Args& args);
    [[nodiscard]] Status2Res Run(Nfs2Symlink, const Symlink2Args& args, const Nfs3Item& item);
    [[nodiscard]] DirOp2Res Run(Nfs2Mkdir, const Create2Args& args);
    [[nodiscard]] Status2Res Run(Nfs2Rmdir, const DirOp2Args& args);
    [[nodiscard]] Readdir2Res Run(Nfs2Readdir, const Readdir2Args& args);
    [[nodiscard]] Statfs2Res Run(Nfs2Statfs, const Handle2Args& args);

  private:
    [[nodiscard]] Attr2Res MakeResults(Nfs3Status status, const PostOpAttr& attributes) const;
    [[nodiscard]] DirOp2Res MakeResults(const Make3Res& made) const;

    Nfs2HandleSizes m_sizes;
    Nfs3ServerLimits m_limits;
    Nfs3Procedures m_nfs3;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V2_PROCEDURES2_H
