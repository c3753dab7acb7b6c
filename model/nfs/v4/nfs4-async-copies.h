/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_NFS4_ASYNC_COPIES_H
#define NFSRDMA_NFS_V4_NFS4_ASYNC_COPIES_H

#include "nfs/file-access.h"
#include "nfs/inode.h"
#include "nfs/v4/nfs4-types.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

/// A COPY that a server has answered with a stateid and goes on with.
struct Nfs4AsyncCopy
{
    Nfs4StateId id;
    Nfs4ClientId client{0};
    FileCredential who;
    InodeNumber from{0};
    InodeNumber to{0};
    Nfs4Fh target; ///< Handle of to.
    uint64_t fromOffset{0};
    uint64_t toOffset{0};
    uint64_t count{0};
    uint64_t copied{0}; ///< Octets.
    bool stopped{false};
};

using Nfs4AsyncCopyPtr = std::shared_ptr<Nfs4AsyncCopy>;

/**
 * \brief The asynchronous COPYs under way of one instance of an NFSv4.2 server, by stateid
 * (nfs4_init_copy_state() of fs/nfsd/nfs4state.c).
 */
class Nfs4AsyncCopies
{
  public:
    /// \param boot seconds since 1970, part of the stateids
    explicit Nfs4AsyncCopies(uint32_t boot);

    /// Gives \p copy its stateid. \return it, to be carried out.
    Nfs4AsyncCopyPtr Add(Nfs4AsyncCopy copy);
    /// \return null when \p client has no such copy under way.
    [[nodiscard]] Nfs4AsyncCopyPtr Find(Nfs4ClientId client, const Nfs4StateId& id) const;
    /// It has ended, or is to end as far as it is.
    void Remove(const Nfs4AsyncCopyPtr& copy);
    /// \p client is gone, and its copies end as far as they are (nfsd4_shutdown_copy()).
    void RemoveOf(Nfs4ClientId client);
    void RemoveAll();
    [[nodiscard]] bool HasAny(Nfs4ClientId client) const;
    [[nodiscard]] std::size_t GetCount() const;

  private:
    uint32_t m_boot;
    uint32_t m_next{1};
    std::vector<Nfs4AsyncCopyPtr> m_copies;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_NFS4_ASYNC_COPIES_H
