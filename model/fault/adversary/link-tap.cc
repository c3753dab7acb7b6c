/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/link-tap.h"

#include <utility>

namespace ns3::nfsrdma
{

LinkTap::LinkTap(std::vector<Ptr<EthernetNetDevice>> ends, Handler handler)
    : m_ends(std::move(ends)),
      m_handler(std::move(handler))
{
    for (std::size_t port = 0; port < m_ends.size(); ++port)
    {
        m_ends[port]->SetCableCallbacks(MakeCallback(&LinkTap::TakeLeaving, this, port),
                                        MakeCallback(&LinkTap::TakeArriving, this, port));
    }
}

LinkTap::~LinkTap()
{
    for (const auto& end : m_ends)
    {
        end->SetCableCallbacks({}, {});
    }
}

void
LinkTap::Pass(const Passage& passage, const Ptr<Packet>& frame) const
{
    const auto& end = m_ends[passage.port];
    if (passage.way == Way::TO_HOST)
    {
        end->PutOnCable(frame, passage.lastOctet);
    }
    else
    {
        end->TakeFromCable(frame);
    }
}

void
LinkTap::TakeLeaving(std::size_t port, Ptr<Packet> frame, Time lastOctet)
{
    m_handler({Way::TO_HOST, port, lastOctet}, frame);
}

void
LinkTap::TakeArriving(std::size_t port, Ptr<Packet> frame)
{
    m_handler({Way::FROM_HOST, port, Time(0)}, frame);
}

} // namespace ns3::nfsrdma
