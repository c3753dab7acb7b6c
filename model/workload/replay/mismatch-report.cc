/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/mismatch-report.h"

namespace ns3::nfsrdma
{

namespace
{

std::string
NameStatus(uint32_t status)
{
    const std::string name = ToString(static_cast<Nfs3Status>(status));
    return ParseNfs3Status(name) ? name : std::to_string(status);
}

} // namespace

bool
ReplayReport::CompareStatus(const TraceRow& row, const RpcRecord& record, Nfs3Status status)
{
    if (!row.status)
    {
        return false;
    }
    ++m_compared;
    const std::string recorded = ", recorded " + NameStatus(*row.status);
    if (record.outcome != RpcOutcome::SUCCESS)
    {
        Add(row, std::string("RPC ") + ToString(record.outcome) + recorded);
        return false;
    }
    const auto number = static_cast<uint32_t>(status);
    if (number != *row.status)
    {
        Add(row, "status " + NameStatus(number) + recorded);
        return false;
    }
    return status == Nfs3Status::OK;
}

void
ReplayReport::CompareCount(const TraceRow& row, uint32_t count)
{
    if (row.resultCount && *row.resultCount != count)
    {
        Add(row,
            "count " + std::to_string(count) + ", recorded " + std::to_string(*row.resultCount));
    }
}

void
ReplayReport::CompareEof(const TraceRow& row, bool eof)
{
    if (row.resultEof && *row.resultEof != eof)
    {
        Add(row, std::string("eof ") + (eof ? "1, recorded 0" : "0, recorded 1"));
    }
}

void
ReplayReport::CompareEntries(const TraceRow& row, std::size_t entries)
{
    if (row.resultEntries && *row.resultEntries != entries)
    {
        Add(row,
            std::to_string(entries) + " entries, recorded " + std::to_string(*row.resultEntries));
    }
}

void
ReplayReport::CompareAcl(const TraceRow& row,
                         const std::string& which,
                         const std::optional<PosixAcl>& recorded,
                         const NfsAcl& got)
{
    if (recorded && got.ToPosixAcl() != recorded)
    {
        const auto acl = got.ToPosixAcl();
        Add(row,
            which + " '" + (acl ? ToString(*acl) : "?") + "', recorded '" + ToString(*recorded) +
                "'");
    }
}

void
ReplayReport::Add(const TraceRow& row, const std::string& what)
{
    ++m_mismatches;
    ++m_byName[row.GetName()];
    if (m_described.size() < MAX_DESCRIBED)
    {
        m_described.push_back({row.line, row.GetName(), what});
    }
}

} // namespace ns3::nfsrdma
