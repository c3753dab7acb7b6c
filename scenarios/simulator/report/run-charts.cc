/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/report/run-charts.h"

#include <stdexcept>

namespace ns3::nfsrdma
{

namespace
{

void
CloseFile(std::ofstream& stream, const std::string& name)
{
    stream.close();
    if (!stream)
    {
        throw std::runtime_error("cannot write " + name);
    }
}

} // namespace

RunCharts::RunCharts(const ClusterPlan& plan, const Cluster& cluster, OutputDirectory& directory)
{
    const auto& wishes = plan.output;
    if (!wishes.messages.IsEmpty())
    {
        m_messageStream.open(directory.Add("messages.csv"), std::ios::binary);
        m_messages = std::make_unique<MessageRecorder>(cluster,
                                                       plan.nfs.port,
                                                       wishes.messages,
                                                       m_messageStream);
    }
    if (wishes.timeline.IsStrictlyPositive())
    {
        m_timelineStream.open(directory.Add("timeline.csv"), std::ios::binary);
        m_eventStream.open(directory.Add("events.csv"), std::ios::binary);
        m_timeline = std::make_unique<TimelineRecorder>(cluster,
                                                        plan.nfs.port,
                                                        wishes.timeline,
                                                        m_timelineStream,
                                                        m_eventStream);
    }
    if (wishes.traceEvents)
    {
        m_traceStream.open(directory.Add("trace.json"), std::ios::binary);
        m_trace = std::make_unique<TraceEventRecorder>(cluster, m_traceStream);
    }
}

void
RunCharts::TakeFrame(uint32_t host, const Ptr<const Packet>& frame)
{
    if (m_messages)
    {
        m_messages->TakeFrame(host, frame);
    }
    if (m_timeline)
    {
        m_timeline->TakeFrame(host, frame);
    }
}

void
RunCharts::TakeRpc(uint32_t client, const RpcRecord& record)
{
    if (m_messages)
    {
        m_messages->TakeRpc(client, record);
    }
    if (m_timeline)
    {
        m_timeline->TakeRpc(client, record);
    }
    if (m_trace)
    {
        m_trace->TakeRpc(client, record);
    }
}

void
RunCharts::AddFaults(const std::vector<FaultFiring>& firings)
{
    if (m_trace)
    {
        m_trace->AddFaults(firings);
    }
}

void
RunCharts::Stop()
{
    if (m_timeline)
    {
        m_timeline->Stop();
    }
}

void
RunCharts::Finish()
{
    if (m_timeline)
    {
        CloseFile(m_timelineStream, "timeline.csv");
        CloseFile(m_eventStream, "events.csv");
    }
    if (m_trace)
    {
        m_trace->Finish();
        CloseFile(m_traceStream, "trace.json");
    }
    if (m_messages)
    {
        m_messages->Finish();
        CloseFile(m_messageStream, "messages.csv");
    }
}

} // namespace ns3::nfsrdma
