/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_SEGMENT_QUEUE_H
#define NFSRDMA_RNIC_HARDWARE_SEGMENT_QUEUE_H

#include "link/pause-sender.h"
#include "mpa/segment-stage.h"
#include "rnic/hardware/flow-credits.h"
#include "rnic/hardware/transmit-engine.h"

#include "ns3/event-id.h"

#include <deque>
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
 */
class TcpSegmentQueue : public TcpSegmentStage, private TransmitClient
{
  public:
    /// \param clocks, \param engine and \param counters live until Stop()
    TcpSegmentQueue(RnicClocks& clocks, TransmitEngine& engine, RnicCounters& counters);

    /// The ports that what arrives has come by.
    void SetPorts(const std::vector<Ptr<EthernetNetDevice>>& ports);

    /// The device is no more: what TCP sends from now on leaves at once.
    void Stop();

    [[nodiscard]] bool Admit(uint32_t repeated) override;
    void Defer(uint32_t repeated, bool isMade, std::function<void()> leave) override;
    [[nodiscard]] std::optional<Time> Arrive(uint32_t octets, bool hasPayload) override;

    /// \return octets of packets in the packet buffer, and the most there were.
    [[nodiscard]] FlowCredits& GetPacketBuffer()
    {
        return m_packets;
    }

  private:
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
    /// \return octets of the packet buffer beyond which ports ask for a pause.
    [[nodiscard]] uint64_t GetXoff() const;
    /// Has ports hold back the other ends, or let them go on, as the packet buffer is.
    void ControlFlow();

    RnicClocks* m_clocks;
    TransmitEngine* m_engine;
    RnicCounters* m_counters;
    std::deque<Segment> m_segments;
    FlowCredits m_packets;                              ///< In the packet buffer, octets.
    Time m_tcpFree;                                     ///< TCP is through with what has arrived.
    std::vector<Ptr<EthernetNetDevice>> m_ports;        ///< Until FindPauses().
    std::vector<std::unique_ptr<PauseSender>> m_pauses; ///< Of ports with flow control.
    uint64_t m_headRoom{0};                             ///< The most that one of them needs.
    EventId m_look;                                     ///< At the packet buffer, while they hold.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_SEGMENT_QUEUE_H
