/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CLUSTER_HELPER_H
#define NFSRDMA_HELPER_CLUSTER_HELPER_H

#include "helper/cluster.h"
#include "mpa/tcp-preset.h"
#include "workload/replay/tree-reader.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Builds a cluster: N clients, M servers, switches; client i mounts an export of its own
 * on server i mod M and runs a workload on it. Hosts are numbered servers first.
 *
 * Everything random comes from streams numbered from the one given to Build() on, in a fixed order.
 */
class ClusterHelper
{
  public:
    ClusterHelper();

    void SetSize(uint32_t clients, uint32_t servers);
    /// Who is connected to whom; its hosts are those of the cluster. Default: all to one switch.
    void SetTopology(Topology topology);
    /// Connections of each client: see NfsRdmaClientHelper::SetConnections().
    void SetConnections(uint32_t connections);
    /// Which address of its server a client mounts, where both have several, in networks of their
    /// own (EthernetNetworkHelper::SetBonded()): from 1; 0: the clients of a server take them in
    /// turn. Default: 1.
    void SetServerAddress(uint32_t number);
    /// Addresses of its server at most that a client has connections to: Linux's max_connect.
    /// Default: 1.
    void SetMaxConnect(uint32_t addresses);
    /// Has \p hosts protect what they send to each other by IPsec (InlineCrypto, whose attributes
    /// are of SetAttribute() and SetHostAttribute()). \param seed of all keys. Default: none.
    void SetIpsec(std::set<uint32_t> hosts, uint64_t seed);
    /// The network of the cluster, to be set up before Build().
    [[nodiscard]] EthernetNetworkHelper& GetNetwork();
    /// TCP of every host.
    [[nodiscard]] DataCenterTcpPreset& GetTcp();
    /// Sets an attribute of a class of the host stacks, on clients and servers:
    /// "RnicDevice::Doorbell". A class of neither is a program error.
    void SetAttribute(const std::string& classAndAttribute, const AttributeValue& value);
    /// As SetAttribute(), for the servers alone.
    void SetServerAttribute(const std::string& classAndAttribute, const AttributeValue& value);
    /// As SetAttribute(), for the host of this number alone; a class that it has not is ignored.
    void SetHostAttribute(uint32_t host,
                          const std::string& classAndAttribute,
                          const AttributeValue& value);
    /// The same for the clients; their RpcServer is that of callbacks (NFSv4).
    void SetClientAttribute(const std::string& classAndAttribute, const AttributeValue& value);
    /// Has clients mount and unmount over TCP as Linux does (NfsMount), and servers run the daemons
    /// for it. Default: clients know what a mount tells.
    void SetTcpMount(bool mounts);
    /// Where servers listen for NFS over RDMA. Default: 20049.
    void SetNfsPort(uint16_t port);
    /// Whether NFS is over TCP instead of RDMA. Default: no.
    void SetTcp(bool tcp);
    /// Clients (by index) that mount over TCP while the others mount over RDMA: servers listen for
    /// both, for TCP on port 2049. Default: none.
    void SetTcpClients(std::set<uint32_t> clients);
    /// How many servers each of the hosts of servers has, as containers do: each with addresses,
    /// threads, exports and a store of its own. Client i mounts server i mod all. Default: 1.
    void SetServersPerHost(uint32_t servers);
    /// What servers' storage is: see NfsRdmaServerHelper::SetStorage().
    void SetStorage(const SettingWords& storage);
    /// Flavours that servers tell mounts of: see MountServer::SetFlavors().
    void SetMountFlavors(const std::string& names);
    /// Largest IP packet, octets.
    void SetMtu(uint16_t mtu);
    /// Every client starts within \p spread of time 0, evenly distributed.
    void SetStartSpread(Time spread);

    /// Makes the workload of a client (index).
    using WorkloadFactory = std::function<Ptr<Workload>(uint32_t client)>;
    void SetWorkload(WorkloadFactory factory);
    /// Makes the workloads of a client (index), which run side by side on its mount; each begins at
    /// its start time after the client.
    using WorkloadsFactory = std::function<std::vector<Ptr<Workload>>(uint32_t client)>;
    void SetWorkloads(WorkloadsFactory factory);
    /// Clients (by index) that do not join: they have no workload, and mount nothing. Default:
    /// none.
    void SetAbsent(std::set<uint32_t> clients);
    /// Who the calls of a client (index) come from.
    using CredentialFactory = std::function<AuthSysCredential(uint32_t client)>;
    void SetCredential(CredentialFactory factory);
    /// The flavour of every client: see NfsRdmaClientHelper::SetSecurity().
    void SetSecurity(const std::string& flavor);
    /// What clients' FileClients speak: see NfsRdmaClientHelper::SetVersion().
    void SetNfsVersion(const std::string& version);
    /// Whether locks of NFSv2 and v3 go to the servers' lock managers: hosts run rpcbind, lockd and
    /// statd then, and servers mountd. Default: no.
    void SetLockManagers(bool run);
    /// Whether each server has a further export that the mounts of all its clients know
    /// (ClientMount::GetShared()). Default: no.
    void SetSharedExport(bool has);
    /// The name of that export.
    static constexpr const char* SHARED_EXPORT = "shared";
    /// The initial content of every export; without it they are empty.
    void SetTree(std::shared_ptr<const Tree> tree);
    /// Gives the initial content of the export of a client (index); null: empty.
    using TreeFactory = std::function<std::shared_ptr<const Tree>(uint32_t client)>;
    void SetTrees(TreeFactory factory);

