/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/trace-objects.h"

namespace ns3::nfsrdma
{

ReplayObjects::ReplayObjects(const Trace& trace, const Tree* tree)
{
    std::set<std::string> used;
    for (const auto& row : trace.rows)
    {
        used.insert(row.object);
        used.insert(row.object2);
        if (row.guard)
        {
            m_guarded.insert(row.object);
        }
    }
    if (tree == nullptr)
    {
        return;
    }
    for (const auto& row : tree->rows)
    {
        if (used.count(row.object) != 0)
        {
            m_names.emplace(std::make_pair(row.parent, row.name), row.object);
        }
    }
}

std::optional<NfsFh3>
ReplayObjects::FindHandle(const std::string& object) const
{
    const auto found = m_handles.find(object);
    return found == m_handles.end() ? std::nullopt : std::optional<NfsFh3>(found->second);
}

ReplayObjects::Cursor
ReplayObjects::GetCursor(const TraceRow& row) const
{
    const auto found = m_cursors.find(row.object);
    return row.cookie == TraceCookie::START || found == m_cursors.end() ? Cursor{} : found->second;
}

std::optional<NfsTime3>
ReplayObjects::GetGuard(const TraceRow& row) const
{
    const auto latest = m_changeTimes.find(row.object);
    const bool held = row.status == static_cast<uint32_t>(Nfs3Status::OK);
    return row.guard && held && latest != m_changeTimes.end()
               ? std::optional<NfsTime3>(latest->second)
               : row.guard;
}

bool
ReplayObjects::LearnHandle(const TraceRow& row, const NfsFh3& handle)
{
    if (row.resultObject.empty())
    {
        return true;
    }
    const auto [known, first] = m_handles.emplace(row.resultObject, handle);
    const bool same = known->second == handle;
    known->second = handle;
    return first || same;
}

void
ReplayObjects::LearnAttributes(const std::string& object, const PostOpAttr& attributes)
{
    if (attributes && m_guarded.count(object) != 0)
    {
        m_changeTimes[object] = attributes->ctime;
    }
}

void
ReplayObjects::LearnEntries(const TraceRow& row, const Readdir3Res& result)
{
    if (!result.entries.empty())
    {
        m_cursors[row.object] = {result.entries.back().cookie, result.cookieVerifier};
    }
}

void
ReplayObjects::LearnEntries(const TraceRow& row, const Readdirplus3Res& result)
{
    if (!result.entries.empty())
    {
        m_cursors[row.object] = {result.entries.back().cookie, result.cookieVerifier};
    }
    for (const auto& entry : result.entries)
    {
        const auto named = m_names.find({row.object, entry.name});
        if (entry.handle && named != m_names.end())
        {
            m_handles.emplace(named->second, *entry.handle);
        }
    }
}

} // namespace ns3::nfsrdma
