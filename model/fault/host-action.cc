/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/host-action.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace ns3::nfsrdma
{

namespace
{

std::string
CheckField(HostFaultRow::Use use, bool given, const std::string& name)
{
    if (given && use == HostFaultRow::NONE)
    {
        return "has no " + name;
    }
    return !given && use == HostFaultRow::NEEDED ? "needs a " + name : "";
}

} // namespace

std::string_view
ToString(HostFaultKind kind)
{
    return HOST_FAULTS.at(static_cast<std::size_t>(kind)).name;
}

std::optional<HostFaultKind>
FindHostFaultKind(std::string_view name)
{
    const auto* const found =
        std::find_if(HOST_FAULTS.begin(), HOST_FAULTS.end(), [name](const HostFaultRow& row) {
            return row.name == name;
        });
    if (found == HOST_FAULTS.end())
    {
        return std::nullopt;
    }
    return static_cast<HostFaultKind>(std::distance(HOST_FAULTS.begin(), found));
}

std::vector<std::string_view>
GetHostFaultNames()
{
    std::vector<std::string_view> names;
    names.reserve(HOST_FAULTS.size());
    for (const auto& row : HOST_FAULTS)
    {
        names.push_back(row.name);
    }
    return names;
}

bool
IsOfPort(HostFaultKind kind)
{
    return kind == HostFaultKind::PORT_DOWN || kind == HostFaultKind::PORT_DEAF ||
           kind == HostFaultKind::PORT_MUTE;
}

bool
IsOfConnections(HostFaultKind kind)
{
    return HOST_FAULTS.at(static_cast<std::size_t>(kind)).connection != HostFaultRow::NONE;
}

std::string
FindFlaw(const HostFault& fault)
{
    const HostFaultRow& fields = HOST_FAULTS.at(static_cast<std::size_t>(fault.kind));
    for (const auto& flaw : {CheckField(fields.duration, !fault.duration.IsZero(), "duration"),
                             CheckField(fields.amount, fault.amount != 0, "amount"),
                             CheckField(fields.delay, !fault.delay.IsZero(), "delay"),
                             CheckField(fields.peer, !fault.peer.empty(), "peer"),
                             CheckField(fields.connection, fault.connection != 0, "connection"),
                             CheckField(fields.status, !fault.status.empty(), "status")})
    {
        if (!flaw.empty())
        {
            return std::string(ToString(fault.kind)) + " " + flaw;
        }
    }
    const bool counted =
        fields.duration == HostFaultRow::OPTIONAL && fields.amount == HostFaultRow::OPTIONAL;
    return counted && fault.duration.IsZero() && fault.amount == 0
               ? std::string(ToString(fault.kind)) + " needs a duration or an amount"
               : "";
}

} // namespace ns3::nfsrdma
