/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_RPCRDMA_CLIENT_H
#define NFSRDMA_RPCRDMA_RPCRDMA_CLIENT_H

#include "rnic/rnic-device.h"
#include "rpc/rpc-client-transport.h"
#include "rpcrdma/rpcrdma-connection.h"
#include "rpcrdma/rpcrdma-request.h"
#include "rpcrdma/xprt-rdma-statistics.h"

#include "ns3/inet-socket-address.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The requester of RPC-over-RDMA version 1 (RFC 8166), behaving as Linux's xprtrdma.
 *
 *     IDLE --Connect()--> CONNECTING --ESTABLISHED--> CONNECTED --Disconnect(), idle--> CLOSING
 *      ^                       |                          |                               |
 *      +-----------------------+------ any other event ---+-------------------------------+
 *
 * Calls wait in order of submission for connection, credit and slot. When the connection is lost,
 * calls already sent end with DISCONNECTED; calls not yet sent wait for the next Connect().
 *
 * Attributes carry the numbers of Linux 6.1; policies are chosen by name.
 */
class RpcRdmaClient : public RpcClientTransport, private RpcRdmaConnectionOwner
{
  public:
    static TypeId GetTypeId();
    RpcRdmaClient();
    ~RpcRdmaClient() override;

    void SetDevice(Ptr<RnicDevice> device);
    void SetServer(const InetSocketAddress& server);
    /// Replaces the policy that the attribute CallForm names; only when idle.
    void SetCallFormPolicy(std::unique_ptr<CallFormPolicy> policy);
    /// Replaces the policy that the attribute ReplyMechanism names; only when idle.
    void SetReplyMechanismPolicy(std::unique_ptr<ReplyMechanismPolicy> policy);
    /// Serves the server's calls over connections made from now on (RFC 8167). Without, they are
    /// dropped and counted as replies with an unknown XID.
    void SetReverseServer(Ptr<RpcServer> server);

    /// Starts to connect; does nothing unless the state is IDLE.
    void Connect();
    /// Disconnects as soon as no call is pending, and gives back every verbs object.
    void Disconnect();
    [[nodiscard]] bool IsConnected() const;
    /// \return true when no verbs object is held.
    [[nodiscard]] bool IsIdle() const;

    void Submit(std::unique_ptr<RpcTransportCall> call) override;
    [[nodiscard]] uint32_t GetPending() const override;
    [[nodiscard]] std::vector<std::string> DescribeWaiting() const override;

    [[nodiscard]] XprtRdmaStatistics GetStatistics() const;
    /// \return what was counted of the server's calls.
    [[nodiscard]] const RpcRdmaReverseStatistics& GetReverseStatistics() const;
    /// \return what was counted of replies that came as Read chunks.
    [[nodiscard]] const ReplyPullStatistics& GetReplyPullStatistics() const;
    /// \return what fits inline on this connection; defaults of RFC 8166 before the first.
    [[nodiscard]] const InlineLimits& GetInlineLimits() const;
    [[nodiscard]] uint32_t GetCredits() const;
    [[nodiscard]] uint32_t GetOutstanding() const;

    /// Trace source "Connected": largest Send in each direction, octets.
    typedef void (*ConnectedTracedCallback)(uint32_t inlineSend, uint32_t inlineReceive);
    /// Trace source "Disconnected": the connection ended, or could not be made.
    typedef void (*DisconnectedTracedCallback)(CmEventType reason);
    /// Trace source "CallSent": a call was posted.
    typedef void (*CallSentTracedCallback)(const RpcRecord& record);
    /// Trace sources "CallHeader" and "ReplyHeader": the transport header of a call that was
    /// posted, or of a reply that has ended its call.
    typedef void (*HeaderTracedCallback)(const RpcRdmaHeader& header);
    /// Trace source "BadMessage": what is wrong with a message received for \p xid.
    typedef void (*BadMessageTracedCallback)(uint32_t xid, ReplyVerdict verdict, ReplyFault fault);

    /// Trace source "ReplyPulled": the reply to \p xid came as Read chunk and has been pulled.
    typedef void (*ReplyPulledTracedCallback)(uint32_t xid, uint32_t segments, uint64_t octets);
    /// Trace source "DoneSent": the server is told that the reply to \p xid has been pulled, or
    /// will not be, with RDMA_DONE or \p onCall.
    typedef void (*DoneSentTracedCallback)(uint32_t xid, bool onCall);

