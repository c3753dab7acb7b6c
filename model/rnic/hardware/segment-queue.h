/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_SEGMENT_QUEUE_H
#define NFSRDMA_RNIC_HARDWARE_SEGMENT_QUEUE_H

#include "link/pause-sender.h"
#include "mpa/segment-stage.h"
#include "rnic/hardware/flow-credits.h"
#include "rnic/hardware/transmit-engine.h"
#include "wire/ring.h"

#include "ns3/event-id.h"

#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

class RnicClocks;
struct RnicCounters;

/**
 * \brief The segments that the device's TCP sends of itself, on their way through the transmit
 * engine, which serves them before the queue pairs.
 *
 * One without payload costs AckCost; a repeated one is fetched from host memory again and costs
 * what an FPDU does. One that arrives without payload costs AckCost of the receive engine.
 * Engines on the host have no such segments: they are of the host's TCP.
 *
 *     port -> [packet buffer] -> TCP, TcpPerSegment -> receive buffer
 *
 * All that arrive wait for TCP, one after the other, in the packet buffer (PacketBuffer octets);
 * what finds no room there is lost. Ports with flow control keep the other end of their cable from
 * sending while more than PauseXoff is there, and until no more than PauseXon is.
 *
 * With a PacketBufferShare below 1 what has come by one port has that share of the buffer at most,
 * and a port asks for a pause because of its own packets alone: a port that is flooded leaves the
 * others theirs.
 */
class TcpSegmentQueue : public TcpSegmentStage, private TransmitClient
{
  public:
    /// \p clocks, \p engine and \p counters live until Stop().
    TcpSegmentQueue(RnicClocks& clocks, TransmitEngine& engine, RnicCounters& counters);

    /// The ports that what arrives has come by.
    void SetPorts(const std::vector<Ptr<EthernetNetDevice>>& ports);

    /// The device is no more: what TCP sends from now on leaves at once.
    void Stop();

    [[nodiscard]] bool Admit(uint32_t repeated) override;
    void Defer(uint32_t repeated, bool isMade, std::function<void()> leave) override;
    [[nodiscard]] std::optional<Time> Arrive(uint32_t octets, bool hasPayload) override;

    /// \return packets that have come by each port, in order, and found no room; none unless ports
    /// have a share of the packet buffer.
    [[nodiscard]] std::vector<uint64_t> ListLost() const;

  private:
    /// A port of the device.
    struct Port
    {
        Ptr<EthernetNetDevice> device;
        FlowCredits packets{};                ///< Octets of it in the packet buffer.
        std::unique_ptr<PauseSender> pause{}; ///< Null: no flow control, or no cable yet.
        uint64_t headRoom{0};                 ///< Of its cable, with flow control.
        uint64_t lost{0};
    };

    struct Segment
    {
        uint32_t repeated;
        bool isMade;
        std::function<void()> leave;
    };

    [[nodiscard]] std::optional<Service> Transmit(Time begins) override;
    void Served() override;
    /// Finds those of the ports that have flow control, when their cables are there.
    void FindPauses();
    [[nodiscard]] bool HasShares() const;
    /// \return octets of the packet buffer that packets of one port may take.
    [[nodiscard]] uint64_t GetShare() const;
    /// \return the port that what arrives has come by; null: they have no shares.
    [[nodiscard]] Port* FindPort();
    /// \return whether \p octets that have come by \p port find no room.
    [[nodiscard]] bool IsFull(Port* port, uint32_t octets, Time now);
    /// \return octets beyond which \p port asks for a pause.
    [[nodiscard]] uint64_t GetXoff(const Port& port) const;
    /// Has ports hold back the other ends, or let them go on, as the packet buffer is.
    void ControlFlow();

    RnicClocks* m_clocks;
    TransmitEngine* m_engine;
    RnicCounters* m_counters;
    Ring<Segment> m_segments;
    FlowCredits m_packets; ///< In the packet buffer, octets.
    Time m_tcpFree;        ///< TCP is through with what has arrived.
    std::vector<Port> m_ports;
    bool m_knowsPauses{false}; ///< FindPauses() was called.
    bool m_hasPauses{false};   ///< A port has flow control.
    EventId m_look;            ///< At the packet buffer, while ports hold.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_SEGMENT_QUEUE_H
