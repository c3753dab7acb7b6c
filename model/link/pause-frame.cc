/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/pause-frame.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::array<uint8_t, 6> DESTINATION{0x01, 0x80, 0xc2, 0x00, 0x00, 0x01};
constexpr std::size_t SOURCE = 6;
constexpr std::size_t TYPE = 12;
constexpr std::size_t OPCODE = 14;
constexpr std::size_t PAUSE_TIME = 16;
constexpr std::size_t PFC_ENABLED = 16;
constexpr std::size_t PFC_TIME = 18;
constexpr uint16_t MAC_CONTROL = 0x8808;
constexpr uint16_t PAUSE_OPCODE = 0x0001;
constexpr uint16_t PFC_OPCODE = 0x0101;
constexpr uint16_t PRIORITY_0 = 1;

uint16_t
Read16(ByteSpan octets, std::size_t at)
{
    return static_cast<uint16_t>(octets[at] << 8U | octets[at + 1]);
}

void
Write16(MutableByteSpan octets, std::size_t at, uint16_t value)
{
    octets[at] = static_cast<uint8_t>(value >> 8U);
    octets[at + 1] = static_cast<uint8_t>(value);
}

} // namespace

void
PauseFrame::Encode(MutableByteSpan frame) const
{
    std::fill(frame.begin(), frame.end(), uint8_t{0});
    std::copy(DESTINATION.begin(), DESTINATION.end(), frame.begin());
    std::copy(source.begin(), source.end(), frame.begin() + SOURCE);
    Write16(frame, TYPE, MAC_CONTROL);
    if (kind == FlowControl::PFC)
    {
        Write16(frame, OPCODE, PFC_OPCODE);
        Write16(frame, PFC_ENABLED, PRIORITY_0);
        Write16(frame, PFC_TIME, quanta);
        return;
    }
    Write16(frame, OPCODE, PAUSE_OPCODE);
    Write16(frame, PAUSE_TIME, quanta);
}

bool
PauseFrame::IsMacControl(ByteSpan frame)
{
    return frame.size() >= OPCODE && Read16(frame, TYPE) == MAC_CONTROL;
}

std::optional<PauseFrame>
PauseFrame::Decode(ByteSpan frame)
{
    if (frame.size() < SIZE || !IsMacControl(frame) ||
        !std::equal(DESTINATION.begin(), DESTINATION.end(), frame.begin()))
    {
        return std::nullopt;
    }
    PauseFrame pause;
    std::copy_n(frame.begin() + SOURCE, pause.source.size(), pause.source.begin());
    switch (Read16(frame, OPCODE))
    {
    case PAUSE_OPCODE:
        pause.quanta = Read16(frame, PAUSE_TIME);
        return pause;
    case PFC_OPCODE:
        pause.kind = FlowControl::PFC;
        pause.quanta = Read16(frame, PFC_TIME);
        return (Read16(frame, PFC_ENABLED) & PRIORITY_0) != 0 ? std::make_optional(pause)
                                                              : std::nullopt;
    default:
        return std::nullopt;
    }
}

} // namespace ns3::nfsrdma
