/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/nfs-rdma-client-helper.h"

#include "helper/nfs-host.h"
#include "helper/rnic-helper.h"
#include "mpa/internet-address.h"
#include "nfs/mount/universal-address.h"
#include "nfs/v2/file-client2.h"
#include "nfs/v3/file-client3.h"
#include "nfs/v4/client/mounted-files.h"
#include "rpc/multipath.h"

#include "ns3/abort.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace ns3::nfsrdma
{

namespace
{

/// Calls \p action with each transport of \p client, over RDMA and over TCP.
template <typename Action>
void
ForEachTransport(const NfsRdmaClient& client, Action&& action)
{
    std::for_each(client.transports.begin(), client.transports.end(), action);
    std::for_each(client.tcpTransports.begin(), client.tcpTransports.end(), action);
}

/// \return the address of \p node in the network of \p server, or the first that it has: not of the
/// loopback interface, and, when it has IPv6, of IPv6 and beyond the link.
IpAddress
GetOwnAddress(const Node& node, IpAddress server)
{
    std::optional<IpAddress> first;
    const auto ipv6 = node.GetObject<Ipv6>();
    for (uint32_t interface = 1; ipv6 && interface < ipv6->GetNInterfaces(); ++interface)
    {
        for (uint32_t i = 0; i < ipv6->GetNAddresses(interface); ++i)
        {
            const auto address = ipv6->GetAddress(interface, i);
            if (address.GetAddress().IsLinkLocal())
            {
                continue;
            }
            first = first.value_or(ToIpAddress(address.GetAddress()));
            if (!server.IsIpv4() && address.IsInSameSubnet(ToIpv6Address(server)))
            {
                return ToIpAddress(address.GetAddress());
            }
        }
    }
    if (first)
    {
        return *first;
    }
    const auto ipv4 = node.GetObject<Ipv4>();
    for (uint32_t interface = 1; server.IsIpv4() && interface < ipv4->GetNInterfaces(); ++interface)
    {
        const auto address = ipv4->GetAddress(interface, 0);
        if (address.IsInSameSubnet(Ipv4Address(server.GetIpv4())))
        {
            return ToIpAddress(address.GetLocal());
        }
    }
    return ToIpAddress(ipv4->GetAddress(1, 0).GetLocal());
}

} // namespace

StackAttributes&
NfsRdmaClientHelper::GetAttributes()
{
    return m_attributes;
}

void
NfsRdmaClientHelper::SetSecurity(const std::string& flavor)
{
    m_security = flavor;
}

void
NfsRdmaClientHelper::SetVersion(const std::string& version, uint16_t callbackPort)
{
    m_version = version;
    m_callbackPort = callbackPort;
}

void
NfsRdmaClientHelper::SetLockManager(bool has)
{
    m_lockManager = has;
}

Ptr<RpcClient>
NfsRdmaClientHelper::MakeRpcClient(const NfsRdmaClient& client) const
{
    const auto rpc = m_attributes.Create<RpcClient>();
    rpc->SetHostCpu(client.cpu);
    rpc->SetTransport(client.path);
    rpc->SetSecurity(client.rpc->GetSecurity());
    return rpc;
}

Ptr<RpcSecurity>
NfsRdmaClientHelper::MakeSecurity(const NfsRdmaClient& client,
                                  const AuthSysCredential& credential) const
{
    if (m_security == "sys")
    {
        const auto sys = CreateObject<AuthSysSecurity>();
        sys->SetCredential(credential);
        return sys;
    }
    const auto gss = m_attributes.Create<GssSecurity>();
    gss->SetAttribute("Service", StringValue(m_security));
    gss->SetPrincipal(credential.machineName);
    gss->SetHostMemory(client.memory);
    gss->SetCosts(m_attributes.Create<GssCosts>());
    return gss;
}

void
NfsRdmaClient::SetServer(const Address& server) const
{
    ForEachTransport(*this, [&server](const auto& one) { one->SetServer(server); });
}

void
NfsRdmaClient::Connect() const
{
    ForEachTransport(*this, [](const auto& one) { one->Connect(); });
}

void
NfsRdmaClient::Disconnect() const
{
    ForEachTransport(*this, [](const auto& one) { one->Disconnect(); });
}

void
NfsRdmaClient::Crash() const
{
    if (callbacks)
    {
        callbacks->Restart();
    }
    files->Crash();
    for (const auto& program : {rpc, aclRpc, nfs2Rpc, acl2Rpc, nfs4Rpc})
    {
        if (program)
        {
            program->Crash();
        }
    }
    ForEachTransport(*this, [](const auto& one) { one->Crash(); });
}

void
NfsRdmaClient::Boot() const
{
    ForEachTransport(*this, [](const auto& one) { one->Boot(); });
    files->Boot();
}

void
NfsRdmaClientHelper::SetConnections(uint32_t connections)
{
    m_connections = connections;
}

void
NfsRdmaClientHelper::SetTcp(bool tcp)
{
    m_tcp = tcp;
}

void
NfsRdmaClientHelper::SetHostNames(const std::string& own, const std::string& server)
{
    m_hostName = own;
    m_serverName = server;
}

void
NfsRdmaClientHelper::AddTcpTransport(NfsRdmaClient& client, const Address& server) const
{
    if (!client.sockets)
    {
        client.sockets = CreateObject<HostSockets>();
        client.sockets->SetHost(client.node, client.cpu);
        if (const auto tls = m_attributes.Create<RpcTls>(); tls->IsUsed())
        {
            tls->SetHost(TlsEndpoint::Side::CLIENT, m_hostName);
            client.sockets->SetTls(tls);
        }
    }
    const auto transport = m_attributes.Create<RpcTcpClient>();
    transport->SetNode(client.node);
    transport->SetHostMemory(client.memory);
    transport->SetSockets(client.sockets);
    transport->SetServer(server);
    transport->SetServerName(m_serverName);
    client.tcpTransports.push_back(transport);
}

void
NfsRdmaClientHelper::AddRdmaTransport(NfsRdmaClient& client, const Address& server) const
{
    const auto transport = m_attributes.Create<RpcRdmaClient>();
    transport->SetDevice(client.device);
    transport->SetServer(server);
    client.transports.push_back(transport);
}

void
NfsRdmaClientHelper::AddTransports(NfsRdmaClient& client,
                                   const std::vector<Address>& servers,
                                   uint32_t firstXid) const
{
    const auto multipath = m_attributes.Create<RpcMultipath>();
    std::vector<Address> ends(multipath->CountConnections(m_connections), servers.front());
    ends.insert(ends.end(), servers.begin() + 1, servers.end());
    for (const auto& server : ends)
    {
        std::invoke(m_tcp ? &NfsRdmaClientHelper::AddTcpTransport
                          : &NfsRdmaClientHelper::AddRdmaTransport,
                    this,
                    client,
                    server);
    }
    std::vector<Ptr<RpcClientTransport>> all(client.transports.begin(), client.transports.end());
    all.insert(all.end(), client.tcpTransports.begin(), client.tcpTransports.end());
    if (!m_tcp)
    {
        client.transport = client.transports.front();
    }
    client.path = all.front();
    client.path->SetAttribute("FirstXid", UintegerValue(firstXid));
    if (all.size() > 1)
    {
        for (const auto& transport : all)
        {
            multipath->AddTransport(transport);
        }
        client.path = multipath;
    }
}

NfsRdmaClient
NfsRdmaClientHelper::Install(Ptr<Node> node,
                             const std::vector<Address>& servers,
                             const AuthSysCredential& credential,
                             uint32_t firstXid,
                             uint32_t firstStagIndex) const
{
    const Address& server = servers.front();
    NfsRdmaClient client;
    client.node = node;
    client.device = RnicHelper(m_attributes).Install(node, firstStagIndex);
    client.memory = client.device->GetHostMemory();
    client.cpu = client.device->GetHostCpu();

    AddTransports(client, servers, firstXid);
    client.rpc = m_attributes.Create<RpcClient>();
    client.rpc->SetHostCpu(client.cpu);
    client.rpc->SetTransport(client.path);
    client.rpc->SetSecurity(MakeSecurity(client, credential));
    client.nfs = m_attributes.Create<Nfs3Client>();
    client.nfs->SetRpcClient(client.rpc);
    client.nfs->SetHostMemory(client.memory);
    client.aclRpc = MakeRpcClient(client);
    client.acl = m_attributes.Create<NfsAcl3Client>();
    client.acl->SetRpcClient(client.aclRpc);
    client.acl->SetHostMemory(client.memory);
    client.calls = client.nfs;
    client.aclCalls = client.acl;
    if (m_version == "2")
    {
        AddNfs2(client, credential);
    }
    else if (m_version == "3")
    {
        const auto files = m_attributes.Create<Nfs3FileClient>();
        files->SetClients(client.nfs, client.acl);
        client.files = files;
    }
    else
    {
        AddNfs4(client, server, credential);
    }
    if (m_lockManager && m_version.front() != '4')
    {
        AddLockManager(client, GetHostOf(server), credential);
    }
    NfsHost::Of(node)->AddClient(client);
    return client;
}

void
NfsRdmaClientHelper::AddNfs2(NfsRdmaClient& client, const AuthSysCredential& credential) const
{
    client.nfs2Rpc = MakeRpcClient(client);
    client.nfs2 = m_attributes.Create<Nfs2Client>();
    client.nfs2->SetRpcClient(client.nfs2Rpc);
    client.nfs2->SetHostMemory(client.memory);
    client.acl2Rpc = MakeRpcClient(client);
    client.acl2 = m_attributes.Create<NfsAcl2Client>();
    client.acl2->SetRpcClient(client.acl2Rpc);
    client.acl2->SetHostMemory(client.memory);
    const auto files = m_attributes.Create<Nfs2FileClient>();
    files->SetClient(client.nfs2);
    files->SetAclClient(client.acl2);
    files->SetHostMemory(client.memory);
    files->SetCredential({credential.uid, credential.gid, credential.gids});
    client.files = files;
    const auto calls = CreateObject<Nfs2Calls>();
    calls->SetClient(client.nfs2, client.memory);
    client.calls = calls;
    const auto aclCalls = CreateObject<NfsAcl2Calls>();
    aclCalls->SetClient(client.acl2);
    client.aclCalls = aclCalls;
}

void
NfsRdmaClientHelper::AddLockManager(NfsRdmaClient& client,
                                    IpAddress server,
                                    const AuthSysCredential& credential) const
{
    client.daemons = m_attributes.Create<NfsDaemons>();
    client.daemons->SetHost(client.node, GetOwnAddress(*client.node, server));
    client.daemons->SetHostCpu(client.cpu);
    NS_ABORT_MSG_UNLESS(client.daemons->StartRpcbind() &&
                            client.daemons->StartLockClient(credential.machineName,
                                                            server,
                                                            m_version == "2" ? NLM_V1 : NLM_V4),
                        "the port of rpcbind, lockd or statd is taken");
    client.locks = CreateObject<NlmLockService>();
    client.locks->SetClient(client.daemons->GetLockClient());
    client.files->SetLockService(client.locks);
}

void
NfsRdmaClientHelper::AddNfs4(NfsRdmaClient& client,
                             const Address& server,
                             const AuthSysCredential& credential) const
{
    const uint32_t minorVersion = m_version.back() - '0';
    client.nfs4Rpc = MakeRpcClient(client);
    client.callbacks = m_attributes.Create<RpcServer>();
    client.callbacks->SetHostCpu(client.cpu);
    client.nfs4 = m_attributes.Create<Nfs4CompoundClient>();
    client.nfs4->SetAttribute("MinorVersion", UintegerValue(minorVersion));
    client.nfs4->SetRpcClient(client.nfs4Rpc);
    client.nfs4->SetHostMemory(client.memory);
    client.nfs4->SetNames(credential.machineName, GetHostOf(server).ToString());
    NetAddr4 location;
    if (minorVersion == 0)
    {
        client.callbackListener = m_attributes.Create<RpcTcpServer>();
        client.callbackListener->SetNode(client.node);
        client.callbackListener->SetRpcServer(client.callbacks);
        NS_ABORT_MSG_UNLESS(client.callbackListener->Listen(m_callbackPort),
                            "port " << m_callbackPort << " is taken");
        const Address own =
            MakeSocketAddress(GetOwnAddress(*client.node, GetHostOf(server)), m_callbackPort);
        location = {GetTcpNetid(own), ToUniversalAddress(own)};
    }
    else
    {
        ForEachTransport(client,
                         [&client](const auto& one) { one->SetReverseServer(client.callbacks); });
    }
    client.nfs4->SetCallbackServer(client.callbacks, location);
    const auto files = m_attributes.Create<Nfs4FileClient>();
    files->SetClient(client.nfs4);
    client.files = files;
}

} // namespace ns3::nfsrdma
