/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_ASYNC_COPIES_H
#define NFSRDMA_NFS_V4_SERVER_ASYNC_COPIES_H

#include "nfs/store/inode.h"
#include "nfs/types/file-access.h"
#include "nfs/v4/protocol/status.h"
#include "nfs/v4/protocol/types.h"

#include <cstdint>
#include <memory>
#include <optional>
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
    std::optional<Nfs4Status> ended; ///< How; the client does not know of it yet.
};

using Nfs4AsyncCopyPtr = std::shared_ptr<Nfs4AsyncCopy>;

/**
 * \brief The asynchronous COPYs of one instance of an NFSv4.2 server, by stateid
 * (nfs4_init_copy_state() of fs/nfsd/nfs4state.c).
 *
 * A stateid is valid until the client has answered CB_OFFLOAD or given it back with OFFLOAD_CANCEL
 * (RFC 7862 section 4.8), so that OFFLOAD_STATUS tells the end of a copy whose CB_OFFLOAD is late
 * or lost. Linux forgets it before it sends CB_OFFLOAD.
 */
class Nfs4AsyncCopies
{
  public:
    /// \param boot seconds since 1970, part of the stateids
    explicit Nfs4AsyncCopies(uint32_t boot);
    /// All end as far as they are.
    ~Nfs4AsyncCopies();
    Nfs4AsyncCopies(const Nfs4AsyncCopies&) = delete;
    Nfs4AsyncCopies& operator=(const Nfs4AsyncCopies&) = delete;

    /// Gives \p copy its stateid. \return it, to be carried out.
    Nfs4AsyncCopyPtr Add(Nfs4AsyncCopy copy);
    /// \return null when \p client has no such copy.
    [[nodiscard]] Nfs4AsyncCopyPtr Find(Nfs4ClientId client, const Nfs4StateId& id) const;
    /// It has been given back, or is to end as far as it is.
    void Remove(const Nfs4AsyncCopyPtr& copy);
    /// \p client is gone, and its copies end as far as they are (nfsd4_shutdown_copy()).
    void RemoveOf(Nfs4ClientId client);
    void RemoveAll();
    /// \return whether a copy of \p client is under way.
    [[nodiscard]] bool HasAny(Nfs4ClientId client) const;
    /// \return copies under way.
    [[nodiscard]] std::size_t GetCount() const;

  private:
    uint32_t m_boot;
    uint32_t m_next{1};
    std::vector<Nfs4AsyncCopyPtr> m_copies;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_ASYNC_COPIES_H
