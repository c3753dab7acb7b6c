/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CHARTS_TIMELINE_RECORDER_H
#define NFSRDMA_HELPER_CHARTS_TIMELINE_RECORDER_H

#include "helper/charts/queue-pair-watch.h"
#include "helper/cluster.h"
#include "link/tcp-segment.h"

#include "ns3/event-id.h"

#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

class EngineByteStream;

/**
 * \brief Writes how clients and their connections fare against time.
 *
 * timeline.csv, a row for each client and period: numbers at that time, those of frames, octets,
 * RPCs and retransmissions since the beginning.
 *
 *     time_ns,client,credits,in_use,pending,rpcs,received_octets,sent_octets,
 *     client_retransmissions,server_retransmissions,client_window,server_window
 *
 * credits, in_use (calls that hold one), pending (calls that the transport has) and the congestion
 * windows (octets, of connections in RTS, at either end) are sums over the connections of the
 * client; octets are those of frames at its port; a retransmission is a segment of a connection to
 * the port of NFS whose octets had all been sent before.
 *
 * events.csv, a row for each of:
 *
 *     time_ns,host,client,kind,connection,what
 *
 *     kind        connection               what
 *     qp          number of the queue pair state entered: RTS, TERMINATE, ...
 *     terminate   number of the queue pair sent or received: layer/type/code and what it means
 *     tcp         number of the queue pair state of its TCP connection entered
 *     connection  -                        connected; lost: reason; retry in ...
 *     timeout     -                        operation of the call that has waited too long
 *     recovery    -                        operation that recovers state, ended
 *
 * Hosts do not know of this. It is to be made before the first connection, and outlives the
 * simulation.
 */
class TimelineRecorder : public QueuePairObserver
{
  public:
    /// \param cluster,timeline,events outlive it
    /// \param period above zero
    TimelineRecorder(const Cluster& cluster,
                     uint16_t nfsPort,
                     Time period,
                     std::ostream& timeline,
                     std::ostream& events);
    ~TimelineRecorder() override;

    void TakeFrame(uint32_t host, const Ptr<const Packet>& frame);
    void TakeRpc(uint32_t client, const RpcRecord& record);
    /// Takes the last sample, now; what happens later is passed over.
    void Stop();

    // QueuePairObserver
    void TakeState(uint32_t host,
                   const QueuePair& pair,
                   QueuePairState before,
                   QueuePairState after) override;
    void TakeTerminate(uint32_t host,
                       const QueuePair& pair,
                       TerminateWay way,
                       const TerminateMessage& message) override;

  private:
    /// What has been counted of a client.
    struct Counts
    {
        uint64_t rpcs{0};
        uint64_t receivedOctets{0};
        uint64_t sentOctets{0};
        uint64_t clientRetransmissions{0};
        uint64_t serverRetransmissions{0};
    };

    /// A connection in RTS, at one of its ends.
    struct End
    {
        uint32_t client{0};
        uint32_t window{0};
    };

    using EndKey = std::pair<uint32_t, uint32_t>; ///< Host, number of the queue pair.

    void WatchServer(uint32_t server);
    void WatchClient(uint32_t client);
    void WatchEngine(const EndKey& key, const QueuePair& pair, EngineByteStream& stream);
    void WatchSocket(const EndKey& key, const QueuePair& pair);
    void Sample();
    void WriteEvent(uint32_t host,
                    uint32_t client,
                    const char* kind,
                    const std::string& connection,
                    const std::string& what);

    const Cluster& m_cluster;
    uint16_t m_nfsPort;
    Time m_period;
    std::ostream& m_timeline;
    std::ostream& m_events;
    std::map<IpAddress, uint32_t> m_clients; ///< By address.
    std::vector<Counts> m_counts;            ///< By client.
    std::map<EndKey, End> m_ends;
    std::map<TcpSegment::Flow, uint32_t> m_sent; ///< Sequence numbers behind what was sent.
    EventId m_next;
    bool m_stopped{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CHARTS_TIMELINE_RECORDER_H
