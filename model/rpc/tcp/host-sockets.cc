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
HostSockets::Connect(const Address& remote, const std::optional<LocalPorts>& ports)
{
    return TcpEngine::Install(m_node)->Connect(remote,
                                               GetSettings(),
                                               m_interrupts->MakeForConnection(),
                                               ports);
}

bool
HostSockets::Listen(const ListeningPoint& local, TcpEngine::AcceptCallback accepted)
{
    return TcpEngine::Install(m_node)->Listen(local, GetSettings(), accepted, m_interrupts);
}

void
HostSockets::StopListening(const ListeningPoint& local)
{
    TcpEngine::Install(m_node)->StopListening(local);
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
    m_tls = nullptr;
    m_node = nullptr;
    m_cpu = nullptr;
    Object::DoDispose();
}

} // namespace ns3::nfsrdma
