/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/tcp-engine.h"

#include "mpa/engine-defaults.h"
#include "mpa/host-tcp.h"
#include "mpa/octet-header.h"
#include "toe/pseudo-header.h"

#include "ns3/abort.h"
#include "ns3/icmpv4.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-interface.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(TcpEngine);

#define SETTINGS_OF TcpEngineValues
#define SETTINGS_FILE "mpa/offload.def"
#include "settings/rows.def"

namespace
{

constexpr uint16_t FIRST_PORT = 49152; // RFC 6335 section 6.
constexpr uint8_t INITIAL_TTL = 64;
constexpr int64_t NANOSECONDS_OF_SEQUENCE = 4000; // RFC 9293 section 3.4.1.
constexpr uint64_t MIXER = 0x9e3779b97f4a7c15U;
constexpr uint32_t PORTS_SIZE = 4;
constexpr std::size_t MOST_HEADER = TcpWireHeader::FIXED_OCTETS + TcpOptions::MOST_OCTETS;
constexpr uint8_t ECN_MASK = 3; // RFC 3168 section 5.

ByteVector
OctetsOf(const Packet& packet)
{
    ByteVector octets(packet.GetSize());
    packet.CopyData(octets.data(), packet.GetSize());
    return octets;
}

} // namespace

TypeId
TcpEngine::GetTypeId()
{
    static TypeId tid = AddAttributes(TypeId("ns3::nfsrdma::TcpEngine")
                                          .SetParent<IpL4Protocol>()
                                          .SetGroupName("NfsRdma")
                                          .AddConstructor<TcpEngine>(),
                                      TcpEngineValues::GetRows(),
                                      &TcpEngine::m_values);
    return tid;
}

Ptr<TcpEngine>
TcpEngine::Install(Ptr<Node> node)
{
    if (auto present = node->GetObject<TcpEngine>())
    {
        return present;
    }
    auto engine = CreateObject<TcpEngine>();
    engine->m_node = node;
    engine->m_ipv4 = node->GetObject<Ipv4L3Protocol>();
    engine->m_other = node->GetObject<TcpL4Protocol>();
    NS_ABORT_MSG_IF(!engine->m_ipv4 || !engine->m_other,
                    "node " << node->GetId() << " has no TCP: install an InternetStack first");
    engine->m_host = DynamicCast<HostTcp>(engine->m_other);
    if (engine->m_host)
    {
        engine->m_host->SetEngine(&engine->m_counters);
    }
    engine->m_nextPort = FIRST_PORT;
    engine->m_ipv4->Remove(engine->m_other);
    engine->m_ipv4->Insert(engine);
    node->AggregateObject(engine);
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        engine->Steer(DynamicCast<EthernetNetDevice>(node->GetDevice(i)));
    }
    return engine;
}

void
TcpEngine::Steer(const Ptr<EthernetNetDevice>& device)
{
    if (device && std::find(m_steered.begin(), m_steered.end(), device) == m_steered.end())
    {
        m_steered.push_back(device);
        device->SetSteeringCallback(MakeCallback(&TcpEngine::TakeFrame, this));
    }
}

void
TcpEngine::DoDispose()
{
    for (const auto& device : m_steered)
    {
        device->SetSteeringCallback({});
    }
    m_steered.clear();
    for (auto& [endpoints, connection] : m_streams)
    {
        connection.stream->Dispose();
    }
    m_streams.clear();
    m_listeners.clear();
    m_node = nullptr;
    m_ipv4 = nullptr;
    m_other = nullptr;
    if (m_host)
    {
        m_host->SetEngine(nullptr);
        m_host = nullptr;
    }
    IpL4Protocol::DoDispose();
}

TcpEngineSettings
TcpEngine::GetSettings() const
{
    return ReadEngineDefaults(m_values.settings);
}

bool
TcpEngine::Listen(uint16_t port, const TcpEngineSettings& settings, AcceptCallback accepted)
{
    m_hasChecksums = Node::ChecksumEnabled();
    const HeldPort held = HeldPort::ToListen(*m_other, port);
    if (held.IsHeld())
    {
        m_listeners[port] = {settings, accepted, held};
    }
    return held.IsHeld();
}

