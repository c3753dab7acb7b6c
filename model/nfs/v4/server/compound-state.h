/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_COMPOUND_STATE_H
#define NFSRDMA_NFS_V4_SERVER_COMPOUND_STATE_H

#include "host/memory.h"
#include "nfs/store/storage-task.h"
#include "nfs/v4/protocol/compound.h"
#include "nfs/v4/server/compound-reply.h"
#include "nfs/v4/server/principal.h"
#include "nfs/v4/server/service-state.h"
#include "rpc/server.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief What the operations of one COMPOUND share: who calls, the current and the saved filehandle
 * and stateid (RFC 8881 section 16.2.3.1), the session's slot, the reply so far, and what the
 * operations have left to be done; and the checks that more than one of them makes.
 */
class Nfs4CompoundState
{
  public:
    /// A seqid operation that NFSv4.0 keeps the reply of.
    struct Ordered
    {
        Nfs4OwnerPtr owner;
        bool replay{false}; ///< The reply is the owner's last one.
    };

    /// \param serverState outlives this
    /// \param serverCall outlives this
    /// \param hostMemory for the data of READ and READLINK
    Nfs4CompoundState(Nfs4ServerState& serverState,
                      const RpcServerCall& serverCall,
                      Ptr<HostMemory> hostMemory,
                      Time time);

    [[nodiscard]] bool HasSession() const
    {
        return session != nullptr;
    }

    /// \return the client whose call it is; 0: not known yet.
    [[nodiscard]] Nfs4ClientId GetCaller() const
    {
        return client != nullptr ? client->id : 0;
    }

    [[nodiscard]] const Inode& GetCurrent() const
    {
        return server.store->Get(*current);
    }

    /// The current stateid is none then.
    void SetCurrent(InodeNumber number);

    /// OK, or what a regular file must be for: ISDIR, SYMLINK, INVAL.
    [[nodiscard]] Nfs4Status CheckRegular(InodeNumber number) const;
    /// OK, SYMLINK, NOTDIR.
    [[nodiscard]] Nfs4Status CheckDirectory(InodeNumber number) const;
    /// ROFS when the current object is the root of the pseudo file system.
    [[nodiscard]] Nfs4Status CheckNotPseudo() const;
    /// OK when \p octets more fit into the reply; else RESOURCE, REP_TOO_BIG, REP_TOO_BIG_TO_CACHE.
    [[nodiscard]] Nfs4Status CheckRoom(uint32_t octets) const;

    [[nodiscard]] Nfs4AttributeReader MakeReader() const
    {
        return {*server.store, server.names, server.settings.attributes, minorVersion};
    }

    /// \return the change_info4 of what is about to happen to \p dir.
    [[nodiscard]] Nfs4ChangeInfo BeginChange(InodeNumber dir) const;

    /// Fills in \p info what has happened.
    void EndChange(InodeNumber dir, Nfs4ChangeInfo& info) const
    {
        info.after = MakeReader().GetChange(dir);
    }

    /// Sets \p changes, and the ACL of \p attributes if there is one.
    [[nodiscard]] Nfs4Status ApplyAttributes(InodeNumber number,
                                             const Nfs4Attributes& attributes,
                                             const Sattr3& changes);

    /// \return the item that \p data of the arguments stands for; null: the octets are there.
    [[nodiscard]] const RpcReceivedItem* FindReceived(const Nfs3Data& data) const
    {
        return data.reduced ? received : nullptr;
    }

    /// Work on the current object.
    void Charge(StorageWork kind, uint64_t offset = 0, uint64_t octets = 0)
    {
        work.push_back({kind, *current, offset, octets});
    }

    /// DELAY when others' delegations on \p number must come back first. \param wait the operation
    /// may wait for that
    [[nodiscard]] Nfs4Status BreakDelegations(InodeNumber number, bool wait = false);
    /// The name \p name of \p dir, if it is there, is about to be replaced or removed: DELAY as
    /// BreakDelegations(), with a wait.
    [[nodiscard]] Nfs4Status BreakNamed(InodeNumber dir, const std::string& name);

    Nfs4ServerState& server;
    const RpcServerCall& call;
    Ptr<HostMemory> memory;
    Time now;
    Nfs4Principal principal;
    uint32_t minorVersion{0};
    uint32_t operations{0}; ///< Of the call.

    std::optional<InodeNumber> current;
    std::optional<InodeNumber> saved;
    std::optional<Nfs4StateId> currentStateid;
    std::optional<Nfs4StateId> savedStateid;

    Nfs4Client* client{nullptr};
    std::shared_ptr<Nfs4Session> session;
    uint32_t slot{0};
    bool cacheThis{false};
    const Nfs4CachedReply* replay{nullptr}; ///< Of a call that came again.

    Nfs4Op op{Nfs4Op::ILLEGAL}; ///< Under way.
    Ordered ordered;            ///< That operation.
    /// What the operation under way ends with, once the seqid of its owner was found right; none:
    /// with what comes out.
    std::optional<Nfs4Status> refusal;
    bool hasWaited{false};                    ///< That operation.
    const RpcReceivedItem* received{nullptr}; ///< The last one that an operation had.
    std::vector<InodeNumber> awaited;         ///< Empty: it does not wait.
    std::vector<StorageTask> work;            ///< In order.
    Nfs4CompoundReply reply;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_COMPOUND_STATE_H
