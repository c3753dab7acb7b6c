/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/name-model.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NameModel::NameModel(ContentState& state, OctetModel& octets)
    : m_state(state),
      m_octets(octets)
{
}

ContentToken
NameModel::BeginNames(const std::vector<Name>& names)
{
    ActiveNames active;
    for (const auto& name : names)
    {
        active.names.emplace_back(m_state.tree.FindHandle(name.dir), name.name);
    }
    for (auto& [token, other] : m_active)
    {
        const bool common =
            std::any_of(active.names.begin(),
                        active.names.end(),
                        [&names = other.names](const auto& name) {
                            return std::find(names.begin(), names.end(), name) != names.end();
                        });
        if (common)
        {
            active.conflict = true;
            other.conflict = true;
        }
    }
    const ContentToken token = m_state.nextToken++;
    m_active.emplace(token, std::move(active));
    return token;
}

ContentToken
NameModel::BeginCreate(const Name& name, CreateMode3 mode, const std::optional<uint64_t>& size)
{
    const ContentToken token = BeginNames({name});
    ActiveNames& active = m_active.at(token);
    active.size = mode == CreateMode3::EXCLUSIVE ? std::nullopt : size;
    const ReferenceId dir = m_state.tree.FindHandle(name.dir);
    const ReferenceObject* existing = m_state.tree.Find(m_state.tree.Lookup(dir, name.name));
    if (mode == CreateMode3::UNCHECKED && size && existing != nullptr && existing->handle &&
        existing->type == Ftype3::REG)
    {
        active.truncation = m_octets.BeginSetSize(*existing->handle, *size);
    }
    return token;
}

bool
NameModel::IsKnown(const ActiveNames& active) const
{
    return std::all_of(active.names.begin(), active.names.end(), [this](const auto& name) {
        return m_state.tree.Find(name.first) != nullptr;
    });
}

void
NameModel::LeaveOpen(const ActiveNames& active)
{
    for (const auto& [dir, name] : active.names)
    {
        if (m_state.tree.Find(dir) != nullptr)
        {
            m_state.tree.MarkNameUncertain(dir, name);
        }
    }
}

void
NameModel::End(ContentToken token,
               ChangeOutcome outcome,
               const std::function<void(const ActiveNames& active)>& change)
{
    const auto found = m_active.find(token);
    if (found == m_active.end())
    {
        return;
    }
    const ActiveNames active = std::move(found->second);
    m_active.erase(found);
    m_octets.EndSetSize(active.truncation, outcome);
    const bool done = outcome == ChangeOutcome::DONE && IsKnown(active);
    if (done)
    {
        change(active);
    }
    if (outcome == ChangeOutcome::UNKNOWN || (done && active.conflict))
    {
        LeaveOpen(active);
    }
}

void
NameModel::EndCreate(ContentToken token, ChangeOutcome outcome, const OptionalHandle& handle)
{
    End(token, outcome, [this, &handle](const ActiveNames& active) {
        ReferenceTree& tree = m_state.tree;
        const auto& [dir, name] = active.names[0];
        const ReferenceId existing = tree.Lookup(dir, name);
        const ReferenceObject* object = tree.Find(existing);
        const bool same = object != nullptr && object->type == Ftype3::REG &&
                          (active.truncation != NO_CONTENT_TOKEN || !object->handle || !handle ||
                           tree.FindHandle(*handle) == existing);
        const ReferenceId id = same ? existing : tree.Create(dir, name, Ftype3::REG);
        if (handle)
        {
            tree.Bind(id, *handle);
        }
        if (!same && active.size)
        {
            tree.Find(id)->content->SetSize(*active.size);
        }
    });
}

void
NameModel::EndMake(ContentToken token,
                   ChangeOutcome outcome,
                   Ftype3 type,
                   const OptionalHandle& handle,
                   ByteSpan target)
{
    End(token, outcome, [&](const ActiveNames& active) {
        const auto& [dir, name] = active.names[0];
        const ReferenceId id = m_state.tree.Create(dir, name, type);
        m_state.tree.Find(id)->target.assign(target.begin(), target.end());
        if (handle)
        {
            m_state.tree.Bind(id, *handle);
        }
    });
}

void
NameModel::EndRemove(ContentToken token, ChangeOutcome outcome)
{
    End(token, outcome, [this](const ActiveNames& active) {
        m_state.tree.Unlink(active.names[0].first, active.names[0].second);
    });
}

void
NameModel::EndRename(ContentToken token, ChangeOutcome outcome)
{
    End(token, outcome, [this](const ActiveNames& active) {
        const auto& from = active.names[0];
        const auto& to = active.names[1];
        m_state.tree.Rename(from.first, from.second, to.first, to.second);
    });
}

void
NameModel::EndLink(ContentToken token, ChangeOutcome outcome, const HandleView& file)
{
    End(token, outcome, [this, &file](const ActiveNames& active) {
        const auto& [dir, name] = active.names[0];
        m_state.tree.Link(m_state.tree.FindHandle(file), dir, name);
    });
}

} // namespace ns3::nfsrdma
