/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_ACTIVE_CONNECTION_H
#define NFSRDMA_RPCRDMA_CLIENT_ACTIVE_CONNECTION_H

#include "rnic/connect/cm-id.h"
#include "rnic/hardware/device.h"
#include "rpcrdma/client/call-encoder.h"
#include "rpcrdma/client/chunk-retirement.h"
#include "rpcrdma/client/connection-settings.h"
#include "rpcrdma/client/credit-window.h"
#include "rpcrdma/client/given-up-calls.h"
#include "rpcrdma/client/message-kind.h"
#include "rpcrdma/client/posted-sends.h"
#include "rpcrdma/client/region-wait.h"
#include "rpcrdma/client/reply-header-check.h"
#include "rpcrdma/client/reply-pull-session.h"
#include "rpcrdma/client/request.h"
#include "rpcrdma/client/reverse-responder.h"
#include "rpcrdma/client/send-room.h"
#include "rpcrdma/client/xprt-statistics.h"
#include "rpcrdma/connection-end.h"
#include "rpcrdma/message/continuation.h"
#include "rpcrdma/message/private-data.h"
#include "rpcrdma/policy/call-form.h"
#include "rpcrdma/policy/reply-mechanism.h"
#include "rpcrdma/receive-buffers.h"
#include "rpcrdma/verbs-endpoint.h"

#include "ns3/address.h"
#include "ns3/simple-ref-count.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What a RpcRdmaConnection tells the transport that made it. Calls come from simulator events.
class RpcRdmaConnectionOwner
{
  public:
    virtual ~RpcRdmaConnectionOwner() = default;

    /// Calls may be sent.
    virtual void HandleEstablished() = 0;
    /// Told once. The connection holds no verbs object any more and hands out its requests
    /// (TakeRequests()); it is to be dropped.
    virtual void HandleEnd(CmEventType reason) = 0;
    /// The responder has granted credits.
    virtual void HandleGrant(uint32_t credits) = 0;
    /// So many calls hold a credit now.
    virtual void HandleOutstanding(uint32_t calls) = 0;
    /// A call has given its credit back, which it had for \p held.
    virtual void HandleCreditEnd(Time held) = 0;
    /// A message is not what it should be.
    virtual void HandleFault(uint32_t xid, ReplyVerdict verdict, ReplyFault fault) = 0;
    /// There may be regions, or a credit, for the next call again.
    virtual void HandleRegions() = 0;
    /// There will never be regions for the call that Send() refused: it needs \p what.
    virtual void HandleNoRegions(const std::string& what) = 0;
    /// A call has ended: its chunks are invalid. The outcome is in the record; \p message is empty
    /// unless it is SUCCESS. The slot stays in use as long as request.sendPending.
    virtual void HandleReply(RpcRdmaRequest& request, RpcReceivedMessage&& message) = 0;
    /// A call that was given up is over for its caller. HandleRelease() follows when its memory is
    /// set aside.
    virtual void HandleCancelled(RpcRdmaRequest& request) = 0;
    /// The memory of a call set aside is not in use any more.
    virtual void HandleRelease(RpcRdmaRequest& request) = 0;
    /// The Send of \p request has completed, or will never: request.sendPending has become false.
    virtual void HandleSendDone(RpcRdmaRequest& request) = 0;
};

/**
 * \brief One connection of the requester (rpcrdma_ep): made for an attempt to connect, and dropped
 * with everything that belongs to it when the attempt fails or the connection ends.
 *
 *     CONNECTING --ESTABLISHED--> ESTABLISHED --Disconnect(), post refused--> CLOSING
 *          |                           |                                         |
 *          +---------------------------+--- any other event ---> ENDED <---------+
 *
 * Ends with it: verbs objects, receives, regions and their registrations, credits, what the peer's
 * private data said, whether a Send is still to complete. Outlives it: the requests with their
 * calls, XIDs and buffers, which the transport owns.
 *
 * When chunks cannot be invalidated, here or because the queue pair fails, no RPC ends before the
 * connection has (RFC 8166 section 4.5.4).
 *
 * What a received message is, MessageKind tells.
 */
