/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_CALLBACK_CHANNEL_H
#define NFSRDMA_NFS_V4_SERVER_CALLBACK_CHANNEL_H

#include "nfs/v4/protocol/callback-compound.h"
#include "nfs/v4/server/channel-bounds.h"
#include "nfs/v4/server/state-table.h"
#include "rpc/client.h"
#include "wire/ring.h"

#include "ns3/event-id.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief A server's calls to the callback service of one client: CB_NULL to see whether NFSv4.0's
 * is there, CB_COMPOUND with CB_SEQUENCE and CB_RECALL, CB_OFFLOAD or CB_NOTIFY_LOCK.
 *
 * A callback takes the lowest free slot of the back channel; others wait in the order in which they
 * came. nfsd of Linux 6.1 has one slot, so that it makes one call at a time; since 6.13 as many as
 * the client offers (nfsd41_cb_get_slot() of fs/nfsd/nfs4callback.c), no more than what the answers
 * to CB_SEQUENCE name as target. A slot is free again when its callback has ended, with its
 * retries.
 *
 * With a worker that several channels share a call is made when those of the others before it have
 * been; none waits for the answer to another client's.
 *
 * One that is answered with DELAY is sent again after RETRY_SECONDS, a CB_RECALL once also when the
 * client does not know the stateid yet. One that gets no answer is not sent again.
 */
class Nfs4CallbackChannel : public std::enable_shared_from_this<Nfs4CallbackChannel>
{
  public:
    /// nfsd's rpc_delay() of a callback.
    static constexpr int64_t RETRY_SECONDS = 2;

    struct Service
    {
        Ptr<RpcClientTransport> transport;
        Ptr<HostCpu> cpu; ///< Null: one of its own.
        /// The worker that makes the calls, of several channels; null: each call is a task of its
        /// own.
        Ptr<HostThread> worker;
        uint32_t program{0};
        std::string machineName;              ///< Of the AUTH_SYS credential.
        uint32_t callbackIdent{0};            ///< NFSv4.0.
        uint32_t minorVersion{0};             ///< Of the COMPOUNDs.
        std::optional<Nfs4SessionId> session; ///< From NFSv4.1 on.
        uint32_t maxRequest{0xffffffff};      ///< Octets of a call, RPC header included.
        uint32_t slots{1};                    ///< Callbacks at a time.
    };

    /// How a callback ended.
    enum class Outcome
    {
        DONE,  ///< The client has answered; it may have refused.
        DOWN,  ///< No answer.
        FAULT, ///< The answer, or the request, is not what the session allows.
        TOO_LARGE
    };

    /// \param ended is told of each callback
    Nfs4CallbackChannel(const Service& service, std::function<void(Outcome)> ended);
    ~Nfs4CallbackChannel();

    /// CB_NULL.
    void Probe();
    /// CB_RECALL, after those before it.
    void Recall(const Nfs4StatePtr& delegation);

    /// CB_OFFLOAD, after those before it. \param answered called when the client has answered
    void Offload(CbOffloadArgs4 result, std::function<void()> answered)
    {
        Add({[result = std::move(result)] { return result; }, 0, std::move(answered)});
    }

    /// CB_NOTIFY_LOCK, after those before it.
    void NotifyLock(CbNotifyLockArgs4 lock)
    {
        Add({[lock = std::move(lock)] { return lock; }});
    }

    /// Nothing is sent any more, and nobody told.
    void Close();

    /// \return callbacks that have not ended.
    [[nodiscard]] std::size_t GetPending() const
    {
        return m_queue.size() + GetOutstanding();
    }

    /// \return those of them that have a slot.
    [[nodiscard]] std::size_t GetOutstanding() const;

    /// \return callbacks sent of that operation.
    [[nodiscard]] uint64_t GetSent(Nfs4CbOp op) const;

  private:
    struct Pending
    {
        std::function<Nfs4CbArgOp()> make; ///< Called for each transmission.
        uint32_t retries{0};               ///< Left for an unknown stateid.
        std::function<void()> answered{};  ///< May be null.
    };

    /// A slot of the back channel; the only one, without a session.
    struct Slot
    {
        uint32_t sequence{1};
        std::optional<Pending> call; ///< That has the slot.
        EventId retry;
    };

    void Add(Pending pending);
    /// Has \p call made by the worker, or at once when there is none.
    void InTurn(const std::function<void(Nfs4CallbackChannel&)>& call);
    void SendProbe();
    /// Gives free slots to the callbacks that wait.
    void SendNext();
    /// Sends the callback that has \p slot.
    void Send(uint32_t slot);
    void HandleReply(uint32_t slot, const RpcRecord& record, XdrReader& reader);
    void Answer(uint32_t slot, const CbCompound4Res& results);
    void Again(uint32_t slot);
    void Drop(uint32_t slot, Outcome outcome);
    [[nodiscard]] RpcReplyEstimate MakeEstimate() const;

    Service m_service;
    std::function<void(Outcome)> m_ended;
    Ptr<RpcClient> m_client;
    Ring<Pending> m_queue;
    std::vector<Slot> m_slots;
    uint32_t m_target; ///< Slots that the client wants to be used at most.
    std::map<Nfs4CbOp, uint64_t> m_sent;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_CALLBACK_CHANNEL_H
