/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_EXPLORE_EVENT_ORDER_H
#define NFSRDMA_HELPER_EXPLORE_EVENT_ORDER_H

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace ns3::nfsrdma
{

/// One deviation from the order of events that their times give.
struct EventMove
{
    enum class Kind
    {
        HOLD,    ///< The frame that would arrive next, and those behind it, arrive later.
        ADVANCE, ///< An event that may happen at any time happens now.
        LOSE,    ///< The frame that would arrive next does not arrive.
        DOUBLE,  ///< The frame that would arrive next arrives twice.
        DELAY    ///< The completion that would appear next appears later.
    };

    /// \return "hold at 120 for 3", "advance FaultInjector 0 to 88", "lose at 40", "double at 41"
    /// or "delay at 42 for 2".
    [[nodiscard]] std::string ToText() const;
    bool operator==(const EventMove& other) const;

    Kind kind{Kind::HOLD};
    uint64_t step{0};    ///< How many events have run before.
    uint64_t number{0};  ///< HOLD: of how many events of the receiving host itself, at least 1.
                         ///< DELAY: of how many events of the host, frames that arrive included.
                         ///< ADVANCE: which event of its class, in the order of their making, from
                         ///< 0. LOSE, DOUBLE: 0.
    std::string actor{}; ///< ADVANCE: the class whose event it is.
};

/// \return whether a move puts something off by a number of events, and can put it off longer.
[[nodiscard]] constexpr bool
PutsOff(EventMove::Kind kind)
{
    return kind == EventMove::Kind::HOLD || kind == EventMove::Kind::DELAY;
}

/// \return the kind of move whose text begins with \p word.
[[nodiscard]] std::optional<EventMove::Kind> FindMoveKind(const std::string& word);

/// Deviations by step, one a step at most.
using EventOrder = std::vector<EventMove>;

/// \return moves as ParseEventOrder() reads them: "hold at 120 for 3; advance FaultInjector 0 to
/// 150"; "none" without any.
[[nodiscard]] std::string ToText(const EventOrder& order);

/// \return the moves that \p text says; or else what is right.
[[nodiscard]] tl::expected<EventOrder, std::string> ParseEventOrder(const std::string& text);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_EXPLORE_EVENT_ORDER_H
