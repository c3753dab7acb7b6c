/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_STATE_TABLE_H
#define NFSRDMA_NFS_V4_SERVER_STATE_TABLE_H

#include "nfs/store/directory.h"
#include "nfs/v4/protocol/types.h"
#include "nfs/v4/server/byte-range-locks.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tl/expected.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/// A file that state is about: number and generation, so that a number used again is another.
using Nfs4FileKey = std::pair<InodeNumber, uint32_t>;

/// A stateid without its seqid: client, and number that counts up from 1 for each client.
using Nfs4StateKey = std::pair<Nfs4ClientId, uint32_t>;

/// share_access and share_deny, RFC 8881 section 18.16.1.
constexpr uint32_t SHARE_READ = 1;
constexpr uint32_t SHARE_WRITE = 2;
constexpr uint32_t SHARE_BOTH = 3;

/**
 * \brief An open or lock owner. NFSv4.0 orders its operations by a seqid and keeps the last reply
 * (RFC 7530 section 9.1.7); with sessions the seqid is ignored.
 */
struct Nfs4Owner
{
    Nfs4ClientId client{0};
    ByteVector name;
    bool isLockOwner{false};
    uint64_t number{0};    ///< Of the order of creation.
    bool confirmed{false}; ///< OPEN_CONFIRM has been done, or is not needed.
    uint32_t nextSeqid{0};

    /// What is known of the last operation with a seqid, so that it can be answered again: its
    /// results, and what it left behind for the operations that follow in the COMPOUND.
    struct Reply
    {
        uint32_t op{0};                     ///< Its number.
        ByteVector results;                 ///< Status and results.
        std::optional<Nfs4FileKey> current; ///< The current filehandle after it.
        std::optional<Nfs4StateId> stateid; ///< The current stateid after it.
    };

    Reply lastReply;
    /// The stateid that the last CLOSE of an open owner gave up, without seqid: a CLOSE of it that
    /// comes again is known by it (nfsd's oo_last_closed_stid).
    std::optional<Nfs4StateId> lastClosed;

    /// What a seqid means.
    enum class Order
    {
        NEXT,
        REPLAY,
        BAD
    };

    [[nodiscard]] Order Check(uint32_t seqid) const;
    /// Keeps the reply of an operation and counts up, unless \p status is one that does not.
    void Finish(Nfs4Status status, Reply reply);
};

using Nfs4OwnerPtr = std::shared_ptr<Nfs4Owner>;

/// What a stateid stands for. Members past inode are of the kinds named.
struct Nfs4State
{
    enum class Kind
    {
        OPEN,
        LOCK,
        DELEGATION,
        REVOKED, ///< A delegation of NFSv4.1 taken away; FREE_STATEID ends it.
        LAYOUT
    };

    Kind kind{Kind::OPEN};
    Nfs4StateId id;
    Nfs4ClientId client{0};
    Nfs4FileKey file;

    Nfs4OwnerPtr owner;              ///< OPEN, LOCK.
    uint32_t accesses{0};            ///< OPEN: bit n is set when access n has been opened.
    uint32_t denies{0};              ///< OPEN: likewise.
    std::shared_ptr<Nfs4State> open; ///< LOCK: the open it was made from.
    Nfs4Fh handle;                   ///< DELEGATION.
    bool recalled{false};            ///< DELEGATION.
    Time recallTime;                 ///< DELEGATION, when recalled.
    bool writable{false};            ///< LAYOUT.

    /// OPEN: \return the SHARE_ bits open now, or denied.
    [[nodiscard]] uint32_t GetAccess() const;
    [[nodiscard]] uint32_t GetDeny() const;
};

using Nfs4StatePtr = std::shared_ptr<Nfs4State>;

/// How a stateid is found.
struct Nfs4StateUse
{
    bool sessions{false};     ///< NFSv4.1 or later: seqid 0 means the latest.
    bool allowRevoked{false}; ///< FREE_STATEID, TEST_STATEID.
};

/**
 * \brief Opens, locks, delegations and layouts of all clients of a server.
 *
 * Share reservations, RFC 8881 section 9.7; stateid checks, section 8.2.4; delegations as Linux 6.1
 * grants them: for reading only, when nobody else has the file open for writing, and none has been
 * recalled from it since it was last without state, or half a minute to a minute ago.
 *
 * A client's identifier in a stateid has been checked by the caller.
 */
class Nfs4StateTable
{
  public:
    /// How long a file gets no new delegation after a recall, at least; twice that at most.
    static constexpr int64_t BLOCK_SECONDS = 30;

    // ---- stateids ----

    /// BAD_STATEID, OLD_STATEID, DELEG_REVOKED.
    [[nodiscard]] tl::expected<Nfs4StatePtr, Nfs4Status> Find(const Nfs4StateId& id,
                                                              const Nfs4StateUse& use) const;
    /// \return OK when \p given may stand for \p current; BAD_STATEID, OLD_STATEID.
    [[nodiscard]] static Nfs4Status CheckSeqid(const Nfs4StateId& given,
                                               const Nfs4StateId& current,
                                               bool sessions);

    // ---- owners ----

    [[nodiscard]] Nfs4OwnerPtr FindOwner(Nfs4ClientId client,
                                         const ByteVector& name,
                                         bool lockOwner) const;
    Nfs4OwnerPtr MakeOwner(Nfs4ClientId client, const ByteVector& name, bool lockOwner);
    /// Takes an owner away with all its state.
    void ReleaseOwner(const Nfs4OwnerPtr& owner);
    [[nodiscard]] Nfs4OwnerPtr GetOwner(uint64_t number) const;

