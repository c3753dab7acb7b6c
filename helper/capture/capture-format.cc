/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "capture-format.h"

#include <utility>

namespace ns3::nfsrdma
{

PcapError
MakePcapError(PcapError::Kind kind, uint64_t frame, std::string reason)
{
    PcapError error;
    error.kind = kind;
    error.frame = frame;
    error.reason = std::move(reason);
    return error;
}

std::optional<PcapError>
CheckFrameLengths(uint64_t number, uint32_t captured, uint32_t onWire)
{
    if (captured > MAX_FRAME_OCTETS)
    {
        return MakePcapError(PcapError::Kind::DAMAGED,
                             number,
                             "it would have " + std::to_string(captured) + " octets");
    }
    if (captured == 0 && onWire == 0)
    {
        return MakePcapError(PcapError::Kind::DAMAGED, number, "it has no octets");
    }
    return std::nullopt;
}

} // namespace ns3::nfsrdma
