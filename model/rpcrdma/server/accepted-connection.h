/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_ACCEPTED_CONNECTION_H
#define NFSRDMA_RPCRDMA_SERVER_ACCEPTED_CONNECTION_H

#include "rnic/connect/cm-id.h"
#include "rpc/server.h"
#include "rpcrdma/connection-end.h"
#include "rpcrdma/server/calls-in-service.h"
#include "rpcrdma/server/connection-credits.h"
#include "rpcrdma/server/read-puller.h"
#include "rpcrdma/server/reply-exposer.h"
#include "rpcrdma/server/reply-writer.h"
#include "rpcrdma/server/responder-settings.h"
#include "rpcrdma/server/reverse-transport.h"
#include "rpcrdma/verbs-endpoint.h"
#include "wire/ip-address.h"

#include "ns3/simple-ref-count.h"

#include <functional>
#include <memory>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief One connection of the responder (svcxprt_rdma): takes Calls, pulls their chunks, hands
 * them to the RPC server, sends the replies. Replies after the end of the connection are dropped.
 */
class SvcRdmaConnection : public SimpleRefCount<SvcRdmaConnection>, private SvcRdmaReverseCarrier
{
  public:
    using Closed = std::function<void()>;

    SvcRdmaConnection(Ptr<RnicDevice> device,
                      Ptr<RpcServer> rpcServer,
                      std::shared_ptr<const SvcRdmaSettings> settings,
                      std::shared_ptr<SvcRdmaStatistics> statistics);
    ~SvcRdmaConnection() override;

    /**
     * \brief Accepts a connection request, or refuses it: when the peer serves no RDMA Reads or the
     * device has no objects left.
     * \param number of the connection, as the RPC server is to know it
     * \param closed called once when an accepted connection has ended and given everything back
     * \return false when refused
     */
    bool Accept(const CmEvent& request, uint64_t number, Closed closed);
    /// \return whether there is no receive for that connection at present, though there may be one
    /// later.
    [[nodiscard]] bool MustWait(const CmEvent& request);
    /// Disconnects; \p closed of Accept() follows. \param reason what GetEndReason() is to say
    void Close(const std::string& reason);
    /// Ages the connection as svc_age_temp_xprts() of Linux: it is closed when nothing was received
    /// since the last time, and no call is being carried out.
    void Age();

    /// \return what ended the connection; empty while it lives.
    [[nodiscard]] const std::string& GetEndReason() const
    {
        return m_end.GetReason();
    }

    /// Fault injection: the queue pair moves to ERROR.
    void InjectError();
    /// Gives everything back at once, without a word to the peer.
    void Abort();

    /// Carries the calls of \p reverse to this client, once established and unless a later
    /// connection does.
    void CarryReverse(Ptr<SvcRdmaReverseTransport> reverse);
    [[nodiscard]] IpAddress GetPeer() const;

    [[nodiscard]] uint32_t GetCallsInService() const
    {
        return m_calls.GetCount();
    }

    [[nodiscard]] const SvcRdmaConnectionCredits& GetCredits() const
    {
        return m_credits;
    }

    [[nodiscard]] uint32_t GetWaitingWork() const
    {
        return m_sendQueue ? m_sendQueue->GetWaiting() : 0;
    }

    /// \return calls taken that have no answer yet; none of a connection that has ended.
    [[nodiscard]] uint32_t GetUnanswered() const
    {
        return m_tornDown ? 0 : m_calls.GetCount() + (m_writer ? m_writer->GetWaiting() : 0);
    }

    /// \return calls and replies that wait for memory regions.
    [[nodiscard]] uint32_t GetWaitingForRegions() const
    {
        return m_puller ? m_puller->GetWaiting() + m_writer->GetWaiting() : 0;
    }

  private:
    // SvcRdmaReverseCarrier
    [[nodiscard]] uint32_t GetReverseThreshold() const override
    {
        return m_sendThreshold;
    }

    [[nodiscard]] bool HasReverseReceive() override;
    void SendReverse(ByteVector&& message) override;

