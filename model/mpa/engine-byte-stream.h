/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_ENGINE_BYTE_STREAM_H
#define NFSRDMA_MPA_ENGINE_BYTE_STREAM_H

#include "mpa/byte-stream.h"
#include "mpa/engine-path.h"
#include "mpa/payload-queue.h"
#include "mpa/segment-stage.h"
#include "toe/machine.h"
#include "wire/ip-address.h"
#include "wire/planned-event.h"

#include "ns3/event-id.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

class HostTcp;
class TcpEngine;

/**
 * \brief A ByteStream on one connection of the node's TcpEngine.
 *
 * The machine's timers are one event of the simulator, which is not moved when a deadline moves on:
 * it looks again when it comes; nor is it cancelled for a delayed acknowledgment that was sent with
 * the next segment. What the machine says while a segment or a
 * timer is handled is told to the owner when that is done; only a segment's octets are shown at
 * once. TCP's end maps to StreamEnd, and the space callback is made, as TcpByteStream says. It
 * counts in the HostTcp of its node.
 */
class EngineByteStream : public ByteStream, private TcpMachineActions
{
  public:
    static TypeId GetTypeId();
    ~EngineByteStream() override;

    /// Both ends of a connection.
    struct Endpoints
    {
        IpAddress local;
        IpAddress remote; ///< Of the family of local.
        uint16_t localPort{0};
        uint16_t remotePort{0};

        bool operator==(const Endpoints& other) const;
        /// \return both addresses in a number, which tells those of IPv4 apart.
        [[nodiscard]] uint64_t MixAddresses() const;

        /// The same on every machine.
        struct Hash
        {
            std::size_t operator()(const Endpoints& endpoints) const;
        };
    };

    /// \param engine keeps this until the connection has ended
    /// \param mtu of the device that leads to the peer, octets: no segment is larger
    /// \param stage null: segments leave at once
    EngineByteStream(TcpEngine& engine,
                     TcpEngineSettings settings,
                     uint32_t mtu,
                     const Endpoints& endpoints,
                     uint32_t initialSequence,
                     const Ptr<TcpSegmentStage>& stage);

    /// Sends the SYN.
    void Connect();
    /// Waits for the SYN; the engine is told when the connection is established.
    void Listen();
    /// A segment has come. \param payload null when there is none
    /// \return false when it is for whoever listens
    [[nodiscard]] bool HandleSegment(const TcpWireHeader& header,
                                     const Ptr<Packet>& payload,
                                     bool marked);
    /// A router says that \p mtu octets are what the path carries, IP header included; 0: it does
    /// not say how many.
    void HandlePathMtu(uint32_t mtu);

    [[nodiscard]] bool SendUnit(Ptr<Packet> unit) override;
    [[nodiscard]] bool TakesAhead() const override;
    [[nodiscard]] bool SendUnitAt(Ptr<Packet> unit, Time leaves) override;
    [[nodiscard]] uint32_t GetTxAvailable() const override;
    [[nodiscard]] uint32_t GetEmss() const override;
    [[nodiscard]] Ptr<Packet> ReceiveAtMost(uint32_t limit) override;
    void Close() override;
    void Abort() override;
    [[nodiscard]] Address GetPeerAddress() const override;
    [[nodiscard]] Address GetLocalAddress() const override;

    [[nodiscard]] uint64_t GetReceivedOctets() const override
    {
        return m_taken;
    }

    [[nodiscard]] uint32_t GetUnitRoom() const override
    {
        return m_machine.GetSendSide().GetUnitRoom();
    }

    [[nodiscard]] uint32_t GetOutOfOrderOctets() const override
    {
        return static_cast<uint32_t>(m_machine.GetReceiveSide().GetOutOfOrder());
    }

    [[nodiscard]] uint64_t GetHeldOctets() const override
    {
        return m_held;
    }

    [[nodiscard]] uint64_t GetWaitingOctets() const override
    {
        return m_waiting;
    }

    /// TracedCallback signature of State.
    using StateTracedCallback = void (*)(TcpState before, TcpState now);
    /// TracedCallback signature of CongestionWindow: octets.
    using WindowTracedCallback = void (*)(uint64_t before, uint64_t now);

