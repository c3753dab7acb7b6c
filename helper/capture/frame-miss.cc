/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "frame-miss.h"

#include <iomanip>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

std::string
CountFrames(uint64_t count)
{
    return std::to_string(count) + (count == 1 ? " frame is" : " frames are") + " not read: ";
}

} // namespace

void
FrameMisses::Add(const FrameMiss& miss)
{
    ++m_counts[static_cast<std::size_t>(miss.kind)];
    if (miss.kind == FrameMiss::Kind::NOT_IP)
    {
        ++m_etherTypes[miss.type];
    }
    else if (miss.kind == FrameMiss::Kind::LINK_TYPE)
    {
        ++m_linkTypes[miss.type];
    }
}

uint64_t
FrameMisses::GetCount(FrameMiss::Kind kind) const
{
    return m_counts[static_cast<std::size_t>(kind)];
}

std::vector<std::string>
FrameMisses::DescribeLost() const
{
    std::vector<std::string> lines;
    const auto add = [this, &lines](FrameMiss::Kind kind, const char* text) {
        if (const uint64_t count = GetCount(kind))
        {
            lines.push_back(CountFrames(count) + text);
        }
    };
    add(FrameMiss::Kind::CUT, "the snap length cut a header off");
    add(FrameMiss::Kind::MALFORMED, "a header of IP or TCP contradicts itself or the frame");
    add(FrameMiss::Kind::FRAGMENT, "fragments of IP packets");
    for (const auto& [type, count] : m_linkTypes)
    {
        lines.push_back(CountFrames(count) + "link type " + std::to_string(type));
    }
    return lines;
}

std::vector<std::string>
FrameMisses::DescribeOthers() const
{
    std::vector<std::string> lines;
    if (const uint64_t count = GetCount(FrameMiss::Kind::NOT_TCP))
    {
        lines.push_back(CountFrames(count) + "other protocols than TCP over IP");
    }
    for (const auto& [type, count] : m_etherTypes)
    {
        std::ostringstream text;
        text << CountFrames(count) << "neither IPv4 nor IPv6";
        if (type != 0)
        {
            text << ", EtherType 0x" << std::hex << std::setw(4) << std::setfill('0') << type;
        }
        lines.push_back(text.str());
    }
    return lines;
}

} // namespace ns3::nfsrdma
