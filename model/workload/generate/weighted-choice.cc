/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/weighted-choice.h"

#include "workload/replay/csv-fields.h"

#include <algorithm>

namespace ns3::nfsrdma
{

tl::expected<WeightedChoice, std::string>
WeightedChoice::Parse(std::string_view text)
{
    constexpr uint64_t MAX_WEIGHT = 1000000;
    WeightedChoice choice;
    for (const auto& part : Split(text, ','))
    {
        const auto colon = part.find(':');
        const auto name = part.substr(0, colon);
        const auto weight = colon == std::string_view::npos
                                ? std::nullopt
                                : ParseUnsigned(part.substr(colon + 1), MAX_WEIGHT);
        if (name.empty() || !weight)
        {
            return tl::unexpected("expected NAME:WEIGHT with a whole number, found '" +
                                  std::string(part) + "'");
        }
        const bool twice = std::any_of(choice.m_items.begin(),
                                       choice.m_items.end(),
                                       [&name](const Item& item) { return item.name == name; });
        if (twice)
        {
            return tl::unexpected("expected each name once, found '" + std::string(name) +
                                  "' twice");
        }
        choice.m_items.push_back({std::string(name), *weight});
        choice.m_total += *weight;
    }
    if (choice.m_total == 0)
    {
        return tl::unexpected(
            std::string("expected at least one NAME:WEIGHT with a weight above 0"));
    }
    return choice;
}

std::size_t
WeightedChoice::Choose(uint64_t draw) const
{
    std::size_t index = 0;
    while (draw >= m_items[index].weight)
    {
        draw -= m_items[index].weight;
        ++index;
    }
    return index;
}

} // namespace ns3::nfsrdma
