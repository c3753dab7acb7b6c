/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_LINK_TAP_H
#define NFSRDMA_FAULT_ADVERSARY_LINK_TAP_H

#include "link/ethernet-net-device.h"

#include "ns3/nstime.h"
#include "ns3/packet.h"

#include <functional>
#include <vector>

namespace ns3::nfsrdma
{

/// A place in the cables of a host, at the ends that are in the network, where every frame is seen
/// and may be kept, changed or joined by others.
class LinkTap
{
  public:
    /// Which way a frame goes.
    enum class Way : uint8_t
    {
        FROM_HOST,
        TO_HOST
    };

    /// A frame that passes, and how it goes on.
    struct Passage
    {
        Way way;
        std::size_t port; ///< Of the host, from 0.
        Time lastOctet;   ///< To the host: see EthernetNetDevice::PutOnCable().

        [[nodiscard]] Passage Reverse() const
        {
            return {way == Way::TO_HOST ? Way::FROM_HOST : Way::TO_HOST, port, Time(0)};
        }
    };

    /// Takes a frame, which goes no further unless it is given to Pass().
    using Handler = std::function<void(const Passage& passage, const Ptr<Packet>& frame)>;

    /// \param ends of the cables, in the network, one for each port of the host
    LinkTap(std::vector<Ptr<EthernetNetDevice>> ends, Handler handler);
    /// Frames pass as if this had not been there.
    ~LinkTap();
    LinkTap(const LinkTap&) = delete;
    LinkTap& operator=(const LinkTap&) = delete;

    /// \p frame goes on its way. What is added to the traffic takes no time on the wire here, only
    /// behind the next port.
    void Pass(const Passage& passage, const Ptr<Packet>& frame) const;

  private:
    void TakeLeaving(std::size_t port, Ptr<Packet> frame, Time lastOctet);
    void TakeArriving(std::size_t port, Ptr<Packet> frame);

    std::vector<Ptr<EthernetNetDevice>> m_ends;
    Handler m_handler;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_LINK_TAP_H
