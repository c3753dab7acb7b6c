/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_NFS_RDMA_SERVER_HELPER_H
#define NFSRDMA_HELPER_NFS_RDMA_SERVER_HELPER_H

#include "helper/stack-attributes.h"
#include "host/cpu.h"
#include "host/memory.h"
#include "nfs/mount/daemons.h"
#include "nfs/store/files.h"
#include "nfs/store/server-storage.h"
#include "nfs/store/storage-model.h"
#include "nfs/v2/acl-server2.h"
#include "nfs/v2/server2.h"
#include "nfs/v3/acl-server3.h"
#include "nfs/v3/server3.h"
#include "nfs/v4/server/service.h"
#include "rnic/hardware/device.h"
#include "rpc/security/gss-acceptor.h"
#include "rpc/server.h"
#include "rpc/tcp/host-sockets.h"
#include "rpc/tcp/listener.h"
#include "rpcrdma/server/responder.h"

#include "ns3/node.h"

#include <vector>

namespace ns3::nfsrdma
{

/// Where servers listen for NFS over TCP.
constexpr uint16_t NFS_TCP_PORT = 2049;

/// The objects of an NFS/RDMA server, lowest first.
struct NfsRdmaServer
{
    Ptr<Node> node;
    Ptr<HostMemory> memory;
    Ptr<HostCpu> cpu;
    Ptr<RnicDevice> device;
    Ptr<RpcRdmaServer> transport; ///< Over TCP it does not listen.
    Ptr<HostSockets> sockets;     ///< Of NFS over TCP; else null.
    Ptr<RpcTcpServer> tcp;        ///< Of NFS over TCP; else null.
    uint16_t port{0};             ///< That it listens on for RDMA; 0: on none.
    uint16_t tcpPort{0};          ///< That it listens on for TCP; 0: on none.
    Ptr<RpcServer> rpc;
    Ptr<GssAcceptor> gss;
    Ptr<FileStore> store;
    Ptr<StorageModel> storage;    ///< The device.
    Ptr<ServerStorage> pageCache; ///< Before it.
    Ptr<Nfs3Server> nfs;
    Ptr<NfsAcl3Server> acl;
    Ptr<Nfs2Server> nfs2;    ///< Null unless the server is to speak version 2.
    Ptr<NfsAcl2Server> acl2; ///< Beside it.
    Ptr<Nfs4Server> nfs4;
    Ptr<NfsDaemons> daemons; ///< For clients that mount over TCP; null: none.

    /// Listens for NFS. \return false when the port is taken.
    [[nodiscard]] bool Listen() const;
    /// Listens no more, and closes all connections.
    void Stop() const;
    /// As Stop(), without a word to the peers.
    void Crash() const;
};

/**
 * \brief Makes a node with an IP stack an NFS server over RDMA, or over TCP, of versions 3 and 4,
 * and 2 when asked for.
 */
class NfsRdmaServerHelper
{
  public:
    /// Attributes for HostMemory, HostCpu, RnicDevice, MpaSettings, MpaTransport, RpcRdmaServer,
    /// RpcServer, RpcTls, GssAcceptor, GssCosts, FileStore, StorageModel, ServerStorage,
    /// Nfs2Server, Nfs3Server and Nfs4Server.
    [[nodiscard]] StackAttributes& GetAttributes();

    /// Whether servers speak NFSv2 and NFSACL version 2; file handles have 32 octets at most then.
    /// Default: no, as nfsd (vers2=n).
    void SetVersion2(bool speaks);

    /// What servers listen for: the port of RDMA, and that of TCP; 0: not for that. Default: RDMA
    /// alone.
    void SetPorts(uint16_t rdma, uint16_t tcp);

    /// The name in the certificate of the host, where it has TLS. Default: server. A host has TLS
    /// for its TCP connections where attribute Mode of RpcTls is other than none, or ServerRequires
    /// is, in GetAttributes() here: those of NfsRdmaClientHelper are for clients alone. Without, it
    /// has no certificate and denies calls with AUTH_TLS.
    void SetHostName(const std::string& name);

    /// What the storage of servers is: a kind of StorageModel::GetKinds() with values of its own
    /// attributes. Default: device.
    void SetStorage(const SettingWords& storage);

    /// \param node has an IP stack
    /// \param firstStagIndex see RnicDevice's attribute FirstStagIndex
    [[nodiscard]] NfsRdmaServer Install(Ptr<Node> node, uint32_t firstStagIndex = 1) const;

    /**
     * \brief Makes several servers on one node, as containers do: each has threads, exports, a
     * store and its clients of its own, and listens on addresses of its own. They share the cores,
     * the memory, the RNIC and the TCP of the host. \param addresses those of each server; of one
     * server none: it listens on all
     */
    [[nodiscard]] std::vector<NfsRdmaServer> InstallAll(
        Ptr<Node> node,
        uint32_t firstStagIndex,
        const std::vector<std::vector<IpAddress>>& addresses) const;

  private:
    /// Makes the server above what \p server has of its host.
    void AddService(NfsRdmaServer& server, const std::vector<IpAddress>& addresses) const;
    void AddNfs2(NfsRdmaServer& server) const;
    void AddTcp(NfsRdmaServer& server, const std::vector<IpAddress>& addresses) const;

    StackAttributes m_attributes;
    SettingWords m_storage{"device", {}};
    bool m_version2{false};
    uint16_t m_port{RpcRdmaServer::NFS_RDMA_PORT};
    uint16_t m_tcpPort{0};
    std::string m_hostName{"server"};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_NFS_RDMA_SERVER_HELPER_H
