/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/tcp-engine.h"

#include "mpa/engine-defaults.h"
#include "mpa/host-tcp.h"
#include "mpa/internet-address.h"
#include "mpa/octet-header.h"
#include "toe/pseudo-header.h"
#include "wire/simulation-clock.h"

#include "ns3/abort.h"
#include "ns3/icmpv4.h"
#include "ns3/icmpv6-header.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-interface.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/ipv6-route.h"
#include "ns3/ipv6-routing-protocol.h"
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
constexpr uint32_t FLOW_LABEL = 1;                // Of all that passes ns-3's IPv6.
constexpr int64_t NANOSECONDS_OF_SEQUENCE = 4000; // RFC 9293 section 3.4.1.
constexpr uint64_t MIXER = 0x9e3779b97f4a7c15U;
constexpr uint32_t PORTS_SIZE = 4;
constexpr std::size_t MOST_HEADER = TcpWireHeader::FIXED_OCTETS + TcpOptions::MOST_OCTETS;
constexpr uint8_t ECN_MASK = 3; // RFC 3168 section 5.

TcpPseudoHeader
PseudoHeaderOf(const IpAddress& source, const IpAddress& destination)
{
    return source.IsIpv4() ? TcpPseudoHeader::OfIpv4(source.GetIpv4(), destination.GetIpv4())
                           : TcpPseudoHeader::OfIpv6(source.GetOctets(), destination.GetOctets());
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
                                      &TcpEngine::m_values)
                            .AddAttribute("ThroughHostStack",
                                          "Whether segments pass the host's IP, where its trace "
                                          "sources and traffic control are, instead of going "
                                          "between the engine and the device at once.",
                                          BooleanValue(false),
                                          MakeBooleanAccessor(&TcpEngine::m_throughHostStack),
                                          MakeBooleanChecker());
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
    engine->m_ipv6 = node->GetObject<Ipv6L3Protocol>();
    if (engine->m_ipv6)
    {
        engine->m_ipv6->Remove(engine->m_other);
        engine->m_ipv6->Insert(engine);
    }
    node->AggregateObject(engine);
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        engine->Steer(DynamicCast<EthernetInterface>(node->GetDevice(i)));
    }
    return engine;
}

void
TcpEngine::Steer(const Ptr<EthernetInterface>& device)
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
    m_ipv6 = nullptr;
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
TcpEngine::Listen(const ListeningPoint& local,
                  const TcpEngineSettings& settings,
                  AcceptCallback accepted,
                  Ptr<TcpSegmentStage> stage)
{
    m_hasChecksums = Node::ChecksumEnabled();
    const HeldPort held = local.address ? HeldPort::ToListenAt(*m_other, *local.address, local.port)
                                        : HeldPort::ToListen(*m_other, local.port);
    if (held.IsHeld())
    {
        m_listeners[local] = {settings, accepted, held, stage};
    }
    return held.IsHeld();
}

void
TcpEngine::StopListening(const ListeningPoint& local)
{
    const auto listener = m_listeners.find(local);
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
        const HeldPort held = TryPort(endpoints);
        if (held.IsHeld())
        {
            return held;
        }
    }
    NS_ABORT_MSG("node " << m_node->GetId() << " has no local port left");
}

HeldPort
TcpEngine::ChoosePortOf(const LocalPorts& ports, EngineByteStream::Endpoints& endpoints)
{
    for (uint32_t port = ports.most; port >= ports.least && port > 0; --port)
    {
        endpoints.localPort = static_cast<uint16_t>(port);
        const HeldPort held = TryPort(endpoints);
        if (held.IsHeld())
        {
            return held;
        }
    }
    return {};
}

HeldPort
TcpEngine::TryPort(const EngineByteStream::Endpoints& endpoints)
{
    return m_streams.count(endpoints) > 0 ? HeldPort()
                                          : HeldPort::ToConnect(*m_other,
                                                                endpoints.local,
                                                                endpoints.localPort,
                                                                endpoints.remote,
                                                                endpoints.remotePort);
}

const TcpEngine::Listener*
TcpEngine::FindListener(const ListeningPoint& local) const
{
    auto found = m_listeners.find(local);
    if (found == m_listeners.end())
    {
        found = m_listeners.find({local.port, std::nullopt});
    }
    return found == m_listeners.end() ? nullptr : &found->second;
}

