/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_REVERSE_TRANSPORT_H
#define NFSRDMA_RPCRDMA_SERVER_REVERSE_TRANSPORT_H

#include "rpc/client-transport.h"
#include "rpcrdma/client/credit-window.h"
#include "rpcrdma/message/transport-header.h"
#include "wire/ring.h"

#include "ns3/event-id.h"
#include "ns3/traced-callback.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A connection that carries Calls of the reverse direction: SvcRdmaConnection.
class SvcRdmaReverseCarrier
{
  public:
    virtual ~SvcRdmaReverseCarrier() = default;

    /// \return the largest Send to the client, octets.
    [[nodiscard]] virtual uint32_t GetReverseThreshold() const = 0;
    /// Has a receive for the reply to one more call than are outstanding. \return false when there
    /// is none: SvcRdmaReverseTransport::Resume() follows.
    [[nodiscard]] virtual bool HasReverseReceive() = 0;
    /// Sends a whole message; nothing is told of its completion.
    virtual void SendReverse(ByteVector&& message) = 0;
};

/// What a SvcRdmaReverseTransport counts.
struct SvcRdmaReverseStatistics
{
    uint64_t sends{0};       ///< Calls sent, retransmissions included.
    uint64_t resends{0};     ///< Calls sent again on a new connection.
    uint64_t replies{0};     ///< Replies matched.
    uint64_t errors{0};      ///< RDMA_ERROR in answer to a call.
    uint64_t badXids{0};     ///< Replies for no call that waits.
    uint64_t tooLarge{0};    ///< Calls that do not fit inline: refused here.
    uint64_t timedOut{0};    ///< Calls given up.
    uint64_t connections{0}; ///< Connections that carried calls.
};

/**
 * \brief Calls of a server to a program on one client, over the connection that the client has
 * made: the requester of the reverse direction (RFC 8167), behaving as Linux's backchannel.
 *
 * It belongs to the client, not to a connection: calls wait while there is none, since only the
 * client can make one, and calls outstanding when it is lost are sent again on the next, in their
 * order, unless WaitForConnection is false.
 *
 * An iWARP responder sends nothing before the initiator's first FPDU (RFC 5044 section 7.1.4): on a
 * new connection calls leave the server when the client has sent something.
 *
 * XIDs and credits are the direction's own. One credit until the first reply on a connection; a
 * call asks for Credits, a reply grants. A call given up keeps its credit until its reply comes or
 * the connection ends, since the client may still have it.
 *
 * Messages are RDMA_MSG with three empty lists: a call with items, or one that passes the inline
 * threshold, ends with TRANSPORT_ERROR.
 */
class SvcRdmaReverseTransport : public RpcClientTransport
{
  public:
    static TypeId GetTypeId();

    void Submit(std::unique_ptr<RpcTransportCall> call) override;
    bool Cancel(uint32_t xid) override;

    [[nodiscard]] uint32_t GetPending() const override
    {
        return m_queue.size() + m_outstanding.size();
    }

    [[nodiscard]] std::vector<std::string> DescribeWaiting() const override;

    /// The server is gone: every call ends with CANCELLED.
    void Forget();
    /// Carries calls over \p carrier from now on; what another one carried is lost with it.
    void Attach(SvcRdmaReverseCarrier& carrier);
    /// \p carrier has ended. Nothing happens when another one is used.
    void Detach(SvcRdmaReverseCarrier& carrier);

    [[nodiscard]] bool IsAttached() const
    {
        return m_carrier != nullptr;
    }

    /// There may be a receive for the reply to the next call. \return whether no call waits for
    /// one.
    bool Resume();

    /// \return receives that the carrier needs for replies.
    [[nodiscard]] uint32_t GetOutstanding() const
    {
        return m_window.GetOutstanding();
    }

    [[nodiscard]] uint32_t GetCredits() const
    {
        return m_window.GetGranted();
    }

    /// Takes a message of kind Reply. \return false when no call waits for it
    bool HandleReply(const RpcRdmaFixedHeader& header, ByteSpan payload);
    /// Takes RDMA_ERROR. \return false when no call waits for it
    bool HandleError(const RpcRdmaFixedHeader& header);

    [[nodiscard]] const SvcRdmaReverseStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    /// Trace source "CallSent": a call was posted.
    typedef void (*CallSentTracedCallback)(const RpcRecord& record);

  protected:
    void DoDispose() override;

  private:
    struct Pending
    {
        std::unique_ptr<RpcTransportCall> call;
        EventId timer;
        uint64_t order{0}; ///< Of submission.
        bool sent{false};  ///< On some connection.
    };

    using PendingCall = std::unique_ptr<Pending>;

    void Pump();
    void Send(PendingCall pending);
    void HandleTimeout(uint32_t xid);
    [[nodiscard]] PendingCall TakeQueued(uint32_t xid);
    [[nodiscard]] PendingCall Match(const RpcRdmaFixedHeader& header);
    void End(PendingCall pending, RpcOutcome outcome, RpcReceivedMessage&& message);

    uint32_t m_credits{0};
    bool m_waitForConnection{true};
    Time m_timeout;

    SvcRdmaReverseCarrier* m_carrier{nullptr};
    CreditWindow m_window{1};
    uint64_t m_nextOrder{0};
    Ring<PendingCall> m_queue;
    std::map<uint32_t, PendingCall> m_outstanding; ///< By XID.
    std::set<uint32_t> m_givenUp;                  ///< XIDs that still hold a credit.
    SvcRdmaReverseStatistics m_statistics;
    TracedCallback<const RpcRecord&> m_callSentTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_REVERSE_TRANSPORT_H
