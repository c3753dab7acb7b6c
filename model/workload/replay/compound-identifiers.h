/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_COMPOUND_IDENTIFIERS_H
#define NFSRDMA_WORKLOAD_REPLAY_COMPOUND_IDENTIFIERS_H

#include "nfs/v4/protocol/compound.h"

#include <cstdint>
#include <map>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief What servers choose, in a recording of NFSv4 and in a replay of it: file handles,
 * stateids, client IDs, sessions, cookies. Learns from each pair of results which stands for which,
 * and puts those of the replay into calls that are made again.
 *
 * Sequence numbers of stateids and of slots are left as recorded: the same calls lead to the same.
 */
class CompoundIdentifiers
{
  public:
    /// Takes the identifiers of two results of the same call, as far as both were successful.
    void Learn(const Compound4Res& recorded, const Compound4Res& own);
    /// Puts the replay's in the place of the recorded ones; those not known stay as they are.
    void Apply(Compound4Args& args) const;

    /// \return the handle in the replay for a recorded one.
    [[nodiscard]] std::optional<Nfs4Fh> FindHandle(const Nfs4Fh& recorded) const;

    /// A handle that is known otherwise than from results.
    void SetHandle(const Nfs4Fh& recorded, const Nfs4Fh& own)
    {
        m_handles[recorded] = own;
    }

  private:
    class Substitution;
    using StateName = std::array<uint8_t, NFS4_OTHER_SIZE>;

    void LearnOp(const Nfs4ResOp& recorded, const Nfs4ResOp& own);
    void LearnEntries(const ReaddirRes4& recorded, const ReaddirRes4& own);

    std::map<Nfs4Fh, Nfs4Fh> m_handles;
    std::map<StateName, StateName> m_states;
    std::map<Nfs4SessionId, Nfs4SessionId> m_sessions;
    std::map<Nfs4ClientId, Nfs4ClientId> m_clients;
    std::map<Nfs4Verifier, Nfs4Verifier> m_verifiers;
    std::map<uint64_t, uint64_t> m_cookies;
    std::optional<uint32_t> m_sessionSequence; ///< For CREATE_SESSION.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_COMPOUND_IDENTIFIERS_H
