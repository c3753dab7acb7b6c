/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_RESPONDER_H
#define NFSRDMA_RPCRDMA_SERVER_RESPONDER_H

#include "rnic/connect/cm-id.h"
#include "rnic/hardware/device.h"
#include "rpc/server.h"
#include "rpc/service-times.h"
#include "rpcrdma/server/accepted-connection.h"
#include "rpcrdma/server/responder-settings.h"
#include "rpcrdma/server/svc-statistics.h"

#include "ns3/event-id.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The responder of RPC-over-RDMA version 1 (RFC 8166), behaving as Linux's svcrdma: a
 * listener, and a SvcRdmaConnection for each client.
 *
 * Attributes, which responder.def and read-chunks.def have, are read when Listen() is called.
 */
class RpcRdmaServer : public Object
{
  public:
    static constexpr uint16_t NFS_RDMA_PORT = 20049;

    static TypeId GetTypeId();

    void SetDevice(Ptr<RnicDevice> device)
    {
        m_device = device;
    }

    void SetRpcServer(Ptr<RpcServer> server)
    {
        m_rpcServer = server;
    }

    /// Has it listen on these addresses of the host alone, as in a network namespace of its own.
    /// Default: on all.
    void SetAddresses(std::vector<IpAddress> addresses)
    {
        m_addresses = std::move(addresses);
    }

    /// \return false when the port is taken.
    bool Listen(uint16_t port = NFS_RDMA_PORT);
    /// Stops listening and ends every connection; GetConnectionCount() falls to 0 soon after.
    /// Calls in service are carried out, their replies dropped. Listen() may follow at once.
    void Stop();
    /// The machine is gone: every connection and what was to be called back is forgotten without a
    /// word, and nobody listens, until Listen().
    void Crash();
    /// Fault injection: the queue pair of every connection moves to ERROR.
    void InjectError();

    /**
     * \brief The reverse direction to a client (RFC 8167), named by its IP address: made at the
     * first call, and kept until the server is disposed of. The newest connection from that address
     * carries it, unless \p connection is a number (RpcServer::OpenConnection()) of one that is
     * there: then that one, as long as it lives.
     */
    [[nodiscard]] Ptr<SvcRdmaReverseTransport> GetReverseTransport(IpAddress client,
                                                                   uint64_t connection = 0);

    /// Has every reply from now on go through \p filter, behind those added before.
    void AddReplyFilter(SvcRdmaReplyFilter* filter)
    {
        m_settings.filters->push_back(filter);
    }

    void RemoveReplyFilter(SvcRdmaReplyFilter* filter);
    /// Changes attribute Credits, also while clients are connected: what they may have is another
    /// from the next reply on. Connections made before have receives for CreditCeiling at most.
    void SetCredits(uint32_t credits);

    [[nodiscard]] const SvcRdmaStatistics& GetStatistics() const
    {
        return *m_statistics;
    }

    /// \return what was done to make memory known, on all connections.
    [[nodiscard]] const RegistrationStatistics& GetRegistrationStatistics() const
    {
        return *m_settings.registrations;
    }

    [[nodiscard]] uint32_t GetConnectionCount() const
    {
        return m_connections.size();
    }

    /// \return calls taken that have no answer yet, of all connections.
    [[nodiscard]] uint64_t GetUnanswered() const
    {
        uint64_t calls = 0;
        for (const auto& [number, connection] : m_connections)
        {
            calls += connection->GetUnanswered();
        }
        return calls;
    }

    /// \return the connections, oldest first.
    [[nodiscard]] std::vector<Ptr<const SvcRdmaConnection>> GetConnections() const;
    /// \return one line per connection with calls in service, or work that waits for room.
    [[nodiscard]] std::vector<std::string> DescribeWaiting() const;

    /// \return why its connections ended in an error.
    [[nodiscard]] const TerminateTally& GetTerminates() const
    {
        return *m_settings.terminates;
    }

