/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/tcp/host-sockets.h"

#include "mpa/dont-fragment.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(HostSockets);

TypeId
HostSockets::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::HostSockets")
                            .SetParent<Object>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<HostSockets>();
    return tid;
}

void
HostSockets::SetHost(Ptr<Node> node, Ptr<HostCpu> cpu)
{
    m_node = node;
    m_cpu = cpu;
    m_interrupts = Create<TcpSoftInterrupts>(cpu);
    DontFragment::Install(node);
}

TcpEngineSettings
HostSockets::GetSettings() const
{
    auto settings = TcpEngine::Install(m_node)->GetSettings();
    settings.aligned = false;
    return settings;
}

Ptr<ByteStream>
HostSockets::Connect(const Address& remote)
{
    return TcpEngine::Install(m_node)->Connect(remote,
                                               GetSettings(),
                                               m_interrupts->MakeForConnection());
}

bool
HostSockets::Listen(uint16_t port, TcpEngine::AcceptCallback accepted)
{
    return TcpEngine::Install(m_node)->Listen(port, GetSettings(), accepted, m_interrupts);
}

void
HostSockets::StopListening(uint16_t port)
{
    TcpEngine::Install(m_node)->StopListening(port);
}

Ptr<TcpSoftInterrupt>
HostSockets::GetSoftInterrupt(const ByteStream& stream)
{
    const auto* const engines = dynamic_cast<const EngineByteStream*>(&stream);
    return engines ? Ptr<TcpSoftInterrupt>(
                         dynamic_cast<TcpSoftInterrupt*>(PeekPointer(engines->GetStage())))
                   : nullptr;
}

void
HostSockets::DoDispose()
{
    m_interrupts = nullptr;
    m_node = nullptr;
    m_cpu = nullptr;
    Object::DoDispose();
}

} // namespace ns3::nfsrdma
