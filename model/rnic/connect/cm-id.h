/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_CONNECT_CM_ID_H
#define NFSRDMA_RNIC_CONNECT_CM_ID_H

#include "mpa/connection.h"
#include "mpa/transport.h"
#include "rnic/connect/cm-event.h"
#include "rnic/connect/streaming-mode.h"
#include "rnic/hardware/device.h"

#include "ns3/inet-socket-address.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <memory>
#include <optional>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/// Parameters of Connect() and Accept().
struct CmConnectionParameters
{
    ByteVector privateData; ///< At most 512 octets, 508 in the enhanced mode of MPA revision 2, and
                            ///< what the device carries.
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
 * Verbs return INVALID_ARGUMENT in another state, without or with another device's queue pair, and
 * for private data that are too long for the startup frame. A listener holds no more connections
 * that wait for their Request, or for Accept() or Reject(), than its backlog; one more is reset.
 *
 * A peer that asks for more than the device's AdmissionLimits allow is reset, too, by its listener.
 *
 * MPA starts when TCP is connected, or behind an exchange of StreamingMode (RFC 5044
 * section 7.1.3): that of SetStreamingMode(), or of the device's StreamingPreamble. Both sides must
 * have the same. A peer that says something else is closed, and so is one that takes longer than
 * for a Request or a Reply. With the device's RejectedStreamTime a rejection leaves TCP standing
 * (section 7.1.2 rules 2 and 3): the next id that connects to the same address starts on it, and
 * the listener awaits that, as on a new connection.
 *
 * Events come through the event callback, from simulator events, after the device's interrupt
 * latency. Before DISCONNECTED, REJECTED, CONNECT_ERROR or UNREACHABLE the queue pair is in ERROR
 * and its flushed completions are in the completion queues. An id reports exactly one of these,
 * unless its request was never reported or was refused here. When startup ends in an error of RFC
 * 6581 (5 to 7) a Terminate is sent before the connection is closed; a rejected one is closed, as
 * Linux siw does. With the device's MpaSettings::RevisionFallback a peer that closes on the Request
 * is asked again, once, with revision 1. A new id of a CONNECT_REQUEST has the event callback of
 * its listener until it is given another. When the device is gone (RnicFaults) the last event is
 * DEVICE_REMOVAL, and a listener stays one. The device keeps an id that listens, connects or is
 * connected; the consumer may drop its own reference.
 */
class CmId : public Object
{
  public:
    static TypeId GetTypeId();
    CmId();

    /// \return a new id on \p device.
    static Ptr<CmId> Create(Ptr<RnicDevice> device);

    using EventCallback = Callback<void, Ptr<CmId>, const CmEvent&>;

    void SetEventCallback(EventCallback callback)
    {
        m_callback = callback;
    }

    /// Has Listen() be on \p address of the node alone, as rdma_bind_addr(). Default: on all.
    void Bind(const IpAddress& address)
    {
        m_bound = address;
    }

    /// Has MPA start behind \p mode: of a listener, or of an id that will connect.
    void SetStreamingMode(StreamingMode mode)
    {
        m_streamingMode = std::move(mode);
    }

    /// Listens on a TCP port; \return false when it is taken.
    /// \param backlog connections that may wait; 0: the device's ListenBacklog
    bool Listen(uint16_t port, uint32_t backlog = 0);
    /// Connects \p pair (state IDLE; else CONNECT_ERROR follows) to \p remote, an InetSocketAddress
    /// or Inet6SocketAddress, as MPA initiator. BUSY: the pair is another id's.
    tl::expected<void, VerbsError> Connect(Ptr<QueuePair> pair,
                                           const Address& remote,
                                           const CmConnectionParameters& parameters);
    /// Accepts a CONNECT_REQUEST id with \p pair (state IDLE; else CONNECT_ERROR follows).
    tl::expected<void, VerbsError> Accept(Ptr<QueuePair> pair,
                                          const CmConnectionParameters& parameters);
    /// Refuses a CONNECT_REQUEST id.
    tl::expected<void, VerbsError> Reject(ByteSpan privateData);
    /// Disconnects, refuses, or stops listening; nothing in other states.
    void Disconnect();
    /// Gives the id up, in any state: nothing more is reported. A listener stops and refuses what
    /// it has not reported, a request is refused, startup is dropped, and the queue pair of a
    /// connection moves to ERROR.
    void Destroy();

    [[nodiscard]] Ptr<QueuePair> GetQueuePair() const
    {
        return m_pair;
    }

    [[nodiscard]] Address GetPeerAddress() const
    {
        return m_peer;
    }

    [[nodiscard]] bool IsListening() const
    {
        return m_state == State::LISTENING;
    }

    [[nodiscard]] bool IsConnected() const
    {
        return m_state == State::CONNECTED;
    }

