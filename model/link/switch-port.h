/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_SWITCH_PORT_H
#define NFSRDMA_LINK_SWITCH_PORT_H

#include "link/ethernet-net-device.h"
#include "link/red-average.h"

#include "ns3/random-variable-stream.h"

namespace ns3::nfsrdma
{

/// Which frames a switch marks as having met congestion (RFC 3168) before they wait at a port.
enum class QueueMarking
{
    NONE,      ///< None: a full queue drops.
    THRESHOLD, ///< Those that find more than the threshold waiting, as DCTCP wants (RFC 8257).
    RED,       ///< By RedAverage; frames that cannot be marked are dropped instead.
};

/// How the ports of a switch mark.
struct QueueMarkingSettings
{
    QueueMarking marking{QueueMarking::NONE};
    uint32_t threshold{0}; ///< Octets.
    RedAverage::Settings red;
};

/**
 * \brief A port of a switch, on its way out: the queue and what it does to frames.
 */
class SwitchPort
{
  public:
    /// What has gone out.
    struct Counters
    {
        uint64_t frames{0};     ///< Taken, sent at once or after waiting.
        uint64_t octets{0};     ///< Of them.
        uint64_t marked{0};     ///< CE was set.
        uint64_t dropped{0};    ///< The queue or the shared buffer was full, or RED dropped.
        uint64_t queueMost{0};  ///< Octets that have waited at most.
        uint64_t queueFound{0}; ///< Sum over all frames of the octets found waiting.
    };

    explicit SwitchPort(Ptr<EthernetNetDevice> device);

    /// Sends \p frame, which arrives at the queue at \p arrives: not before one sent earlier.
    /// \param draw for RED; may be null without
    /// \return false when it was dropped
    bool Send(const Ptr<Packet>& frame,
              Time arrives,
              const QueueMarkingSettings& settings,
              const Ptr<UniformRandomVariable>& draw);

    /// A frame that was to leave here has found no room in the buffer of the switch.
    void CountDropped()
    {
        ++m_counters.dropped;
    }

    [[nodiscard]] const Ptr<EthernetNetDevice>& GetDevice() const
    {
        return m_device;
    }

    [[nodiscard]] const Counters& GetCounters() const
    {
        return m_counters;
    }

  private:
    /// \return false when RED drops the frame.
    bool Meet(const Ptr<Packet>& frame,
              Time arrives,
              uint64_t waiting,
              const QueueMarkingSettings& settings,
              const Ptr<UniformRandomVariable>& draw);
    [[nodiscard]] double CountIdleFrames(Time arrives, uint64_t waiting) const;

    Ptr<EthernetNetDevice> m_device;
    RedAverage m_average;
    Counters m_counters;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_SWITCH_PORT_H
