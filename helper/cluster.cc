/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cluster.h"

#include "mpa/internet-address.h"
#include "nfs/v4/client/mounted-files.h"
#include "workload/replay/trace-rows.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

/// Passes what happens at one host to the cluster, with the host's number.
class Cluster::HostTap
{
  public:
    HostTap(Cluster& cluster, uint32_t host)
        : m_cluster(cluster),
          m_host(host)
    {
    }

    void TakeFrame(Ptr<const Packet> frame) const
    {
        if (m_cluster.m_frameCallback)
        {
            m_cluster.m_frameCallback(m_host, frame);
        }
    }

    void TakeRpc(const RpcRecord& record) const
    {
        if (m_cluster.m_rpcCallback)
        {
            m_cluster.m_rpcCallback(m_host - m_cluster.m_serverHosts, record);
        }
    }

    void TakePhase(WorkloadPhase, WorkloadPhase entered) const
    {
        m_cluster.TakePhase(m_host - m_cluster.m_serverHosts, entered);
    }

  private:
    Cluster& m_cluster;
    uint32_t m_host;
};

Cluster::Cluster(uint32_t serverHosts,
                 std::vector<NfsRdmaServer> servers,
                 std::vector<ClusterClient> clients,
                 EthernetNetwork network)
    : m_serverHosts(serverHosts),
      m_servers(std::move(servers)),
      m_clients(std::move(clients)),
      m_network(std::move(network)),
      m_phases(m_clients.size(), WorkloadPhase::IDLE)
{
    for (uint32_t host = 0; host < GetHostCount(); ++host)
    {
        m_taps.push_back(std::make_unique<HostTap>(*this, host));
        for (const auto& port : m_network.hostPorts[host])
        {
            port->TraceConnectWithoutContext(
                "PromiscSniffer",
                MakeCallback(&HostTap::TakeFrame, m_taps.back().get()));
        }
    }
    for (uint32_t client = 0; client < m_clients.size(); ++client)
    {
        const auto& stack = m_clients[client].stack;
        for (const auto& rpc :
             {stack.rpc, stack.aclRpc, stack.nfs2Rpc, stack.acl2Rpc, stack.nfs4Rpc})
        {
            if (!rpc)
            {
                continue;
            }
            rpc->TraceConnectWithoutContext(
                "RpcCompleted",
                MakeCallback(&HostTap::TakeRpc, m_taps[GetClientHost(client)].get()));
        }
        for (const auto& workload : m_clients[client].workloads)
        {
            ++m_running;
            workload->TraceConnectWithoutContext(
                "Phase",
                MakeCallback(&HostTap::TakePhase, m_taps[GetClientHost(client)].get()));
            workload->SetFinishedCallback(MakeCallback(&Cluster::WorkloadFinished, this));
        }
    }
}

Cluster::~Cluster()
{
    m_measurement.reset();
    for (uint32_t host = 0; host < GetHostCount(); ++host)
    {
        for (const auto& port : m_network.hostPorts[host])
        {
            port->TraceDisconnectWithoutContext(
                "PromiscSniffer",
                MakeCallback(&HostTap::TakeFrame, m_taps[host].get()));
        }
    }
    for (auto& client : m_clients)
    {
        for (const auto& workload : client.workloads)
        {
            workload->Dispose();
        }
        if (client.nfsMount)
        {
            client.nfsMount->Dispose();
        }
        client.stack.files->Dispose();
        if (client.stack.nfs4)
        {
            client.stack.nfs4->Dispose();
            client.stack.nfs4Rpc->Dispose();
            client.stack.callbacks->Dispose();
        }
        if (client.stack.callbackListener)
        {
            client.stack.callbackListener->Dispose();
        }
        if (client.stack.daemons)
        {
            client.stack.locks->Dispose();
            client.stack.daemons->Dispose();
        }
        if (client.stack.nfs2)
        {
            client.stack.acl2->Dispose();
            client.stack.acl2Rpc->Dispose();
            client.stack.nfs2->Dispose();
            client.stack.nfs2Rpc->Dispose();
        }
        client.stack.acl->Dispose();
        client.stack.aclRpc->Dispose();
        client.stack.nfs->Dispose();
        client.stack.rpc->GetSecurity()->Dispose();
        client.stack.rpc->Dispose();
        client.stack.path->Dispose();
        for (const auto& transport : client.stack.transports)
        {
            transport->Dispose();
        }
        for (const auto& transport : client.stack.tcpTransports)
        {
            transport->Dispose();
        }
        if (client.stack.sockets)
        {
            client.stack.sockets->Dispose();
        }
        client.stack.device->Dispose();
    }
    for (auto& server : m_servers)
    {
        if (server.daemons)
        {
            server.daemons->Dispose();
        }
        server.transport->Dispose();
        if (server.tcp)
        {
            server.tcp->Dispose();
            server.sockets->Dispose();
        }
        server.rpc->Dispose();
        server.acl->Dispose();
        if (server.nfs2)
        {
            server.acl2->Dispose();
            server.nfs2->Dispose();
        }
        server.gss->Dispose();
        server.nfs->Dispose();
        server.pageCache->Dispose();
        server.storage->Dispose();
        server.store->Dispose();
    }
    for (uint32_t host = 0; host < m_serverHosts; ++host)
    {
        m_servers[host].device->Dispose();
    }
}

