/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/host-action.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::array<std::string_view, 11> HOST_FAULT_NAMES{"rnic-reset",
                                                            "qp-error",
                                                            "registration-failure",
                                                            "cq-overflow",
                                                            "slow-receiver",
                                                            "crash",
                                                            "thread-stall",
                                                            "storage-stall",
                                                            "memory-pressure",
                                                            "region-shortage",
                                                            "restart"};

/// What a field of a fault may be.
enum class Use
{
    NONE,
    OPTIONAL,
    NEEDED
};

struct Fields
{
    Use duration{Use::NONE};
    Use amount{Use::NONE};
    Use delay{Use::NONE};
    Use peer{Use::NONE};
    Use connection{Use::NONE};
};

/// By kind.
constexpr std::array<Fields, HOST_FAULT_NAMES.size()> FIELDS{{
    {Use::OPTIONAL, Use::NONE, Use::NONE, Use::NONE},
    {Use::NONE, Use::NONE, Use::NONE, Use::OPTIONAL, Use::OPTIONAL},
    {Use::OPTIONAL, Use::OPTIONAL, Use::NONE, Use::NONE},
    {Use::NONE, Use::NONE, Use::NONE, Use::OPTIONAL, Use::OPTIONAL},
    {Use::NEEDED, Use::NONE, Use::NEEDED, Use::OPTIONAL},
    {Use::NEEDED, Use::NONE, Use::NONE, Use::NONE},
    {Use::NEEDED, Use::OPTIONAL, Use::NONE, Use::NONE},
    {Use::NEEDED, Use::NONE, Use::NONE, Use::NONE},
    {Use::NEEDED, Use::OPTIONAL, Use::NONE, Use::NONE},
    {Use::OPTIONAL, Use::OPTIONAL, Use::NONE, Use::NONE},
    {Use::OPTIONAL, Use::NONE, Use::NONE, Use::NONE},
}};

std::string
CheckField(Use use, bool given, const std::string& name)
{
    if (given && use == Use::NONE)
    {
        return "has no " + name;
    }
    return !given && use == Use::NEEDED ? "needs a " + name : "";
}

} // namespace

std::string_view
ToString(HostFaultKind kind)
{
    return HOST_FAULT_NAMES.at(static_cast<std::size_t>(kind));
}

std::optional<HostFaultKind>
FindHostFaultKind(std::string_view name)
{
    const auto* const found = std::find(HOST_FAULT_NAMES.begin(), HOST_FAULT_NAMES.end(), name);
    if (found == HOST_FAULT_NAMES.end())
    {
        return std::nullopt;
    }
    return static_cast<HostFaultKind>(std::distance(HOST_FAULT_NAMES.begin(), found));
}

std::vector<std::string_view>
GetHostFaultNames()
{
    return {HOST_FAULT_NAMES.begin(), HOST_FAULT_NAMES.end()};
}

bool
IsOfConnections(HostFaultKind kind)
{
    return FIELDS.at(static_cast<std::size_t>(kind)).connection != Use::NONE;
}

std::string
FindFlaw(const HostFault& fault)
{
    const Fields& fields = FIELDS.at(static_cast<std::size_t>(fault.kind));
    for (const auto& flaw : {CheckField(fields.duration, !fault.duration.IsZero(), "duration"),
                             CheckField(fields.amount, fault.amount != 0, "amount"),
                             CheckField(fields.delay, !fault.delay.IsZero(), "delay"),
                             CheckField(fields.peer, !fault.peer.empty(), "peer"),
                             CheckField(fields.connection, fault.connection != 0, "connection")})
    {
        if (!flaw.empty())
        {
            return std::string(ToString(fault.kind)) + " " + flaw;
        }
    }
    const bool counted = fields.duration == Use::OPTIONAL && fields.amount == Use::OPTIONAL;
    return counted && fault.duration.IsZero() && fault.amount == 0
               ? std::string(ToString(fault.kind)) + " needs a duration or an amount"
               : "";
}

} // namespace ns3::nfsrdma
