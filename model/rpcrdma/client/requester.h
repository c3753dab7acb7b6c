/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_REQUESTER_H
#define NFSRDMA_RPCRDMA_CLIENT_REQUESTER_H

#include "rnic/hardware/device.h"
#include "rpc/client-transport.h"
#include "rpcrdma/client/active-connection.h"
#include "rpcrdma/client/call-queue.h"
#include "rpcrdma/client/connection-watch.h"
#include "rpcrdma/client/reconnect-backoff.h"
#include "rpcrdma/client/request-slots.h"
#include "rpcrdma/client/requester-settings.h"
#include "rpcrdma/client/xprt-statistics.h"
#include "rpcrdma/policy/inline-threshold-review.h"
#include "rpcrdma/policy/named-policy.h"

#include "ns3/address.h"
#include "ns3/event-id.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The requester of RPC-over-RDMA version 1 (RFC 8166), behaving as Linux's xprtrdma: keeps
 * calls, and makes connections for them.
 *
 *                           Connect()
 *     CLOSED -------------------------------------------------> CONNECTING
 *       ^                                                        |      ^
 *       | Disconnect(), no call pending                          |      | wait over,
 *       |                                                        |      | a call is pending
 *     OPEN, no connection <------ failed, no call pending -------+      |
 *       |          ^                                             |      |
 *       | call     |                                  failed,    |      |
 *       |          |                              calls pending  +-> WAITING
 *       |          |                                             |
 *       |          +-- lost, idle, no call pending -- CONNECTED <+ established
 *       |                                                |
 *       +-----------------> CONNECTING <-----------------+ lost, calls pending
 *
 * - Connect() opens the transport; from then on a call without a connection makes one.
 * - A live connection that is lost is made anew at once, when calls are pending; after a failed
 *   attempt the next one waits (ReconnectBackoff).
 * - Calls that were sent are sent again only on a new connection, with the same XID, newly
 *   registered chunks and forms chosen for what the peer then advertises, in order of their first
 *   submission, from one credit on (RFC 8166 section 3.3).
 * - A call without reply for too long has its connection closed, so that it is sent again; a soft
 *   one then ends with TIMED_OUT (RpcTimeout).
 * - RpcRdmaConnectionWatch closes a connection without use, and one whose peer is silent.
 * - Disconnect() closes the transport when no call is pending, and ends all timers.
 *
 * With Reconnect false the end of a connection closes the transport: calls sent end with
 * DISCONNECTED, others wait for Connect().
 *
 * A call ends exactly once. Attributes carry the numbers of Linux 6.1; policies are chosen by name.
 */
class RpcRdmaClient : public RpcClientTransport, private RpcRdmaConnectionOwner
{
  public:
    static TypeId GetTypeId();
    RpcRdmaClient();

    void SetDevice(Ptr<RnicDevice> device)
    {
        m_device = device;
    }

    void SetServer(const Address& server)
    {
        m_server = server;
    }

    /// Replaces the policy that the attribute CallForm names; only when idle.
    void SetCallFormPolicy(std::unique_ptr<CallFormPolicy> policy);
    /// Replaces the policy that the attribute ReplyMechanism names; only when idle.
    void SetReplyMechanismPolicy(std::unique_ptr<ReplyMechanismPolicy> policy);

    /// Serves the server's calls over connections made from now on (RFC 8167). Without, they are
    /// dropped and counted as replies with an unknown XID.
    void SetReverseServer(Ptr<RpcServer> server)
    {
        m_settings.connection.reverse.server = server;
    }

    /// Opens the transport and starts to connect; does nothing while there is a connection.
    void Connect();
    /// Closes the transport as soon as no call is pending, and gives back every verbs object.
    void Disconnect();
    /// Fault injection: the queue pair of the connection, if any, moves to ERROR.
    void InjectError();

    [[nodiscard]] bool IsConnected() const
    {
        return m_connection && m_connection->IsEstablished();
    }

    /// \return true when no verbs object is held.
    [[nodiscard]] bool IsIdle() const
    {
        return !m_connection;
    }

    void Submit(std::unique_ptr<RpcTransportCall> call) override;
    bool Cancel(uint32_t xid) override;
    void Crash() override;
    void Boot() override;
    [[nodiscard]] uint64_t GetLargestRoom(const RpcReplyEstimate& reply) const override;

    /// Fires "CallRefused".
    void NoteRefusal(const RpcRecord& record, const std::string& reason) override
    {
        m_callRefusedTrace(record, reason);
    }

    /// \return of this connection, or before the first of RFC 8166's thresholds: the smaller of
    /// both, ReverseMessageSize at most, without a header that has no chunks
    /// (xprt_rdma_bc_maxpayload).
    [[nodiscard]] RpcReverseLimits GetReverseLimits() const override;
    [[nodiscard]] uint32_t GetPending() const override;
    [[nodiscard]] std::vector<std::string> DescribeWaiting() const override;

