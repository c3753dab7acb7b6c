/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_WEIGHTED_CHOICE_H
#define NFSRDMA_WORKLOAD_GENERATE_WEIGHTED_CHOICE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief A list "NAME:WEIGHT,NAME:WEIGHT,..." of things to choose from, each with a whole number as
 * its weight.
 */
class WeightedChoice
{
  public:
    struct Item
    {
        std::string name;
        uint64_t weight{0};
    };

    /// \return the list, or what is wrong with \p text. Names differ; the weights' sum is not 0.
    [[nodiscard]] static tl::expected<WeightedChoice, std::string> Parse(std::string_view text);

    [[nodiscard]] const std::vector<Item>& GetItems() const
    {
        return m_items;
    }

    [[nodiscard]] uint64_t GetTotal() const
    {
        return m_total;
    }

    /// \return the index of the item that \p draw, from 0 up to and without GetTotal(), falls on.
    [[nodiscard]] std::size_t Choose(uint64_t draw) const;

  private:
    std::vector<Item> m_items;
    uint64_t m_total{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_WEIGHTED_CHOICE_H
