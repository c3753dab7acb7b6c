/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_RUN_CHARTS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_RUN_CHARTS_H

#include "helper/charts/message-recorder.h"
#include "helper/charts/timeline-recorder.h"
#include "helper/charts/trace-event-recorder.h"
#include "helper/cluster.h"
#include "scenarios/simulator/report/output-directory.h"
#include "scenarios/simulator/setup/cluster-plan.h"

#include <fstream>
#include <memory>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief What section [output] asks to be written for charts of a run: messages.csv, timeline.csv
 * and events.csv. Without a wish nothing is connected and nothing is written.
 *
 * Made before the cluster starts; outlives the simulation.
 */
class RunCharts
{
  public:
    /// \param cluster outlives Finish()
    RunCharts(const ClusterPlan& plan, const Cluster& cluster, OutputDirectory& directory);

    void TakeFrame(uint32_t host, const Ptr<const Packet>& frame);
    void TakeRpc(uint32_t client, const RpcRecord& record);
    void AddFaults(const std::vector<FaultFiring>& firings);
    /// The work is done.
    void Stop();
    /// Ends the files. Throws std::runtime_error when one cannot be written.
    void Finish();

  private:
    std::ofstream m_messageStream;
    std::unique_ptr<MessageRecorder> m_messages; ///< When output.messages.
    std::ofstream m_timelineStream;
    std::ofstream m_eventStream;
    std::unique_ptr<TimelineRecorder> m_timeline; ///< When output.timeline.
    std::ofstream m_traceStream;
    std::unique_ptr<TraceEventRecorder> m_trace; ///< When output.trace_events.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_RUN_CHARTS_H
