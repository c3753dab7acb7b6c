/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/disk-mechanics.h"

#include <algorithm>
#include <cmath>

namespace ns3::nfsrdma
{

DiskMechanics::DiskMechanics(const Parameters& parameters)
    : m_parameters(parameters)
{
    m_parameters.capacity = std::max<uint64_t>(m_parameters.capacity, 1);
    m_parameters.track = std::clamp<uint64_t>(m_parameters.track, 1, m_parameters.capacity);
    // The mean of sqrt(x) over pairs of tracks is 8/15, that of x is 1/3.
    const double average =
        static_cast<double>((parameters.average - parameters.singleTrack).GetNanoSeconds()) * 5;
    const auto full =
        static_cast<double>((parameters.fullStroke - parameters.singleTrack).GetNanoSeconds());
    m_root = average - full * 5 / 3;
    m_linear = full - m_root;
}

Time
DiskMechanics::Access(Time now, uint64_t position, uint64_t octets)
{
    position %= m_parameters.capacity;
    Time taken;
    if (position != m_head)
    {
        taken = GetSeek(std::max(position, m_head) - std::min(position, m_head));
        taken += GetRotation(now + taken, position);
    }
    m_head = (position + octets) % m_parameters.capacity;
    return taken;
}

Time
DiskMechanics::GetSeek(uint64_t distance) const
{
    if (distance < m_parameters.track)
    {
        return Time(0);
    }
    const double share = static_cast<double>(distance) / static_cast<double>(m_parameters.capacity);
    const double moving = m_root * std::sqrt(share) + m_linear * share;
    return m_parameters.singleTrack + NanoSeconds(std::llround(std::max(moving, 0.0)));
}

Time
DiskMechanics::GetRotation(Time when, uint64_t position) const
{
    const int64_t turn = m_parameters.turn.GetNanoSeconds();
    if (turn == 0)
    {
        return Time(0);
    }
    const double angle = static_cast<double>(position % m_parameters.track) /
                         static_cast<double>(m_parameters.track);
    const auto target = static_cast<int64_t>(angle * static_cast<double>(turn));
    const int64_t at = when.GetNanoSeconds() % turn;
    return NanoSeconds(target >= at ? target - at : target - at + turn);
}

} // namespace ns3::nfsrdma
