/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/sweep-shard.h"

#include <charconv>

namespace ns3::nfsrdma
{

namespace
{

std::optional<std::size_t>
ParseCount(const std::string& text)
{
    std::size_t value = 0;
    const auto* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    return result.ec == std::errc() && result.ptr == end ? std::optional(value) : std::nullopt;
}

} // namespace

bool
SweepShard::IsWhole() const
{
    return count == 1;
}

bool
SweepShard::Has(std::size_t run) const
{
    return run % count == index - 1;
}

std::string
SweepShard::ToText() const
{
    return std::to_string(index) + "/" + std::to_string(count);
}

std::optional<SweepShard>
SweepShard::Parse(const std::string& text)
{
    constexpr std::size_t MOST = 100'000;
    const auto slash = text.find('/');
    if (slash == std::string::npos)
    {
        return std::nullopt;
    }
    const auto index = ParseCount(text.substr(0, slash));
    const auto count = ParseCount(text.substr(slash + 1));
    if (!index || !count || *index < 1 || *index > *count || *count > MOST)
    {
        return std::nullopt;
    }
    return SweepShard{*index, *count};
}

} // namespace ns3::nfsrdma
