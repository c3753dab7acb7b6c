/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/compound-rows.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// \return the operation of a callback that it is about: the last one.
Nfs4CbOp
GetMainOp(const CbCompound4Args& args)
{
    return args.ops.empty() ? Nfs4CbOp::ILLEGAL : GetOp(args.ops.back());
}

/// \return the handle that a row of one object names, in the recording.
const Nfs4Fh*
FindOnlyHandle(const TraceRow& row)
{
    const Nfs4Fh* only = nullptr;
    if (row.compound == nullptr || row.object.empty())
    {
        return nullptr;
    }
    for (const auto& op : row.compound->call.ops)
    {
        if (const auto* put = std::get_if<PutfhArgs4>(&op))
        {
            if (only != nullptr)
            {
                return nullptr;
            }
            only = &put->object;
        }
    }
    return only;
}

} // namespace

CompoundRows::CompoundRows(Object& owner, ReplayReport& report, Events events)
    : m_owner(owner),
      m_report(report),
      m_events(std::move(events))
{
}

void
CompoundRows::Start(std::unique_ptr<CompoundReplay> replay,
                    Ptr<Nfs4CallbackProgram> callbacks,
                    ReplaySchedule& schedule,
                    const ReplayObjects& objects)
{
    m_replay = std::move(replay);
    m_schedule = &schedule;
    for (std::size_t i = 0; i < schedule.GetCount(); ++i)
    {
        const TraceRow& row = schedule.GetRow(i);
        const Nfs4Fh* handle = FindOnlyHandle(row);
        const auto own = handle != nullptr ? objects.FindHandle(row.object) : std::nullopt;
        if (own)
        {
            m_replay->GetIdentifiers().SetHandle(*handle, Nfs4Fh(own->AsSpan()));
        }
    }
    m_callbacks = callbacks;
    m_callbacks->SetResponder([this](const CbCompound4Args& args) { return Answer(args); });
}

void
CompoundRows::Dispose()
{
    if (m_callbacks != nullptr)
    {
        m_callbacks->SetResponder(nullptr);
        m_callbacks = nullptr;
    }
    m_replay.reset();
    m_schedule = nullptr;
}

std::size_t
CompoundRows::FindUnmount(const ReplaySchedule& schedule)
{
    std::size_t first = schedule.GetCount();
    const auto isOfUnmount = [](const TraceRow& row) {
        return row.compound != nullptr &&
               (row.operation == "DELEGRETURN" || row.operation == "DESTROY_SESSION" ||
                row.operation == "DESTROY_CLIENTID");
    };
    const std::size_t end = first;
    while (first > 0 && isOfUnmount(schedule.GetRow(first - 1)))
    {
        --first;
    }
    // umount has looked the root up before.
    const bool looked = first != end && first > 0 &&
                        schedule.GetRow(first - 1).operation == "GETATTR" &&
                        schedule.GetRow(first - 1).object == ROOT_OBJECT;
    return looked ? first - 1 : first;
}

bool
CompoundRows::Issue(std::size_t index)
{
    const TraceRow& row = m_schedule->GetRow(index);
    if (row.compound->callback)
    {
        m_expected.push_back(index);
        FinishCallbacks();
        return true;
    }
    if (!m_replay->HasHandles(*row.compound))
    {
        return false;
    }
    ++m_issued[row.GetName()];
    m_underWay.emplace(index, Simulator::Now());
    m_replay->Issue(row.compound, [this, index](const CompoundReplay::Outcome& outcome) {
        Take(index, outcome);
    });
    return true;
}

void
CompoundRows::Take(std::size_t index, const CompoundReplay::Outcome& outcome)
{
    const TraceRow& row = m_schedule->GetRow(index);
    m_underWay.erase(index);
    ++m_completed[row.GetName()];
    m_failed += outcome.record.outcome == RpcOutcome::SUCCESS ? 0 : 1;
    if (outcome.compared != 0)
    {
        m_report.CountCompared();
    }
    for (const auto& mismatch : outcome.mismatches)
    {
        m_report.Add(row, mismatch);
    }
    const auto data = outcome.results != nullptr ? DataOctets::Of(*outcome.results) : DataOctets();
    m_data += data;
    m_events.completed(row.GetName(), outcome.record, data.GetTotal());
    m_schedule->Complete(index);
    m_events.advance();
}

CbCompound4Res
CompoundRows::Answer(const CbCompound4Args& args)
{
    m_answered.push_back(GetMainOp(args));
    // What it makes the client do comes behind the answer.
    Simulator::ScheduleNow([this, owner = Ptr<Object>(&m_owner)] { FinishCallbacks(); });
    return m_replay->Answer(args);
}

void
CompoundRows::FinishCallbacks()
{
    if (m_schedule == nullptr)
    {
        return;
    }
    bool finished = false;
    for (auto expected = m_expected.begin(); expected != m_expected.end();)
    {
        const TraceRow& row = m_schedule->GetRow(*expected);
        const auto answered =
            std::find(m_answered.begin(), m_answered.end(), GetMainOp(*row.compound->callback));
        if (answered == m_answered.end())
        {
            ++expected;
            continue;
        }
        m_answered.erase(answered);
        m_schedule->Complete(*expected);
        ++m_completed[row.GetName()];
        expected = m_expected.erase(expected);
        finished = true;
    }
    if (finished)
    {
        Simulator::ScheduleNow([this, owner = Ptr<Object>(&m_owner)] { m_events.advance(); });
    }
}

void
CompoundRows::Describe(std::vector<std::string>& lines) const
{
    for (const auto& [index, started] : m_underWay)
    {
        const TraceRow& row = m_schedule->GetRow(index);
        lines.push_back(row.compound->name + " of the trace since " +
                        std::to_string(started.GetNanoSeconds()) + " ns");
    }
    for (const std::size_t index : m_expected)
    {
        lines.push_back(m_schedule->GetRow(index).compound->name +
                        " of the trace: the server has yet to call");
    }
}

} // namespace ns3::nfsrdma