    [[nodiscard]] XprtRdmaStatistics GetStatistics() const;

    /// \return connections that have ended or could not be made, by what has ended them.
    [[nodiscard]] const std::map<std::string, uint64_t>& GetEnds() const
    {
        return m_ends;
    }

    /// \return what was counted of the server's calls.
    [[nodiscard]] const RpcRdmaReverseStatistics& GetReverseStatistics() const
    {
        return *m_settings.connection.reverseStatistics;
    }

    /// \return why its connections ended in an error.
    [[nodiscard]] const TerminateTally& GetTerminates() const
    {
        return *m_settings.connection.terminates;
    }

    /// \return what was done to make memory known, on all connections.
    [[nodiscard]] const RegistrationStatistics& GetRegistrationStatistics() const
    {
        return *m_settings.connection.registration.statistics;
    }

    /// \return what was counted of replies that came as Read chunks.
    [[nodiscard]] const ReplyPullStatistics& GetReplyPullStatistics() const
    {
        return *m_settings.connection.replyPull.statistics;
    }

    /// \return what fits inline on this connection; defaults of RFC 8166 before the first.
    [[nodiscard]] const InlineLimits& GetInlineLimits() const
    {
        return m_limits;
    }

    [[nodiscard]] uint32_t GetCredits() const
    {
        return m_connection ? m_connection->GetWindow().GetGranted() : 1;
    }

    [[nodiscard]] uint32_t GetOutstanding() const
    {
        return m_connection ? m_connection->GetWindow().GetOutstanding() : 0;
    }

    /// \return Sends that the reply to a call may take on this connection.
    [[nodiscard]] uint32_t GetReplyMessages() const
    {
        return m_connection ? m_connection->GetReplyMessages() : 1;
    }

    /// \return by how many the Sends that replies to calls outstanding may still take pass the
    /// Receives posted; 0: they do not.
    [[nodiscard]] uint64_t CountMissingReceives() const
    {
        return m_connection ? m_connection->CountMissingReceives() : 0;
    }

    /// \return by how many calls outstanding and RDMA_DONE not known to be received pass the
    /// credits and the Receives kept for RDMA_DONE; 0: they do not.
    [[nodiscard]] uint64_t CountNoticesBeyond() const
    {
        return m_connection ? m_connection->CountNoticesBeyond() : 0;
    }

    /// Trace source "Connected": largest Send in each direction, octets.
    typedef void (*ConnectedTracedCallback)(uint32_t inlineSend, uint32_t inlineReceive);
    /// Trace source "Disconnected": the connection ended, or could not be made.
    typedef void (*DisconnectedTracedCallback)(CmEventType reason);
    /// Trace source "ConnectionEnded": the same, with what has ended it.
    typedef void (*ConnectionEndedTracedCallback)(const std::string& reason);
    /// Trace source "Retry": a connection is to be made after \p delay.
    typedef void (*RetryTracedCallback)(Time delay);
    /// Trace source "TimedOut": a call has waited too long; its connection is being closed.
    typedef void (*TimedOutTracedCallback)(const RpcRecord& record);
    /// Trace source "CallRefused": a call ends with TRANSPORT_ERROR, as it can never be sent, or
    /// sent again with more room for its reply: for what \p reason, with the bound that it passes.
    typedef void (*CallRefusedTracedCallback)(const RpcRecord& record, const std::string& reason);
    /// Trace source "CallSent": a call was posted.
    typedef void (*CallSentTracedCallback)(const RpcRecord& record);
    /// Trace sources "CallHeader" and "ReplyHeader": the transport header of a call that was
    /// posted, or of a reply that has ended its call.
    typedef void (*HeaderTracedCallback)(const RpcRdmaHeader& header);
    /// Trace source "BadMessage": what is wrong with a message received for \p xid.
    typedef void (*BadMessageTracedCallback)(uint32_t xid, ReplyVerdict verdict, ReplyFault fault);

    /// Trace source "CreditEnd": how long a call has held its credit. Of calls whose connection
    /// ends before it is not told.
    typedef void (*CreditEndTracedCallback)(Time held);
    /// Trace source "ReplyPulled": the reply to \p xid came as Read chunk and has been pulled.
    typedef void (*ReplyPulledTracedCallback)(uint32_t xid, uint32_t segments, uint64_t octets);
    /// Trace source "DoneSent": the server is told that the reply to \p xid has been pulled, or
    /// will not be, with RDMA_DONE or \p onCall.
    typedef void (*DoneSentTracedCallback)(uint32_t xid, bool onCall);
    /// Trace source "DoneEnd": a Receive of the server has been \p held by an RDMA_DONE until the
    /// client knows that it is free again. Of those whose connection ends before it is not told.
    typedef void (*DoneEndTracedCallback)(Time held);

  protected:
    void DoDispose() override;

  private:
    using Call = RpcRdmaCallQueue::Call;

