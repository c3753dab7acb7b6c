/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_TASK_H
#define NFSRDMA_NFS_V4_CLIENT_TASK_H

#include "nfs/v4/client/open-state.h"
#include "nfs/v4/client/procedure.h"
#include "nfs/v4/client/seqid-owner.h"
#include "nfs/v4/protocol/compound.h"
#include "rpc/client-transport.h"
#include "rpc/payload.h"
#include "rpc/record.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace ns3::nfsrdma
{

/// How a COMPOUND ended. results and message end with the callback.
struct Nfs4TaskReply
{
    RpcOutcome outcome{RpcOutcome::SUCCESS}; ///< Of its last RPC.
    Nfs4Status status{Nfs4Status::OK};       ///< Of its last operation, with SUCCESS.
    const Compound4Res& results;             ///< Empty without SUCCESS.
    const RpcReceivedMessage& message;
    bool repeated{false}; ///< It was sent more than once.

    [[nodiscard]] bool IsOk() const
    {
        return outcome == RpcOutcome::SUCCESS && status == Nfs4Status::OK;
    }

    /// \return the results of the \p nth operation (from 0) whose results are a Result, or null.
    template <typename Result>
    [[nodiscard]] const Result* Find(std::size_t nth = 0) const
    {
        for (const Nfs4ResOp& op : results.ops)
        {
            const auto* result = std::get_if<Result>(&op);
            if (result != nullptr && nth-- == 0)
            {
                return result;
            }
        }
        return nullptr;
    }
};

/**
 * \brief A COMPOUND of a client, from its submission to its end; it may be sent several times.
 */
struct Nfs4Task
{
    /// Adds the operations to a COMPOUND that begins with SEQUENCE when it has a slot. Called for
    /// each transmission anew, so that it takes the stateids of that time.
    std::function<void(Compound4Args& compound)> build;
    std::function<void(const Nfs4TaskReply& reply)> done;
    bool cacheThis{false};   ///< sa_cachethis: it must not be carried out twice.
    bool privileged{false};  ///< A step of recovery: it does not wait for recovery to end.
    bool sessionless{false}; ///< It goes without SEQUENCE.
    /// The connection that carries it; without, one that keeps client state goes over the main one.
    std::optional<RpcPath> path;
    bool renewsLease{true}; ///< NFSv4.0: it names the client or one of its stateids.
    /// Gives something up: that the server does not know it any more is no reason to recover.
    bool final{false};
    /// Asked before each transmission, may be null: true ends the task with OK instead.
    std::function<bool()> obsolete;
    /// The stateid that build has sent, and of what: on OLD_STATEID its next seqid is taken when it
    /// is still the latest known, for an answer that gave a later one may have been lost
    /// (nfs4_refresh_open_old_stateid() of Linux). Null: it is just made again.
    Nfs4StateId stateid;
    std::shared_ptr<Nfs4OpenState> stateidOf;
    /// Data of WRITE or CREATE, as in RpcPayload but for offset.
    std::vector<RpcDataItem> items;
    /// Memory for the data of each READ and READLINK, or the pages for a listing.
    std::vector<RpcReplyItem> places;
    /// The open whose stateid it uses: opened anew when the server does not know that.
    std::shared_ptr<Nfs4OpenState> open;
    /// NFSv4.0: the owner whose seqid it takes.
    std::shared_ptr<Nfs4SeqidOwner> owner;
    /// Asked before each transmission, whether it takes that seqid this time; null: always.
    std::function<bool()> needsOwner;
    /// NFSv4.0: the open whose lock owner's seqid it takes.
    std::shared_ptr<Nfs4OpenState> locked;
    bool next{false}; ///< Before other calls of the owner that wait.

    // The client's.

    bool hasTurn{false};    ///< Of the calls of its owner it is the one under way.
    uint64_t crashes{0};    ///< Of the host when it was sent.
    bool takesSeqid{false}; ///< It was sent with its owner's seqid, this time.
    std::optional<uint32_t> slot;
    uint32_t sequence{0};
    bool probe{false}; ///< SEQUENCE alone that finds out about its slot.
    Nfs4ClientProcedure procedure{Nfs4ClientProcedure::NONE}; ///< What it is for, once sent.
    Time arrived;                                             ///< As RpcRecord's, this time.
    Time asked;                                               ///< It was to be sent, this time.
    Time sent;
    Time delay;             ///< Waited before it was last made again.
    uint32_t recoveries{0}; ///< How often it was made again after recovery.
};

using Nfs4TaskPtr = std::shared_ptr<Nfs4Task>;

/// \return a task of operations that are the same whenever it is sent
/// \param cacheThis it must not be carried out twice
template <typename... Operations>
[[nodiscard]] Nfs4TaskPtr
MakeNfs4Task(bool cacheThis, Operations... operations)
{
    auto task = std::make_shared<Nfs4Task>();
    task->cacheThis = cacheThis;
    task->build = [same = std::make_tuple(std::move(operations)...)](Compound4Args& compound) {
        std::apply([&compound](const auto&... each) { compound.Add(each...); }, same);
    };
    return task;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_TASK_H