uint32_t
TcpEngine::MakeInitialSequence(const EngineByteStream::Endpoints& endpoints) const
{
    uint64_t mixed = endpoints.MixAddresses() * MIXER;
    mixed ^= uint64_t{endpoints.localPort} << 16 | endpoints.remotePort;
    mixed *= MIXER;
    return static_cast<uint32_t>(mixed >> 32) +
           static_cast<uint32_t>(SimulationClock::Now().GetNanoSeconds() / NANOSECONDS_OF_SEQUENCE);
}

TcpEngine::Way
TcpEngine::FindWay(const IpAddress& remote) const
{
    Socket::SocketErrno error = Socket::ERROR_NOTERROR;
    if (remote.IsIpv4())
    {
        Ipv4Header header;
        header.SetDestination(Ipv4Address(remote.GetIpv4()));
        const auto route =
            m_ipv4->GetRoutingProtocol()->RouteOutput(Create<Packet>(), header, nullptr, error);
        return route ? Way{ToIpAddress(route->GetSource()), route->GetOutputDevice()->GetMtu()}
                     : Way{};
    }
    Ipv6Header header;
    header.SetDestination(ToIpv6Address(remote));
    const auto route =
        m_ipv6 ? m_ipv6->GetRoutingProtocol()->RouteOutput(Create<Packet>(), header, nullptr, error)
               : nullptr;
    return route ? Way{ToIpAddress(route->GetSource()), route->GetOutputDevice()->GetMtu()}
                 : Way{ToIpAddress(Ipv6Address::GetAny()), MOST_MTU};
}

Ptr<ByteStream>
TcpEngine::Connect(const Address& remote,
                   const TcpEngineSettings& settings,
                   Ptr<TcpSegmentStage> stage,
                   const std::optional<LocalPorts>& ports)
{
    m_hasChecksums = Node::ChecksumEnabled();
    const auto peer = ReadSocketAddress(remote);
    NS_ABORT_MSG_UNLESS(peer, "TCP connects to an address of IPv4 or IPv6");
    const Way way = FindWay(peer->address);
    EngineByteStream::Endpoints endpoints{way.source, peer->address, 0, peer->port};
    const HeldPort port = ports ? ChoosePortOf(*ports, endpoints) : ChoosePort(endpoints);
    if (!port.IsHeld())
    {
        return nullptr;
    }
    const auto stream = CreateObject<EngineByteStream>(*this,
                                                       settings,
                                                       way.mtu,
                                                       endpoints,
                                                       MakeInitialSequence(endpoints),
                                                       stage);
    m_streams[endpoints] = {stream, port};
    stream->Connect();
    return stream;
}

