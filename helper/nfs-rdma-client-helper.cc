/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/nfs-rdma-client-helper.h"

#include "helper/rnic-helper.h"
#include "nfs/nfs3-file-client.h"

#include "ns3/string.h"

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
    const auto files = m_attributes.Create<Nfs3FileClient>();
    files->SetClients(client.nfs, client.acl);
    client.files = files;
    return client;
}

} // namespace ns3::nfsrdma
