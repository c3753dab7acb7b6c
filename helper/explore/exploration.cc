/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/explore/exploration.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

Exploration::Exploration(const Bounds& bounds,
                         RunBatch runBatch,
                         std::function<void(uint64_t runs)> progress)
    : m_bounds(bounds),
      m_runBatch(std::move(runBatch)),
      m_progress(std::move(progress))
{
}

void
Exploration::Execute()
{
    m_longer.emplace_back();
    for (uint64_t moves = 0; moves <= m_bounds.moves; ++moves)
    {
        m_levels.emplace_back();
        RunLevel(moves == m_bounds.moves);
        m_parents = std::exchange(m_children, {});
        m_nextMove = 0;
    }
}

void
Exploration::RunLevel(bool isLast)
{
    for (auto orders = TakeBatch(); !orders.empty(); orders = TakeBatch())
    {
        auto runs = m_runBatch(orders, m_states);
        for (std::size_t i = 0; i < orders.size(); ++i)
        {
            Take(orders[i], std::move(runs[i]), isLast);
        }
        if (m_progress)
        {
            m_progress(m_runs);
        }
    }
    auto& level = m_levels.back();
    level.left = m_longer.size();
    for (const auto& parent : m_parents)
    {
        level.left += parent.moves.size();
    }
    level.left -= m_nextMove;
    m_longer.clear();
}

std::vector<EventOrder>
Exploration::TakeBatch()
{
    std::vector<EventOrder> orders;
    while (orders.size() < BATCH && (m_bounds.runs == 0 || m_runs + orders.size() < m_bounds.runs))
    {
        if (!m_longer.empty())
        {
            orders.push_back(std::move(m_longer.front()));
            m_longer.pop_front();
            continue;
        }
        while (!m_parents.empty() && m_nextMove == m_parents.front().moves.size())
        {
            m_parents.pop_front();
            m_nextMove = 0;
        }
        if (m_parents.empty())
        {
            break;
        }
        const auto& parent = m_parents.front();
        orders.push_back(parent.order);
        orders.back().push_back(parent.moves[m_nextMove++]);
    }
    return orders;
}

void
Exploration::Take(const EventOrder& order, ExploredRun run, bool isLast)
{
    ++m_runs;
    auto& level = m_levels.back();
    ++level.runs;
    level.joined += run.joined ? 1 : 0;
    m_steps = order.empty() ? run.steps : m_steps;
    m_states.insert(run.states.begin(), run.states.end());
    TakeViolation(order, run);
    if (!order.empty() && PutsOff(order.back().kind) && run.passed == order.back().number &&
        run.passed < m_bounds.reach)
    {
        m_longer.push_back(order);
        ++m_longer.back().back().number;
    }
    if (!isLast && !run.moves.empty())
    {
        m_children.push_back({order, std::move(run.moves)});
    }
}

void
Exploration::TakeViolation(const EventOrder& order, const ExploredRun& run)
{
    for (const auto& what : run.broken)
    {
        const auto known =
            std::find_if(m_violations.begin(), m_violations.end(), [&what](const auto& violation) {
                return violation.what == what;
            });
        if (known == m_violations.end())
        {
            m_violations.push_back({what, order, 1, run.steps});
        }
        else
        {
            ++known->runs;
        }
    }
}

uint64_t
Exploration::GetRuns() const
{
    return m_runs;
}

uint64_t
Exploration::GetStates() const
{
    return m_states.size();
}

uint64_t
Exploration::GetSteps() const
{
    return m_steps;
}

const std::vector<Exploration::Level>&
Exploration::GetLevels() const
{
    return m_levels;
}

const std::vector<Exploration::Violation>&
Exploration::GetViolations() const
{
    return m_violations;
}

} // namespace ns3::nfsrdma