    /// Gives the name of the export of a client (index), each another on a server. Default:
    /// "export-0", "export-1", ...
    using ExportNameFactory = std::function<std::string(uint32_t client)>;
    void SetExportNames(ExportNameFactory factory);

    /// Gives the name of the export that a client (index) has in common with those of its server
    /// for which it gives the same name; empty: its own. Such an export is empty at first.
    void SetSharedTrees(ExportNameFactory factory);

    /// Builds; once. \param firstStream number of the first random stream
    [[nodiscard]] std::unique_ptr<Cluster> Build(int64_t firstStream = 0);

  private:
    /// An attribute that one host has otherwise.
    struct HostAttribute
    {
        std::string target;
        Ptr<AttributeValue> value;
    };

    /// Sets in \p attributes what \p host has otherwise.
    void ApplyHostAttributes(uint32_t host, StackAttributes& attributes) const;
    /// Installs the servers of a host into \p servers, each at its place there.
    void InstallServers(const Ptr<Node>& node,
                        uint32_t host,
                        uint32_t firstStagIndex,
                        const EthernetNetwork& network,
                        std::vector<NfsRdmaServer>& servers) const;
    /// Puts IPsec into the interfaces of the hosts that SetIpsec() names.
    void InstallIpsec(const EthernetNetwork& network);
    [[nodiscard]] bool IsOverTcp(uint32_t client) const;
    /// \return where the server of \p client listens for it.
    [[nodiscard]] uint16_t GetPortFor(uint32_t client) const;
    [[nodiscard]] NfsRdmaClient InstallClient(const Ptr<Node>& node,
                                              uint32_t client,
                                              const std::vector<Address>& servers,
                                              const AuthSysCredential& credential,
                                              uint32_t firstXid,
                                              uint32_t firstStagIndex) const;
    /// Chooses which address of its server \p client mounts.
    /// \return the addresses that \p client, number \p index, has connections to; that first
    [[nodiscard]] std::vector<IpAddress> ChooseAddresses(uint32_t index,
                                                         const EthernetNetwork& network,
                                                         ClusterClient& client) const;
    void AddDaemons(NfsRdmaServer& server, IpAddress address);
    void AddMount(ClusterClient& client,
                  const AuthSysCredential& credential,
                  IpAddress server,
                  uint32_t firstXid);
    /// The exports of one server that several clients have, by name.
    using SharedTrees = std::map<std::string, std::shared_ptr<SharedTree>>;

    /// Gives \p client its export in \p store and its workload.
    void Employ(uint32_t index, FileStore& store, SharedTrees& trees, ClusterClient& client) const;
    /// Makes that export, or finds the one it shares.
    void FindExport(uint32_t index,
                    FileStore& store,
                    SharedTrees& trees,
                    ClusterClient& client) const;

    uint32_t m_clients{1};
    uint32_t m_servers{1}; ///< Hosts of servers.
    uint32_t m_serversPerHost{1};
    bool m_isTcp{false};
    std::set<uint32_t> m_tcpClients;
    uint16_t m_mtu{1500};
    std::set<uint32_t> m_ipsecHosts;
    uint64_t m_ipsecSeed{0};
    uint32_t m_serverAddress{1}; ///< 0: in turn.
    uint32_t m_maxConnect{1};
    EthernetNetworkHelper m_network;
    std::optional<Topology> m_topology; ///< None: all to one switch.
    std::map<uint32_t, std::vector<HostAttribute>> m_hostAttributes;
    DataCenterTcpPreset m_tcp;
    NfsRdmaServerHelper m_serverHelper;
    NfsRdmaClientHelper m_clientHelper;
    bool m_tcpMount{false};
    bool m_lockManagers{false};
    bool m_sharedExport{false};
    uint32_t m_nfsVersion{3}; ///< Its first number.
    uint16_t m_nfsPort{RpcRdmaServer::NFS_RDMA_PORT};
    std::string m_mountFlavors{"sys"};
    Time m_startSpread;
    WorkloadsFactory m_workloads;
    std::set<uint32_t> m_absent;
    CredentialFactory m_credential;
    TreeFactory m_trees;
    ExportNameFactory m_exportNames;
    ExportNameFactory m_sharedTrees;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CLUSTER_HELPER_H
