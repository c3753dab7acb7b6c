/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ipsec/inline-crypto.h"

#include "link/ethernet-interface.h"
#include "link/ethernet-numbers.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(InlineCrypto);

namespace
{

constexpr std::size_t ETHERNET_SIZE = 14;
constexpr std::size_t ETHERTYPE_AT = 12;

/// \return the IP packet of \p frame; null when it is none.
std::optional<IpPacket>
ReadFrame(ByteSpan frame)
{
    if (frame.size() < ETHERNET_SIZE)
    {
        return std::nullopt;
    }
    const auto type = boost::endian::load_big_u16(frame.data() + ETHERTYPE_AT);
    return type == ETHERTYPE_IPV4 || type == ETHERTYPE_IPV6
               ? IpPacket::Read(frame.subspan(ETHERNET_SIZE))
               : std::nullopt;
}

IpsecDiscard
ToDiscard(EspFailure failure)
{
    switch (failure)
    {
    case EspFailure::REPLAYED:
        return IpsecDiscard::REPLAYED;
    case EspFailure::INTEGRITY:
        return IpsecDiscard::INTEGRITY;
    case EspFailure::MALFORMED:
        break;
    }
    return IpsecDiscard::MALFORMED;
}

Ptr<Packet>
ToPacket(ByteSpan octets)
{
    return Create<Packet>(octets.data(), static_cast<uint32_t>(octets.size()));
}

} // namespace

TypeId
InlineCrypto::GetTypeId()
{
    static TypeId tid = AddAttributes(
        AddAttributes(
            TypeId("ns3::nfsrdma::InlineCrypto")
                .SetParent<FrameStage>()
                .SetGroupName("NfsRdma")
                .AddConstructor<InlineCrypto>()
                .AddTraceSource("Protected",
                                "An IP packet leaves in ESP: its SPI, and its octets before.",
                                MakeTraceSourceAccessor(&InlineCrypto::m_protected),
                                "ns3::nfsrdma::InlineCrypto::PacketTracedCallback")
                .AddTraceSource("Opened",
                                "An authentic packet of ESP has come: its SPI, and the octets of "
                                "the IP packet in it.",
                                MakeTraceSourceAccessor(&InlineCrypto::m_opened),
                                "ns3::nfsrdma::InlineCrypto::PacketTracedCallback")
                .AddTraceSource("Discarded",
                                "A frame is dropped: why.",
                                MakeTraceSourceAccessor(&InlineCrypto::m_discarded),
                                "ns3::nfsrdma::InlineCrypto::DiscardTracedCallback")
                .AddTraceSource("Rekeyed",
                                "An association follows another for sending: SPI before and after.",
                                MakeTraceSourceAccessor(&InlineCrypto::m_rekeyed),
                                "ns3::nfsrdma::InlineCrypto::RekeyTracedCallback")
                .AddTraceSource("AssociationFetched",
                                "The crypto engine has not kept an association: its SPI.",
                                MakeTraceSourceAccessor(&InlineCrypto::m_fetched),
                                "ns3::nfsrdma::InlineCrypto::FetchTracedCallback"),
            IpsecSettings::GetRows(),
            &InlineCrypto::m_settings),
        CryptoEngineSettings::GetRows(),
        &InlineCrypto::m_costs);
    return tid;
}

InlineCrypto::InlineCrypto()
    : m_engine(m_costs)
{
}

void
InlineCrypto::DoDispose()
{
    m_associations.clear();
    m_peers = nullptr;
    FrameStage::DoDispose();
}

void
InlineCrypto::SetPolicy(uint32_t number, std::shared_ptr<const IpsecPeers> peers, uint64_t seed)
{
    m_number = number;
    m_peers = std::move(peers);
    m_seed = seed;
    for (const auto& [address, host] : *m_peers)
    {
        NS_ABORT_MSG_IF(host >= AssociationName::MOST_HOSTS, "too many hosts for SPIs");
        m_numbers.insert(host);
        m_hasIpv6 = m_hasIpv6 || !address.IsIpv4();
    }
}