void
TcpEngine::StopListening(uint16_t port)
{
    const auto listener = m_listeners.find(port);
    if (listener != m_listeners.end())
    {
        listener->second.port.Release(*m_other);
        m_listeners.erase(listener);
    }
}

HeldPort
TcpEngine::ChoosePort(EngineByteStream::Endpoints& endpoints)
{
    for (uint32_t tries = FIRST_PORT; tries <= UINT16_MAX; ++tries)
    {
        endpoints.localPort = m_nextPort;
        m_nextPort = m_nextPort == UINT16_MAX ? FIRST_PORT : static_cast<uint16_t>(m_nextPort + 1);
        if (m_streams.count(endpoints) > 0)
        {
            continue;
        }
        const HeldPort held = HeldPort::ToConnect(*m_other,
                                                  endpoints.local,
                                                  endpoints.localPort,
                                                  endpoints.remote,
                                                  endpoints.remotePort);
        if (held.IsHeld())
        {
            return held;
        }
    }
    NS_ABORT_MSG("node " << m_node->GetId() << " has no local port left");
}

uint32_t
TcpEngine::MakeInitialSequence(const EngineByteStream::Endpoints& endpoints) const
{
    uint64_t mixed = (uint64_t{endpoints.local.Get()} << 32 | endpoints.remote.Get()) * MIXER;
    mixed ^= uint64_t{endpoints.localPort} << 16 | endpoints.remotePort;
    mixed *= MIXER;
    return static_cast<uint32_t>(mixed >> 32) +
           static_cast<uint32_t>(Simulator::Now().GetNanoSeconds() / NANOSECONDS_OF_SEQUENCE);
}

Ptr<ByteStream>
TcpEngine::Connect(const InetSocketAddress& remote, const TcpEngineSettings& settings)
{
    m_hasChecksums = Node::ChecksumEnabled();
    Ipv4Header header;
    header.SetDestination(remote.GetIpv4());
    Socket::SocketErrno error = Socket::ERROR_NOTERROR;
    const auto route =
        m_ipv4->GetRoutingProtocol()->RouteOutput(Create<Packet>(), header, nullptr, error);
    const Ipv4Address local = route ? route->GetSource() : Ipv4Address::GetAny();
    EngineByteStream::Endpoints endpoints{local, remote.GetIpv4(), 0, remote.GetPort()};
    const HeldPort port = ChoosePort(endpoints);
    const auto stream =
        CreateObject<EngineByteStream>(*this, settings, endpoints, MakeInitialSequence(endpoints));
    m_streams[endpoints] = {stream, port};
    stream->Connect();
    return stream;
}

bool
TcpEngine::Accept(uint16_t port, Ptr<ByteStream> stream)
{
    const auto listener = m_listeners.find(port);
    if (listener == m_listeners.end() || listener->second.accepted.IsNull())
    {
        return false;
    }
    const AcceptCallback accepted = listener->second.accepted;
    accepted(stream);
    return true;
}

void
TcpEngine::Forget(const EngineByteStream::Endpoints& endpoints, const EngineByteStream& stream)
{
    const auto found = m_streams.find(endpoints);
    if (found != m_streams.end() && PeekPointer(found->second.stream) == &stream)
    {
        found->second.port.Release(*m_other);
        m_streams.erase(found);
    }
}

// To the network