    [[nodiscard]] const TcpEngineSettings& GetSettings() const
    {
        return m_settings;
    }

    [[nodiscard]] const Endpoints& GetEndpoints() const
    {
        return m_endpoints;
    }

    /// \return what its segments pass; null: nothing.
    [[nodiscard]] const Ptr<TcpSegmentStage>& GetStage() const
    {
        return m_stage;
    }

    [[nodiscard]] const TcpMachine& GetMachine() const
    {
        return m_machine;
    }

  protected:
    void DoDispose() override;

  private:
    void Transmit(const OutgoingTcpSegment& segment) override;
    [[nodiscard]] bool Offer(uint64_t offset, uint32_t from, uint32_t length) override;
    void Keep(uint64_t offset, uint32_t from, uint32_t length) override;
    void Deliver(uint64_t end) override;
    void Release(uint64_t end) override;
    void Establish() override;
    void EndOfStream() override;
    void End(TcpEnd end) override;

    /// A unit that was given before it was made.
    struct AheadUnit
    {
        uint64_t begin; ///< Of its octets in the stream.
        uint64_t end;
        Time made;
    };

    [[nodiscard]] Time GetDeparture(const OutgoingTcpSegment& segment) const;
    /// Has \p segment leave at its time: an acknowledgment now, with the sequence number of what
    /// has not been made yet.
    void Depart(TcpEngine& engine, OutgoingTcpSegment segment, const Ptr<Packet>& payload);
    /// \return octets of room in the send buffer that its owner, who found too little, is told of.
    [[nodiscard]] uint32_t GetRoomToTell() const;
    void HandleTimers();
    void Push();
    void Schedule();
    void Settle();
    void CountArrival(uint32_t length, bool marked);
    void CountBuffers();
    void SetBuffers(uint64_t held, uint64_t waiting);
    void TraceChanges();
    void Leave(void (TcpMachine::*how)(Time));
    void DoLeave(void (TcpMachine::*how)(Time));
    void TellEnd(StreamEnd end);
    void Notify(Callback<void> callback);
    /// \return octets of IP's and TCP's headers without options.
    [[nodiscard]] uint32_t GetFixedHeaders() const;
    [[nodiscard]] Ptr<Packet> GetInHand(uint32_t from, uint32_t length) const;

    [[nodiscard]] bool IsOpen() const
    {
        return m_connected && !m_left && !m_ended;
    }

    TcpEngine* m_engine; ///< Of this node; null when the connection has ended.
    TcpEngineSettings m_settings;
    Endpoints m_endpoints;
    Ptr<TcpSegmentStage> m_stage;
    uint32_t m_deferred{0}; ///< Segments that wait in it.
    EnginePath m_path;
    TcpMachine m_machine;
    PayloadQueue m_sent;
    PayloadQueue m_received;
    std::vector<AheadUnit> m_ahead; ///< By end.
    Ptr<Packet> m_inHand;           ///< The payload of the segment being handled.
    EventId m_push;                 ///< With packing.
    PlannedEvent m_timer;
    Time m_believesPlateausFrom; ///< Earlier refusals are of what was sent before.
    uint64_t m_given{0};         ///< Octets.
    uint64_t m_delivered{0};     ///< In order.
    uint64_t m_taken{0};
    uint32_t m_emss{0};
    bool m_passive{false};
    bool m_connected{false};
    bool m_left{false};  ///< By the owner.
    bool m_ended{false}; ///< By the peer or the network.
    mutable bool m_cameShort{false};
    bool m_inMachine{false};
    // What the owner has not been told.
    bool m_tellsEstablished{false};
    bool m_tellsReceive{false};
    bool m_tellsEndOfStream{false};
    std::optional<TcpEnd> m_tellsEnd;

    Ptr<HostTcp> m_host; ///< Null: nothing is counted.
    uint64_t m_acknowledged{0};
    // As last counted and traced.
    uint64_t m_held{0};
    uint64_t m_waiting{0};
    Position m_inOrder{FIRST_OCTET};
    TcpState m_state{TcpState::CLOSED};
    uint64_t m_window{0};
    TracedCallback<TcpState, TcpState> m_stateTrace;
    TracedCallback<uint64_t, uint64_t> m_windowTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_ENGINE_BYTE_STREAM_H