std::vector<EspKeyRecord>
InlineCrypto::ListKeys() const
{
    std::vector<EspKeyRecord> all;
    for (const auto& [number, peer] : m_associations)
    {
        all.insert(all.end(), peer.keys.begin(), peer.keys.end());
    }
    return all;
}

uint16_t
InlineCrypto::GetOverhead(IpsecSettings::Mode mode, bool ipv6, uint16_t mtu)
{
    if (mode == IpsecSettings::NONE)
    {
        return 0;
    }
    constexpr std::size_t LESS =
        EspPacket::FIXED_SIZE + EspPlaintext::TRAILER_SIZE; // Beside what does not fill a word.
    const std::size_t outer = ipv6 ? IpPacket::IPV6_SIZE : IpPacket::IPV4_SIZE;
    return static_cast<uint16_t>(LESS + mtu % EspPacket::ALIGNMENT +
                                 (mode == IpsecSettings::TUNNEL ? outer : 0));
}

uint16_t
InlineCrypto::GetInnerMtu(uint16_t mtu) const
{
    return static_cast<uint16_t>(mtu - GetOverhead(m_settings.mode, m_hasIpv6, mtu));
}

const uint32_t*
InlineCrypto::FindNumber(const IpAddress& address) const
{
    if (!m_peers)
    {
        return nullptr;
    }
    const auto found = m_peers->find(address);
    return found == m_peers->end() ? nullptr : &found->second;
}

InlineCrypto::Peer&
InlineCrypto::GetPeer(uint32_t number)
{
    const auto found = m_associations.find(number);
    if (found != m_associations.end())
    {
        return found->second;
    }
    const auto traits = m_settings.GetTraits();
    return m_associations
        .emplace(number,
                 Peer{OutboundChain({m_seed, m_number, number, 0}, traits, m_settings.rekeyDelay),
                      InboundChain({m_seed, number, m_number, 0}, traits, m_settings.rekeyOverlap),
                      {},
                      {},
                      0})
        .first->second;
}

void
InlineCrypto::NoteWay(Peer& peer, const IpPacket& packet, const SecurityAssociation& association)
{
    const auto generation = peer.outbound.GetName().generation;
    if (peer.keysOf != generation)
    {
        peer.ways.clear();
        peer.keysOf = generation;
    }
    if (peer.ways.insert({packet.source, packet.destination}).second)
    {
        peer.keys.push_back({packet.source,
                             packet.destination,
                             association.GetSpi(),
                             m_settings.suite,
                             association.GetKey()});
    }
}

void
InlineCrypto::Discard(IpsecDiscard reason)
{
    ++m_counters.discarded.at(static_cast<std::size_t>(reason));
    m_discarded(reason);
}

std::optional<Time>
InlineCrypto::Pass(CryptoEngine::Direction direction,
                   uint32_t receiver,
                   uint32_t spi,
                   uint64_t octets,
                   Time now)
{
    constexpr unsigned SPI_BITS = 32;
    const uint64_t association = uint64_t{receiver} << SPI_BITS | spi;
    const auto misses = m_engine.GetMisses();
    auto done = m_engine.Pass(direction, association, static_cast<uint32_t>(octets), now);
    if (m_engine.GetMisses() != misses)
    {
        m_fetched(spi);
    }
    return done;
}