    void HandleReverseReply(const CheckedCall& checked);
    bool Prepare(IpAddress peer, uint32_t sendThreshold, bool requesterInvalidates);
    /// Has the completion context put what comes among what is ready for the threads of its pool.
    void PrepareReceiving(const HostCosts& costs);
    [[nodiscard]] InlineThresholds ChooseThresholds(const RpcRdmaPrivateData& peer) const;
    /// What the requester has agreed on of Read chunks. \return whether it is to be answered.
    bool AgreeOnReadChunks(const ReadChunkExtension& peer);
    /// What the requester has agreed on of replies in parts. \return whether it is to be answered.
    bool AgreeOnContinuation(const ReadChunkExtension& peer);
    /// \return what the answer says of Read chunks, when it does; with \p remoteInvalidation when
    /// requesters are told that they may invalidate.
    [[nodiscard]] ByteVector EncodeExtension(bool readChunks, bool remoteInvalidation) const;
    /// \return receives for RDMA_DONE, of those that the settings name, that the bounds allow.
    [[nodiscard]] uint16_t BoundDoneReceives() const;
    /// \return work requests that a queue of the device can hold and complete.
    [[nodiscard]] uint32_t GetDeepestQueue() const;
    void TakeNotices(const WorkCompletion& completion);
    void HandleEvent(Ptr<CmId> id, const CmEvent& event);
    void HandleReceive(const WorkCompletion& completion);
    void HandleMessage();
    void Refuse(const RpcRdmaFixedHeader& header, CallVerdict verdict, CallFault fault);
    [[nodiscard]] CallFault CheckService(const CheckedCall& checked) const;
    void HandleCall(RpcRdmaHeader&& header, std::size_t payloadOffset);
    void HandleTerminateSent(const TerminateMessage& message);
    void HandleTerminateReceived(const TerminateMessage& message);
    void Pull(const std::shared_ptr<SvcRdmaCall>& call,
              ByteVector&& inlineMessage,
              RpcServer::Fetched fetched);
    void Deliver(const std::shared_ptr<SvcRdmaCall>& call, RpcReceivedMessage&& message);
    [[nodiscard]] RpcServer::Reply MakeReply(const std::shared_ptr<SvcRdmaCall>& call);
    /// The octets of \p call are no RPC call.
    void DropNoCall(const SvcRdmaCall& call);
    void TearDown();

    Ptr<RnicDevice> m_device;
    Ptr<RpcServer> m_rpcServer;
    std::shared_ptr<const SvcRdmaSettings> m_settings;
    std::shared_ptr<SvcRdmaStatistics> m_statistics;
    Closed m_closed;
    Ptr<CmId> m_cm;
    std::unique_ptr<VerbsEndpoint> m_endpoint;
    SvcRdmaConnectionCredits m_credits;
    std::unique_ptr<ChunkRegistrar> m_registrar;
    std::unique_ptr<SvcRdmaSendQueue> m_sendQueue;
    std::unique_ptr<SvcRdmaReadPuller> m_puller;
    std::unique_ptr<SvcRdmaReplyExposer> m_exposer; ///< Null when no reply may be a Read chunk.
    std::unique_ptr<SvcRdmaReplyWriter> m_writer;
    Ptr<SvcRdmaReverseTransport> m_reverse; ///< Null when there is none for this client.
    InlineThresholds m_thresholds;          ///< As advertised.
    uint32_t m_sendThreshold{0};            ///< Largest Send to the client.
    bool m_established{false};
    bool m_tornDown{false};
    HostMemoryAccount m_memoryAccount{0};
    bool m_exposes{false};        ///< Replies may be Read chunks.
    uint32_t m_replyMessages{1};  ///< Sends that a reply may take.
    bool m_noticesOnCalls{false}; ///< Calls may carry notices of pull completion.
    CallHeaderCheck m_check;
    ByteVector m_message;
    Time m_arrived; ///< Its first octet.
    SvcRdmaCallsInService m_calls;
    IpAddress m_source;      ///< The client's address.
    uint64_t m_number{0};    ///< Of the connection.
    uint32_t m_delivered{0}; ///< Calls in service that the RPC server has whole.
    bool m_old{false};       ///< Nothing was received since Age().
    ConnectionEnd m_end;
    uint32_t m_badMessages{0};
    bool m_overrun{false}; ///< Closed for more calls than granted.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_ACCEPTED_CONNECTION_H
