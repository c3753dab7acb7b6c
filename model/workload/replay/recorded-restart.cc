/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/recorded-restart.h"

#include "workload/replay/recorded-compound.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

bool
IsAnswer(const TraceRow& row, Nfs4Op op, Nfs4Status status)
{
    if (row.compound == nullptr || !row.compound->reply)
    {
        return false;
    }
    const auto& ops = row.compound->reply->ops;
    return std::any_of(ops.begin(), ops.end(), [op, status](const Nfs4ResOp& result) {
        return GetOp(result) == op && GetStatus(result) == status;
    });
}

/// Whether the rows from \p first on begin with those of a client that has lost its session and
/// get a new client ID.
bool
GetsNewClientId(const std::vector<const TraceRow*>& rows, std::size_t first)
{
    for (std::size_t i = first; i < rows.size(); ++i)
    {
        if (IsAnswer(*rows[i], Nfs4Op::EXCHANGE_ID, Nfs4Status::OK))
        {
            return true;
        }
        if (IsAnswer(*rows[i], Nfs4Op::SEQUENCE, Nfs4Status::OK))
        {
            return false;
        }
    }
    return false;
}

} // namespace

std::vector<RecordedRestart>
FindRestarts(const Trace& trace, uint32_t client)
{
    std::vector<const TraceRow*> rows;
    for (const auto& row : trace.rows)
    {
        if (row.client == client && row.compound != nullptr && !row.compound->callback)
        {
            rows.push_back(&row);
        }
    }
    std::vector<RecordedRestart> restarts;
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        const bool lost = IsAnswer(*rows[i], Nfs4Op::SEQUENCE, Nfs4Status::BADSESSION) &&
                          GetsNewClientId(rows, i + 1);
        const bool first =
            i == 0 || !IsAnswer(*rows[i - 1], Nfs4Op::SEQUENCE, Nfs4Status::BADSESSION);
        if (!lost || !first)
        {
            continue;
        }
        RecordedRestart& restart = restarts.emplace_back();
        restart.calls = i + 1;
        restart.line = rows[i]->line;
        restart.down = (*rows[i]->replyTime - rows[i]->time) / 2;
        restart.hasGrace = std::none_of(
            rows.begin() + static_cast<std::ptrdiff_t>(i),
            rows.end(),
            [](const TraceRow* row) { return IsAnswer(*row, Nfs4Op::OPEN, Nfs4Status::NO_GRACE); });
    }
    return restarts;
}

} // namespace ns3::nfsrdma
