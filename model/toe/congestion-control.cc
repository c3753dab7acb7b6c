/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/congestion-control.h"

#include "toe/bbr.h"
#include "toe/cubic.h"
#include "toe/dctcp.h"
#include "toe/new-reno.h"

#include <algorithm>

namespace ns3::nfsrdma
{

std::unique_ptr<CongestionControl>
CongestionControl::Create(TcpEngineSettings::Control control)
{
    switch (control)
    {
    case TcpEngineSettings::Control::CUBIC:
        return std::make_unique<Cubic>();
    case TcpEngineSettings::Control::DCTCP:
        return std::make_unique<Dctcp>();
    case TcpEngineSettings::Control::BBR:
        return std::make_unique<Bbr>();
    case TcpEngineSettings::Control::NEW_RENO:
        break;
    }
    return std::make_unique<NewReno>();
}

uint64_t
GrowInSlowStart(CongestionWindow& window, uint64_t octets)
{
    const uint64_t room = window.threshold - window.window;
    const uint64_t growth = std::min(octets, room);
    window.window += growth;
    return octets - growth;
}

} // namespace ns3::nfsrdma
