/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_NFS_RDMA_SERVER_HELPER_H
#define NFSRDMA_HELPER_NFS_RDMA_SERVER_HELPER_H

#include "helper/stack-attributes.h"
#include "nfs/file-store.h"
#include "nfs/mount/nfs-daemons.h"
#include "nfs/nfs3-server.h"
#include "nfs/nfsacl3-server.h"
#include "nfs/storage-model.h"
#include "nfs/storage/server-storage.h"
#include "nfs/v2/nfs2-server.h"
#include "nfs/v2/nfsacl2-server.h"
#include "nfs/v4/nfs4-server.h"
#include "rnic/host-cpu.h"
#include "rnic/host-memory.h"
#include "rnic/rnic-device.h"
#include "rpc/gss-acceptor.h"
#include "rpc/rpc-server.h"
#include "rpcrdma/rpcrdma-server.h"

#include "ns3/node.h"

namespace ns3::nfsrdma
{

/// The objects of an NFS/RDMA server, lowest first.
struct NfsRdmaServer
{
    Ptr<Node> node;
    Ptr<HostMemory> memory;
    Ptr<HostCpu> cpu;
    Ptr<RnicDevice> device;
    Ptr<RpcRdmaServer> transport;
    uint16_t port{0}; ///< That it listens on.
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
};

/**
 * \brief Makes a node with an IP stack an NFS server over RDMA, of versions 3 and 4, and 2 when
 * asked for.
 */
class NfsRdmaServerHelper
{
  public:
    /// Attributes for HostMemory, HostCpu, RnicDevice, MpaSettings, MpaTransport, RpcRdmaServer,
    /// RpcServer, GssAcceptor, GssCosts, FileStore, StorageModel, ServerStorage, Nfs2Server,
    /// Nfs3Server and Nfs4Server.
    [[nodiscard]] StackAttributes& GetAttributes();

    /// Whether servers speak NFSv2 and NFSACL version 2; file handles have 32 octets at most then.
    /// Default: no, as nfsd (vers2=n).
    void SetVersion2(bool speaks);

    /// \param node has an IP stack
    /// \param firstStagIndex see RnicDevice's attribute FirstStagIndex
    /// \param port TCP port to listen on
    [[nodiscard]] NfsRdmaServer Install(Ptr<Node> node,
                                        uint32_t firstStagIndex = 1,
                                        uint16_t port = RpcRdmaServer::NFS_RDMA_PORT) const;

  private:
    void AddNfs2(NfsRdmaServer& server) const;

    StackAttributes m_attributes;
    bool m_version2{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_NFS_RDMA_SERVER_HELPER_H