std::string
Cluster::GetHostName(uint32_t host) const
{
    return host < m_serverHosts ? "server-" + std::to_string(host)
                                : "client-" + std::to_string(host - m_serverHosts);
}

uint32_t
Cluster::GetHostCount() const
{
    return static_cast<uint32_t>(m_serverHosts + m_clients.size());
}

uint32_t
Cluster::GetClientHost(uint32_t client) const
{
    return m_serverHosts + client;
}

Ptr<RnicDevice>
Cluster::GetDevice(uint32_t host) const
{
    return host < m_serverHosts ? m_servers[host].device
                                : m_clients.at(host - m_serverHosts).stack.device;
}

const std::vector<NfsRdmaServer>&
Cluster::GetServers() const
{
    return m_servers;
}

uint32_t
Cluster::GetServerHostCount() const
{
    return m_serverHosts;
}

uint32_t
Cluster::GetServerHost(uint32_t server) const
{
    return server % m_serverHosts;
}

std::string
Cluster::GetServerName(uint32_t server) const
{
    std::string name = GetHostName(GetServerHost(server));
    if (m_servers.size() > m_serverHosts)
    {
        name.append(".").append(std::to_string(server / m_serverHosts));
    }
    return name;
}

const std::vector<IpAddress>&
Cluster::GetServerAddresses(uint32_t server) const
{
    return m_network.GetAddressesOf(GetServerHost(server), server / m_serverHosts);
}

std::vector<IpAddress>
Cluster::ListAddresses(uint32_t host) const
{
    auto all = m_network.hostAddresses.at(host);
    const auto further = m_network.furtherAddresses.find(host);
    if (further != m_network.furtherAddresses.end())
    {
        for (const auto& server : further->second)
        {
            all.insert(all.end(), server.begin(), server.end());
        }
    }
    return all;
}

const std::vector<ClusterClient>&
Cluster::GetClients() const
{
    return m_clients;
}

const EthernetNetwork&
Cluster::GetNetwork() const
{
    return m_network;
}

IpAddress
Cluster::GetAddress(uint32_t host) const
{
    return m_network.addresses.at(host);
}

void
Cluster::SetRpcCallback(RpcCallback callback)
{
    m_rpcCallback = std::move(callback);
}

void
Cluster::SetFrameCallback(FrameCallback callback)
{
    m_frameCallback = std::move(callback);
}

void
Cluster::SetPhaseCallback(PhaseCallback callback)
{
    m_phaseCallback = std::move(callback);
}

void
Cluster::SetFinishedCallback(std::function<void()> callback)
{
    m_finished = std::move(callback);
}

std::vector<std::string>
Cluster::ListCaptures(uint32_t host) const
{
    const auto interfaces = m_network.GetInterfaces(host).size();
    if (interfaces == 1)
    {
        return {GetHostName(host)};
    }
    std::vector<std::string> names;
    names.reserve(interfaces);
    for (std::size_t port = 1; port <= interfaces; ++port)
    {
        names.push_back(GetHostName(host) + "-port-" + std::to_string(port));
    }
    return names;
}