void
TcpEngine::Send(const EngineByteStream::Endpoints& endpoints,
                const OutgoingTcpSegment& segment,
                Ptr<Packet> payload,
                EnginePath& path)
{
    if (!m_ipv4)
    {
        return;
    }
    std::array<uint8_t, MOST_HEADER> octets{};
    const MutableByteSpan header(octets.data(), segment.header.GetSize());
    std::ignore = segment.header.Encode(header);
    const uint16_t identification = m_identification++;
    if (segment.repeated)
    {
        path.Forget();
    }
    if (!m_hasChecksums)
    {
        Ipv4FrameHead head;
        head.typeOfService = segment.capable ? Ipv4Header::ECN_ECT0 : Ipv4Header::ECN_NotECT;
        head.identification = identification;
        head.fragmentFlags = Ipv4FrameHead::DONT_FRAGMENT;
        head.timeToLive = INITIAL_TTL;
        head.protocol = PROTOCOL;
        head.source = endpoints.local.Get();
        head.destination = endpoints.remote.Get();
        if (path.Send(*m_ipv4, head, header, payload))
        {
            return;
        }
    }
    else
    {
        ByteVector whole(header.begin(), header.end());
        const ByteVector behind = OctetsOf(*payload);
        whole.insert(whole.end(), behind.begin(), behind.end());
        TcpPseudoHeader::OfIpv4(endpoints.local.Get(), endpoints.remote.Get()).Seal(whole);
        std::copy_n(whole.begin(), header.size(), header.begin());
    }
    payload->AddHeader(OctetHeader(header));
    Ipv4Header ip;
    ip.SetSource(endpoints.local);
    ip.SetDestination(endpoints.remote);
    ip.SetProtocol(PROTOCOL);
    ip.SetTtl(INITIAL_TTL);
    ip.SetPayloadSize(static_cast<uint16_t>(payload->GetSize()));
    ip.SetIdentification(identification);
    ip.SetDontFragment();
    ip.SetEcn(segment.capable ? Ipv4Header::ECN_ECT0 : Ipv4Header::ECN_NotECT);
    Socket::SocketErrno error = Socket::ERROR_NOTERROR;
    const auto route = m_ipv4->GetRoutingProtocol()->RouteOutput(payload, ip, nullptr, error);
    if (route)
    {
        m_ipv4->SendWithHeader(payload, ip, route);
    }
}

// From the network

int
TcpEngine::GetProtocolNumber() const
{
    return PROTOCOL;
}

bool
TcpEngine::TakeFrame(Ptr<Packet> frame)
{
    std::array<uint8_t, Ipv4FrameHead::SIZE + MOST_HEADER> octets{};
    const std::size_t copied = frame->CopyData(octets.data(), static_cast<uint32_t>(octets.size()));
    const ByteSpan front(octets.data(), copied);
    const auto head = Ipv4FrameHead::Decode(front);
    if (m_hasChecksums || !head || head->protocol != PROTOCOL ||
        head->totalLength > frame->GetSize() - Ipv4FrameHead::ETHERNET_SIZE)
    {
        return false;
    }
    const std::size_t length = head->totalLength - Ipv4FrameHead::IPV4_SIZE;
    const auto received = ReceivedTcpSegment::Decode(
        front.subspan(Ipv4FrameHead::SIZE, std::min(length, copied - Ipv4FrameHead::SIZE)));
    if (!received || received->headerSize > length)
    {
        return false;
    }
    const auto known = m_streams.find({Ipv4Address(head->destination),
                                       Ipv4Address(head->source),
                                       received->header.destinationPort,
                                       received->header.sourcePort});
    if (known == m_streams.end())
    {
        return false;
    }
    const Ptr<EngineByteStream> stream = known->second.stream;
    const auto offset = static_cast<uint32_t>(Ipv4FrameHead::SIZE + received->headerSize);
    const auto size = static_cast<uint32_t>(length - received->headerSize);
    return stream->HandleSegment(received->header,
                                 size > 0 ? frame->CreateFragment(offset, size) : nullptr,
                                 (head->typeOfService & ECN_MASK) == Ipv4Header::ECN_CE);
}

