/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CLUSTER_H
#define NFSRDMA_HELPER_CLUSTER_H

#include "helper/ethernet-network-helper.h"
#include "helper/leftover-census.h"
#include "helper/measurement.h"
#include "helper/nfs-rdma-client-helper.h"
#include "helper/nfs-rdma-server-helper.h"
#include "link/ethernet-pcap.h"
#include "nfs/mount/automounter.h"
#include "wire/ip-address.h"
#include "workload/data-octets.h"
#include "workload/life.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A client of a cluster, what it does and where.
struct ClusterClient
{
    NfsRdmaClient stack;
    Ptr<NfsMount> nfsMount;               ///< Over TCP, before it connects; null: none.
    std::shared_ptr<ClientMount> mount;   ///< What its workloads share.
    std::vector<Ptr<Workload>> workloads; ///< May be none.
    uint32_t server{0};                   ///< Index of its server.
    bool tcp{false};                      ///< It mounts over TCP, not RDMA.
    uint32_t serverAddress{0};            ///< Which of its server's addresses it mounts.
    std::string exportName;
    InodeNumber root{0};                        ///< Of its export in the server's store.
    std::map<std::string, InodeNumber> objects; ///< The tree's, by the trace's names.
    Time start;                                 ///< When it connects and its workload starts.
    bool joins{true}; ///< It connects: not so the host of an adversary that has no use for it.
};

/**
 * \brief A cluster that ClusterHelper has built: runs it, watches it, takes it down.
 *
 *     Start() -- Simulator::Run(), until every workload is finished -- Disconnect() --
 *     Simulator::Run(), until nothing is left to happen -- TakeCensus()
 *
 * The nodes know nothing of each other nor of this object; it only holds their parts together for
 * the program that runs them.
 */
class Cluster
{
  public:
    /// Called for each RPC that has ended: index of the client, what it took.
    using RpcCallback = std::function<void(uint32_t client, const RpcRecord& record)>;
    /// Called for each frame on the link of a host, as sent or received there: index of the host.
    using FrameCallback = std::function<void(uint32_t host, const Ptr<const Packet>& frame)>;

    /// \param serverHosts hosts that the servers are on: server i on host i mod \p serverHosts
    Cluster(uint32_t serverHosts,
            std::vector<NfsRdmaServer> servers,
            std::vector<ClusterClient> clients,
            EthernetNetwork network);
    ~Cluster();
    Cluster(const Cluster&) = delete;
    Cluster& operator=(const Cluster&) = delete;

    /// Hosts are numbered servers first. \return "server-0", "client-3", ...
    [[nodiscard]] std::string GetHostName(uint32_t host) const;
    [[nodiscard]] uint32_t GetHostCount() const;
    [[nodiscard]] uint32_t GetClientHost(uint32_t client) const;
    /// \return the servers; those behind the first GetServerHostCount() share the hosts of these.
    [[nodiscard]] const std::vector<NfsRdmaServer>& GetServers() const;
    /// \return how many hosts the servers are on: the first ones.
    [[nodiscard]] uint32_t GetServerHostCount() const;
    /// \return the host of a server (index).
    [[nodiscard]] uint32_t GetServerHost(uint32_t server) const;
    /// \return the name of a server (index): that of its host, or, where several share that,
    /// "server-0.1", the second of them.
    [[nodiscard]] std::string GetServerName(uint32_t server) const;
    /// \return the addresses that a server (index) listens on, one an interface of its host.
    [[nodiscard]] const std::vector<IpAddress>& GetServerAddresses(uint32_t server) const;
    /// \return all addresses of \p host, those of all its servers.
    [[nodiscard]] std::vector<IpAddress> ListAddresses(uint32_t host) const;
    [[nodiscard]] const std::vector<ClusterClient>& GetClients() const;
    /// \return the devices of the hosts, the switches and what is between them.
    [[nodiscard]] const EthernetNetwork& GetNetwork() const;
    /// \return its first address.
    [[nodiscard]] IpAddress GetAddress(uint32_t host) const;
    [[nodiscard]] Ptr<RnicDevice> GetDevice(uint32_t host) const;

    void SetRpcCallback(RpcCallback callback);
    void SetFrameCallback(FrameCallback callback);
    /// Called when the workloads of a client (index) enter a phase: RUN when the first of them is
    /// through with its setup; FINISHED when all are.
    using PhaseCallback = std::function<void(uint32_t client, WorkloadPhase phase)>;
    void SetPhaseCallback(PhaseCallback callback);
    /// When workloads begin and what of their work is measured; before Start(). Default:
    /// MeasurementPlan's.
    void SetMeasurement(const MeasurementPlan& plan);
    /// \return what is measured; after Start().
    [[nodiscard]] Measurement& GetMeasurement() const;
    /// Called once, when every workload has finished.
    void SetFinishedCallback(std::function<void()> callback);
    /// \return the names of the captures of \p host: its own, or, when its ports are interfaces
    /// each, "client-0-port-1", ....
    [[nodiscard]] std::vector<std::string> ListCaptures(uint32_t host) const;
    /// Captures at \p host from now on; \return false when \p file cannot be written.
    /// \param capture which of ListCaptures(), from 0
    [[nodiscard]] bool EnablePcap(uint32_t host, std::size_t capture, const std::string& file);

    /// Schedules the connection of every client; workloads start by themselves, and begin as
    /// SetMeasurement() says.
    void Start();
    [[nodiscard]] bool IsFinished() const;
    /// \return operations all workloads have planned; 0 when one does not know.
    [[nodiscard]] uint64_t GetPlanned() const;
    /// \return operations done of those planned.
    [[nodiscard]] uint64_t GetProgress() const;
    /// \return octets of file data that a client has read and written so far.
    [[nodiscard]] DataOctets GetData(uint32_t client) const;
    /// \return true when an RPC or a connection is waited for.
    [[nodiscard]] bool IsWaiting() const;
    /// \return true when an operation of a client has begun and not ended.
    [[nodiscard]] bool IsAsked() const;
    /// \return a line for each thing a client or a server waits for, the host's name first.
    [[nodiscard]] std::vector<std::string> DescribeWaiting() const;

    /// Every client disconnects.
    void Disconnect();
    /// Every server stops, captures end; no event may follow. \return false when a capture could
    /// not be written whole
    bool Stop();
    /// Counts what is left at hosts that have joined; transports of clients are gone afterwards.
    [[nodiscard]] LeftoverCensus TakeCensus() const;

  private:
    class HostTap;

    void WorkloadFinished(Ptr<Workload> workload);
    void TakePhase(uint32_t client, WorkloadPhase entered);
    /// Has a client mount over TCP, if it does, then connect.
    static void Join(const ClusterClient& client);
    /// Ends the mount of a client, then its connection.
    static void Leave(const ClusterClient& client);

    uint32_t m_serverHosts;
    std::vector<NfsRdmaServer> m_servers;
    std::vector<ClusterClient> m_clients;
    EthernetNetwork m_network;
    std::vector<std::unique_ptr<HostTap>> m_taps; ///< One a host.
    std::vector<Ptr<EthernetPcap>> m_captures;
    RpcCallback m_rpcCallback;
    FrameCallback m_frameCallback;
    PhaseCallback m_phaseCallback;
    std::function<void()> m_finished;
    std::vector<WorkloadPhase> m_phases; ///< Of each client.
    uint32_t m_running{0};               ///< Workloads not finished.
    MeasurementPlan m_plan;
    std::unique_ptr<Measurement> m_measurement; ///< From Start() on.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CLUSTER_H
