/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_CM_ID_H
#define NFSRDMA_RNIC_CM_ID_H

#include "mpa/mpa-connection.h"
#include "mpa/mpa-transport.h"
#include "rnic/rnic-device.h"

#include "ns3/inet-socket-address.h"
#include "ns3/traced-callback.h"

#include <deque>

namespace ns3::nfsrdma
{

enum class CmEventType
{
    CONNECT_REQUEST, ///< On a listener; newId is the id of the request.
    ESTABLISHED,
    REJECTED,      ///< The peer refused; its private data.
    CONNECT_ERROR, ///< Startup failed.
    UNREACHABLE,   ///< TCP refused or timed out.
    DISCONNECTED,
};

const char* ToString(CmEventType type);

class CmId;

/// An event of the connection manager.
struct CmEvent
{
    CmEventType type{CmEventType::ESTABLISHED};
    Ptr<CmId> newId;        ///< CONNECT_REQUEST.
    ByteVector privateData; ///< Of the peer, without the enhanced block.
    uint32_t ird{0}; ///< Inbound reads this side may have to serve (peer's ORD, or negotiated).
    uint32_t ord{0}; ///< Outbound reads this side may have (peer's IRD, or negotiated).
};

/// Parameters of Connect() and Accept().
struct CmConnectionParameters
{
    ByteVector privateData;         ///< At most 508 octets.
    uint32_t responderResources{0}; ///< IRD to offer; cut to the device's MaxIrd.
    uint32_t initiatorDepth{0};     ///< ORD to ask for; cut to the device's MaxOrd.
};

/**
 * \brief A connection-manager id, as rdma_cm_id: a listener, or one connection.
 *
 *
 *     IDLE -- Listen() --> LISTENING -- Disconnect() --> CLOSED
 *     IDLE -- Connect() --> CONNECTING --> CONNECTED --> CLOSED
 *     (made by a listener) REQUESTED -- Accept() --> CONNECTED --> CLOSED
 *
 * Events come through the event callback, from simulator events, after the device's interrupt
 * latency. Before DISCONNECTED, REJECTED, CONNECT_ERROR or UNREACHABLE the queue pair is in ERROR
 * and its flushed completions are in the completion queues. An id reports exactly one of these,
 * unless its request was never reported or was refused here. When startup ends in an error of RFC
 * 6581 (5 to 7) a Terminate is sent before the connection is closed; a rejected one is closed, as
 * Linux siw does. With the device's MpaSettings::RevisionFallback a peer that closes on the Request
 * is asked again, once, with revision 1. A new id of a CONNECT_REQUEST has the event callback of
 * its listener until it is given another. The device keeps an id that listens, connects or is
 * connected; the consumer may drop its own reference.
 */
class CmId : public Object
{
  public:
    static TypeId GetTypeId();
    CmId();
    ~CmId() override;

    /// \return a new id on \p device.
    static Ptr<CmId> Create(Ptr<RnicDevice> device);

    using EventCallback = Callback<void, Ptr<CmId>, const CmEvent&>;
    void SetEventCallback(EventCallback callback);

    /// Listens on a TCP port; \return false when it is taken.
    bool Listen(uint16_t port);
    /// Connects \p pair (state IDLE) to \p remote as MPA initiator.
    void Connect(Ptr<QueuePair> pair,
                 const InetSocketAddress& remote,
                 const CmConnectionParameters& parameters);
    /// Accepts a CONNECT_REQUEST id with \p pair.
    void Accept(Ptr<QueuePair> pair, const CmConnectionParameters& parameters);
    /// Refuses a CONNECT_REQUEST id.
    void Reject(ByteSpan privateData);
    /// Disconnects, or stops listening.
    void Disconnect();

    [[nodiscard]] Ptr<QueuePair> GetQueuePair() const;
    [[nodiscard]] Address GetPeerAddress() const;
    [[nodiscard]] bool IsListening() const;
    [[nodiscard]] bool IsConnected() const;
    /// \return true while it connects or is connected, on either side.
    [[nodiscard]] bool IsActive() const;

    /// Signature of the Event trace source.
    using EventTracedCallback = void (*)(const CmEvent& event);

  protected:
    void DoDispose() override;

  private:
    enum class State
    {
        IDLE,
        LISTENING,
        AWAITING_REQUEST, ///< TCP accepted, no Request yet; not known to the consumer.
        REQUESTED,
        CONNECTING,
        CONNECTED,
        CLOSED
    };

    struct PendingEvent
    {
        CmEvent event;
        Time due;
    };

    void StartResponder(Ptr<ByteStream> stream, Ptr<CmId> listener);
    void UseConnection(Ptr<MpaConnection> connection);
    void ReleaseConnection();
    [[nodiscard]] bool ClaimPair(Ptr<QueuePair> pair);
    [[nodiscard]] MpaStartupParameters GetLocal(const CmConnectionParameters& parameters) const;

    void HandleStream(Ptr<ByteStream> stream);
    void HandleRequest(const MpaStartupParameters& peer);
    void HandleOperational(const MpaStartupParameters& agreed);
    void HandleRejected(ByteSpan privateData);
    void HandleError(MpaError error);
    void HandleClosed();
    void HandleStartupFrame(const MpaStartupFrame& frame, bool sent);
    void HandleStartupFailed(MpaError error);
    void HandleDisconnected();
    void SendTerminate(MpaConnection& connection, MpaError error);
    [[nodiscard]] bool RetryWithRevision1();

    void Finish(CmEvent event);
    void Raise(CmEvent event);
    void Deliver();
    void Enter(State state);
    void LeaveDevice();

    Ptr<RnicDevice> m_device;
    State m_state{State::IDLE};
    uint32_t m_handle{0};            ///< At the device, while it keeps this id.
    uint16_t m_port{0};              ///< While listening.
    Ptr<CmId> m_listener;            ///< Until the request has been reported.
    Ptr<MpaConnection> m_connection; ///< Until it belongs to the queue pair.
    Ptr<QueuePair> m_pair;
    Address m_peer;
    MpaStartupParameters m_local; ///< Of Connect().
    bool m_reached{false};        ///< The Request has been sent, so TCP is there.
    bool m_retried{false};        ///< With revision 1.
    std::deque<PendingEvent> m_events;
    EventId m_delivery;
    EventCallback m_callback;
    TracedCallback<const CmEvent&> m_eventTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_CM_ID_H
