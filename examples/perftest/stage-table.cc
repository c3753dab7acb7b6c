/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/stage-table.h"

#include "rnic/queue/work-timeline.h"

namespace ns3::nfsrdma
{

namespace
{

const char*
NameOf(WorkCompletionOpcode kind)
{
    switch (kind)
    {
    case WorkCompletionOpcode::SEND:
        return "SEND";
    case WorkCompletionOpcode::RDMA_WRITE:
        return "RDMA_WRITE";
    case WorkCompletionOpcode::RDMA_READ:
        return "RDMA_READ";
    case WorkCompletionOpcode::REGISTER_MR:
        return "REGISTER_MR";
    case WorkCompletionOpcode::LOCAL_INVALIDATE:
        return "LOCAL_INVALIDATE";
    case WorkCompletionOpcode::BIND_WINDOW:
        return "BIND_WINDOW";
    case WorkCompletionOpcode::RECEIVE:
        return "RECEIVE";
    case WorkCompletionOpcode::FETCH_AND_ADD:
        return "FETCH_AND_ADD";
    case WorkCompletionOpcode::COMPARE_AND_SWAP:
        return "COMPARE_AND_SWAP";
    }
    return "unknown";
}

void
WriteRow(std::ostream* out,
         std::string pair,
         uint64_t id,
         WorkCompletionOpcode kind,
         WorkCompletionStatus status,
         const WorkTimeline& timeline)
{
    *out << pair << ',' << id << ',' << NameOf(kind) << ',' << ToString(status) << ','
         << timeline.GetStart().GetNanoSeconds();
    for (std::size_t stage = 0; stage < WORK_STAGES; stage++)
    {
        *out << ',' << timeline.GetStage(static_cast<WorkStage>(stage)).GetNanoSeconds();
    }
    *out << ',' << (timeline.GetLatest() - timeline.GetStart()).GetNanoSeconds() << '\n';
}

} // namespace

StageTable::StageTable(std::ostream& out)
    : m_out(out)
{
    m_out << "side,queue_pair,id,kind,status,posted_ns";
    for (std::size_t stage = 0; stage < WORK_STAGES; stage++)
    {
        m_out << ',' << ToString(static_cast<WorkStage>(stage));
    }
    m_out << ",total\n";
}

void
StageTable::Watch(const std::string& side, Ptr<QueuePair> pair)
{
    pair->TraceConnectWithoutContext(
        "WorkDone",
        MakeBoundCallback(&WriteRow, &m_out, side + ',' + std::to_string(pair->GetNumber())));
}

} // namespace ns3::nfsrdma
