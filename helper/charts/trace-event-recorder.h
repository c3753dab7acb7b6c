/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CHARTS_TRACE_EVENT_RECORDER_H
#define NFSRDMA_HELPER_CHARTS_TRACE_EVENT_RECORDER_H

#include "fault/outcome.h"
#include "helper/charts/queue-pair-watch.h"
#include "helper/charts/trace-event-writer.h"
#include "helper/cluster.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Writes a run as trace.json (TraceEventWriter). A process is a host, or the switches; its
 * tracks are
 *
 *     RPC n       RPCs of a client: to call (credit, marshalling, registration), call, server (from
 * a thread's taking it to its end), reply, completion (invalidation, the program). As many as RPCs
 * overlap. QP n        work requests of its send queue, from the post to the poll, and its states;
 *                 more such tracks where they overlap. Receives, posted in advance, are left out.
 *     thread n    calls of a server's threads
 *     link        what the port sends, frames that follow each other within MERGE_GAP in one
 *                 slice
 *     connection  of a client: made, lost, to be made again; faults at the host
 *     faults      those that last, from begin to end
 *
 * and counters the octets in the queue of its port, or of a switch's ports, at most one value in
 * COUNTER_PERIOD and the end of each queue.
 *
 * Hosts do not know of this. It is to be made before the first connection, and outlives the
 * simulation.
 */
class TraceEventRecorder : public QueuePairObserver
{
  public:
    /// \param cluster,stream outlive it
    TraceEventRecorder(const Cluster& cluster, std::ostream& stream);

    void TakeRpc(uint32_t client, const RpcRecord& record);
    void AddFaults(const std::vector<FaultFiring>& firings);
    /// Writes what has not ended, and the end.
    void Finish();

    // QueuePairObserver
    void TakeState(uint32_t host,
                   const QueuePair& pair,
                   QueuePairState before,
                   QueuePairState after) override;
    void TakeDone(uint32_t host,
                  const QueuePair& pair,
                  WorkCompletionOpcode kind,
                  WorkCompletionStatus status,
                  const WorkTimeline& timeline) override;

  private:
    /// A call in a server's thread.
    struct Served
    {
        uint32_t xid{0};
        uint64_t thread{0};
        Time taken;
        std::optional<Time> released;
    };

    struct Server
    {
        std::map<uint64_t, Served> threads;   ///< With a call.
        std::multimap<uint32_t, Served> done; ///< By XID: their RPCs have not ended.
    };

    /// Frames that a port sends one after the other.
    struct Burst
    {
        TraceTrack track;
        Time begin;
        Time end;
        uint64_t frames{0};
        uint64_t octets{0};
    };

    /// A queue whose length is shown.
    struct Counter
    {
        uint32_t process{0};
        std::string name;
        Time latest;
        bool written{false};
    };

    void WatchClient(uint32_t client);
    void WatchServer(uint32_t server);
    void WatchPort(uint32_t host, uint32_t port);
    void WatchQueue(const Ptr<EthernetNetDevice>& device,
                    uint32_t process,
                    const std::string& name);
    void SendFrame(Burst& burst, Time begin, Time end, uint32_t octets);
    void WriteBurst(Burst& burst);
    void SetQueue(Counter& counter, uint32_t octets);
    void WriteServed(uint32_t server, const Served& served, const std::string& name);
    void AddTrack(TraceTrack track, const std::string& name);

    const Cluster& m_cluster;
    TraceEventWriter m_writer;
    std::set<std::pair<uint32_t, uint32_t>> m_tracks;           ///< That have a name.
    std::vector<TraceLanes> m_rpcs;                             ///< By client.
    std::map<std::pair<uint32_t, uint32_t>, TraceLanes> m_work; ///< By host, queue pair.
    std::map<uint32_t, TraceLanes> m_faults;                    ///< By process: those that last.
    std::vector<Server> m_servers;
    std::deque<Burst> m_bursts; ///< By host and port.
    std::vector<std::unique_ptr<Counter>> m_counters;
    bool m_finished{false}; ///< What happens from now on is passed over.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CHARTS_TRACE_EVENT_RECORDER_H
