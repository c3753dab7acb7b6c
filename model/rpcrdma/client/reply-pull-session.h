/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_REPLY_PULL_SESSION_H
#define NFSRDMA_RPCRDMA_CLIENT_REPLY_PULL_SESSION_H

#include "rnic/hardware/device.h"
#include "rpcrdma/client/pull-notifier.h"
#include "rpcrdma/client/reply-puller.h"
#include "rpcrdma/client/send-room.h"

#include <memory>
#include <set>

namespace ns3::nfsrdma
{

/**
 * \brief The requester's side of responder-provided Read chunks on one connection: takes replies
 * with a Read list, pulls them, and tells the responder (section 4.1.2 of the draft).
 *
 * | reply                                              | pulled | notified | RPC       |
 * |----------------------------------------------------|--------|----------|-----------|
 * | Position-Zero Read chunk, agreed                   | yes    | yes      | goes on   |
 * | ... with 0 octets, or too large                    | no     | yes      | BAD_REPLY |
 * | ... and the device can never have a memory region  | no     | yes      | BAD_REPLY |
 * | ... with other Read chunks, or in RDMA_MSG         | no     | yes      | BAD_REPLY |
 * | ... not agreed, NotifyUnexpected                   | no     | yes      | BAD_REPLY |
 * | ... not agreed, as Linux                           | no     | no       | BAD_REPLY |
 * | ... discarded (unknown XID), agreed or NotifyUnexpected | no | yes    | -         |
 * | Read list without Position Zero                    | no     | no       | BAD_REPLY |
 *
 * A reply waits for memory regions while there is none.
 *
 * Ends with its connection: nothing is said on another one.
 */
class ReplyPullSession
{
  public:
    /// Work requests that pulling and notifying may have in the send queue, beside those of calls.
    static constexpr uint32_t WORK_REQUESTS = 64;

    /// What a session works with; all outlive it.
    struct Resources
    {
        Ptr<HostMemory> memory;
        RpcRdmaSendRoom& room;
        ChunkRegistrar& registrar;
        const CreditWindow& window;
        const ReplyPullSettings& settings;
    };

    ReplyPullSession(const Resources& resources, const PullNotifier::Limits& limits);

    using Ended = std::function<void()>;
    /**
     * \brief Takes the reply of \p request, which is judged. When it is pulled, request.pullPending
     * is set until \p ended is called, with the message in request.pulled. Nothing becomes of a
     * reply without a Read list.
     */
    void HandleReply(RpcRdmaRequest& request, const Ended& ended);
    /// A reply was discarded: its XID is not known, or it is of no use. Nothing is said while the
    /// reply to the same XID is being pulled.
    void HandleDiscarded(ByteSpan message);
    /// \return true when the completion was one of the session's.
    bool HandleCompletion(const WorkCompletion& completion);

    PullNotifier& GetNotifier()
    {
        return m_notifier;
    }

    [[nodiscard]] const PullNotifier& GetNotifier() const
    {
        return m_notifier;
    }

    /// \return whether the responder may send replies by Read chunk.
    [[nodiscard]] bool IsAgreed() const
    {
        return m_agreed;
    }

  private:
    /// Ids of the session's work requests, beyond all slots.
    static constexpr uint64_t FIRST_WORK_ID = uint64_t{1} << 32;

    [[nodiscard]] bool Notifies() const
    {
        return m_agreed || m_settings.notifyUnexpected;
    }

    void Take(RpcRdmaRequest& request, const Ended& ended);
    void Refuse(const RpcRdmaHeader& header);
    void Pull(RpcRdmaRequest& request, const RpcRdmaHeader& header, const Ended& ended);

    const ReplyPullSettings& m_settings;
    ReplyPullStatistics& m_statistics;
    bool m_agreed;
    SvcRdmaSendQueue m_queue;
    ReplyPuller m_puller;
    PullNotifier m_notifier;
    std::set<uint32_t> m_pulling; ///< XIDs.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_REPLY_PULL_SESSION_H
