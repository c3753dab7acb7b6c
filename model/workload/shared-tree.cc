/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/shared-tree.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::nfsrdma
{

SharedTree::SharedTree(uint32_t seed)
    : m_content(std::make_shared<ContentModel>(seed))
{
    m_content->SetShared();
}

void
SharedTree::Enroll(const std::string& name)
{
    ++m_groups[name].members;
}

void
SharedTree::AskToMake(const std::string& name, Turn turn)
{
    Group& group = m_groups[name];
    if (group.state == State::MAKING)
    {
        group.turns.push_back({Simulator::GetContext(), std::move(turn)});
        return;
    }
    const bool made = group.state == State::MADE;
    group.state = made ? State::MADE : State::MAKING;
    turn(made);
}

void
SharedTree::EndMaking(const std::string& name, bool done)
{
    Group& group = m_groups[name];
    if (group.state != State::MAKING)
    {
        return;
    }
    group.state = done ? State::MADE : State::ABSENT;
    auto turns = std::exchange(group.turns, {});
    if (!done && !turns.empty())
    {
        group.state = State::MAKING;
        auto next = std::move(turns.front());
        turns.pop_front();
        group.turns = std::move(turns);
        Simulator::ScheduleWithContext(next.context, Time(0), [call = std::move(next.call)] {
            call(false);
        });
        return;
    }
    for (auto& waiting : turns)
    {
        Simulator::ScheduleWithContext(waiting.context, Time(0), [call = std::move(waiting.call)] {
            call(true);
        });
    }
}

bool
SharedTree::IsBeingMade(const std::string& name) const
{
    const auto found = m_groups.find(name);
    return found != m_groups.end() && found->second.state == State::MAKING;
}

void
SharedTree::Meet(const std::string& name, std::function<void()> go)
{
    Group& group = m_groups[name];
    group.met.push_back({Simulator::GetContext(), std::move(go)});
    LetGo(group);
}

void
SharedTree::Leave(const std::string& name)
{
    Group& group = m_groups[name];
    --group.members;
    LetGo(group);
}

void
SharedTree::LetGo(Group& group)
{
    if (group.met.size() < group.members)
    {
        return;
    }
    for (auto& waiting : std::exchange(group.met, {}))
    {
        Simulator::ScheduleWithContext(waiting.context, Time(0), std::move(waiting.call));
    }
}

} // namespace ns3::nfsrdma