IpL4Protocol::RxStatus
TcpEngine::Receive(Ptr<Packet> segment, const Ipv4Header& header, Ptr<Ipv4Interface> interface)
{
    std::array<uint8_t, MOST_HEADER> octets{};
    const uint32_t size = segment->CopyData(octets.data(), static_cast<uint32_t>(octets.size()));
    const auto received = ReceivedTcpSegment::Decode(ByteSpan(octets.data(), size));
    const bool isShort = size < PORTS_SIZE;
    const EngineByteStream::Endpoints endpoints{
        header.GetDestination(),
        header.GetSource(),
        isShort ? uint16_t{0} : static_cast<uint16_t>(octets[2] << 8 | octets[3]),
        isShort ? uint16_t{0} : static_cast<uint16_t>(octets[0] << 8 | octets[1])};
    if (m_streams.count(endpoints) == 0 && m_listeners.count(endpoints.localPort) == 0)
    {
        return m_other->Receive(segment, header, interface);
    }
    if (m_hasChecksums &&
        TcpPseudoHeader::OfIpv4(header.GetSource().Get(), header.GetDestination().Get())
                .Checksum(OctetsOf(*segment)) != 0)
    {
        if (m_host)
        {
            m_host->NoteLost(segment, HostTcp::Loss::CHECKSUM);
        }
        return RX_CSUM_FAILED;
    }
    if (!received || received->headerSize > segment->GetSize())
    {
        return RX_OK;
    }
    const bool marked = header.GetEcn() == Ipv4Header::ECN_CE;
    const uint32_t length = segment->GetSize() - received->headerSize;
    const Ptr<Packet> payload =
        length > 0 ? segment->CreateFragment(received->headerSize, length) : nullptr;
    if (!Dispatch(endpoints, received->header, payload, marked))
    {
        return m_other->Receive(segment, header, interface);
    }
    return RX_OK;
}

bool
TcpEngine::Dispatch(const EngineByteStream::Endpoints& endpoints,
                    const TcpWireHeader& header,
                    const Ptr<Packet>& payload,
                    bool marked)
{
    const auto known = m_streams.find(endpoints);
    if (known != m_streams.end())
    {
        const Ptr<EngineByteStream> stream = known->second.stream;
        if (stream->HandleSegment(header, payload, marked))
        {
            return true;
        }
    }
    const auto listener = m_listeners.find(endpoints.localPort);
    if (listener == m_listeners.end())
    {
        return false;
    }
    const auto stream = CreateObject<EngineByteStream>(*this,
                                                       listener->second.settings,
                                                       endpoints,
                                                       MakeInitialSequence(endpoints));
    m_streams[endpoints] = {stream, {}};
    stream->Listen();
    std::ignore = stream->HandleSegment(header, payload, marked);
    return true;
}

IpL4Protocol::RxStatus
TcpEngine::Receive(Ptr<Packet> segment, const Ipv6Header& header, Ptr<Ipv6Interface> interface)
{
    return m_other->Receive(segment, header, interface);
}

void
TcpEngine::ReceiveIcmp(Ipv4Address icmpSource,
                       uint8_t icmpTtl,
                       uint8_t icmpType,
                       uint8_t icmpCode,
                       uint32_t icmpInfo,
                       Ipv4Address payloadSource,
                       Ipv4Address payloadDestination,
                       const uint8_t payload[8])
{
    const EngineByteStream::Endpoints endpoints{
        payloadSource,
        payloadDestination,
        static_cast<uint16_t>(payload[0] << 8 | payload[1]),
        static_cast<uint16_t>(payload[2] << 8 | payload[3])};
    const auto known = m_streams.find(endpoints);
    if (known == m_streams.end())
    {
        m_other->ReceiveIcmp(icmpSource,
                             icmpTtl,
                             icmpType,
                             icmpCode,
                             icmpInfo,
                             payloadSource,
                             payloadDestination,
                             payload);
        return;
    }
    if (icmpType == Icmpv4Header::ICMPV4_DEST_UNREACH &&
        icmpCode == Icmpv4DestinationUnreachable::ICMPV4_FRAG_NEEDED && icmpInfo > 0)
    {
        const auto stream = known->second.stream;
        stream->HandlePathMtu(icmpInfo);
    }
}

void
TcpEngine::SetDownTarget(DownTargetCallback /* callback */)
{
}

void
TcpEngine::SetDownTarget6(DownTargetCallback6 /* callback */)
{
}

IpL4Protocol::DownTargetCallback
TcpEngine::GetDownTarget() const
{
    return {};
}

IpL4Protocol::DownTargetCallback6
TcpEngine::GetDownTarget6() const
{
    return {};
}

} // namespace ns3::nfsrdma
