/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/host-fault.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::array<std::string_view, 9> NAMES{"rnic-reset",
                                                "qp-error",
                                                "registration-failure",
                                                "cq-overflow",
                                                "slow-receiver",
                                                "crash",
                                                "thread-stall",
                                                "storage-stall",
                                                "memory-pressure"};

} // namespace

std::string_view
ToString(HostFaultKind kind)
{
    return NAMES.at(static_cast<std::size_t>(kind));
}

std::optional<HostFaultKind>
FindHostFaultKind(std::string_view name)
{
    const auto* const found = std::find(NAMES.begin(), NAMES.end(), name);
    if (found == NAMES.end())
    {
        return std::nullopt;
    }
    return static_cast<HostFaultKind>(std::distance(NAMES.begin(), found));
}

std::vector<std::string_view>
GetHostFaultNames()
{
    return {NAMES.begin(), NAMES.end()};
}

} // namespace ns3::nfsrdma