    /// \return true while it connects or is connected, on either side.
    [[nodiscard]] bool IsActive() const
    {
        return m_state == State::AWAITING_REQUEST || m_state == State::REQUESTED ||
               m_state == State::CONNECTING || m_state == State::CONNECTED;
    }

    // For the device only.

    /// The device is gone.
    void HandleRemoval();
    /// The device is being removed in order: as HandleRemoval(), but a connection is closed.
    void HandleLeaving();
    /// The device is back.
    void HandleReturn();
    /// The interface has another hardware address: cma_netdev_change() of Linux. The consumer gets
    /// ADDR_CHANGE.
    void HandleAddressChange();

    /// Signature of the Event trace source.
    using EventTracedCallback = void (*)(const CmEvent& event);
    /// Signature of the PeerSilent trace source.
    using PeerTracedCallback = void (*)(const Address& peer);

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

    /// A connection of a peer is there: new, or rejected before.
    void TakePeer(MpaConnection::Released stream);
    void StartResponder(MpaConnection::Released stream, Ptr<CmId> listener);
    /// Starts MPA on \p stream, at once or behind the streaming mode.
    void StartMpa(MpaConnection::Released stream, bool initiator);
    void HandleStreamed(StreamingExchange::Outcome outcome);
    [[nodiscard]] StreamingMode GetStreamingMode() const;
    void UseConnection(Ptr<MpaConnection> connection);
    void ReleaseConnection();
    /// \return whether the consumer may answer with \p privateData octets now.
    [[nodiscard]] bool MayAnswer(std::size_t privateData) const;
    [[nodiscard]] bool IsMine(Ptr<QueuePair> pair) const;
    [[nodiscard]] bool ClaimPair(Ptr<QueuePair> pair);
    /// \return whether the listener takes a new connection of \p peer.
    [[nodiscard]] bool Admit(const Address& peer);
    void LeaveBacklog();
    void CountFault();
    /// \return for how long the host is busy with commands to the device.
    [[nodiscard]] Time GetCommandTime() const;
    /// Takes \p step, of this connection, when the host is through with them, maybe at once.
    void AfterCommands(std::function<void()> step);
    [[nodiscard]] MpaStartupParameters GetLocal(const CmConnectionParameters& parameters) const;

    void HandleStream(Ptr<ByteStream> stream);
    void HandleRequest(const MpaStartupParameters& peer);
    void HandleOperational(const MpaStartupParameters& agreed);
    void HandleRejected(ByteSpan privateData);
    void HandleError(MpaError error);
    void HandleClosed();

    void HandleStartupFrame(const MpaStartupFrame& /* frame */, bool sent)
    {
        m_reached = m_reached || sent;
    }

    void HandleStartupFailed(MpaError error);
    void HandleDisconnected();
    void HandleOpened();
    /// The first FPDU is due.
    void CheckSilence();
    void SendTerminate(MpaConnection& connection, MpaError error);
    [[nodiscard]] bool RetryWithRevision1();

    /// Ends the connection, or the attempt, with an event of \p type.
    /// \param end how TCP has ended before MPA started
    void Finish(CmEventType type,
                ByteVector privateData = {},
                std::optional<StreamEnd> end = std::nullopt);
    void Raise(CmEvent event);
    void Deliver(const CmEvent& event);
    void Enter(State state);
    void LeaveDevice();

    Ptr<RnicDevice> m_device;
    State m_state{State::IDLE};
    uint32_t m_handle{0};             ///< At the device, while it keeps this id.
    uint16_t m_port{0};               ///< While listening.
    std::optional<IpAddress> m_bound; ///< That it listens on; nothing: all.
    uint32_t m_backlog{0};            ///< Of a listener.
    uint32_t m_waiting{0};            ///< Of a listener: connections in its backlog.
    Ptr<CmId> m_listener;             ///< While in the backlog of it.
    /// Of a listener with limits, and of the connections it has taken; else null.
    Ptr<ConnectionAdmission> m_admission;
    Ptr<MpaConnection> m_connection;                ///< Until it belongs to the queue pair.
    std::optional<StreamingMode> m_streamingMode;   ///< Nothing: the device's.
    std::unique_ptr<StreamingExchange> m_streaming; ///< Before m_connection starts.
    Ptr<QueuePair> m_pair;
    Address m_peer;
    MpaStartupParameters m_local;         ///< Of Connect().
    bool m_reached{false};                ///< The Request has been sent, so TCP is there.
    bool m_retried{false};                ///< With revision 1.
    std::optional<CmEvent> m_established; ///< To be reported when the first FPDU has come.
    EventId m_silence;                    ///< Of a responder: when the first FPDU is due.
    EventId m_step; ///< The attempt begins, or the acceptance goes, when commands are done.
    CmEventQueue m_events;
    EventCallback m_callback;
    TracedCallback<const CmEvent&> m_eventTrace;
    TracedCallback<const Address&> m_peerSilentTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_CONNECT_CM_ID_H
