/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_ENGINE_BYTE_STREAM_H
#define NFSRDMA_MPA_ENGINE_BYTE_STREAM_H

#include "mpa/byte-stream.h"
#include "mpa/payload-queue.h"
#include "toe/machine.h"

#include "ns3/event-id.h"
#include "ns3/inet-socket-address.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

class TcpEngine;

/**
 * \brief A ByteStream on one connection of the node's TcpEngine.
 *
 * The machine's timers are one event of the simulator. What the machine says while a segment or a
 * timer is handled is told to the owner when that is done; only a segment's octets are shown at
 * once. TCP's end maps to StreamEnd, and the space callback is made, as TcpByteStream says.
 */
class EngineByteStream : public ByteStream, private TcpMachineActions
{
  public:
    static TypeId GetTypeId();
    ~EngineByteStream() override;

    /// Both ends of a connection.
    struct Endpoints
    {
        Ipv4Address local;
        Ipv4Address remote;
        uint16_t localPort{0};
        uint16_t remotePort{0};

        bool operator<(const Endpoints& other) const;
    };

    /// \param engine keeps this until the connection has ended
    EngineByteStream(TcpEngine& engine,
                     const TcpEngineSettings& settings,
                     const Endpoints& endpoints,
                     uint32_t initialSequence);

    /// Sends the SYN.
    void Connect();
    /// Waits for the SYN; the engine is told when the connection is established.
    void Listen();
    /// \p segment has come, \p header decoded of it. \return false when it is for whoever listens
    [[nodiscard]] bool HandleSegment(const ReceivedTcpSegment& header,
                                     Ptr<const Packet> segment,
                                     bool marked);
    /// A router says that \p mtu octets are what the path carries.
    void HandlePathMtu(uint32_t mtu);

    [[nodiscard]] bool SendUnit(Ptr<Packet> unit) override;
    [[nodiscard]] uint32_t GetTxAvailable() const override;
    [[nodiscard]] uint32_t GetEmss() const override;
    [[nodiscard]] Ptr<Packet> ReceiveAtMost(uint32_t limit) override;
    void Close() override;
    void Abort() override;
    [[nodiscard]] Address GetPeerAddress() const override;

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

    void HandleTimers();
    void Schedule();
    void Settle();
    void Leave(void (TcpMachine::*how)(Time));
    void DoLeave(void (TcpMachine::*how)(Time));
    void TellEnd(StreamEnd end);
    void Notify(Callback<void> callback);

    [[nodiscard]] bool IsOpen() const
    {
        return m_connected && !m_left && !m_ended;
    }

    TcpEngine* m_engine; ///< Of this node; null when the connection has ended.
    TcpEngineSettings m_settings;
    Endpoints m_endpoints;
    TcpMachine m_machine;
    PayloadQueue m_sent;
    PayloadQueue m_received;
    Ptr<const Packet> m_inHand; ///< The payload of the segment being handled.
    EventId m_timer;
    Time m_timerAt;
    uint64_t m_given{0};     ///< Octets.
    uint64_t m_delivered{0}; ///< In order.
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
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_ENGINE_BYTE_STREAM_H
