/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_PROCEDURES3_H
#define NFSRDMA_NFS_V3_PROCEDURES3_H

#include "host/memory.h"
#include "nfs/store/files.h"
#include "nfs/v3/types3.h"

#include <memory>

namespace ns3::nfsrdma
{

/// Octets that a procedure takes or gives beside its XDR: memory of a chunk that reduced them.
struct Nfs3Item
{
    std::shared_ptr<HostBuffer> owner;
    uint64_t address{0};
};

/// What the server says of itself and its file systems.
struct Nfs3ServerLimits
{
    uint32_t maxTransferSize{0}; ///< Octets of data in one READ or WRITE, of entries in one reply.
    Nfs3Verifier writeVerifier{{}};
};

/**
 * \brief The procedures of RFC 1813 section 3.3 as functions of a file store: arguments in, results
 * out, no time and no messages.
 *
 * Which post_op_attr and wcc_data a result carries follows Linux's nfsd 6.1: attributes whenever
 * the handle was found; those before the operation only when it had come to the point where nfsd
 * holds the object's lock. So they are missing from WRITE and COMMIT, from a CREATE that found the
 * file there, and from a REMOVE of a name that is not.
 */
class Nfs3Procedures
{
  public:
    /// \param store the files; must outlive this
    /// \param limits what FSINFO and WRITE say
    /// \param who the caller
    Nfs3Procedures(FileStore& store, const Nfs3ServerLimits& limits, const FileCredential& who);

    Null3Res Run(const Null3Args& /* args */)
    {
        return {};
    }

    Getattr3Res Run(const Getattr3Args& args);
    Setattr3Res Run(const Setattr3Args& args);
    Lookup3Res Run(const Lookup3Args& args);
    Access3Res Run(const Access3Args& args);
    /// The path goes into a new buffer of \p memory; results.path is reduced.
    Readlink3Res Run(const Readlink3Args& args, Ptr<HostMemory> memory, Nfs3Item& item);
    /// The data go into a new buffer of \p memory (none when there are no octets); results.data is
    /// reduced.
    Read3Res Run(const Read3Args& args, Ptr<HostMemory> memory, Nfs3Item& item);
    /// \param args the data are taken from args.data, or from \p item when reduced
    Write3Res Run(const Write3Args& args, const Nfs3Item& item);
    Create3Res Run(const Create3Args& args);
    Mkdir3Res Run(const Mkdir3Args& args);
    /// \param args the path is taken from args.path, or from \p item when reduced
    Symlink3Res Run(const Symlink3Args& args, const Nfs3Item& item);
    Mknod3Res Run(const Mknod3Args& args);
    Remove3Res Run(const Remove3Args& args);
    Rmdir3Res Run(const Rmdir3Args& args);
    Rename3Res Run(const Rename3Args& args);
    Link3Res Run(const Link3Args& args);

    Readdir3Res Run(const Readdir3Args& args);
    Readdirplus3Res Run(const Readdirplus3Args& args);
    Fsstat3Res Run(const Fsstat3Args& args);
    Fsinfo3Res Run(const Fsinfo3Args& args);
    Pathconf3Res Run(const Pathconf3Args& args);
    Commit3Res Run(const Commit3Args& args);

  private:
    /// What is left of a directory operation's wcc_data before the operation.
    struct Before
    {
        InodeNumber inode{0};
        WccAttr attributes;
    };

    [[nodiscard]] Before Remember(InodeNumber number) const
    {
        return {number, m_store.GetAttributes().GetWcc(number)};
    }

    [[nodiscard]] WccData MakeWcc(const Before& before, bool locked) const;

    [[nodiscard]] PostOpAttr GetAttributes(InodeNumber number) const
    {
        return m_store.Get(number).attributes;
    }

    /// \return true when nfsd would come to lock \p dir to work on \p name.
    [[nodiscard]] bool FindsName(InodeNumber dir, const std::string& name) const;
    [[nodiscard]] bool MayChange(InodeNumber dir) const;
    [[nodiscard]] Make3Res MakeResults(const FileResult<InodeNumber>& made,
                                       const Before& before,
                                       bool locked) const;
    /// \return the results of \p body on the object of a handle, or what is wrong with the handle.
    template <typename Results, typename Body>
    Results On(const NfsFh3& handle, const Body& body);
    template <typename Results, typename Operation>
    Results RemoveName(const DirOpArgs3& object, Operation operation);
    template <typename Results>
    Results ReadDirectory(const NfsFh3& dir,
                          uint64_t cookie,
                          const Nfs3Verifier& verifier,
                          uint32_t limit);

    FileStore& m_store;
    const Nfs3ServerLimits& m_limits;
    const FileCredential& m_who;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_PROCEDURES3_H
