/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/nfs-rdma-client-helper.h"

#include "helper/rnic-helper.h"
#include "nfs/nfs3-file-client.h"
#include "nfs/v4/nfs4-file-client.h"

#include "ns3/abort.h"
#include "ns3/ipv4.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <sstream>

namespace ns3::nfsrdma
{

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

NfsRdmaClient
NfsRdmaClientHelper::Install(Ptr<Node> node,
                             const InetSocketAddress& server,
                             const AuthSysCredential& credential,
                             uint32_t firstXid,
                             uint32_t firstStagIndex) const
{
    NfsRdmaClient client;
    client.node = node;
    client.device = RnicHelper(m_attributes).Install(node, firstStagIndex);
    client.memory = client.device->GetHostMemory();
    client.cpu = client.device->GetHostCpu();

    client.transport = m_attributes.Create<RpcRdmaClient>();
    client.transport->SetDevice(client.device);
    client.transport->SetServer(server);
    client.rpc = m_attributes.Create<RpcClient>();
    client.transport->SetAttribute("FirstXid", UintegerValue(firstXid));
    client.rpc->SetHostCpu(client.cpu);
    client.rpc->SetTransport(client.transport);
    client.rpc->SetSecurity(MakeSecurity(client, credential));
    client.nfs = m_attributes.Create<Nfs3Client>();
    client.nfs->SetRpcClient(client.rpc);
    client.nfs->SetHostMemory(client.memory);
    client.aclRpc = m_attributes.Create<RpcClient>();
    client.aclRpc->SetHostCpu(client.cpu);
    client.aclRpc->SetTransport(client.transport);
    client.aclRpc->SetSecurity(client.rpc->GetSecurity());
    client.acl = m_attributes.Create<NfsAcl3Client>();
    client.acl->SetRpcClient(client.aclRpc);
    client.acl->SetHostMemory(client.memory);
    if (m_version != "3")
    {
        AddNfs4(client, server, credential);
        return client;
    }
    const auto files = m_attributes.Create<Nfs3FileClient>();
    files->SetClients(client.nfs, client.acl);
    client.files = files;
    return client;
}

void
NfsRdmaClientHelper::AddNfs4(NfsRdmaClient& client,
                             const InetSocketAddress& server,
                             const AuthSysCredential& credential) const
{
    const uint32_t minorVersion = m_version.back() - '0';
    client.nfs4Rpc = m_attributes.Create<RpcClient>();
    client.nfs4Rpc->SetHostCpu(client.cpu);
    client.nfs4Rpc->SetTransport(client.transport);
    client.nfs4Rpc->SetSecurity(client.rpc->GetSecurity());
    client.callbacks = CreateObject<RpcServer>();
    client.callbacks->SetHostCpu(client.cpu);
    client.nfs4 = m_attributes.Create<Nfs4CompoundClient>();
    client.nfs4->SetAttribute("MinorVersion", UintegerValue(minorVersion));
    client.nfs4->SetRpcClient(client.nfs4Rpc);
    client.nfs4->SetHostMemory(client.memory);
    std::ostringstream address;
    address << server.GetIpv4();
    client.nfs4->SetNames(credential.machineName, address.str());
    NetAddr4 location;
    if (minorVersion == 0)
    {
        client.callbackListener = m_attributes.Create<RpcTcpServer>();
        client.callbackListener->SetNode(client.node);
        client.callbackListener->SetRpcServer(client.callbacks);
        NS_ABORT_MSG_UNLESS(client.callbackListener->Listen(m_callbackPort),
                            "port " << m_callbackPort << " is taken");
        // The address of the first interface that is not the loopback one, as RFC 5665 writes it.
        std::ostringstream universal;
        universal << client.node->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal() << "."
                  << m_callbackPort / 256 << "." << m_callbackPort % 256;
        location = {"tcp", universal.str()};
    }
    else
    {
        client.transport->SetReverseServer(client.callbacks);
    }
    client.nfs4->SetCallbackServer(client.callbacks, location);
    const auto files = m_attributes.Create<Nfs4FileClient>();
    files->SetClient(client.nfs4);
    client.files = files;
}

} // namespace ns3::nfsrdma
