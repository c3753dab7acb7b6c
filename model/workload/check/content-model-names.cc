/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/content-model.h"

#include <algorithm>

namespace ns3::nfsrdma
{

ContentModel::Token
ContentModel::BeginNames(const std::vector<Name>& names)
{
    ActiveNames active;
    for (const auto& name : names)
    {
        active.names.emplace_back(m_tree.FindHandle(name.dir), name.name);
    }
    for (auto& [token, other] : m_activeNames)
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
    const Token token = m_nextToken++;
    m_activeNames.emplace(token, std::move(active));
    return token;
}

ContentModel::Token
ContentModel::BeginCreate(const Name& name, CreateMode3 mode, const std::optional<uint64_t>& size)
{
    const Token token = BeginNames({name});
    ActiveNames& active = m_activeNames.at(token);
    active.size = mode == CreateMode3::EXCLUSIVE ? std::nullopt : size;
    const ReferenceId dir = m_tree.FindHandle(name.dir);
    const ReferenceObject* existing = m_tree.Find(m_tree.Lookup(dir, name.name));
    if (mode == CreateMode3::UNCHECKED && size && existing != nullptr && existing->handle &&
        existing->type == Ftype3::REG)
    {
        active.truncation = BeginSetSize(*existing->handle, *size);
    }
    return token;
}

std::optional<ContentModel::ActiveNames>
ContentModel::TakeNames(Token token)
{
    const auto found = m_activeNames.find(token);
    if (found == m_activeNames.end())
    {
        return std::nullopt;
    }
    ActiveNames active = std::move(found->second);
    m_activeNames.erase(found);
    return active;
}

bool
ContentModel::SettleNames(const ActiveNames& active, ChangeOutcome outcome)
{
    const bool known =
        std::all_of(active.names.begin(), active.names.end(), [this](const auto& name) {
            return m_tree.Find(name.first) != nullptr;
        });
    if (outcome == ChangeOutcome::UNKNOWN)
    {
        SettleConflict(active);
    }
    return known && outcome == ChangeOutcome::DONE;
}

void
ContentModel::SettleConflict(const ActiveNames& active)
{
    for (const auto& [dir, name] : active.names)
    {
        if (m_tree.Find(dir) != nullptr)
        {
            m_tree.MarkNameUncertain(dir, name);
        }
    }
}

void
ContentModel::EndCreate(Token token, ChangeOutcome outcome, const OptionalHandle& handle)
{
    const auto active = TakeNames(token);
    if (!active)
    {
        return;
    }
    EndSetSize(active->truncation, outcome);
    if (!SettleNames(*active, outcome))
    {
        return;
    }
    const auto& [dir, name] = active->names[0];
    const ReferenceId existing = m_tree.Lookup(dir, name);
    const ReferenceObject* object = m_tree.Find(existing);
    const bool same = object != nullptr && object->type == Ftype3::REG &&
                      (active->truncation != NONE || !object->handle || !handle ||
                       m_tree.FindHandle(*handle) == existing);
    const ReferenceId id = same ? existing : m_tree.Create(dir, name, Ftype3::REG);
    if (handle)
    {
        m_tree.Bind(id, *handle);
    }
    if (!same && active->size)
    {
        m_tree.Find(id)->content->SetSize(*active->size);
    }
    if (active->conflict)
    {
        SettleConflict(*active);
    }
}

void
ContentModel::EndMake(Token token,
                      ChangeOutcome outcome,
                      Ftype3 type,
                      const OptionalHandle& handle,
                      ByteSpan target)
{
    const auto active = TakeNames(token);
    if (!active || !SettleNames(*active, outcome))
    {
        return;
    }
    const auto& [dir, name] = active->names[0];
    const ReferenceId id = m_tree.Create(dir, name, type);
    m_tree.Find(id)->target.assign(target.begin(), target.end());
    if (handle)
    {
        m_tree.Bind(id, *handle);
    }
    if (active->conflict)
    {
        SettleConflict(*active);
    }
}

void
ContentModel::EndRemove(Token token, ChangeOutcome outcome)
{
    const auto active = TakeNames(token);
    if (!active || !SettleNames(*active, outcome))
    {
        return;
    }
    m_tree.Unlink(active->names[0].first, active->names[0].second);
    if (active->conflict)
    {
        SettleConflict(*active);
    }
}

void
ContentModel::EndRename(Token token, ChangeOutcome outcome)
{
    const auto active = TakeNames(token);
    if (!active || !SettleNames(*active, outcome))
    {
        return;
    }
    const auto& from = active->names[0];
    const auto& to = active->names[1];
    m_tree.Rename(from.first, from.second, to.first, to.second);
    if (active->conflict)
    {
        SettleConflict(*active);
    }
}

void
ContentModel::EndLink(Token token, ChangeOutcome outcome, const HandleView& file)
{
    const auto active = TakeNames(token);
    if (!active || !SettleNames(*active, outcome))
    {
        return;
    }
    m_tree.Link(m_tree.FindHandle(file), active->names[0].first, active->names[0].second);
    if (active->conflict)
    {
        SettleConflict(*active);
    }
}

} // namespace ns3::nfsrdma