    // RpcRdmaConnectionOwner
    void HandleEstablished() override;
    void HandleEnd(CmEventType reason) override;
    void HandleReply(RpcRdmaRequest& request, RpcReceivedMessage&& message) override;
    void HandleNoRegions(const std::string& what) override;
    void HandleCancelled(RpcRdmaRequest& request) override;
    void HandleRelease(RpcRdmaRequest& request) override;
    void HandleSendDone(RpcRdmaRequest& request) override;

    void HandleGrant(uint32_t credits) override
    {
        m_credits = credits;
    }

    void HandleOutstanding(uint32_t calls) override
    {
        m_outstanding = calls;
    }

    void HandleCreditEnd(Time held) override
    {
        m_creditEndTrace(held);
    }

    void HandleFault(uint32_t xid, ReplyVerdict verdict, ReplyFault fault) override
    {
        m_badMessageTrace(xid, verdict, fault);
    }

    void HandleRegions() override
    {
        Pump();
    }

    [[nodiscard]] RpcRdmaConnectionWatch::Subject MakeSubject();
    [[nodiscard]] RpcRdmaConnectionSettings MakeConnectionSettings();
    void MakePolicies();
    void Open();
    void StartConnection();
    void ConnectIfNeeded();
    /// Another attempt waits. \param made whether the peer could be asked at all
    void Delay(bool made);
    void DisconnectIfIdle();
    void RenegotiateIfIdle();
    void Close();
    void NoteEnd(const std::string& reason);
    /// Queues the calls of a connection that has ended, or ends them.
    void TakeBack(std::vector<RpcRdmaRequest*>&& requests);
    void WatchTimeouts(Time delay);
    void CheckTimeouts();
    /// \return whether a call that was sent has no reply in time.
    bool FindLateCall(Time& next);
    [[nodiscard]] bool SendProbe();

    void Pump();
    /// Notes which of the calls that wait have a slot.
    void GrantSlots();
    /// Sends calls again when the next one that sleeps is awake.
    void WakeBacklog();
    /// \return whether another call may follow.
    bool SendNext();
    void CountSend(const RpcRecord& record);
    /// A call ends that can never be sent.
    void Refuse(Call call, const std::string& reason);
    void EndAll(std::vector<Call>&& calls, RpcOutcome outcome);
    void End(RpcTransportCall& call, RpcReceivedMessage&& message);

    RpcRdmaClientSettings m_settings;
    Ptr<RnicDevice> m_device;
    Address m_server;
    bool m_open{false};
    bool m_down{false}; ///< From Crash() to Boot().
    bool m_disconnectWhenIdle{false};
    bool m_wasEstablished{false}; ///< The connection there is.
    Time m_connectStart;
    Time m_connectedAt; ///< The latest connection was established.
    Time m_nextAttempt;
    ReconnectBackoff m_backoff;
    EventId m_attempt;
    EventId m_timeoutCheck;
    EventId m_backlogWake;
    RpcRdmaConnectionWatch m_watch;
    NamedPolicy<CallFormPolicy> m_callForms;
    NamedPolicy<ReplyMechanismPolicy> m_replyMechanism;
    Ptr<RpcRdmaConnection> m_connection; ///< Null when there is none.
    InlineLimits m_limits;               ///< Of the last connection made.
    InlineThresholdReview m_inlineReview;
    bool m_renegotiates{false}; ///< Nothing is sent until the connection is another one.
    TracedValue<uint32_t> m_credits{1};
    TracedValue<uint32_t> m_outstanding{0};

    RpcRdmaCallQueue m_queue;
    std::optional<uint32_t> m_awaitsRequest; ///< XID of the call that waits for a request.
    uint32_t m_refusedXid{0};                ///< Of the call that there were no regions for.
    uint32_t m_program{0};                   ///< Of the latest call, for probes.
    uint32_t m_version{0};
    RpcRdmaRequestSlots m_slots;

    XprtRdmaStatistics m_statistics;
    std::map<std::string, uint64_t> m_ends;
    TracedCallback<uint32_t, uint32_t> m_connectedTrace;
    TracedCallback<CmEventType> m_disconnectedTrace;
    TracedCallback<const std::string&> m_endedTrace;
    TracedCallback<Time> m_retryTrace;
    TracedCallback<const RpcRecord&> m_timedOutTrace;
    TracedCallback<const RpcRecord&> m_callSentTrace;
    TracedCallback<const RpcRecord&, const std::string&> m_callRefusedTrace;
    TracedCallback<const RpcRdmaHeader&> m_callHeaderTrace;
    TracedCallback<const RpcRdmaHeader&> m_replyHeaderTrace;
    TracedCallback<uint32_t, ReplyVerdict, ReplyFault> m_badMessageTrace;
    TracedCallback<Time> m_creditEndTrace;
    TracedCallback<uint32_t, uint32_t, uint64_t> m_replyPulledTrace;
    TracedCallback<uint32_t, bool> m_doneSentTrace;
    TracedCallback<Time> m_doneEndTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_REQUESTER_H
