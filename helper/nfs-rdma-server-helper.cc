/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/nfs-rdma-server-helper.h"

#include "helper/rnic-helper.h"
#include "nfs/mount/universal-address.h"
#include "rpc/tcp/caller.h"

#include "ns3/abort.h"

namespace ns3::nfsrdma
{

StackAttributes&
NfsRdmaServerHelper::GetAttributes()
{
    return m_attributes;
}

void
NfsRdmaServerHelper::SetVersion2(bool speaks)
{
    m_version2 = speaks;
}

void
NfsRdmaServerHelper::AddNfs2(NfsRdmaServer& server) const
{
    server.nfs2 = m_attributes.Create<Nfs2Server>();
    server.nfs2->SetFileStore(server.store);
    server.nfs2->SetStorage(server.pageCache);
    server.nfs2->SetHostMemory(server.memory);
    server.nfs2->SetDelegationGuard(PeekPointer(server.nfs4));
    server.acl2 = m_attributes.Create<NfsAcl2Server>();
    server.acl2->SetFileStore(server.store);
    server.acl2->SetStorage(server.pageCache);
    server.rpc->Register(server.nfs2);
    server.rpc->Register(server.acl2);
}

bool
NfsRdmaServer::Listen() const
{
    return tcp ? tcp->Listen(port) : transport->Listen(port);
}

void
NfsRdmaServer::Stop() const
{
    if (tcp)
    {
        tcp->Stop();
    }
    transport->Stop();
}

void
NfsRdmaServer::Crash() const
{
    if (tcp)
    {
        tcp->Crash();
    }
    else
    {
        transport->Crash();
    }
}

void
NfsRdmaServerHelper::SetTcp(bool tcp)
{
    m_tcp = tcp;
}

void
NfsRdmaServerHelper::AddTcp(NfsRdmaServer& server) const
{
    server.sockets = CreateObject<HostSockets>();
    server.sockets->SetHost(server.node, server.cpu);
    server.tcp = m_attributes.Create<RpcTcpServer>();
    server.tcp->SetNode(server.node);
    server.tcp->SetSockets(server.sockets);
    server.tcp->SetRpcServer(server.rpc);
    server.tcp->SetHostMemory(server.memory);
}

NfsRdmaServer
NfsRdmaServerHelper::Install(Ptr<Node> node, uint32_t firstStagIndex, uint16_t port) const
{
    NfsRdmaServer server;
    server.node = node;
    server.port = port;
    server.device = RnicHelper(m_attributes).Install(node, firstStagIndex);
    server.memory = server.device->GetHostMemory();
    server.cpu = server.device->GetHostCpu();

    server.store = m_attributes.Create<FileStore>();
    server.storage = m_attributes.Create<StorageModel>();
    server.pageCache = m_attributes.Create<ServerStorage>();
    server.pageCache->SetDevice(server.storage);
    server.pageCache->SetFileStore(server.store);
    server.nfs = m_attributes.Create<Nfs3Server>();
    server.nfs->SetFileStore(server.store);
    server.nfs->SetStorage(server.pageCache);
    server.nfs->SetHostMemory(server.memory);
    server.acl = m_attributes.Create<NfsAcl3Server>();
    server.acl->SetFileStore(server.store);
    server.acl->SetStorage(server.pageCache);

    server.nfs4 = m_attributes.Create<Nfs4Server>();
    server.nfs4->SetFileStore(server.store);
    server.nfs4->SetStorage(server.pageCache);
    server.nfs4->SetHostMemory(server.memory);

    server.nfs->SetDelegationGuard(PeekPointer(server.nfs4));

    server.rpc = m_attributes.Create<RpcServer>();
    server.rpc->SetHostCpu(server.cpu);
    server.rpc->Register(server.nfs);
    server.rpc->Register(server.acl);
    server.rpc->Register(server.nfs4);
    if (m_version2)
    {
        AddNfs2(server);
    }
    server.gss = m_attributes.Create<GssAcceptor>();
    server.gss->SetHostMemory(server.memory);
    server.gss->SetCosts(m_attributes.Create<GssCosts>());
    server.rpc->SetAcceptor(server.gss);
    server.transport = m_attributes.Create<RpcRdmaServer>();
    server.transport->SetDevice(server.device);
    server.transport->SetRpcServer(server.rpc);
    if (m_tcp)
    {
        AddTcp(server);
    }
    server.nfs4->SetCallbackRoutes(
        {[transport = PeekPointer(server.transport),
          tcp = PeekPointer(server.tcp)](const IpAddress& address,
                                         uint64_t connection) -> Ptr<RpcClientTransport> {
             if (tcp)
             {
                 return tcp->GetReverseTransport(address, connection);
             }
             return transport->GetReverseTransport(address, connection);
         },
         [host = PeekPointer(node)](const NetAddr4& address) -> Ptr<RpcClientTransport> {
             const auto client = ParseUniversalAddress(address.addr);
             if (!client || address.netid != GetTcpNetid(*client))
             {
                 return nullptr;
             }
             const auto transport = CreateObject<RpcTcpClient>();
             transport->SetNode(host);
             transport->SetServer(*client);
             return transport;
         },
         server.cpu});
    NS_ABORT_MSG_UNLESS(server.Listen(), "port " << port << " is taken");
    return server;
}

} // namespace ns3::nfsrdma