Ptr<Packet>
InlineCrypto::Protect(SecurityAssociation& association,
                      ByteSpan frame,
                      const IpPacket& packet,
                      Time now)
{
    const bool isTunnel = m_settings.mode == IpsecSettings::TUNNEL;
    const auto whole = frame.subspan(ETHERNET_SIZE, packet.length);
    const std::size_t header = isTunnel ? packet.GetOuterSize() : packet.headerSize;
    const auto payload = isTunnel ? whole : whole.subspan(packet.headerSize);
    const uint8_t tunnelled = packet.source.IsIpv4() ? IpPacket::IPV4_IN_IP : IpPacket::IPV6_IN_IP;
    const std::size_t sealed = SecurityAssociation::GetSealedSize(payload.size());
    m_octets.resize(ETHERNET_SIZE + header + sealed);
    const MutableByteSpan out(m_octets);
    const auto outPacket = out.subspan(ETHERNET_SIZE);
    const auto esp = outPacket.subspan(header);
    std::copy_n(frame.begin(), ETHERNET_SIZE, out.begin());
    std::copy(payload.begin(),
              payload.end(),
              esp.begin() + static_cast<std::ptrdiff_t>(SecurityAssociation::GetPayloadOffset()));
    if (!association
             .Seal(esp, payload.size(), isTunnel ? tunnelled : packet.protocol, packet.length, now))
    {
        Discard(IpsecDiscard::EXPIRED);
        return nullptr;
    }
    if (isTunnel)
    {
        IpPacket::WriteOuter(outPacket, whole);
    }
    else
    {
        std::copy_n(whole.begin(), header, outPacket.begin());
        IpPacket::SetPayload(outPacket, header, IpPacket::ESP);
    }
    ++m_counters.protectedPackets;
    m_counters.protectedOctets += packet.length;
    m_protected(association.GetSpi(), static_cast<uint32_t>(packet.length));
    return ToPacket(out);
}

bool
InlineCrypto::Send(EthernetInterface& interface, const Ptr<Packet>& frame, Time arrives)
{
    ByteVector octets(frame->GetSize());
    frame->CopyData(octets.data(), frame->GetSize());
    const auto packet = ReadFrame(octets);
    const auto* const number =
        packet && !packet->isDiscovery ? FindNumber(packet->destination) : nullptr;
    if (number == nullptr)
    {
        return interface.SendBeneath(frame, arrives);
    }
    if (packet->isFragment && m_settings.mode == IpsecSettings::TRANSPORT)
    {
        Discard(IpsecDiscard::FRAGMENT);
        return false;
    }
    auto& peer = GetPeer(*number);
    const uint32_t before = peer.outbound.GetName().GetSpi();
    auto& association = peer.outbound.GetCurrent(arrives);
    if (association.GetSpi() != before)
    {
        ++m_counters.rekeys;
        m_rekeyed(before, association.GetSpi());
    }
    NoteWay(peer, *packet, association);
    const auto sealed = Protect(association, octets, *packet, arrives);
    if (!sealed)
    {
        return false;
    }
    const auto done =
        Pass(CryptoEngine::ENCRYPT, *number, association.GetSpi(), packet->length, arrives);
    return interface.SendBeneath(sealed, done.value_or(arrives));
}

Ptr<Packet>
InlineCrypto::Unwrap(MutableByteSpan frame,
                     const IpPacket& packet,
                     const EspPlaintext& plaintext,
                     uint32_t sender)
{
    const bool isTunnel = plaintext.nextHeader == IpPacket::IPV4_IN_IP ||
                          plaintext.nextHeader == IpPacket::IPV6_IN_IP;
    if (isTunnel != (m_settings.mode == IpsecSettings::TUNNEL))
    {
        Discard(IpsecDiscard::MISMATCH);
        return nullptr;
    }
    const std::size_t kept = ETHERNET_SIZE + (isTunnel ? 0 : packet.headerSize);
    m_octets.resize(kept + plaintext.payload.size());
    const MutableByteSpan out(m_octets);
    std::copy_n(frame.begin(), kept, out.begin());
    std::copy(plaintext.payload.begin(),
              plaintext.payload.end(),
              out.begin() + static_cast<std::ptrdiff_t>(kept));
    const auto inner = out.subspan(ETHERNET_SIZE);
    if (!isTunnel)
    {
        IpPacket::SetPayload(inner, packet.headerSize, plaintext.nextHeader);
    }
    const auto read = IpPacket::Read(inner);
    if (!read)
    {
        Discard(IpsecDiscard::MALFORMED);
        return nullptr;
    }
    const auto* const number = FindNumber(read->source);
    if (number == nullptr || *number != sender)
    {
        Discard(IpsecDiscard::MISMATCH);
        return nullptr;
    }
    if (isTunnel && !IpPacket::LeaveTunnel(frame.subspan(ETHERNET_SIZE), inner))
    {
        Discard(IpsecDiscard::MALFORMED);
        return nullptr;
    }
    ++m_counters.openedPackets;
    m_counters.openedOctets += read->length;
    return ToPacket(out);
}

