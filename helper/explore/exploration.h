/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_EXPLORE_EXPLORATION_H
#define NFSRDMA_HELPER_EXPLORE_EXPLORATION_H

#include "helper/explore/event-order.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

namespace ns3::nfsrdma
{

/// What one order of events has led to.
struct ExploredRun
{
    bool joined{false};              ///< It came into a state that was known, and was left there.
    std::vector<std::string> broken; ///< What does not hold; empty: all does.
    uint64_t steps{0};               ///< Events.
    uint64_t passed{0};              ///< Events that the latest hold or delay has let pass.
    std::vector<uint64_t> states;    ///< Those entered since the last move, in order.
    EventOrder moves;                ///< Those that can be made after the last one.
};

/**
 * \brief Tries orders of events: the one that times give, then every one with one move, every one
 * with two, and so on, depth first within those of a number of moves.
 *
 * Each order is run from the beginning. What is not tried since it makes no difference: orders
 * that lead into a state that another one has been in, which had as many moves or fewer; holds and
 * delays that let more events pass than there are.
 */
class Exploration
{
  public:
    struct Bounds
    {
        uint64_t moves{1}; ///< Of an order, at most.
        uint64_t reach{8}; ///< Events of its host that something may be put off for, at most.
        uint64_t runs{0};  ///< 0: any number.
    };

    /// States that have been entered.
    using States = std::unordered_set<uint64_t>;
    /// Runs each order, from the beginning, as long as it enters no state of \p known.
    /// \return one a run, in the order of \p orders
    using RunBatch = std::function<std::vector<ExploredRun>(const std::vector<EventOrder>& orders,
                                                            const States& known)>;

    /// What does not hold in an order, or in several.
    struct Violation
    {
        std::string what;
        EventOrder order;  ///< The first.
        uint64_t runs{0};  ///< How many.
        uint64_t steps{0}; ///< Of the first.
    };

    /// The orders of a number of moves.
    struct Level
    {
        uint64_t runs{0};
        uint64_t joined{0}; ///< Of these.
        uint64_t left{0};   ///< Orders that were not tried, as there were runs enough.
    };

    /// Runs between which States do not change: how many run at a time makes no difference.
    static constexpr std::size_t BATCH = 64;

    /// \param progress told how many runs are done; may be null
    Exploration(const Bounds& bounds,
                RunBatch runBatch,
                std::function<void(uint64_t runs)> progress = nullptr);

    /// Tries all, within the bounds.
    void Execute();

    [[nodiscard]] uint64_t GetRuns() const;
    [[nodiscard]] uint64_t GetStates() const;
    /// \return events of the order that times give.
    [[nodiscard]] uint64_t GetSteps() const;
    /// \return by number of moves, from none.
    [[nodiscard]] const std::vector<Level>& GetLevels() const;
    /// \return in the order in which they were found.
    [[nodiscard]] const std::vector<Violation>& GetViolations() const;

  private:
    /// An order that was run, and the moves that can follow.
    struct Parent
    {
        EventOrder order;
        EventOrder moves;
    };

    void RunLevel(bool isLast);
    /// \return the next orders to try.
    [[nodiscard]] std::vector<EventOrder> TakeBatch();
    void Take(const EventOrder& order, ExploredRun run, bool isLast);
    void TakeViolation(const EventOrder& order, const ExploredRun& run);

    Bounds m_bounds;
    RunBatch m_runBatch;
    std::function<void(uint64_t)> m_progress;
    std::deque<EventOrder> m_longer; ///< Orders whose last move lets one event more pass.
    std::deque<Parent> m_parents;
    std::size_t m_nextMove{0}; ///< Of the first parent.
    std::deque<Parent> m_children;
    States m_states;
    std::vector<Level> m_levels;
    std::vector<Violation> m_violations;
    uint64_t m_runs{0};
    uint64_t m_steps{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_EXPLORE_EXPLORATION_H
