/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/nfs-rdma-server-helper.h"

#include "helper/nfs-host.h"
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
    return (port == 0 || transport->Listen(port)) && (tcpPort == 0 || tcp->Listen(tcpPort));
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
    transport->Crash();
}

void
NfsRdmaServerHelper::SetPorts(uint16_t rdma, uint16_t tcp)
{
    m_port = rdma;
    m_tcpPort = tcp;
}

void
NfsRdmaServerHelper::SetHostName(const std::string& name)
{
    m_hostName = name;
}

void
NfsRdmaServerHelper::AddTcp(NfsRdmaServer& server, const std::vector<IpAddress>& addresses) const
{
    if (!server.sockets)
    {
        server.sockets = CreateObject<HostSockets>();
        server.sockets->SetHost(server.node, server.cpu);
        if (const auto tls = m_attributes.Create<RpcTls>(); tls->IsUsed())
        {
            tls->SetHost(TlsEndpoint::Side::SERVER, m_hostName);
            server.sockets->SetTls(tls);
        }
    }
    server.tcp = m_attributes.Create<RpcTcpServer>();
    server.tcp->SetNode(server.node);
    server.tcp->SetSockets(server.sockets);
    server.tcp->SetRpcServer(server.rpc);
    server.tcp->SetHostMemory(server.memory);
    server.tcp->SetAddresses(addresses);
}

void
NfsRdmaServerHelper::SetStorage(const SettingWords& storage)
{
    m_storage = storage;
}

NfsRdmaServer
NfsRdmaServerHelper::Install(Ptr<Node> node, uint32_t firstStagIndex) const
{
    return InstallAll(node, firstStagIndex, {{}}).front();
}

std::vector<NfsRdmaServer>
NfsRdmaServerHelper::InstallAll(Ptr<Node> node,
                                uint32_t firstStagIndex,
                                const std::vector<std::vector<IpAddress>>& addresses) const
{
    NfsRdmaServer host;
    host.node = node;
    host.port = m_port;
    host.tcpPort = m_tcpPort;
    host.device = RnicHelper(m_attributes).Install(node, firstStagIndex);
    host.memory = host.device->GetHostMemory();
    host.cpu = host.device->GetHostCpu();
    std::vector<NfsRdmaServer> servers;
    for (const auto& own : addresses)
    {
        NfsRdmaServer server = host;
        AddService(server, own);
        host.sockets = server.sockets;
        NfsHost::Of(node)->AddServer(server);
        servers.push_back(std::move(server));
    }
    return servers;
}

void
NfsRdmaServerHelper::AddService(NfsRdmaServer& server,
                                const std::vector<IpAddress>& addresses) const
{
    server.store = m_attributes.Create<FileStore>();
    const auto* const storage = StorageModel::GetKinds().Find(m_storage.name);
    NS_ABORT_MSG_UNLESS(storage, "no model of storage " << m_storage.name);
    server.storage = m_attributes.CreateKind<StorageModel>(storage->type, m_storage.values);
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
    server.rpc->SetHostMemory(server.memory);
    server.rpc->StartThreads();
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
    server.transport->SetAddresses(addresses);
    if (m_tcpPort != 0)
    {
        AddTcp(server, addresses);
    }
    server.nfs4->SetCallbackRoutes(
        {[transport = PeekPointer(server.transport),
          tcp = PeekPointer(server.tcp),
          rdma = m_port != 0](const IpAddress& address,
                              uint64_t connection) -> Ptr<RpcClientTransport> {
             if (tcp && (!rdma || tcp->KnowsClient(address)))
             {
                 return tcp->GetReverseTransport(address, connection);
             }
             return transport->GetReverseTransport(address, connection);
         },
         [host = PeekPointer(server.node)](const NetAddr4& address) -> Ptr<RpcClientTransport> {
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
    NS_ABORT_MSG_UNLESS(server.Listen(),
                        "port " << server.port << " or " << server.tcpPort << " is taken");
}

} // namespace ns3::nfsrdma
