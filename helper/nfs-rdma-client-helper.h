/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_NFS_RDMA_CLIENT_HELPER_H
#define NFSRDMA_HELPER_NFS_RDMA_CLIENT_HELPER_H

#include "helper/stack-attributes.h"
#include "host/cpu.h"
#include "host/memory.h"
#include "nfs/mount/daemons.h"
#include "nfs/mount/nlm-lock-service.h"
#include "nfs/types/file-client.h"
#include "nfs/v2/acl-client2.h"
#include "nfs/v2/calls2.h"
#include "nfs/v2/client2.h"
#include "nfs/v3/acl-client3.h"
#include "nfs/v3/client3.h"
#include "nfs/v4/client/compounds.h"
#include "rnic/hardware/device.h"
#include "rpc/client.h"
#include "rpc/message.h"
#include "rpc/security/gss-flavour.h"
#include "rpc/tcp/caller.h"
#include "rpc/tcp/host-sockets.h"
#include "rpc/tcp/listener.h"
#include "rpcrdma/client/requester.h"

#include "ns3/address.h"
#include "ns3/node.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// The objects of an NFS/RDMA client, lowest first.
struct NfsRdmaClient
{
    Ptr<Node> node;
    Ptr<HostMemory> memory;
    Ptr<HostCpu> cpu;
    Ptr<RnicDevice> device;
    Ptr<RpcRdmaClient> transport;               ///< The main connection; null over TCP.
    std::vector<Ptr<RpcRdmaClient>> transports; ///< All connections, the main one first.
    Ptr<HostSockets> sockets; ///< Of NFS over TCP, which has no transports as above; else null.
    std::vector<Ptr<RpcTcpClient>> tcpTransports; ///< All connections over TCP.
    Ptr<RpcClientTransport> path; ///< What calls go through: the only connection, or RpcMultipath.
    Ptr<RpcClient> rpc;
    Ptr<Nfs3Client> nfs;
    Ptr<RpcClient> aclRpc; ///< Of NFSACL, on the same transport.
    Ptr<NfsAcl3Client> acl;
    Ptr<FileClient> files;      ///< Of the version that the client mounts with.
    Ptr<Nfs3Calls> calls;       ///< nfs, or of NFSv2 what stands for it.
    Ptr<NfsAcl3Calls> aclCalls; ///< acl, or of NFSACL version 2 what stands for it.

    /// Has all connections go to \p server.
    void SetServer(const Address& server) const;
    /// Opens every connection.
    void Connect() const;
    /// Closes every connection as soon as no call is pending on it.
    void Disconnect() const;
    /// The host has crashed: nothing of it is left but what its programs are to do next.
    void Crash() const;
    /// It is there again, and mounts.
    void Boot() const;

    // Of NFSv2 only; else null.

    Ptr<RpcClient> nfs2Rpc;
    Ptr<Nfs2Client> nfs2;
    Ptr<RpcClient> acl2Rpc; ///< Of NFSACL version 2, on the same transport.
    Ptr<NfsAcl2Client> acl2;

    // Of NFSv2 and v3 whose locks the server is to know; else null.

    Ptr<NfsDaemons> daemons; ///< rpcbind, lockd and statd of this host.
    Ptr<NlmLockService> locks;

    // Of NFSv4 only; else null.

    Ptr<RpcClient> nfs4Rpc;
    Ptr<Nfs4CompoundClient> nfs4;
    Ptr<RpcServer> callbacks;           ///< Serves the server's calls.
    Ptr<RpcTcpServer> callbackListener; ///< Of NFSv4.0: where they come in.
};

/**
 * \brief Makes a node with an IP stack an NFS client over RDMA, or over TCP, of one server: version
 * 2, 3 or 4.
 */
class NfsRdmaClientHelper
{
  public:
    /// Attributes for HostMemory, HostCpu, RnicDevice, MpaSettings, MpaTransport, RpcRdmaClient,
    /// RpcClient, RpcTls, GssSecurity, GssCosts, Nfs2Client, Nfs2FileClient, Nfs3Client,
    /// Nfs3FileClient, Nfs4CompoundClient, Nfs4FileClient, NfsDaemons and RpcTcpServer.
    [[nodiscard]] StackAttributes& GetAttributes();

    /// The flavour of all calls but NULL: sys (default), krb5, krb5i or krb5p.
    void SetSecurity(const std::string& flavor);

    /// What the FileClient speaks: "2", "3" (default), "4.0", "4.1" or "4.2". With 4.0 the client
    /// listens on \p callbackPort for callbacks over TCP.
    void SetVersion(const std::string& version, uint16_t callbackPort = 32768);

    /// How many connections a client has to its server, 1 or more: Linux's nconnect. Default: 1.
    void SetConnections(uint32_t connections);
    /// Whether NFS is over TCP instead of RDMA. Default: no.
    void SetTcp(bool tcp);
    /// Names in certificates, where TLS is used (attribute Mode of RpcTls is other than none):
    /// \p own of clients with one, and \p server, which that of the server must have. Default:
    /// client and server.
    void SetHostNames(const std::string& own, const std::string& server);
    /// Whether clients of version 2 and 3 have a lock manager, which tells the server's of their
    /// locks. Default: no.
    void SetLockManager(bool has);

    /// \param node has an IP stack
    /// \param servers where the server listens, one address or several: the client mounts the
    /// first, and has a connection more to each further one, as by mounts of them with Linux's
    /// max_connect; nothing is sent before the transport's Connect()
    /// \param credential of all calls under AUTH_SYS; under krb5 its machine name is the principal
    /// \param firstXid XID of the first call
    /// \param firstStagIndex see RnicDevice's attribute FirstStagIndex
    [[nodiscard]] NfsRdmaClient Install(Ptr<Node> node,
                                        const std::vector<Address>& servers,
                                        const AuthSysCredential& credential,
                                        uint32_t firstXid = 1,
                                        uint32_t firstStagIndex = 1) const;

    /// As above, of a server with one address.
    [[nodiscard]] NfsRdmaClient Install(Ptr<Node> node,
                                        const Address& server,
                                        const AuthSysCredential& credential,
                                        uint32_t firstXid = 1,
                                        uint32_t firstStagIndex = 1) const
    {
        return Install(node, std::vector<Address>{server}, credential, firstXid, firstStagIndex);
    }

  private:
    [[nodiscard]] Ptr<RpcSecurity> MakeSecurity(const NfsRdmaClient& client,
                                                const AuthSysCredential& credential) const;
    void AddTransports(NfsRdmaClient& client,
                       const std::vector<Address>& servers,
                       uint32_t firstXid) const;
    void AddRdmaTransport(NfsRdmaClient& client, const Address& server) const;
    void AddTcpTransport(NfsRdmaClient& client, const Address& server) const;
    /// \return the client of another program on the same transport.
    [[nodiscard]] Ptr<RpcClient> MakeRpcClient(const NfsRdmaClient& client) const;
    void AddNfs2(NfsRdmaClient& client, const AuthSysCredential& credential) const;
    void AddLockManager(NfsRdmaClient& client,
                        IpAddress server,
                        const AuthSysCredential& credential) const;
    void AddNfs4(NfsRdmaClient& client,
                 const Address& server,
                 const AuthSysCredential& credential) const;

    StackAttributes m_attributes;
    std::string m_security{"sys"};
    std::string m_version{"3"};
    uint16_t m_callbackPort{0};
    uint32_t m_connections{1};
    bool m_tcp{false};
    std::string m_hostName{"client"};
    std::string m_serverName{"server"};
    bool m_lockManager{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_NFS_RDMA_CLIENT_HELPER_H