bool
TcpEngine::Accept(const ListeningPoint& local, Ptr<ByteStream> stream)
{
    const Listener* const listener = FindListener(local);
    if (listener == nullptr || listener->accepted.IsNull())
    {
        return false;
    }
    const AcceptCallback accepted = listener->accepted;
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

/// \return the octets of \p packet, until the next call, of whichever engine.
ByteSpan
TcpEngine::LookAt(const Packet& packet)
{
    const uint32_t size = packet.GetSize();
    static ByteVector octets;
    octets.resize(std::max<std::size_t>(octets.size(), size));
    packet.CopyData(octets.data(), size);
    return {octets.data(), size};
}

void
TcpEngine::Send(const EngineByteStream::Endpoints& endpoints,
                const OutgoingTcpSegment& segment,
                Ptr<Packet> payload,
                const Departure& departure)
{
    if (!m_ipv4)
    {
        return;
    }
    std::array<uint8_t, MOST_HEADER> octets{};
    const MutableByteSpan header(octets.data(), segment.header.GetSize());
    std::ignore = segment.header.Encode(header);
    if (segment.repeated)
    {
        departure.path.Forget();
    }
    if (m_hasChecksums)
    {
        PseudoHeaderOf(endpoints.local, endpoints.remote).Seal(header, LookAt(*payload));
    }
    if (endpoints.local.IsIpv4())
    {
        SendIpv4(endpoints, segment.capable, header, payload, departure);
    }
    else if (m_ipv6)
    {
        SendIpv6(endpoints, segment.capable, header, payload, departure);
    }
}

void
TcpEngine::SendIpv4(const EngineByteStream::Endpoints& endpoints,
                    bool capable,
                    ByteSpan header,
                    const Ptr<Packet>& payload,
                    const Departure& departure)
{
    const uint16_t identification = m_identification++;
    if (!m_throughHostStack)
    {
        Ipv4FrameHead head;
        head.typeOfService = capable ? Ipv4Header::ECN_ECT0 : Ipv4Header::ECN_NotECT;
        head.identification = identification;
        head.fragmentFlags = departure.dontFragment ? Ipv4FrameHead::DONT_FRAGMENT : uint16_t{0};
        head.timeToLive = INITIAL_TTL;
        head.protocol = PROTOCOL;
        head.source = endpoints.local.GetIpv4();
        head.destination = endpoints.remote.GetIpv4();
        if (departure.path.Send(*m_ipv4, head, m_hasChecksums, {header, payload, departure.leaves}))
        {
            return;
        }
    }
    payload->AddHeader(OctetHeader(header));
    Ipv4Header ip;
    ip.SetSource(Ipv4Address(endpoints.local.GetIpv4()));
    ip.SetDestination(Ipv4Address(endpoints.remote.GetIpv4()));
    ip.SetProtocol(PROTOCOL);
    ip.SetTtl(INITIAL_TTL);
    ip.SetPayloadSize(static_cast<uint16_t>(payload->GetSize()));
    ip.SetIdentification(identification);
    if (departure.dontFragment)
    {
        ip.SetDontFragment();
    }
    ip.SetEcn(capable ? Ipv4Header::ECN_ECT0 : Ipv4Header::ECN_NotECT);
    Socket::SocketErrno error = Socket::ERROR_NOTERROR;
    const auto route = m_ipv4->GetRoutingProtocol()->RouteOutput(payload, ip, nullptr, error);
    if (route)
    {
        m_ipv4->SendWithHeader(payload, ip, route);
    }
}

void
TcpEngine::SendIpv6(const EngineByteStream::Endpoints& endpoints,
                    bool capable,
                    ByteSpan header,
                    const Ptr<Packet>& payload,
                    const Departure& departure)
{
    const uint8_t trafficClass = capable ? Ipv6Header::ECN_ECT0 : Ipv6Header::ECN_NotECT;
    if (!m_throughHostStack)
    {
        Ipv6FrameHead head;
        head.trafficClass = trafficClass;
        head.flowLabel = FLOW_LABEL;
        head.hopLimit = INITIAL_TTL;
        head.nextHeader = PROTOCOL;
        head.source = endpoints.local;
        head.destination = endpoints.remote;
        if (departure.path.Send(*m_ipv6, head, {header, payload, departure.leaves}))
        {
            return;
        }
    }
    payload->AddHeader(OctetHeader(header));
    Ipv6Header ip;
    ip.SetSource(ToIpv6Address(endpoints.local));
    ip.SetDestination(ToIpv6Address(endpoints.remote));
    Socket::SocketErrno error = Socket::ERROR_NOTERROR;
    const auto route = m_ipv6->GetRoutingProtocol()->RouteOutput(payload, ip, nullptr, error);
    if (!route)
    {
        return;
    }
    SocketIpv6HopLimitTag hopLimit;
    hopLimit.SetHopLimit(INITIAL_TTL);
    payload->ReplacePacketTag(hopLimit);
    SocketIpv6TclassTag tclass;
    tclass.SetTclass(trafficClass);
    payload->ReplacePacketTag(tclass);
    m_ipv6->Send(payload, ip.GetSource(), ip.GetDestination(), PROTOCOL, route);
}

// From the network

int
TcpEngine::GetProtocolNumber() const
{
    return PROTOCOL;
}

std::optional<TcpEngine::Arrival>
TcpEngine::ReadHead(ByteSpan front, std::size_t frameSize) const
{
    if (const auto head = Ipv4FrameHead::Decode(front))
    {
        const std::size_t length = head->totalLength - Ipv4FrameHead::IPV4_SIZE;
        const bool isWhole = Ipv4FrameHead::SIZE + length <= frameSize;
        const bool isRight = !m_hasChecksums || head->checksum == head->ComputeChecksum();
        return head->protocol == PROTOCOL && isWhole && isRight
                   ? std::make_optional(
                         Arrival{head->source,
                                 head->destination,
                                 Ipv4FrameHead::SIZE,
                                 length,
                                 static_cast<uint8_t>(head->typeOfService & ECN_MASK)})
                   : std::nullopt;
    }
    const auto head = Ipv6FrameHead::Decode(front);
    const bool isWhole = head && Ipv6FrameHead::SIZE + head->payloadLength <= frameSize;
    return isWhole && head->nextHeader == PROTOCOL
               ? std::make_optional(Arrival{head->source,
                                            head->destination,
                                            Ipv6FrameHead::SIZE,
                                            head->payloadLength,
                                            static_cast<uint8_t>(head->trafficClass & ECN_MASK)})
               : std::nullopt;
}

bool
TcpEngine::TakeFrame(Ptr<Packet> frame)
{
    if (m_throughHostStack)
    {
        return false;
    }
    std::array<uint8_t, Ipv6FrameHead::SIZE + MOST_HEADER> octets{};
    const std::size_t copied = frame->CopyData(octets.data(), static_cast<uint32_t>(octets.size()));
    const ByteSpan front(octets.data(), copied);
    const auto arrival = ReadHead(front, frame->GetSize());
    if (!arrival)
    {
        return false;
    }
    const auto received = ReceivedTcpSegment::Decode(
        front.subspan(arrival->begin, std::min(arrival->length, copied - arrival->begin)));
    if (!received || received->headerSize > arrival->length)
    {
        return false;
    }
    const auto known = m_streams.find({arrival->destination,
                                       arrival->source,
                                       received->header.destinationPort,
                                       received->header.sourcePort});
    if (known == m_streams.end())
    {
        return false;
    }
    if (m_hasChecksums)
    {
        const ByteSpan segment = LookAt(*frame).subspan(arrival->begin, arrival->length);
        if (PseudoHeaderOf(arrival->source, arrival->destination).Checksum(segment) != 0)
        {
            return false;
        }
    }
    const Ptr<EngineByteStream> stream = known->second.stream;
    const auto offset = static_cast<uint32_t>(arrival->begin + received->headerSize);
    const auto size = static_cast<uint32_t>(arrival->length - received->headerSize);
    return Deliver(stream,
                   received->header,
                   size > 0 ? frame->CreateFragment(offset, size) : nullptr,
                   arrival->ecn == Ipv4Header::ECN_CE);
}

bool
TcpEngine::Deliver(const Ptr<EngineByteStream>& stream,
                   const TcpWireHeader& header,
                   const Ptr<Packet>& payload,
                   bool marked)
{
    const Ptr<TcpSegmentStage>& stage = stream->GetStage();
    if (!stage)
    {
        return stream->HandleSegment(header, payload, marked);
    }
    const uint32_t octets = header.GetSize() + (payload ? payload->GetSize() : 0);
    const auto due = stage->Arrive(octets, payload != nullptr);
    const Time now = SimulationClock::Now();
    if (due && *due <= now)
    {
        return stream->HandleSegment(header, payload, marked);
    }
    if (due)
    {
        Simulator::Schedule(*due - now,
                            &TcpEngine::DeliverLate,
                            Ptr<TcpEngine>(this),
                            stream,
                            header,
                            payload,
                            marked);
    }
    else if (m_host)
    {
        m_host->NoteLost(payload ? payload : Create<Packet>(), HostTcp::Loss::BUFFER);
    }
    return true;
}

void
TcpEngine::DeliverLate(const Ptr<EngineByteStream>& stream,
                       const TcpWireHeader& header,
                       const Ptr<Packet>& payload,
                       bool marked)
{
    if (!stream->HandleSegment(header, payload, marked))
    {
        DeliverToListener(stream->GetEndpoints(), header, payload, marked);
    }
}

std::optional<IpL4Protocol::RxStatus>
TcpEngine::Take(const Ptr<Packet>& segment,
                const IpAddress& source,
                const IpAddress& destination,
                bool marked)
{
    std::array<uint8_t, MOST_HEADER> octets{};
    const uint32_t size = segment->CopyData(octets.data(), static_cast<uint32_t>(octets.size()));
    const auto received = ReceivedTcpSegment::Decode(ByteSpan(octets.data(), size));
    const bool isShort = size < PORTS_SIZE;
    const EngineByteStream::Endpoints endpoints{
        destination,
        source,
        isShort ? uint16_t{0} : static_cast<uint16_t>(octets[2] << 8 | octets[3]),
        isShort ? uint16_t{0} : static_cast<uint16_t>(octets[0] << 8 | octets[1])};
    if (m_streams.count(endpoints) == 0 &&
        FindListener({endpoints.localPort, endpoints.local}) == nullptr)
    {
        return std::nullopt;
    }
    if (m_hasChecksums && PseudoHeaderOf(source, destination).Checksum(LookAt(*segment)) != 0)
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
    const uint32_t length = segment->GetSize() - received->headerSize;
    const Ptr<Packet> payload =
        length > 0 ? segment->CreateFragment(received->headerSize, length) : nullptr;
    return Dispatch(endpoints, received->header, payload, marked) ? std::make_optional(RX_OK)
                                                                  : std::nullopt;
}

IpL4Protocol::RxStatus
TcpEngine::Receive(Ptr<Packet> segment, const Ipv4Header& header, Ptr<Ipv4Interface> interface)
{
    const auto taken = Take(segment,
                            ToIpAddress(header.GetSource()),
                            ToIpAddress(header.GetDestination()),
                            header.GetEcn() == Ipv4Header::ECN_CE);
    return taken ? *taken : m_other->Receive(segment, header, interface);
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
        if (Deliver(stream, header, payload, marked))
        {
            return true;
        }
    }
    if (FindListener({endpoints.localPort, endpoints.local}) == nullptr)
    {
        return false;
    }
    DeliverToListener(endpoints, header, payload, marked);
    return true;
}