bool
Cluster::EnablePcap(uint32_t host, std::size_t capture, const std::string& file)
{
    const auto pcap = CreateObject<EthernetPcap>();
    m_captures.push_back(pcap);
    const auto& ports = m_network.hostPorts.at(host);
    const bool isOpen = pcap->Open(file, ports.at(capture));
    if (!m_network.bonds[host])
    {
        return isOpen;
    }
    for (std::size_t port = 1; isOpen && port < ports.size(); ++port)
    {
        pcap->Add(ports[port]);
    }
    return isOpen;
}

void
Cluster::SetMeasurement(const MeasurementPlan& plan)
{
    m_plan = plan;
}

Measurement&
Cluster::GetMeasurement() const
{
    return *m_measurement;
}

void
Cluster::Start()
{
    std::vector<Measurement::Member> members;
    for (uint32_t client = 0; client < m_clients.size(); ++client)
    {
        for (const auto& workload : m_clients[client].workloads)
        {
            members.push_back({workload, client, m_clients[client].stack.node->GetId()});
        }
    }
    m_measurement = std::make_unique<Measurement>(m_plan, std::move(members));
    for (const auto& client : m_clients)
    {
        if (!client.joins)
        {
            continue;
        }
        Simulator::ScheduleWithContext(client.stack.node->GetId(), client.start, [&client] {
            Join(client);
        });
    }
}

void
Cluster::Join(const ClusterClient& client)
{
    if (!client.nfsMount)
    {
        client.stack.Connect();
        return;
    }
    client.nfsMount->Mount([&client](const NfsMountResult& result) {
        if (result.IsOk())
        {
            client.stack.SetServer(MakeSocketAddress(client.nfsMount->GetServer(), result.nfsPort));
            client.stack.Connect();
        }
    });
}

void
Cluster::TakePhase(uint32_t client, WorkloadPhase entered)
{
    if (m_measurement)
    {
        m_measurement->TakePhase(entered);
    }
    const auto& workloads = m_clients[client].workloads;
    const bool finished = std::all_of(workloads.begin(), workloads.end(), [](const auto& workload) {
        return workload->IsFinished();
    });
    const auto phase = finished                             ? WorkloadPhase::FINISHED
                       : entered == WorkloadPhase::FINISHED ? m_phases[client]
                                                            : std::max(m_phases[client], entered);
    if (m_phases[client] != phase)
    {
        m_phases[client] = phase;
        if (m_phaseCallback)
        {
            m_phaseCallback(client, phase);
        }
    }
}

void
Cluster::WorkloadFinished(Ptr<Workload>)
{
    if (--m_running == 0 && m_finished)
    {
        m_finished();
    }
}

bool
Cluster::IsFinished() const
{
    return m_running == 0;
}

uint64_t
Cluster::GetPlanned() const
{
    uint64_t planned = 0;
    for (const auto& client : m_clients)
    {
        for (const auto& workload : client.workloads)
        {
            const auto own = workload->GetPlanned();
            if (own == 0)
            {
                return 0;
            }
            planned += own;
        }
    }
    return planned;
}

uint64_t
Cluster::GetProgress() const
{
    uint64_t done = 0;
    for (const auto& client : m_clients)
    {
        for (const auto& workload : client.workloads)
        {
            done += workload->GetProgress();
        }
    }
    return done;
}

DataOctets
Cluster::GetData(uint32_t client) const
{
    const auto& stack = m_clients.at(client).stack;
    DataOctets octets;
    if (const auto nfs2 = stack.nfs2)
    {
        octets = {nfs2->GetBytesRead(), nfs2->GetBytesWritten()};
    }
    else if (const auto nfs4 = DynamicCast<Nfs4FileClient>(stack.files))
    {
        octets = {nfs4->GetBytesRead(), nfs4->GetBytesWritten()};
    }
    else
    {
        octets = {stack.nfs->GetBytesRead(), stack.nfs->GetBytesWritten()};
    }
    for (const auto& workload : m_clients[client].workloads)
    {
        if (const auto replay = DynamicCast<ReplayWorkload>(workload))
        {
            octets += replay->GetCompoundData();
        }
    }
    return octets;
}

