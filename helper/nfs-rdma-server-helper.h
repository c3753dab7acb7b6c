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
    Ptr<RpcServer> rpc;
    Ptr<GssAcceptor> gss;
    Ptr<FileStore> store;
    Ptr<StorageModel> storage;    ///< The device.
    Ptr<ServerStorage> pageCache; ///< Before it.
    Ptr<Nfs3Server> nfs;
    Ptr<NfsAcl3Server> acl;
    Ptr<Nfs4Server> nfs4;
    Ptr<NfsDaemons> daemons; ///< For clients that mount over TCP; null: none.
};

/**
 * \brief Makes a node with an IP stack an NFS version 3 server over RDMA.
 */
class NfsRdmaServerHelper
{
  public:
    /// Attributes for HostMemory, HostCpu, RnicDevice, MpaSettings, MpaTransport, RpcRdmaServer,
    /// RpcServer, GssAcceptor, GssCosts, FileStore, StorageModel, ServerStorage, Nfs3Server and
    /// Nfs4Server.
    [[nodiscard]] StackAttributes& GetAttributes();

    /// \param node has an IP stack
    /// \param firstStagIndex see RnicDevice's attribute FirstStagIndex
    /// \param port TCP port to listen on
    [[nodiscard]] NfsRdmaServer Install(Ptr<Node> node,
                                        uint32_t firstStagIndex = 1,
                                        uint16_t port = RpcRdmaServer::NFS_RDMA_PORT) const;

  private:
    StackAttributes m_attributes;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_NFS_RDMA_SERVER_HELPER_H