void
TcpEngine::DeliverToListener(const EngineByteStream::Endpoints& endpoints,
                             const TcpWireHeader& header,
                             const Ptr<Packet>& payload,
                             bool marked)
{
    const Listener* const listener = FindListener({endpoints.localPort, endpoints.local});
    if (listener == nullptr)
    {
        return;
    }
    const Ptr<TcpSegmentStage> stage =
        listener->stage ? listener->stage->MakeForConnection() : nullptr;
    const auto stream = CreateObject<EngineByteStream>(*this,
                                                       listener->settings,
                                                       FindWay(endpoints.remote).mtu,
                                                       endpoints,
                                                       MakeInitialSequence(endpoints),
                                                       stage);
    m_streams[endpoints] = {stream, {}};
    stream->Listen();
    std::ignore = stream->HandleSegment(header, payload, marked);
}

IpL4Protocol::RxStatus
TcpEngine::Receive(Ptr<Packet> segment, const Ipv6Header& header, Ptr<Ipv6Interface> interface)
{
    const auto taken = Take(segment,
                            ToIpAddress(header.GetSource()),
                            ToIpAddress(header.GetDestination()),
                            header.GetEcn() == Ipv6Header::ECN_CE);
    return taken ? *taken : m_other->Receive(segment, header, interface);
}

