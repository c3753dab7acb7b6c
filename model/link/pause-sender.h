/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_PAUSE_SENDER_H
#define NFSRDMA_LINK_PAUSE_SENDER_H

#include "link/ethernet-net-device.h"
#include "wire/ns3-version.h"

#include "ns3/event-id.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief Has a port hold back the other end of its cable while a buffer behind the port is too
 * full.
 *
 *     goes on --- Stop() ---> holds back: PAUSE of the longest time, again at half of that time
 *         <------ GoOn() ---- PAUSE of time 0
 *
 * A sender that hears nothing more goes on by itself when the time is over.
 */
class PauseSender
{
  public:
    /// \param port with flow control
    explicit PauseSender(Ptr<EthernetNetDevice> port);
    ~PauseSender();
    PauseSender(const PauseSender&) = delete;
    PauseSender& operator=(const PauseSender&) = delete;

    void Stop();
    void GoOn();

    [[nodiscard]] bool IsHolding() const
    {
        return IsPending(m_refresh);
    }

    /**
     * \brief What comes from the frame on that has a port decide to send PAUSE, IEEE 802.1Q Annex
     * N: that frame, octets on the cable both ways, a frame that this end is just sending, the
     * PAUSE frame, and one that the other end has begun. Its MAC obeys at once. \param rate bit/s
     * \param delay of the cable, from end to end
     * \param mtu largest IP packet
     * \return octets, those of preambles and gaps included
     */
    [[nodiscard]] static uint64_t ComputeHeadRoom(uint64_t rate, Time delay, uint32_t mtu);
    /// \return the same for the cable at \p port.
    [[nodiscard]] static uint64_t ComputeHeadRoom(const EthernetNetDevice& port);

  private:
    void Send();

    Ptr<EthernetNetDevice> m_port;
    EventId m_refresh;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_PAUSE_SENDER_H
