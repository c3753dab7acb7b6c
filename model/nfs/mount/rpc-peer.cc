/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/rpc-peer.h"

#include "mpa/internet-address.h"
#include "nfs/mount/universal-address.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RpcPeer);

TypeId
RpcPeer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::RpcPeer").SetParent<Object>().SetGroupName("NfsRdma");
    return tid;
}

RpcPeer::RpcPeer(Ptr<Node> node, IpAddress peer, uint32_t program, uint32_t version)
    : m_node(node),
      m_peer(peer),
      m_program(program),
      m_version(version)
{
}

void
RpcPeer::DoDispose()
{
    m_waiting.clear();
    m_client = nullptr;
    if (m_transport)
    {
        m_transport->Dispose();
    }
    m_transport = nullptr;
    m_node = nullptr;
    Object::DoDispose();
}

void
RpcPeer::SetKernel(const std::string& name)
{
    m_credential = AuthSysCredential();
    m_credential->machineName = name;
}

Ptr<RpcClient>
RpcPeer::MakeClient(uint16_t port, uint32_t program, uint32_t version)
{
    m_transport = CreateObject<RpcTcpClient>();
    m_transport->SetNode(m_node);
    m_transport->SetServer(MakeSocketAddress(m_peer, port));
    m_transport->SetAttribute("Soft", BooleanValue(true));
    const auto client = CreateObject<RpcClient>();
    client->SetTransport(m_transport);
    client->SetProgram(program, version);
    if (m_credential)
    {
        client->SetCredential(*m_credential);
    }
    if (m_credential && program == m_program)
    {
        m_transport->SetAttribute("ReservedPort", BooleanValue(true));
        m_transport->SetAttribute("FirstReservedPort", UintegerValue(m_reservedPort));
        // A port that is used again at once may still be known to the peer.
        m_reservedPort =
            m_reservedPort > MIN_RESERVED_PORT ? m_reservedPort - 1 : MAX_RESERVED_PORT;
    }
    return client;
}

void
RpcPeer::WithClient(Use use)
{
    if (m_client)
    {
        use(m_client);
        return;
    }
    m_waiting.push_back(std::move(use));
    if (m_waiting.size() > 1)
    {
        return;
    }
    if (!m_peer.IsIpv4())
    {
        const Ptr<RpcClient> mapper = MakeClient(RPCBIND_PORT, RPCBIND_PROGRAM, RPCBIND_V4);
        const auto address = ToUniversalAddress(m_transport->GetServer());
        CallStub<RpcbindGetaddr>(
            *mapper,
            {m_program, m_version, NETID_TCP6, address, ""},
            [self = Ptr<RpcPeer>(this)](RpcRecord&, const RpcbindAddress& found) {
                const auto end = ParseUniversalAddress(found.address);
                self->TakePort(end ? GetPortOf(*end) : 0);
            });
        return;
    }
    const Ptr<RpcClient> mapper = MakeClient(RPCBIND_PORT, RPCBIND_PROGRAM, PORTMAP_V2);
    CallStub<PortmapGetport>(*mapper,
                             {m_program, m_version, PORTMAP_TCP, 0},
                             [self = Ptr<RpcPeer>(this)](RpcRecord& record, const XdrWord& port) {
                                 self->TakePort(record.outcome == RpcOutcome::SUCCESS ? port.value
                                                                                      : 0);
                             });
}

void
RpcPeer::TakePort(uint32_t port)
{
    m_transport->Disconnect();
    if (port > 0 && port <= UINT16_MAX)
    {
        m_client = MakeClient(static_cast<uint16_t>(port), m_program, m_version);
    }
    const std::vector<Use> waiting = std::move(m_waiting);
    m_waiting.clear();
    const Ptr<RpcClient> client = m_client;
    for (const Use& use : waiting)
    {
        use(client);
    }
}

void
RpcPeer::Disconnect()
{
    if (m_client)
    {
        m_transport->Disconnect();
        m_client = nullptr;
    }
}

} // namespace ns3::nfsrdma