class RpcRdmaConnection : public SimpleRefCount<RpcRdmaConnection>
{
  public:
    /// What became of a call given to Send().
    enum class SendResult
    {
        SENT,
        NO_REGIONS, ///< HandleRegions() or HandleNoRegions() follows.
        TOO_LONG,   ///< It cannot be sent on this connection.
        REFUSED     ///< The queue pair refuses it: the connection is being closed.
    };

    /// \p callForms, \p replyMechanism, \p statistics and \p owner outlive the connection.
    RpcRdmaConnection(Ptr<RnicDevice> device,
                      RpcRdmaConnectionSettings settings,
                      const CallFormPolicy& callForms,
                      ReplyMechanismPolicy& replyMechanism,
                      XprtRdmaStatistics& statistics,
                      RpcRdmaConnectionOwner& owner);
    ~RpcRdmaConnection();

    /// Starts to connect. \return false when the device has no objects left.
    bool Connect(const Address& server);
    /// Closes the connection in order; HandleEnd() follows.
    /// \param reason what GetEndReason() is to say
    void Disconnect(const std::string& reason);
    /// Closes the connection without waiting for the peer; HandleEnd() follows at once.
    /// \param reason what GetEndReason() is to say
    void Drop(const std::string& reason);

    /// \return for people, what has ended the connection: a Terminate message, Disconnect(), Drop()
    /// or the connection manager, whichever was first.
    [[nodiscard]] const std::string& GetEndReason() const
    {
        return m_end.GetReason();
    }

    /// Fault injection: the queue pair moves to ERROR; HandleEnd() follows.
    void InjectError();
    /// Gives everything back at once; the owner is told nothing more.
    void Abort();

    [[nodiscard]] bool IsEstablished() const
    {
        return m_state == State::ESTABLISHED;
    }

    /// \return true when Send() may be called: established, a credit, regions as far as known.
    [[nodiscard]] bool MaySend() const;

    /// \return the same for a health probe, which may use the reserved credits.
    [[nodiscard]] bool MaySendProbe() const
    {
        return m_state == State::ESTABLISHED && !m_regions->IsWaiting() && m_window.MaySendProbe();
    }

    /// \return true when a call with this XID is outstanding.
    [[nodiscard]] bool IsOutstanding(uint32_t xid) const
    {
        return m_requests.count(xid) != 0;
    }

    /// Encodes and posts the call of \p request, which stays here until HandleReply() when SENT or
    /// REFUSED.
    SendResult Send(RpcRdmaRequest& request);
    /// Gives a call up. \return false when it is not outstanding, or its reply has come.
    bool Cancel(uint32_t xid);

    /// What ends it, where that is not known of anything else.
    void NoteEnd(const std::string& reason)
    {
        m_end.Note(reason);
    }

    /// \return the requests that were in use when the connection ended, in no order.
    [[nodiscard]] std::vector<RpcRdmaRequest*> TakeRequests();

    [[nodiscard]] const InlineLimits& GetInlineLimits() const
    {
        return m_limits;
    }

    /// \return RpcRdmaCallEncoder::GetLargestRoom(); UINT64_MAX before the connection is made.
    [[nodiscard]] uint64_t GetLargestRoom(const RpcReplyEstimate& reply) const;

    [[nodiscard]] const CreditWindow& GetWindow() const
    {
        return m_window;
    }

    /// \return Sends that the reply to a call may take.
    [[nodiscard]] uint32_t GetReplyMessages() const
    {
        return m_replyMessages;
    }

