/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/segment-run.h"

#include <algorithm>

namespace ns3::nfsrdma
{

bool
SegmentRun::Accepts(const TcpSegment& segment) const
{
    if (!segment.IsPlainData())
    {
        return false;
    }
    if (m_front.payload.empty())
    {
        return true;
    }
    const auto flags = static_cast<uint16_t>(segment.flags & ~TcpSegment::PSH);
    return segment.sequence == m_front.EndSequence() && segment.GetFlow() == m_front.GetFlow() &&
           flags == m_front.flags && (flags & TcpSegment::CWR) == 0 &&
           segment.options == m_front.options && segment.ipOptions == m_front.ipOptions &&
           segment.ethernet == m_front.ethernet && segment.typeOfService == m_front.typeOfService &&
           segment.timeToLive == m_front.timeToLive &&
           segment.fragmentFlags == m_front.fragmentFlags;
}

void
SegmentRun::Append(const TcpSegment& segment)
{
    if (m_front.payload.empty())
    {
        m_front = segment;
        m_front.flags &= static_cast<uint16_t>(~TcpSegment::PSH);
        m_pushes.clear();
    }
    else
    {
        m_front.acknowledgment = segment.acknowledgment;
        m_front.window = segment.window;
        m_front.payload.insert(m_front.payload.end(),
                               segment.payload.begin(),
                               segment.payload.end());
    }
    if ((segment.flags & TcpSegment::PSH) != 0)
    {
        m_pushes.push_back(m_front.EndSequence());
    }
}

TcpSegment
SegmentRun::Take(uint32_t size)
{
    TcpSegment taken = m_front;
    taken.payload.resize(size);
    m_front.payload.erase(m_front.payload.begin(),
                          m_front.payload.begin() + static_cast<std::ptrdiff_t>(size));
    m_front.sequence += size;
    ++m_front.identification;
    m_front.flags &= static_cast<uint16_t>(~TcpSegment::CWR);
    while (!m_pushes.empty() && static_cast<int32_t>(m_pushes.front() - m_front.sequence) <= 0)
    {
        taken.flags |= TcpSegment::PSH;
        m_pushes.pop_front();
    }
    return taken;
}

std::vector<TcpSegment>
SegmentRun::Split(const TcpSegment& segment, const SizeSource& next)
{
    SegmentRun run;
    run.Append(segment);
    std::vector<TcpSegment> pieces;
    while (run.GetSize() > 0)
    {
        pieces.push_back(run.Take(std::clamp(next(), 1U, run.GetSize())));
    }
    return pieces;
}

} // namespace ns3::nfsrdma
