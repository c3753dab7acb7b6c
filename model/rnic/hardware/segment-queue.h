/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_SEGMENT_QUEUE_H
#define NFSRDMA_RNIC_HARDWARE_SEGMENT_QUEUE_H

#include "mpa/segment-stage.h"
#include "rnic/hardware/transmit-engine.h"

#include <deque>

namespace ns3::nfsrdma
{

class RnicClocks;

/**
 * \brief The segments that the device's TCP sends of itself, on their way through the transmit
 * engine, which serves them before the queue pairs.
 *
 * One without payload costs AckCost; a repeated one is fetched from host memory again and costs
 * what an FPDU does. One that arrives without payload costs AckCost of the receive engine, and is
 * seen at once. Engines on the host have no such segments: they are of the host's TCP.
 */
class TcpSegmentQueue : public TcpSegmentStage, private TransmitClient
{
  public:
    /// \param clocks and \param engine live until Stop()
    TcpSegmentQueue(RnicClocks& clocks, TransmitEngine& engine);

    /// The device is no more: what TCP sends from now on leaves at once.
    void Stop();

    [[nodiscard]] bool Admit(uint32_t repeated) override;
    void Defer(uint32_t repeated, bool isMade, std::function<void()> leave) override;
    void NoteArrival() override;

  private:
    struct Segment
    {
        uint32_t repeated;
        bool isMade;
        std::function<void()> leave;
    };

    [[nodiscard]] std::optional<Service> Transmit() override;
    void Served() override;

    RnicClocks* m_clocks;
    TransmitEngine* m_engine;
    std::deque<Segment> m_segments;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_SEGMENT_QUEUE_H