    /// \return by how many the Sends that replies to calls outstanding may still take pass the
    /// Receives posted; 0: they do not.
    [[nodiscard]] uint64_t CountMissingReceives() const;
    /// \return by how many calls outstanding and RDMA_DONE not known to be received pass the
    /// credits and the Receives kept for RDMA_DONE; 0: they do not.
    [[nodiscard]] uint64_t CountNoticesBeyond() const;

    /// \return calls outstanding, whose caller waits.
    [[nodiscard]] uint32_t GetRequestCount() const
    {
        return m_requests.size() + m_givenUp.GetFencing().size() - m_givenUp.GetSetAside();
    }

    /// Calls \p visit for each call outstanding whose caller waits, by XID.
    void ForEachCall(const std::function<void(RpcTransportCall&)>& visit) const;

    /// \return when the oldest call was sent that was given up and has had no reply.
    [[nodiscard]] Time GetOldestOwed() const
    {
        return m_givenUp.GetOldestOwed();
    }

    /// \return when a call was sent or a reply received last, health probes apart.
    [[nodiscard]] Time GetLastUsed() const
    {
        return m_lastUsed;
    }

    /// \return when a message was received last, or the connection was made.
    [[nodiscard]] Time GetLastHeard() const
    {
        return m_lastHeard;
    }

    [[nodiscard]] bool IsWaitingForRegions() const
    {
        return m_regions && m_regions->IsWaiting();
    }

    /// \return why Send() has found the latest call too long.
    [[nodiscard]] const std::string& DescribeRefusal() const
    {
        return m_encoder->DescribeRefusal();
    }

    /// \return one line per outstanding call.
    [[nodiscard]] std::vector<std::string> DescribeWaiting() const;
    /// Adds to the statistics given what is counted only when the connection ends.
    void AddLiveStatistics(XprtRdmaStatistics& statistics) const;

  private:
    enum class State
    {
        CONNECTING,
        ESTABLISHED,
        CLOSING,
        ENDED
    };

    void HandleEvent(Ptr<CmId> id, const CmEvent& event);
    void HandleEstablished(const CmEvent& event);
    void HandleEnd(CmEventType reason);
    void StopNotices();
    void TearDown();
    void RegisterWritePad(CallEncoderSettings& settings);
    [[nodiscard]] ChunkRegistrar& GetSinkRegistrar();
    bool StartPullSession(const CmEvent& event);

    /// \return how completions are handled; sets what the send path does.
    [[nodiscard]] VerbsEndpoint::Handling MakeHandling();
    void Post(RpcRdmaRequest& request, std::vector<SendWorkRequest>&& chain);
    /// No call is under way: with one region for all, another connection may have one.
    void LeaveIfIdle();

    void HandleSendCompletion(const WorkCompletion& completion);
    void HandleCompletionOfSend(const WorkCompletion& completion);
    /// Disconnects, where that waits for notices, once they have completed, or one has failed.
    void EndLinger(bool completed);
    /// A signaled Send has completed, and so have those before it; or none will complete.
    void EndSends(bool completed);
    void HandleReceive(const WorkCompletion& completion);
    /// What the peers have agreed on of replies in parts.
    void AgreeOnContinuation(const CmEvent& event);
    /// \return the extension of private data; nothing when there is none to offer.
    [[nodiscard]] std::optional<ReadChunkExtension> MakeExtension() const;
    /// Takes a message that is a part of one, or none, into account. \return whether m_message is
    /// a whole one.
    bool TakePart();
    /// \p stag was invalidated by a part of the reply to \p xid which made no message whole.
    void TakePartInvalidation(uint32_t xid, Stag stag);
    /// A message, or what has come of it in parts, is of no use.
    void DropPart(uint32_t xid);
    [[nodiscard]] XidState GetXidState(uint32_t xid) const;
    void HandleMessage(const WorkCompletion& completion);
    void HandleReply(RpcRdmaRequest& request, const WorkCompletion& completion);
    void Report(uint32_t xid, ReplyVerdict verdict, ReplyFault fault);
    void ReleaseInvalidated(RpcRdmaRequest& request, const WorkCompletion& completion);
    void HandleForeignInvalidation(uint32_t xid, ReplyVerdict verdict);
    [[nodiscard]] RpcRdmaPrivateData GetPrivateData() const;
    void PostReceives();
    /// A message has taken a receive that no call of either side waits for.
    void RefillUnawaited();
    /// Posts receives for \p credits, which no window has bounded; those that the queue has no room
    /// for stay allocated (rpcrdma_post_recvs() of Linux 7.1).
    void PostForRawGrant(uint32_t credits);
    void EndIfDone(RpcRdmaRequest& request);
    void EndCancelled(RpcRdmaRequest& request);