std::optional<InlineCrypto::Arrival>
InlineCrypto::FindArrival(ByteSpan frame, const IpPacket& packet, Time now)
{
    constexpr unsigned GENERATION_BITS = 16;
    const std::size_t begin = ETHERNET_SIZE + packet.headerSize;
    const std::size_t size = packet.length - packet.headerSize;
    const auto decoded = EspPacket::Decode(frame.subspan(begin, size));
    if (!decoded || packet.isFragment)
    {
        Discard(IpsecDiscard::MALFORMED);
        return std::nullopt;
    }
    const uint32_t sender = (decoded->spi >> GENERATION_BITS) - 1;
    auto* const chain = m_numbers.count(sender) != 0 ? &GetPeer(sender).inbound : nullptr;
    auto* const association = chain != nullptr ? chain->Find(decoded->spi, now) : nullptr;
    if (association == nullptr)
    {
        Discard(IpsecDiscard::NO_ASSOCIATION);
        return std::nullopt;
    }
    return Arrival{begin, size, sender, *chain, *association};
}

Ptr<Packet>
InlineCrypto::Open(MutableByteSpan frame, const IpPacket& packet, const Arrival& arrival, Time now)
{
    InboundChain& chain = arrival.chain;
    const uint32_t spi = arrival.association.GetSpi();
    const auto plaintext = arrival.association.Open(frame.subspan(arrival.begin, arrival.size));
    if (!plaintext)
    {
        Discard(ToDiscard(plaintext.error()));
        return nullptr;
    }
    const auto rekeys = chain.GetRekeys();
    chain.Used(arrival.association, now);
    m_counters.rekeysReceiving += chain.GetRekeys() - rekeys;
    if (plaintext->nextHeader == EspPlaintext::NO_NEXT_HEADER)
    {
        ++m_counters.dummies;
        return nullptr;
    }
    auto opened = Unwrap(frame, packet, *plaintext, arrival.sender);
    if (opened)
    {
        m_opened(spi, static_cast<uint32_t>(opened->GetSize() - ETHERNET_SIZE));
    }
    return opened;
}

void
InlineCrypto::Receive(EthernetInterface& interface,
                      const Ptr<Packet>& frame,
                      NetDevice::PacketType type)
{
    ByteVector octets(frame->GetSize());
    frame->CopyData(octets.data(), frame->GetSize());
    const auto packet = ReadFrame(octets);
    if (!packet || packet->isDiscovery)
    {
        interface.DeliverAbove(frame, type);
        return;
    }
    if (packet->protocol != IpPacket::ESP)
    {
        if (FindNumber(packet->source) != nullptr && type == NetDevice::PACKET_HOST)
        {
            Discard(IpsecDiscard::UNPROTECTED);
            return;
        }
        interface.DeliverAbove(frame, type);
        return;
    }
    const Time now = Simulator::Now();
    const auto arrival = FindArrival(octets, *packet, now);
    if (!arrival)
    {
        return;
    }
    const auto done =
        Pass(CryptoEngine::DECRYPT, m_number, arrival->association.GetSpi(), packet->length, now);
    if (!done)
    {
        Discard(IpsecDiscard::OVERFLOWED);
        return;
    }
    const auto opened = Open(octets, *packet, *arrival, now);
    if (!opened)
    {
        return;
    }
    if (*done > now)
    {
        Simulator::Schedule(*done - now,
                            &InlineCrypto::DeliverLater,
                            this,
                            Ptr<EthernetInterface>(&interface),
                            opened,
                            type);
        return;
    }
    interface.DeliverAbove(opened, type);
}

void
InlineCrypto::DeliverLater(Ptr<EthernetInterface> interface,
                           Ptr<Packet> frame,
                           NetDevice::PacketType type)
{
    interface->DeliverAbove(frame, type);
}

} // namespace ns3::nfsrdma
