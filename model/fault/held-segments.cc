/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/held-segments.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3::nfsrdma
{

HeldSegments::HeldSegments(ReleaseFunction release)
    : m_release(std::move(release))
{
}

HeldSegments::~HeldSegments()
{
    for (auto& held : m_held)
    {
        held.patience.Cancel();
    }
}

void
HeldSegments::Hold(std::size_t host,
                   const TcpSegment::Flow& flow,
                   std::vector<Ptr<Packet>> frames,
                   uint64_t behind,
                   Time extra)
{
    m_held.push_back({host, flow, std::move(frames), behind, {}});
    const auto held = std::prev(m_held.end());
    held->patience =
        Simulator::Schedule(NanoSeconds(MAX_HOLD_NS) + extra, [this, held] { Release(held); });
}

void
HeldSegments::Pass(const TcpSegment::Flow& flow)
{
    for (auto held = m_held.begin(); held != m_held.end();)
    {
        const auto current = held++;
        if (current->flow == flow && --current->behind == 0)
        {
            Release(current);
        }
    }
}

void
HeldSegments::ReleaseAll()
{
    while (!m_held.empty())
    {
        Release(m_held.begin());
    }
}

void
HeldSegments::Release(std::list<Held>::iterator held)
{
    held->patience.Cancel();
    for (const auto& frame : held->frames)
    {
        m_release(held->host, frame);
    }
    m_held.erase(held);
}

bool
DoomedOctets::Take(const TcpSegment& segment)
{
    const auto doomed =
        std::find_if(m_doomed.begin(), m_doomed.end(), [&segment](const Doomed& one) {
            return one.flow == segment.GetFlow() && !segment.payload.empty() &&
                   static_cast<int32_t>(segment.sequence - one.end) < 0 &&
                   static_cast<int32_t>(one.begin - segment.EndSequence()) < 0;
        });
    if (doomed == m_doomed.end())
    {
        return false;
    }
    if (--doomed->times == 0)
    {
        m_doomed.erase(doomed);
    }
    return true;
}

} // namespace ns3::nfsrdma
