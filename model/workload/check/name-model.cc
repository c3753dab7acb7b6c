/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/name-model.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NameModel::NameModel(ContentState& state, OctetModel& octets, ListingModel& listings)
    : m_state(state),
      m_octets(octets),
      m_listings(listings)
{
}

void
NameModel::Touch(const ActiveNames& active, bool begins)
{
    for (const auto& [dir, name] : active.names)
    {
        m_listings.Touch(dir, name);
        ReferenceObject* object = m_state.shared ? m_state.tree.Find(dir) : nullptr;
        if (object == nullptr)
        {
            continue;
        }
        if (begins)
        {
            ++object->changingNames[name];
            continue;
        }
        const auto changing = object->changingNames.find(name);
        if (changing != object->changingNames.end() && --changing->second == 0)
        {
            object->changingNames.erase(changing);
        }
    }
}

ContentToken
NameModel::BeginNames(const std::vector<Name>& names)
{
    ActiveNames active;
    for (const auto& name : names)
    {
        active.names.emplace_back(m_state.tree.FindHandle(name.dir), name.name);
    }
    const ContentToken own = m_state.nextToken++;
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
            active.outstanding.insert(token);
            other.outstanding.insert(own);
        }
    }
    Touch(active, true);
    m_active.emplace(own, std::move(active));
    return own;
}

ContentToken
NameModel::BeginMake(const Name& name, Ftype3 type, const std::string& target)
{
    const ContentToken token = BeginNames({name});
    m_active.at(token).made = type;
    m_active.at(token).target = target;
    return token;
}

void
NameModel::Found(const Name& name, const HandleView& handle)
{
    const std::pair<ReferenceId, std::string> place{m_state.tree.FindHandle(name.dir), name.name};
    if (!m_state.shared || m_state.tree.Find(place.first) == nullptr ||
        m_state.tree.FindHandle(handle) != ReferenceTree::NONE)
    {
        return;
    }
    for (const auto& [token, active] : m_active)
    {
        if (active.made && active.names.front() == place)
        {
            Make(active, *active.made, handle);
            return;
        }
    }
}

ReferenceId
NameModel::Make(const ActiveNames& active, Ftype3 type, const OptionalHandle& handle)
{
    ReferenceTree& tree = m_state.tree;
    const auto& [dir, name] = active.names.front();
    const ReferenceId existing = tree.Lookup(dir, name);
    if (handle && existing != ReferenceTree::NONE && tree.FindHandle(*handle) == existing)
    {
        return existing;
    }
    const ReferenceId id = tree.Create(dir, name, type);
    tree.Find(id)->target = active.target;
    if (handle)
    {
        tree.Bind(id, *handle);
    }
    return id;
}

ContentToken
NameModel::BeginCreate(const Name& name, CreateMode3 mode, const std::optional<uint64_t>& size)
{
    const ContentToken token = BeginNames({name});
    ActiveNames& active = m_active.at(token);
    active.made = Ftype3::REG;
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
    for (const ContentToken number : active.outstanding)
    {
        const auto other = m_active.find(number);
        if (other != m_active.end())
        {
            other->second.outstanding.erase(token);
            other->second.conflict = other->second.conflict || outcome != ChangeOutcome::REFUSED;
        }
    }
    Touch(active, false);
    m_octets.EndSetSize(active.truncation, outcome);
    const bool done = outcome == ChangeOutcome::DONE && IsKnown(active);
    if (done)
    {
        change(active);
    }
    if (outcome == ChangeOutcome::REFUSED)
    {
        CloseNames(token, active);
        return;
    }
    const bool isOpen = outcome == ChangeOutcome::UNKNOWN || (done && active.conflict);
    if (isOpen || (done && !active.outstanding.empty()))
    {
        LeaveOpen(active);
    }
    for (const auto& name : active.names)
    {
        m_waiting.erase(name);
        if (done && !isOpen && !active.outstanding.empty())
        {
            m_waiting[name] = active.outstanding;
        }
    }
}

void
NameModel::CloseNames(ContentToken token, const ActiveNames& active)
{
    for (const auto& name : active.names)
    {
        const auto waiting = m_waiting.find(name);
        if (waiting == m_waiting.end() || waiting->second.erase(token) == 0 ||
            !waiting->second.empty())
        {
            continue;
        }
        m_waiting.erase(waiting);
        if (ReferenceObject* object = m_state.tree.Find(name.first))
        {
            object->uncertainNames.erase(name.second);
        }
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
        const ReferenceId id = Make(active, type, handle);
        m_state.tree.Find(id)->target.assign(target.begin(), target.end());
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