  protected:
    void DoDispose() override;

  private:
    // RpcRdmaConnectionOwner
    void HandleEstablished() override;
    void HandleEnd(CmEventType reason) override;
    void HandleGrant(uint32_t credits) override;
    void HandleFault(uint32_t xid, ReplyVerdict verdict, ReplyFault fault) override;
    void HandleRegions() override;
    void HandleNoRegions() override;
    void HandleReply(RpcRdmaRequest& request, RpcReceivedMessage&& message) override;
    void HandleSendDone(RpcRdmaRequest& request) override;

    static TypeId AddReplyPullAttributes(TypeId tid);
    [[nodiscard]] RpcRdmaConnectionSettings MakeSettings();
    [[nodiscard]] ReplyPullSettings MakeReplyPullSettings();
    void MakePolicies();
    void DisconnectIfIdle();
    void Pump();
    bool SendNext();
    void CountSend(const RpcRecord& record);
    RpcRdmaRequest& TakeSlot();
    void ReleaseSlot(RpcRdmaRequest& request);
    void FailHead(RpcOutcome outcome);
    static void End(RpcTransportCall& call, RpcReceivedMessage&& message);

    uint32_t m_slots{0};
    uint32_t m_inlineSend{0};
    uint32_t m_inlineReceive{0};
    uint32_t m_maxDataPages{0};
    uint32_t m_maxSegments{0};
    uint32_t m_regionPages{0};
    uint32_t m_bufferSize{0};
    uint32_t m_receiveBatch{0};
    uint32_t m_backchannelCredits{0};
    uint32_t m_reverseCredits{0};
    uint32_t m_responderResources{0};
    bool m_remoteInvalidation{true};
    bool m_writePadSegment{true};
    uint32_t m_maxReadChunks{0};
    uint32_t m_maxWriteChunks{0};
    uint32_t m_maxChunkSegments{0};
    ReadPad m_readPad{READ_PAD_NONE};
    bool m_protectWritePad{false};
    std::string m_replyRulesName;
    Time m_regionAllocationTime;
    Time m_mapCost;
    std::string m_callFormName;
    std::string m_replyMechanismName;
    std::string m_registrationName;

    bool m_readChunkExtension{false};
    bool m_notifyUnexpected{false};
    bool m_doneInvalidates{true};
    uint32_t m_pullReads{0};
    uint32_t m_maxPulledBytes{0};
    Time m_piggybackDelay;
    std::string m_noticePolicyName;

    Ptr<RnicDevice> m_device;
    InetSocketAddress m_server;
    Ptr<RpcServer> m_reverseServer; ///< Null when no reverse call is served.
    std::shared_ptr<RpcRdmaReverseStatistics> m_reverseStatistics;
    bool m_disconnectWhenIdle{false};
    Time m_connectStart;
    std::unique_ptr<CallFormPolicy> m_callForms;
    std::string m_callFormsMadeFor; ///< The name when m_callForms was made.
    std::unique_ptr<ReplyMechanismPolicy> m_replyMechanism;
    std::string m_replyMechanismMadeFor; ///< The name when m_replyMechanism was made.
    Ptr<RpcRdmaConnection> m_connection; ///< Null when idle.
    InlineLimits m_limits;               ///< Of the last connection made.
    TracedValue<uint32_t> m_credits{1};

    std::deque<std::unique_ptr<RpcTransportCall>> m_queue;
    std::vector<std::unique_ptr<RpcRdmaRequest>> m_requests;
    std::vector<uint32_t> m_freeSlots;

    XprtRdmaStatistics m_statistics;
    TracedCallback<uint32_t, uint32_t> m_connectedTrace;
    TracedCallback<CmEventType> m_disconnectedTrace;
    TracedCallback<const RpcRecord&> m_callSentTrace;
    TracedCallback<const RpcRdmaHeader&> m_callHeaderTrace;
    TracedCallback<const RpcRdmaHeader&> m_replyHeaderTrace;
    TracedCallback<uint32_t, ReplyVerdict, ReplyFault> m_badMessageTrace;
    std::shared_ptr<ReplyPullStatistics> m_pullStatistics;
    TracedCallback<uint32_t, uint32_t, uint64_t> m_replyPulledTrace;
    TracedCallback<uint32_t, bool> m_doneSentTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_RPCRDMA_CLIENT_H
