/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_OFFLOAD_TABLE_H
#define NFSRDMA_NFS_V4_CLIENT_OFFLOAD_TABLE_H

#include "nfs/v4/protocol/callback-ops.h"
#include "nfs/v4/protocol/types.h"

#include <functional>
#include <map>
#include <set>

namespace ns3::nfsrdma
{

/**
 * \brief The asynchronous COPYs of a client between the server's answer and CB_OFFLOAD, by stateid.
 *
 * A CB_OFFLOAD that comes before the answer to its COPY is kept until that is there, as Linux's
 * client does (pending_cb_stateids of fs/nfs/callback_proc.c).
 */
class Nfs4OffloadTable
{
  public:
    /// Called once with the result; null: the server has lost its state, and the copy with it.
    using Done = std::function<void(const CbOffloadArgs4* result)>;

    /// The server has answered COPY. \p done is called from within when CB_OFFLOAD has come
    /// already.
    void Expect(const Nfs4StateId& id, Done done);

    [[nodiscard]] bool IsExpected(const Nfs4StateId& id) const
    {
        return m_expected.count(id) != 0;
    }

    /// Its end is known otherwise: CB_OFFLOAD is no news any more.
    void Forget(const Nfs4StateId& id);
    /// CB_OFFLOAD.
    void Arrive(const CbOffloadArgs4& result);
    /// The server has restarted: ends all.
    void LoseAll();
    /// Ends none, and forgets all.
    void Clear();

  private:
    std::map<Nfs4StateId, Done> m_expected;
    std::map<Nfs4StateId, CbOffloadArgs4> m_early;
    std::set<Nfs4StateId> m_known; ///< Whose CB_OFFLOAD is still to come.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_OFFLOAD_TABLE_H
