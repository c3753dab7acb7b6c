/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/mounted-files.h"
#include "workload/replay/trace-rows.h"

#include "ns3/boolean.h"
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

void
ReplayWorkload::StartCompounds()
{
    const auto files = DynamicCast<Nfs4FileClient>(GetMount().files);
    if (files == nullptr)
    {
        return;
    }
    const auto client = files->GetClient();
    m_compounds = std::make_unique<CompoundReplay>(client->GetRpcClient(), client->GetHostMemory());
    m_compounds->SetContent(GetMount().GetContent());
    CompoundReplay::Identity identity;
    const auto recorded = static_cast<uint32_t>(std::max<std::size_t>(m_trace->clients.size(), 1));
    identity.copy = GetClientIndex() / recorded;
    identity.exportName = GetMount().exportName;
    if (!client->HasSessions())
    {
        identity.callbackAddress = client->GetIdentity().callbackAddress;
    }
    BooleanValue reduceReadlink;
    client->GetAttribute("ReduceReadlink", reduceReadlink);
    identity.reduceReadlink = reduceReadlink.Get();
    m_compounds->SetIdentity(std::move(identity));
    for (std::size_t i = 0; i < m_schedule->GetCount(); ++i)
    {
        const TraceRow& row = m_schedule->GetRow(i);
        const Nfs4Fh* handle = FindOnlyHandle(row);
        const auto own = handle != nullptr ? m_objects->FindHandle(row.object) : std::nullopt;
        if (own)
        {
            m_compounds->GetIdentifiers().SetHandle(*handle, Nfs4Fh(own->AsSpan()));
        }
    }
    m_callbacks = client->GetCallbackProgram();
    m_callbacks->SetResponder([this](const CbCompound4Args& args) { return AnswerCallback(args); });
    m_end = FindUnmount();
    GetMount().SetUnmount([this](std::function<void()> done) { Unmount(std::move(done)); });
}

std::size_t
ReplayWorkload::FindUnmount() const
{
    std::size_t first = m_schedule->GetCount();
    const auto isOfUnmount = [](const TraceRow& row) {
        return row.compound != nullptr &&
               (row.operation == "DELEGRETURN" || row.operation == "DESTROY_SESSION" ||
                row.operation == "DESTROY_CLIENTID");
    };
    const std::size_t end = first;
    while (m_compounds != nullptr && first > 0 && isOfUnmount(m_schedule->GetRow(first - 1)))
    {
        --first;
    }
    // umount has looked the root up before.
    const bool looked = first != end && first > 0 &&
                        m_schedule->GetRow(first - 1).operation == "GETATTR" &&
                        m_schedule->GetRow(first - 1).object == ROOT_OBJECT;
    return looked ? first - 1 : first;
}

void
ReplayWorkload::Unmount(std::function<void()> done)
{
    m_end = m_schedule->GetCount();
    if (m_next == m_end)
    {
        done();
        return;
    }
    m_unmounted = std::move(done);
    const Time due = GetDueTime(m_schedule->GetRow(m_next));
    if (m_pace == PACE_RECORDED)
    {
        m_began += Simulator::Now() - due;
    }
    Advance();
}

void
ReplayWorkload::StartCompound(std::size_t index, const TraceRow& row)
{
    if (row.compound->callback)
    {
        m_expected.push_back(index);
        FinishCallbacks();
        return;
    }
    if (!m_compounds->HasHandles(*row.compound))
    {
        ++m_unsupported[row.GetName() + " without handle"];
        m_schedule->Complete(index);
        return;
    }
    ++m_issuedCompounds[row.GetName()];
    m_underWay.emplace(index, Simulator::Now());
    m_compounds->Issue(row.compound, [this, index](const CompoundReplay::Outcome& outcome) {
        TakeCompound(index, outcome);
    });
}

void
ReplayWorkload::TakeCompound(std::size_t index, const CompoundReplay::Outcome& outcome)
{
    const TraceRow& row = m_schedule->GetRow(index);
    m_underWay.erase(index);
    ++m_completedCompounds[row.GetName()];
    m_failedCompounds += outcome.record.outcome == RpcOutcome::SUCCESS ? 0 : 1;
    if (outcome.compared != 0)
    {
        m_report.CountCompared();
    }
    for (const auto& mismatch : outcome.mismatches)
    {
        m_report.Add(row, mismatch);
    }
    const auto data = outcome.results != nullptr ? DataOctets::Of(*outcome.results) : DataOctets();
    m_compoundData += data;
    NoteCompleted(row.GetName(), outcome.record, data.GetTotal());
    CompleteRow(index);
}

CbCompound4Res
ReplayWorkload::AnswerCallback(const CbCompound4Args& args)
{
    m_answered.push_back(GetMainOp(args));
    // What it makes the client do comes behind the answer.
    Simulator::ScheduleNow(&ReplayWorkload::FinishCallbacks, Ptr<ReplayWorkload>(this));
    return m_compounds->Answer(args);
}

void
ReplayWorkload::FinishCallbacks()
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
        ++m_completedCompounds[row.GetName()];
        expected = m_expected.erase(expected);
        finished = true;
    }
    if (finished)
    {
        Simulator::ScheduleNow(&ReplayWorkload::Advance, Ptr<ReplayWorkload>(this));
    }
}

Workload::Counts
ReplayWorkload::GetIssued() const
{
    Counts counts = Workload::GetIssued();
    counts.insert(m_issuedCompounds.begin(), m_issuedCompounds.end());
    return counts;
}

Workload::Counts
ReplayWorkload::GetCompleted() const
{
    Counts counts = Workload::GetCompleted();
    counts.insert(m_completedCompounds.begin(), m_completedCompounds.end());
    return counts;
}

const DataOctets&
ReplayWorkload::GetCompoundData() const
{
    return m_compoundData;
}

uint64_t
ReplayWorkload::GetFailed() const
{
    return Workload::GetFailed() + m_failedCompounds;
}

void
ReplayWorkload::DescribeCompounds(std::vector<std::string>& lines) const
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