Ptr<EngineByteStream>
TcpEngine::FindSender(const IpAddress& source,
                      const IpAddress& destination,
                      const uint8_t* payload) const
{
    const auto known = m_streams.find({source,
                                       destination,
                                       static_cast<uint16_t>(payload[0] << 8 | payload[1]),
                                       static_cast<uint16_t>(payload[2] << 8 | payload[3])});
    return known == m_streams.end() ? nullptr : known->second.stream;
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
    const auto stream =
        FindSender(ToIpAddress(payloadSource), ToIpAddress(payloadDestination), payload);
    if (!stream)
    {
        m_other->ReceiveIcmp(icmpSource,
                             icmpTtl,
                             icmpType,
                             icmpCode,
                             icmpInfo,
                             payloadSource,
                             payloadDestination,
                             payload);
    }
    else if (icmpType == Icmpv4Header::ICMPV4_DEST_UNREACH &&
             icmpCode == Icmpv4DestinationUnreachable::ICMPV4_FRAG_NEEDED)
    {
        stream->HandlePathMtu(icmpInfo);
    }
}

void
TcpEngine::ReceiveIcmp(Ipv6Address icmpSource,
                       uint8_t icmpTtl,
                       uint8_t icmpType,
                       uint8_t icmpCode,
                       uint32_t icmpInfo,
                       Ipv6Address payloadSource,
                       Ipv6Address payloadDestination,
                       const uint8_t payload[8])
{
    const auto stream =
        FindSender(ToIpAddress(payloadSource), ToIpAddress(payloadDestination), payload);
    if (!stream)
    {
        m_other->ReceiveIcmp(icmpSource,
                             icmpTtl,
                             icmpType,
                             icmpCode,
                             icmpInfo,
                             payloadSource,
                             payloadDestination,
                             payload);
    }
    else if (icmpType == Icmpv6Header::ICMPV6_ERROR_PACKET_TOO_BIG)
    {
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