bool
Cluster::IsWaiting() const
{
    return std::any_of(m_clients.begin(), m_clients.end(), [](const ClusterClient& client) {
        return client.stack.path->GetPending() != 0 || client.stack.files->GetPendingLocks() != 0 ||
               (client.nfsMount && client.nfsMount->IsBusy());
    });
}

bool
Cluster::IsAsked() const
{
    return std::any_of(m_clients.begin(), m_clients.end(), [](const ClusterClient& client) {
        return client.stack.files->GetPending() != 0 ||
               client.stack.files->GetPendingLocks() != 0 ||
               (client.nfsMount && client.nfsMount->IsBusy());
    });
}

std::vector<std::string>
Cluster::DescribeWaiting() const
{
    std::vector<std::string> lines;
    const auto add = [&lines](const std::string& host, const std::vector<std::string>& what) {
        for (const auto& line : what)
        {
            lines.push_back(std::string(host).append(": ").append(line));
        }
    };
    for (uint32_t i = 0; i < m_clients.size(); ++i)
    {
        const auto& client = m_clients[i];
        const bool waits =
            std::any_of(client.workloads.begin(), client.workloads.end(), [](const auto& workload) {
                return !workload->IsFinished();
            });
        if (!waits)
        {
            continue;
        }
        const auto name = GetHostName(GetClientHost(i));
        for (const auto& workload : client.workloads)
        {
            add(name, workload->DescribeWaiting());
        }
        if (client.stack.nfs4)
        {
            add(name, client.stack.nfs4->DescribeWaiting());
        }
        add(name, client.stack.rpc->GetSecurity()->DescribeWaiting());
        add(name, client.stack.path->DescribeWaiting());
        if (client.nfsMount)
        {
            add(name, client.nfsMount->DescribeWaiting());
        }
    }
    for (uint32_t i = 0; i < m_servers.size(); ++i)
    {
        const auto& server = m_servers[i];
        add(GetServerName(i), server.transport->DescribeWaiting());
        if (server.tcp)
        {
            add(GetServerName(i), server.tcp->DescribeWaiting());
        }
        if (!lines.empty())
        {
            add(GetServerName(i), server.transport->GetTerminates().Describe());
        }
        if (server.rpc->GetBusyThreads() != 0 || server.pageCache->GetPending() != 0)
        {
            add(GetServerName(i),
                {std::to_string(server.rpc->GetBusyThreads()) + " threads busy, " +
                 std::to_string(server.rpc->GetQueuedCalls()) + " calls queued, " +
                 std::to_string(server.pageCache->GetPending()) + " storage requests pending"});
        }
    }
    return lines;
}

void
Cluster::Disconnect()
{
    m_network.StopBonds();
    for (const auto& client : m_clients)
    {
        if (client.joins)
        {
            client.mount->Unmount([&client] { Leave(client); });
        }
    }
}

void
Cluster::Leave(const ClusterClient& client)
{
    const auto disconnect = [&client] {
        if (client.stack.callbackListener)
        {
            client.stack.callbackListener->Stop();
        }
        if (client.stack.daemons)
        {
            client.stack.daemons->Stop();
        }
        client.stack.rpc->EndSecurity();
        client.stack.Disconnect();
    };
    if (client.nfsMount)
    {
        client.nfsMount->Unmount([disconnect](const NfsMountResult&) { disconnect(); });
    }
    else
    {
        disconnect();
    }
}

bool
Cluster::Stop()
{
    for (auto& server : m_servers)
    {
        if (server.daemons)
        {
            server.daemons->Stop();
        }
        server.Stop();
    }
    bool isWhole = true;
    for (auto& capture : m_captures)
    {
        isWhole = capture->Close() && isWhole;
    }
    return isWhole;
}

LeftoverCensus
Cluster::TakeCensus() const
{
    LeftoverCensus census;
    for (uint32_t host = 0; host < m_serverHosts; ++host)
    {
        census.AddServerHost(GetHostName(host), m_servers[host]);
    }
    for (uint32_t i = 0; i < m_servers.size(); ++i)
    {
        census.Add(GetServerName(i), m_servers[i]);
    }
    for (uint32_t i = 0; i < m_clients.size(); ++i)
    {
        if (m_clients[i].joins)
        {
            census.Add(GetHostName(GetClientHost(i)), m_clients[i].stack);
        }
    }
    return census;
}

} // namespace ns3::nfsrdma
