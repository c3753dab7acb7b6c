/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CHARTS_MESSAGE_RECORDER_H
#define NFSRDMA_HELPER_CHARTS_MESSAGE_RECORDER_H

#include "helper/charts/exchange-tracker.h"
#include "helper/charts/message-selection.h"
#include "helper/charts/queue-pair-watch.h"
#include "helper/cluster.h"

#include <deque>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Writes messages.csv: every message of chosen RPCs as each of both hosts saw it, and what
 * the hosts did for them. What message-sequence charts are drawn from.
 *
 *     requester,responder,xid,operation,time_ns,end_ns,host,event,connection,number,message,text
 *
 * event is "sent" or "received" for an RDMAP message or a TCP segment with FIN or RST, whose first
 * and last FPDU were seen at time_ns and end_ns; a message is the same at both hosts when
 * connection (the opener's port and initial sequence number), the sender and number are. It is
 * "local" for what happened inside a host: submit, register, invalidate, post, thread, connection,
 * qp, complete. Rows of an RPC are in order of time, but for those after its end.
 *
 * Hosts do not know of this; it watches each at its port and through its trace sources. It is to be
 * made before the first connection, and outlives the simulation. What happens
 * after Finish(), when the cluster may be gone, is passed over.
 */
class MessageRecorder : public QueuePairObserver
{
  public:
    /// \param cluster,stream outlive it
    /// \param nfsPort of servers
    MessageRecorder(const Cluster& cluster,
                    uint16_t nfsPort,
                    MessageSelection selection,
                    std::ostream& stream);

    void TakeFrame(uint32_t host, const Ptr<const Packet>& frame);
    /// An RPC of \p client has ended: it is written if it was chosen.
    void TakeRpc(uint32_t client, const RpcRecord& record);
    /// Writes what is left: RPCs that have not ended.
    void Finish();

    // QueuePairObserver
    void TakeState(uint32_t host,
                   const QueuePair& pair,
                   QueuePairState before,
                   QueuePairState after) override;
    void TakePost(uint32_t host, const QueuePair& pair, const SendWorkRequest& request) override;

  private:
    struct Row
    {
        Time time;
        Time end;
        uint32_t host{0};
        std::string event;
        std::string connection;
        uint64_t number{0};
        std::string message;
        std::string text;
        uint64_t order{0}; ///< Of rows of the same time.
    };

    struct Exchange
    {
        std::vector<Row> rows;
        std::string operation;
        bool written{false}; ///< It has ended and was chosen.
    };

    struct Connection
    {
        MessageFollower follower;
        TcpSegment::Flow opener;
        uint32_t synSequence{0};
    };

    /// What is known at a host.
    struct View
    {
        std::map<TcpSegment::Flow, Connection> connections; ///< By the lower of their two flows.
        ExchangeTracker tracker;
        std::map<Stag, Row> registrations; ///< Of STags that no message has named yet.
        /// Posts of Sends that have not been seen to leave.
        std::map<TcpSegment::Flow, std::deque<Row>> sends;
        std::map<uint32_t, uint32_t> peers; ///< Hosts, by number of the queue pair here.
    };

    void WatchClient(uint32_t client);
    Connection& FindConnection(View& view, const TcpSegment& segment);
    void TakeMessage(uint32_t host,
                     const TcpSegment& segment,
                     const Connection& connection,
                     const WireMessage& message);
    void TakeEnd(uint32_t host, const TcpSegment& segment, const Connection& connection);
    void TakeThread(uint32_t host, uint32_t xid, Time queued);
    [[nodiscard]] static std::string NameConnection(const Connection& connection);
    /// \return the number of the host with \p address.
    [[nodiscard]] std::optional<uint32_t> FindHost(const IpAddress& address) const;
    void TellClient(uint32_t client, const std::string& text);
    void Add(const ExchangeKey& key, Row row);
    /// Adds to every RPC of \p host that has not ended; to those with \p peer only, if given.
    void AddToAll(uint32_t host, std::optional<uint32_t> peer, const Row& row);
    /// Registrations of \p host that turn out to be for \p key.
    void AddRegistrations(uint32_t host, const ExchangeKey& key);
    /// Writes the rows in order.
    void WriteAll(const ExchangeKey& key, Exchange& exchange);
    void Write(const ExchangeKey& key, const Exchange& exchange, const Row& row);

    const Cluster& m_cluster;
    uint16_t m_nfsPort;
    MessageSelection m_selection;
    std::ostream& m_stream;
    std::map<IpAddress, uint32_t> m_hosts; ///< By address.
    std::vector<View> m_views;             ///< By host.
    std::map<ExchangeKey, Exchange> m_exchanges;
    uint64_t m_nextOrder{1};
    bool m_finished{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CHARTS_MESSAGE_RECORDER_H
