/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_COPY_RUN_H
#define NFSRDMA_NFS_V4_SERVER_COPY_RUN_H

#include "nfs/store/server-storage.h"
#include "nfs/v4/server/service-state.h"

#include <functional>
#include <memory>

namespace ns3::nfsrdma
{

/**
 * \brief How one asynchronous COPY goes on after its reply: piece by piece without a server thread,
 * each read, copied and written in turn; then its data are made stable, and CB_OFFLOAD tells
 * (nfsd4_do_async_copy() of fs/nfsd/nfs4proc.c).
 *
 * Before each piece it looks at what has run out, its own client's lease too. A copy that has been
 * stopped (Nfs4AsyncCopies) goes no further and tells nobody. The object lives as long as its copy
 * is under way.
 */
class Nfs4CopyRun : public std::enable_shared_from_this<Nfs4CopyRun>
{
  public:
    /// Octets of a piece, as nfsd_copy_file_range().
    static constexpr uint64_t PIECE = 4U << 20;

    /// \p state and \p storage outlive the copy, which is stopped before they go. Null
    /// storage: work on it takes no time.
    Nfs4CopyRun(Nfs4ServerState& state, const Ptr<ServerStorage>& storage, Nfs4AsyncCopyPtr copy);

    /// The first piece.
    void Start();

  private:
    /// The next piece, or the end. \param status how the last piece ended
    void Continue(Nfs3Status status);
    void CopyPiece(uint64_t count);

    [[nodiscard]] bool HasFiles() const
    {
        return m_state.store->Has(m_copy->from) && m_state.store->Has(m_copy->to);
    }

    void End(Nfs3Status status);
    /// Calls \p then when the storage has done \p task, unless the copy has been stopped.
    void Carry(const StorageTask& task, std::function<void()> then);

    Nfs4ServerState& m_state;
    const Ptr<ServerStorage>& m_storage;
    Nfs4AsyncCopyPtr m_copy;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_COPY_RUN_H