    /// Trace source "Refused": a message of the XID \p xid is not served.
    typedef void (*RefusedTracedCallback)(uint32_t xid, CallVerdict verdict, CallFault fault);
    /// Trace source "Replied": a call was answered, and when it was where on its way through.
    typedef void (*RepliedTracedCallback)(const RpcServiceTimes& times);
    /// Trace source "ReadChunkExposed": the reply to \p xid is a Read chunk.
    typedef void (*ReadChunkExposedTracedCallback)(uint32_t xid,
                                                   uint32_t segments,
                                                   uint64_t octets);
    /// Trace source "ReadChunkReleased": the Read chunk of the reply to \p xid is not pending any
    /// more, which it was for \p waited.
    typedef void (*ReadChunkReleasedTracedCallback)(uint32_t xid,
                                                    ReadChunkRelease reason,
                                                    Time waited);

    /// Trace source "Releases": how many Sends wait for the release of their contexts has changed.
    typedef void (*ReleasesTracedCallback)(uint32_t before, uint32_t now);
    /// Trace source "MemoryRefused": \p octets were wanted beyond \p held.
    typedef void (*MemoryRefusedTracedCallback)(uint64_t octets, uint64_t held);

    /// Trace source "ConnectionEnded": a connection of the client at \p peer has ended, and what
    /// has ended it.
    typedef void (*ConnectionEndedTracedCallback)(IpAddress peer, const std::string& reason);

  protected:
    void DoDispose() override;

  private:
    void StopListening();
    [[nodiscard]] std::shared_ptr<const SvcRdmaSettings> MakeSettings();
    /// Attribute Credits may have changed.
    void ApplyCredits();
    [[nodiscard]] std::shared_ptr<const SvcReadChunkSettings> MakeReadChunkSettings();

    /// The reverse direction to a client.
    struct Reverse
    {
        Ptr<SvcRdmaReverseTransport> transport;
        uint64_t chosen{0}; ///< The connection that is to carry it while it lives; 0: the newest.
    };

    void HandleEvent(Ptr<CmId> id, const CmEvent& event);
    /// A connection request that waits for a receive. \return whether it waits no longer.
    bool TryAgain(const CmEvent& request);
    void Accept(const Ptr<SvcRdmaConnection>& connection, const CmEvent& event);
    void HandleClosed(uint64_t number, IpAddress peer);
    /// Closes connections on which nothing was received for a period.
    void AgeConnections();
    void NoteEnd(IpAddress peer, const std::string& reason);
    void CarryOnNewest(IpAddress client, const Ptr<SvcRdmaReverseTransport>& reverse);

    SvcRdmaSettings m_settings;
    SvcReadChunkSettings m_readChunks;
    std::shared_ptr<const SvcRdmaSettings> m_inForce; ///< Of the connections, since Listen().
    std::shared_ptr<SvcRdmaCreditPool> m_creditPool;
    EventId m_aging;
    std::map<IpAddress, Reverse> m_reverse; ///< By client.

    Ptr<RnicDevice> m_device;
    Ptr<RpcServer> m_rpcServer;
    std::vector<IpAddress> m_addresses; ///< That it listens on; none: all.
    std::vector<Ptr<CmId>> m_listeners; ///< One an address, or one for all.
    std::shared_ptr<SvcRdmaStatistics> m_statistics{std::make_shared<SvcRdmaStatistics>()};
    std::map<uint64_t, Ptr<SvcRdmaConnection>> m_connections; ///< By number.
    std::vector<CmEvent> m_requests; ///< Connection requests that wait for a receive, in order.
    TracedCallback<uint32_t, CallVerdict, CallFault> m_refusedTrace;
    TracedCallback<const RpcServiceTimes&> m_repliedTrace;
    TracedCallback<IpAddress, const std::string&> m_endedTrace;
    TracedCallback<uint32_t, uint32_t> m_releasesTrace;
    TracedCallback<uint64_t, uint64_t> m_memoryRefusedTrace;
    TracedCallback<uint32_t, uint32_t, uint64_t> m_readChunkExposedTrace;
    TracedCallback<uint32_t, ReadChunkRelease, Time> m_readChunkReleasedTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_RESPONDER_H