    // ---- opens ----

    /// Opens, or upgrades the owner's open: its stateid counts up. SHARE_DENIED.
    [[nodiscard]] tl::expected<Nfs4StatePtr, Nfs4Status> Open(const Nfs4OwnerPtr& owner,
                                                              const Nfs4FileKey& file,
                                                              uint32_t access,
                                                              uint32_t deny);
    /// INVAL when access or deny have not been opened so.
    [[nodiscard]] static Nfs4Status Downgrade(Nfs4State& open, uint32_t access, uint32_t deny);
    /// Ends an open with its locks.
    void Close(const Nfs4StatePtr& open);
    /// \return the open owner whose last CLOSE gave \p id up, or null.
    [[nodiscard]] Nfs4OwnerPtr FindLastClosed(const Nfs4StateId& id) const;
    /// \return whether an open denies \p access (SHARE_ bits).
    [[nodiscard]] bool IsDenied(const Nfs4FileKey& file, uint32_t access) const;
    /// \return whether a client other than \p except has the file open for writing.
    [[nodiscard]] bool IsOpenForWrite(const Nfs4FileKey& file, Nfs4ClientId except) const;
    [[nodiscard]] bool HasOpen(const Nfs4FileKey& file) const;

    // ---- locks ----

    /// The lock state of an owner on the file of an open, made when there is none.
    Nfs4StatePtr TakeLockState(const Nfs4OwnerPtr& owner, const Nfs4StatePtr& open);

    /// \return the locks of a file with state.
    [[nodiscard]] Nfs4ByteRangeLocks& GetLocks(const Nfs4FileKey& file)
    {
        return m_files[file].locks;
    }

    /// \return the lock in the way of \p wanted, if there is one.
    [[nodiscard]] std::optional<Nfs4ByteRangeLocks::Lock> TestLock(
        const Nfs4FileKey& file,
        const Nfs4ByteRangeLocks::Lock& wanted) const;
    /// Takes a lock state away; its locks are gone.
    void FreeLockState(const Nfs4StatePtr& lock);
    [[nodiscard]] bool HasLocks(const Nfs4State& lock) const;

    // ---- delegations ----

    /// Grants \p client to read \p file without asking; null when it must not have it.
    [[nodiscard]] Nfs4StatePtr Delegate(Nfs4ClientId client,
                                        const Nfs4FileKey& file,
                                        const Nfs4Fh& handle,
                                        Time now);
    /// \return delegations of clients other than \p except on \p file, in order of granting.
    [[nodiscard]] std::vector<Nfs4StatePtr> GetDelegations(const Nfs4FileKey& file,
                                                           Nfs4ClientId except) const;
    /// Marks a delegation as recalled. \return false when it has been before.
    bool Recall(const Nfs4StatePtr& delegation, Time now);

    void ReturnDelegation(const Nfs4StatePtr& delegation)
    {
        Forget(delegation);
    }

    /// Takes a delegation that was not returned away. \p remember: as REVOKED.
    void Revoke(const Nfs4StatePtr& delegation, bool remember);
    /// \return recalled delegations, in order of stateids.
    [[nodiscard]] std::vector<Nfs4StatePtr> GetRecalled() const;
    [[nodiscard]] bool HasRevoked(Nfs4ClientId client) const;

    // ---- layouts ----

    Nfs4StatePtr TakeLayoutState(Nfs4ClientId client, const Nfs4FileKey& file, bool writable);

    // ---- all ----

    /// Ends any state.
    void Free(const Nfs4StatePtr& state);
    [[nodiscard]] std::vector<Nfs4StatePtr> GetOf(Nfs4ClientId client) const;
    [[nodiscard]] std::vector<Nfs4StatePtr> GetOf(const Nfs4FileKey& file) const;
    [[nodiscard]] bool HasAny(Nfs4ClientId client) const;
    void DropClient(Nfs4ClientId client);

    [[nodiscard]] std::size_t GetCount() const
    {
        return m_states.size();
    }

    void Clear();

  private:
    /// What is known of a file that has state.
    struct File
    {
        std::map<Nfs4StateKey, Nfs4StatePtr> states;
        Nfs4ByteRangeLocks locks;
        bool hadConflict{false}; ///< A delegation on it has been recalled.
    };

    Nfs4StatePtr Make(Nfs4State::Kind kind, Nfs4ClientId client, const Nfs4FileKey& file);
    [[nodiscard]] const File* FindFile(const Nfs4FileKey& file) const;
    [[nodiscard]] bool IsBlocked(const Nfs4FileKey& file, Time now);

    void Block(const Nfs4FileKey& file, Time now)
    {
        m_blocked[file] = now;
    }

    void Forget(const Nfs4StatePtr& state);

    std::map<Nfs4StateKey, Nfs4StatePtr> m_states;
    std::map<Nfs4FileKey, File> m_files;
    std::map<uint64_t, Nfs4OwnerPtr> m_owners; ///< By number.
    std::map<std::tuple<Nfs4ClientId, bool, ByteVector>, uint64_t> m_ownerNumbers;
    std::map<Nfs4FileKey, Time> m_blocked; ///< Files without new delegations, since when.
    std::map<Nfs4ClientId, uint32_t> m_nextState;
    uint64_t m_nextOwner{1};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_STATE_TABLE_H
