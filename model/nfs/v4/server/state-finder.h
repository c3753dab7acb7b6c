/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_STATE_FINDER_H
#define NFSRDMA_NFS_V4_SERVER_STATE_FINDER_H

#include "nfs/v4/server/compound-state.h"

namespace ns3::nfsrdma
{

/**
 * \brief Finds what stateids, clients and owners of one COMPOUND's operations stand for, and checks
 * that they may be used so, RFC 8881 section 8.2 and, of NFSv4.0, RFC 7530 section 9.1.
 *
 * Whose state is found is the COMPOUND's client from then on, and its lease is renewed.
 */
class Nfs4StateFinder
{
  public:
    /// \param compound outlives this
    explicit Nfs4StateFinder(Nfs4CompoundState& compound);

    /// BAD_STATEID, STALE_STATEID, EXPIRED.
    [[nodiscard]] Nfs4Status TakeClient(const Nfs4StateId& id);
    /// STALE_CLIENTID, EXPIRED.
    [[nodiscard]] Nfs4Status TakeClient(Nfs4ClientId id);
    /// \param revoked also what has been revoked
    [[nodiscard]] Nfs4Result<Nfs4StatePtr> FindState(const Nfs4StateId& given,
                                                     bool revoked = false);
    /// The checks of READ, WRITE and all that names a stateid for I/O.
    [[nodiscard]] Nfs4Status CheckIo(InodeNumber number, const Nfs4StateId& given, bool write);
    /// Of CLOSE, LOCK, LOCKU, ...: a state of \p kind of the current file, and the order of its
    /// owner's seqid; when Nfs4CompoundState::ordered says replay, the operation is to be answered
    /// again.
    [[nodiscard]] Nfs4Result<Nfs4StatePtr> FindOwned(const Nfs4StateId& given,
                                                     Nfs4State::Kind kind,
                                                     uint32_t seqid,
                                                     bool unconfirmed = false);
    /// BAD_SEQID, also for the last seqid with another operation than the one that had it.
    [[nodiscard]] Nfs4Status CheckOwner(const Nfs4OwnerPtr& owner, uint32_t seqid);

  private:
    /// \return the current stateid for the special one that stands for it.
    [[nodiscard]] Nfs4StateId Resolve(const Nfs4StateId& given) const;

    Nfs4CompoundState& m_compound;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_STATE_FINDER_H
