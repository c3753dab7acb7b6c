/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_OPEN_STATE_H
#define NFSRDMA_NFS_V4_CLIENT_OPEN_STATE_H

#include "nfs/v4/client/seqid-owner.h"
#include "nfs/v4/protocol/lock-ops.h"
#include "nfs/v4/protocol/open-ops.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/// A name in a directory.
using Nfs4Name = std::pair<Nfs4Fh, std::string>;

/// A byte-range lock that a client holds.
struct Nfs4HeldLock
{
    LockType4 type{LockType4::READ};
    uint64_t offset{0};
    uint64_t length{0}; ///< NFS4_UINT64_MAX: to the end.
};

/**
 * \brief What a client has open of one file: one share at the server for all who have opened it
 * here, as Linux's nfs4_state.
 */
struct Nfs4OpenState
{
    Nfs4Fh file;
    Nfs4Name name;                      ///< For NFSv4.0, which opens by name only.
    std::optional<Nfs4StateId> stateid; ///< Absent: open only by virtue of a delegation.
    uint32_t access{0};                 ///< OPEN4_SHARE_ACCESS_* that the stateid is good for.
    bool direct{false};                 ///< Opened so that no delegation is wanted.
    /// How often it is open for reading (index 1), writing (2) and both (3).
    std::array<uint32_t, 4> users{};

    uint32_t lockOwner{0}; ///< Number in the name of its lock owner; 0: none yet.
    Nfs4Seqid lockSeqid;   ///< NFSv4.0.
    std::optional<Nfs4StateId> lockStateid;
    std::vector<Nfs4HeldLock> locks;
    /// NFSv4.0: of a LOCK that had no answer, so that the server may hold it.
    std::optional<Nfs4HeldLock> lockInDoubt;

    bool reclaimReboot{false};  ///< To be claimed again after the server's restart.
    bool reclaimNoGrace{false}; ///< To be opened anew.
    bool testFirst{false};      ///< Whether the stateid is bad is to be found out before.
    bool lost{false};           ///< It could not be opened anew.

    /// \return OPEN4_SHARE_ACCESS_* that those who have it open need.
    [[nodiscard]] uint32_t GetNeeded() const;
    /// A range is no longer locked.
    void Unlock(uint64_t offset, uint64_t length);
    /// Takes the stateid of an OPEN, OPEN_DOWNGRADE or reclaim, unless it is older than the one
    /// there is.
    void TakeStateId(const Nfs4StateId& newer, uint32_t newAccess);
    /// The server has a later seqid of the stateid that was \p sent, if that is still the latest
    /// known here: an answer that gave it was lost (RFC 7530 section 9.1.4.2).
    void NoteOld(const Nfs4StateId& sent);
};

/// A delegation that a client holds.
struct Nfs4Delegation
{
    Nfs4Fh file;
    Nfs4StateId stateid;
    OpenDelegationType4 type{OpenDelegationType4::READ};
    std::set<Nfs4Name> names; ///< Names that lead to the file as long as it is held.
    bool returning{false};    ///< No longer to be used.
    bool reclaim{false};      ///< Not yet claimed again after the server's restart.
    bool test{false};         ///< It may have been revoked.
    bool forgotten{false};    ///< The host has crashed.
    std::vector<std::function<void()>> waiting; ///< For its return.
    std::optional<uint64_t> change;             ///< WRITE: for CB_GETATTR.
    std::optional<uint64_t> size;               ///< WRITE: for CB_GETATTR, octets.

    /// \return whether it is good for OPEN4_SHARE_ACCESS_* \p access.
    [[nodiscard]] bool Covers(uint32_t access) const;
};

/// Files that a client has open, and delegations that it holds; by file handle.
class Nfs4HeldState
{
  public:
    using OpenPtr = std::shared_ptr<Nfs4OpenState>;
    using DelegationPtr = std::shared_ptr<Nfs4Delegation>;

    /// \return what is open of \p file, made when there is nothing.
    OpenPtr GetOpen(const Nfs4Fh& file);
    /// \return null when it is not open.
    [[nodiscard]] OpenPtr FindOpen(const Nfs4Fh& file) const;
    /// Forgets \p open when nobody has it open.
    void DropIfUnused(const OpenPtr& open);

    [[nodiscard]] const std::map<Nfs4Fh, OpenPtr>& GetOpens() const
    {
        return m_opens;
    }

    /// Takes a delegation that OPEN has given. An older one of the file is replaced.
    DelegationPtr TakeDelegation(const Nfs4Fh& file, const OpenDelegation4& given);
    [[nodiscard]] DelegationPtr FindDelegation(const Nfs4Fh& file) const;
    /// \return a delegation that may be used, is good for \p access, and has that name; or null
    [[nodiscard]] DelegationPtr FindByName(const Nfs4Name& name, uint32_t access) const;
    void DropDelegation(const DelegationPtr& delegation);

    [[nodiscard]] const std::map<Nfs4Fh, DelegationPtr>& GetDelegations() const
    {
        return m_delegations;
    }

    /// The name leads to the file no longer.
    void ForgetName(const Nfs4Name& name);

    /// The server has restarted: all is to be claimed again.
    void MarkReboot();
    /// All has been revoked: everything is to be opened anew.
    void MarkAllRevoked();
    /// The host has crashed: locks and stateids are gone, what is open is to be opened anew.
    void Forget();
    /// Which of it was revoked is not known.
    void MarkSomeRevoked();
    /// Reclaim has ended: what was not claimed is to be opened anew, or lost.
    void EndReboot();
    void Clear();

    /// \return the stateid for I/O with OPEN4_SHARE_ACCESS_* \p access: the delegation's, the
    /// lock's, the open's, or the anonymous one.
    /// \param zeroSeqid NFSv4.1: the latest of its kind, whatever its seqid
    [[nodiscard]] Nfs4StateId SelectStateId(const Nfs4Fh& file,
                                            uint32_t access,
                                            bool zeroSeqid) const;

  private:
    std::map<Nfs4Fh, OpenPtr> m_opens;
    std::map<Nfs4Fh, DelegationPtr> m_delegations;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_OPEN_STATE_H
