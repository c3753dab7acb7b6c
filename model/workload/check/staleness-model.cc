/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/staleness-model.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

StalenessModel::Handle
StalenessModel::MakeHandle(const HandleView& view)
{
    return {view.octets.begin(), view.octets.end()};
}

StalenessModel::NameKey
StalenessModel::MakeKey(const Name& name)
{
    return {MakeHandle(name.dir), name.name};
}

void
StalenessModel::CheckChange(const HandleView& object,
                            uint32_t client,
                            uint64_t change,
                            Time began,
                            Time allowed,
                            bool told)
{
    if (!m_enabled)
    {
        return;
    }
    ++m_compared;
    Versions& versions = m_versions[MakeHandle(object)];
    const auto later = std::upper_bound(versions.told.begin(),
                                        versions.told.end(),
                                        began - allowed,
                                        [](Time time, const Told& one) { return time < one.time; });
    const auto own = versions.latest.find(client);
    const bool isBehindOthers = later != versions.told.begin() && change < std::prev(later)->change;
    const bool isBehindItself =
        own != versions.latest.end() && own->second.time < began && change < own->second.change;
    if (isBehindOthers || isBehindItself)
    {
        m_state.AddMismatch(m_state.tree.FindHandle(object),
                            0,
                            isBehindItself ? "attributes are older than those the client had before"
                                           : "attributes are older than the client may keep them");
    }
    if (!told)
    {
        return;
    }
    const Time now = Simulator::Now();
    if (versions.told.empty() || versions.told.back().change < change)
    {
        versions.told.push_back({now, change});
    }
    Told& latest = versions.latest[client];
    if (latest.change < change)
    {
        latest = {now, change};
    }
}

void
StalenessModel::BeginName(const Name& name)
{
    if (m_enabled)
    {
        ++m_names[MakeKey(name)].outstanding;
    }
}

void
StalenessModel::RefuseName(const Name& name)
{
    if (m_enabled)
    {
        --m_names[MakeKey(name)].outstanding;
    }
}

void
StalenessModel::ChangeName(const Name& name,
                           uint32_t client,
                           const std::optional<Meaning>& meaning,
                           Time began)
{
    if (!m_enabled)
    {
        return;
    }
    NameHistory& history = m_names[MakeKey(name)];
    --history.outstanding;
    if (!meaning)
    {
        history.doubtful = true;
        history.changes.clear();
        return;
    }
    history.changes.push_back({began, Simulator::Now(), client, *meaning});
}

bool
StalenessModel::IsAllowed(const NameHistory& history,
                          uint32_t client,
                          const Meaning& meaning,
                          Time began,
                          Time allowed)
{
    bool anyVisible = false;
    bool fits = false;
    for (const NameChange& change : history.changes)
    {
        const auto isVisible = [&](const NameChange& one) {
            return one.ended <= began - allowed || (one.client == client && one.ended < began);
        };
        anyVisible = anyVisible || isVisible(change);
        const bool isReplaced =
            std::any_of(history.changes.begin(), history.changes.end(), [&](const NameChange& one) {
                return isVisible(one) && change.ended < one.began;
            });
        fits = fits || (!isReplaced && change.meaning == meaning);
    }
    return fits || !anyVisible;
}

void
StalenessModel::CheckName(const Name& name,
                          uint32_t client,
                          const Meaning& meaning,
                          Time began,
                          Time allowed)
{
    if (!m_enabled)
    {
        return;
    }
    ++m_compared;
    const auto found = m_names.find(MakeKey(name));
    if (found == m_names.end() || found->second.doubtful || found->second.outstanding != 0 ||
        IsAllowed(found->second, client, meaning, began, allowed))
    {
        return;
    }
    m_state.AddMismatch(m_state.tree.FindHandle(name.dir),
                        0,
                        "what name '" + name.name +
                            "' stands for is older than the client may keep it");
}

} // namespace ns3::nfsrdma
