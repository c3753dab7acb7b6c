/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/terminate-tally.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

uint64_t
CountOctets(const TerminateMessage& message)
{
    if (!message.segmentLength || !message.ddpHeader ||
        !std::holds_alternative<DdpUntaggedHeader>(*message.ddpHeader))
    {
        return 0;
    }
    const uint64_t payload = std::max<uint64_t>(*message.segmentLength, DdpUntaggedHeader::SIZE) -
                             DdpUntaggedHeader::SIZE;
    return std::get<DdpUntaggedHeader>(*message.ddpHeader).messageOffset + payload;
}

} // namespace

std::string
TerminateTally::GetText(TerminateWay way, const TerminateReason& reason)
{
    const bool isSent = way == TerminateWay::SENT;
    std::string text =
        std::string(isSent ? "Terminate sent: " : "Terminate received: ") + reason.ToString();
    if (reason == TerminateReason::From(DdpError::UNTAGGED_TOO_LONG))
    {
        text += isSent ? "; a Send of the peer is longer than the Receive posted for it"
                       : "; a Send is longer than the peer's Receive";
    }
    else if (reason == TerminateReason::From(DdpError::UNTAGGED_NO_BUFFER))
    {
        text += isSent ? "; a Send of the peer finds no Receive" : "; a Send finds no Receive";
    }
    return text;
}

void
TerminateTally::Add(TerminateWay way, const TerminateMessage& message)
{
    Entry& entry = m_entries[GetText(way, message.reason)];
    ++entry.count;
    if (message.reason == TerminateReason::From(DdpError::UNTAGGED_TOO_LONG))
    {
        entry.octets = std::max(entry.octets, CountOctets(message));
    }
}

std::vector<std::string>
TerminateTally::Describe() const
{
    std::vector<std::string> lines;
    for (const auto& [text, entry] : m_entries)
    {
        std::string line = std::to_string(entry.count) +
                           (entry.count == 1 ? " connection" : " connections") + " ended: " + text;
        if (entry.octets > 0)
        {
            line += " (" + std::to_string(entry.octets) + " octets or more)";
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace ns3::nfsrdma
