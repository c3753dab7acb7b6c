/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/frame-event.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::array<std::string_view, FAULT_EVENT_KINDS> EVENT_NAMES{"segment",
                                                                      "data",
                                                                      "retransmission",
                                                                      "ack",
                                                                      "syn",
                                                                      "fin",
                                                                      "rst",
                                                                      "mpa-request",
                                                                      "mpa-reply",
                                                                      "fpdu",
                                                                      "rdma-write",
                                                                      "read-request",
                                                                      "read-response",
                                                                      "send",
                                                                      "send-invalidate",
                                                                      "send-solicited",
                                                                      "terminate",
                                                                      "rdma-msg",
                                                                      "rdma-nomsg",
                                                                      "rdma-done",
                                                                      "rdma-error",
                                                                      "rpc-call",
                                                                      "rpc-reply"};

constexpr int TOP_DIGIT = 28;

} // namespace

std::string_view
ToString(FaultEventKind kind)
{
    return EVENT_NAMES.at(static_cast<std::size_t>(kind));
}

std::optional<FaultEventKind>
FindFaultEventKind(std::string_view name)
{
    const auto* const found = std::find(EVENT_NAMES.begin(), EVENT_NAMES.end(), name);
    if (found == EVENT_NAMES.end())
    {
        return std::nullopt;
    }
    return static_cast<FaultEventKind>(std::distance(EVENT_NAMES.begin(), found));
}

std::vector<std::string_view>
GetFaultEventNames()
{
    return {EVENT_NAMES.begin(), EVENT_NAMES.end()};
}

std::string
XidToText(uint32_t xid)
{
    std::string text = "0x";
    for (int shift = TOP_DIGIT; shift >= 0; shift -= 4)
    {
        text += "0123456789abcdef"[xid >> static_cast<unsigned>(shift) & 15U];
    }
    return text;
}

std::string
FaultEvent::ToText() const
{
    std::string text(nfsrdma::ToString(kind));
    if (rpc != nullptr && !rpc->program.empty())
    {
        text.append(" ").append(rpc->program);
        for (const auto& procedure : rpc->procedures)
        {
            text.append(" ").append(procedure);
        }
    }
    if (xid)
    {
        text.append(" xid ").append(XidToText(*xid));
    }
    return text;
}

bool
FaultEventPattern::Matches(const FaultEvent& event) const
{
    if (event.kind != kind || (xid && event.xid != xid))
    {
        return false;
    }
    if (program.empty())
    {
        return true;
    }
    if (event.rpc == nullptr || event.rpc->program != program)
    {
        return false;
    }
    const auto& names = event.rpc->procedures;
    return procedure.empty() || std::find(names.begin(), names.end(), procedure) != names.end();
}

} // namespace ns3::nfsrdma
