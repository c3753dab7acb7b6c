/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/receive-window.h"

#include "toe/options.h"

#include <algorithm>

namespace ns3::nfsrdma
{

ReceiveWindow::ReceiveWindow(uint32_t capacity)
    : m_capacity(capacity)
{
}

uint8_t
ReceiveWindow::GetOfferedScale() const
{
    uint8_t scale = 0;
    while (scale < TcpOptions::MOST_WINDOW_SCALE && m_capacity >> scale > MOST_UNSCALED)
    {
        ++scale;
    }
    return scale;
}

void
ReceiveWindow::Start(uint8_t scale, uint32_t segment)
{
    m_scale = scale;
    m_segment = segment;
}

uint16_t
ReceiveWindow::OfferInSyn()
{
    const uint32_t window = std::min(m_capacity, MOST_UNSCALED);
    m_edge = std::max<Position>(m_edge, FIRST_OCTET + window);
    return static_cast<uint16_t>(window);
}

Position
ReceiveWindow::GetPossibleEdge(Position next, uint64_t waiting) const
{
    const uint32_t unit = (1U << m_scale) - 1;
    const uint64_t held = waiting + (m_scale > 0 ? unit : 0);
    const uint64_t room = m_capacity > held ? m_capacity - held : 0;
    const uint64_t most = static_cast<uint64_t>(MOST_UNSCALED) << m_scale;
    return next + static_cast<Position>(std::min(room, most));
}

uint16_t
ReceiveWindow::Offer(Position next, uint64_t waiting)
{
    const Position possible = GetPossibleEdge(next, waiting);
    const Position step = std::min<Position>(m_segment, m_capacity / 2);
    if (possible - m_edge >= step)
    {
        m_edge = possible;
    }
    const Position unit = (Position{1} << m_scale) - 1;
    const Position window = std::max<Position>(m_edge - next, 0);
    const auto field = std::min<Position>((window + unit) >> m_scale, MOST_UNSCALED);
    m_edge = std::max(m_edge, next + (field << m_scale));
    return static_cast<uint16_t>(field);
}

bool
ReceiveWindow::IsUpdateDue(Position next, uint64_t waiting) const
{
    const Position possible = GetPossibleEdge(next, waiting);
    const Position step = std::min<Position>(m_segment, m_capacity / 2);
    const Position now = std::max<Position>(m_edge - next, 0);
    return possible - m_edge >= step && possible - next >= 2 * now;
}

} // namespace ns3::nfsrdma
