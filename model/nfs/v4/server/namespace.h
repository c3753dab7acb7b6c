/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_NAMESPACE_H
#define NFSRDMA_NFS_V4_SERVER_NAMESPACE_H

#include "nfs/store/files.h"
#include "nfs/v4/protocol/types.h"

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace ns3::nfsrdma
{

template <typename T>
using Nfs4Result = tl::expected<T, Nfs4Status>;

/// \return the NFSv4 status for what the file store says; JUKEBOX is DELAY.
[[nodiscard]] Nfs4Status ToNfs4Status(Nfs3Status status);

/**
 * \brief The one tree that NFSv4 clients see: a pseudo file system whose root has the exports of a
 * FileStore as entries (RFC 8881 section 7.3). Handles are those of the store, and for the root the
 * one that nfsd gives an export with fsid 0.
 */
class Nfs4Namespace
{
  public:
    /// Stands for the pseudo root, which is no inode of the store.
    static constexpr InodeNumber PSEUDO_ROOT = 0;

    /// \param store outlives this
    explicit Nfs4Namespace(const FileStore& store);

    [[nodiscard]] Nfs4Fh GetHandle(InodeNumber number) const;
    /// BADHANDLE, STALE.
    [[nodiscard]] Nfs4Result<InodeNumber> Resolve(const Nfs4Fh& handle) const;
    /// LOOKUP: INVAL (empty), BADNAME ("." and ".."), NAMETOOLONG, NOENT, NOTDIR, SYMLINK, ACCESS.
    [[nodiscard]] Nfs4Result<InodeNumber> Lookup(InodeNumber dir,
                                                 const std::string& name,
                                                 const FileCredential& who) const;
    /// LOOKUPP: NOENT at the pseudo root, NOTDIR, ACCESS.
    [[nodiscard]] Nfs4Result<InodeNumber> LookupParent(InodeNumber dir,
                                                       const FileCredential& who) const;

    /// Entries of the pseudo root: name and export's root, in order.
    struct Entry
    {
        std::string name;
        InodeNumber root{0};
    };

    [[nodiscard]] std::vector<Entry> GetExports() const;
    /// The pseudo root's attributes.
    [[nodiscard]] Fattr3 GetRootAttributes() const;
    /// INVAL, BADNAME, NAMETOOLONG; OK for a name that may be one.
    [[nodiscard]] static Nfs4Status CheckName(const std::string& name);

  private:
    [[nodiscard]] uint32_t GetRootOctets() const;
    [[nodiscard]] bool IsExportRoot(InodeNumber number) const;

    const FileStore& m_store;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_NAMESPACE_H
