/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_ETHERNET_CHANNEL_H
#define NFSRDMA_LINK_ETHERNET_CHANNEL_H

#include "ns3/channel.h"
#include "ns3/nstime.h"

#include <array>

namespace ns3
{
class Packet;
}

namespace ns3::nfsrdma
{

class EthernetNetDevice;

/**
 * \brief A full-duplex Ethernet cable between two EthernetNetDevices.
 *
 * Each direction carries frames of its own; nothing collides. Delay is the time an octet takes from
 * end to end (5 ns per metre of cable).
 */
class EthernetChannel : public Channel
{
  public:
    static TypeId GetTypeId();

    /// Plugs \p device in; at most two.
    void Attach(Ptr<EthernetNetDevice> device);

    /**
     * \brief Carries a frame to the other end.
     * \param from the sending device
     * \param frame Ethernet header and payload
     * \param lastOctet time from now at which the last octet of the frame leaves \p from; a frame
     * may be given before its first octet leaves
     */
    void Transmit(const EthernetNetDevice& from, Ptr<Packet> frame, Time lastOctet);

    /// A frame of \p octets that \p from gave does not leave: when it is due, \p from says so.
    void TakeBack(const EthernetNetDevice& from, uint32_t octets);

    /// \return octets of frames given by \p from and not delivered, those that have not left
    /// included.
    [[nodiscard]] uint64_t GetGiven(const EthernetNetDevice& from) const
    {
        return m_given[FindEnd(from)];
    }

    /// \return the other end; null when nothing is plugged in there.
    [[nodiscard]] const Ptr<EthernetNetDevice>& GetPeer(const EthernetNetDevice& device) const
    {
        return m_ends[1 - FindEnd(device)];
    }

    /// \return true when both ends are plugged in.
    [[nodiscard]] bool IsComplete() const;

    [[nodiscard]] Time GetDelay() const
    {
        return m_delay;
    }

    std::size_t GetNDevices() const override
    {
        return m_attached;
    }

    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  protected:
    void DoDispose() override;

  private:
    /// \return the end, 0 or 1, that \p device is.
    [[nodiscard]] std::size_t FindEnd(const EthernetNetDevice& device) const
    {
        return PeekPointer(m_ends[0]) == &device ? 0 : 1;
    }

    void Deliver(std::size_t from, Ptr<Packet> frame);

    Time m_delay;
    std::size_t m_attached{0};
    std::array<uint64_t, 2> m_given{}; ///< Octets, by the end that gave them.
    std::array<Ptr<EthernetNetDevice>, 2> m_ends;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_ETHERNET_CHANNEL_H
