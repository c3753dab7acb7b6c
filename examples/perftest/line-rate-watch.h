/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_EXAMPLES_LINE_RATE_WATCH_H
#define NFSRDMA_EXAMPLES_LINE_RATE_WATCH_H

#include "link/ethernet-net-device.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief Watches that a port never sends more than its line carries, over any window longer than a
 * frame: that no frame, preamble to gap, begins before those ahead of it are out.
 *
 * It is told of frames and computes itself what they take on the wire, IEEE 802.3: what it finds
 * does not come from the port that it watches.
 */
class LineRateWatch
{
  public:
    explicit LineRateWatch(DataRate rate)
        : m_rate(rate.GetBitRate())
    {
    }

    /// Is told of all frames of \p port, whose rate it takes; it outlives the simulation.
    explicit LineRateWatch(const Ptr<EthernetNetDevice>& port);

    /// A frame of \p octets, without preamble and FCS, begins at \p start.
    void Note(Time start, uint32_t octets);

    /// \return the first frame that began too early, if one did.
    [[nodiscard]] std::optional<Time> GetFault() const
    {
        return m_fault;
    }

    [[nodiscard]] uint64_t GetFrames() const
    {
        return m_frames;
    }

  private:
    void NoteFrame(Ptr<const Packet> frame);

    uint64_t m_rate;
    Time m_runBegan;
    uint64_t m_runOctets{0}; ///< Of frames back to back since then.
    uint64_t m_frames{0};
    std::optional<Time> m_fault;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_EXAMPLES_LINE_RATE_WATCH_H