    void ReleaseRegions(RpcRdmaRequest& request)
    {
        m_regions->Release(m_retirement->Release(request));
    }

    /// The connection has carried \p call, or its reply: health probes are no use.
    void NoteUse(const RpcTransportCall& call);
    /// A call that was sent at \p sent holds its credit no longer.
    void EndCredit(Time sent);
    /// Takes the credits of the reply to a call that was given up and holds its own until then.
    void TakeLateGrant(const RpcRdmaFixedHeader& header);
    /// \return whether it is the reply of a call set aside.
    bool HandleLateReply(uint32_t xid, const WorkCompletion& completion);

    Ptr<RnicDevice> m_device;
    RpcRdmaConnectionSettings m_settings;
    RpcRdmaQueueSizes m_sizes;
    const CallFormPolicy& m_callForms;
    ReplyMechanismPolicy& m_replyMechanism;
    XprtRdmaStatistics& m_statistics;
    RpcRdmaConnectionOwner& m_owner;

    ConnectionEnd m_end;
    State m_state{State::CONNECTING};
    Ptr<CmId> m_cm;
    Time m_lastUsed;
    Time m_lastHeard;
    std::unique_ptr<VerbsEndpoint> m_endpoint;
    HostWork m_sendWork;                     ///< Of the send path, each call.
    std::unique_ptr<RpcRdmaSendRoom> m_room; ///< Of the send queue.
    std::unique_ptr<ReceiveBuffers> m_receives;
    std::unique_ptr<ChunkRegistrar> m_registrar;
    std::unique_ptr<ChunkRegistrar> m_sinkRegistrar; ///< Null: m_registrar's tags can be sinks.
    std::unique_ptr<RpcRdmaRegionWait> m_regions;
    std::unique_ptr<RpcRdmaChunkRetirement> m_retirement;
    std::unique_ptr<RpcRdmaCallEncoder> m_encoder;
    Ptr<RpcRdmaReverseResponder> m_reverse;   ///< Null when no reverse call is served.
    std::unique_ptr<ReplyPullSession> m_pull; ///< Null unless ReplyPullSettings::IsEnabled().
    HostBuffer m_writePad;
    InlineLimits m_limits;
    bool m_invalidatesRemotely{false}; ///< Both sides have announced it (RFC 8797 section 4.1).
    CreditWindow m_window;
    RpcRdmaPostedSends m_sends;

    std::map<uint32_t, RpcRdmaRequest*> m_requests; ///< Outstanding or set aside, by XID.
    std::vector<RpcRdmaRequest*> m_requestOfSlot;   ///< In use; null for others.
    RpcRdmaGivenUpCalls m_givenUp;
    ReplyHeaderCheck m_check;
    ByteVector m_message;        ///< Received last.
    uint32_t m_messageLength{0}; ///< Octets of the Sends that it came in.
    uint32_t m_messageSends{1};  ///< How many these are.
    uint32_t m_partsLength{0};   ///< Octets of the Sends of a message that is not whole.
    uint32_t m_replyMessages{1}; ///< Sends that a reply may take, each with a receive.
    RpcRdmaContinuedMessage m_continued;
    bool m_lingers{false}; ///< Closes when notices have completed.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_ACTIVE_CONNECTION_H
