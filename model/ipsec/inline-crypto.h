/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_IPSEC_INLINE_CRYPTO_H
#define NFSRDMA_IPSEC_INLINE_CRYPTO_H

#include "ipsec/association-chain.h"
#include "ipsec/crypto-engine.h"
#include "ipsec/ip-packet.h"
#include "ipsec/protection-settings.h"
#include "link/frame-stage.h"
#include "wire/bytes.h"
#include "wire/ip-address.h"

#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/// Which hosts protect what they send to each other: the number of each, by its addresses.
using IpsecPeers = std::map<IpAddress, uint32_t>;

/// Why a frame did not pass.
enum class IpsecDiscard
{
    NO_ASSOCIATION, ///< ESP of an SPI that receives nothing.
    REPLAYED,       ///< A sequence number seen before, or too old to tell.
    INTEGRITY,      ///< A wrong integrity check value.
    MALFORMED,      ///< No ESP, or nothing sound in it.
    MISMATCH,    ///< What it hides is of another host than the association (RFC 4301 section 5.2).
    UNPROTECTED, ///< In clear, of a host that protects.
    EXPIRED,     ///< It was to leave, and the association has ended.
    FRAGMENT,    ///< It was to leave in transport mode, which takes no fragments (RFC 4303 3.3.4).
    OVERFLOWED,  ///< No room before the crypto engine.
};

/// How many there are.
constexpr std::size_t IPSEC_DISCARDS = static_cast<std::size_t>(IpsecDiscard::OVERFLOWED) + 1;

struct IpsecCounters
{
    uint64_t protectedPackets{0};
    uint64_t protectedOctets{0}; ///< Of IP packets, before.
    uint64_t openedPackets{0};
    uint64_t openedOctets{0}; ///< Of IP packets, after.
    uint64_t dummies{0};      ///< Packets of no content (RFC 4303 section 2.6).
    std::array<uint64_t, IPSEC_DISCARDS> discarded{};
    uint64_t rekeys{0};          ///< Of associations that send.
    uint64_t rekeysReceiving{0}; ///< Of associations that receive.

    [[nodiscard]] uint64_t GetDiscarded(IpsecDiscard reason) const
    {
        return discarded.at(static_cast<std::size_t>(reason));
    }
};

/// An association and its key, for who shall read what it protects.
struct EspKeyRecord
{
    IpAddress source;
    IpAddress destination;
    uint32_t spi{0};
    EspSuite suite{EspSuite::AES_128_GCM};
    EspKey key;
};

/**
 * \brief IPsec in an adapter (RFC 4301, ESP of RFC 4303 with AES-GCM): the stage of its interfaces
 * that protects frames to hosts with a policy, and opens those that come from them, beneath all TCP
 * of the host.
 *
 *                      to or from a host of IpsecPeers        any other
 *     leaves           protected                              in clear
 *     comes as ESP     opened, or dropped                     dropped: no association
 *     comes in clear   dropped                                taken
 *
 * ARP, LACP and all else that is no IP, and discovery of IPv6, pass in clear. Associations are made
 * when first used, without a message (DeriveEspKey()). The MTU of the host is less by what
 * protection adds, so that no frame becomes too large, for all that it sends: nothing is
 * fragmented. In transport mode the ECN field stays in sight; a tunnel copies it (RFC 6040). ICMP
 * errors about protected packets are not acted on, as they are not authentic (RFC 4301 section
 * 8.2.1).
 */
class InlineCrypto : public FrameStage
{
  public:
    static TypeId GetTypeId();

    InlineCrypto();

    /// Makes it host \p number of \p peers. \param seed of all keys
    void SetPolicy(uint32_t number, std::shared_ptr<const IpsecPeers> peers, uint64_t seed);

    [[nodiscard]] const IpsecSettings& GetSettings() const
    {
        return m_settings;
    }

    [[nodiscard]] const IpsecCounters& GetCounters() const
    {
        return m_counters;
    }

    [[nodiscard]] const CryptoEngine& GetEngine() const
    {
        return m_engine;
    }

    /// \return the associations by which the host has sent, in the order of their receivers.
    [[nodiscard]] std::vector<EspKeyRecord> ListKeys() const;

    /// \return octets by which protection makes a packet longer at most, with outer headers of IPv6
    /// in \p ipv6.
    [[nodiscard]] static uint16_t GetOverhead(IpsecSettings::Mode mode, bool ipv6, uint16_t mtu);

    // FrameStage
    [[nodiscard]] uint16_t GetInnerMtu(uint16_t mtu) const override;
    bool Send(EthernetInterface& interface, const Ptr<Packet>& frame, Time arrives) override;
    void Receive(EthernetInterface& interface,
                 const Ptr<Packet>& frame,
                 NetDevice::PacketType type) override;

    /// TracedCallback signature of Protected and Opened.
    typedef void (*PacketTracedCallback)(uint32_t spi, uint32_t octets);
    /// TracedCallback signature of Discarded.
    typedef void (*DiscardTracedCallback)(IpsecDiscard reason);
    /// TracedCallback signature of Rekeyed.
    typedef void (*RekeyTracedCallback)(uint32_t before, uint32_t after);
    /// TracedCallback signature of AssociationFetched.
    typedef void (*FetchTracedCallback)(uint32_t spi);

  protected:
    void DoDispose() override;

  private:
    /// What is between this host and another.
    struct Peer
    {
        OutboundChain outbound;
        InboundChain inbound;
        /// Between which addresses the association in use has sent.
        std::set<std::pair<IpAddress, IpAddress>> ways;
        std::vector<EspKeyRecord> keys; ///< Of all that have sent.
        uint32_t keysOf{0};             ///< The generation that ways is of.
    };

    /// A packet of ESP that has come.
    struct Arrival
    {
        std::size_t begin{0}; ///< Of ESP, in the frame.
        std::size_t size{0};  ///< Of ESP.
        uint32_t sender{0};   ///< Number of the host.
        InboundChain& chain;
        SecurityAssociation& association;
    };

    [[nodiscard]] const uint32_t* FindNumber(const IpAddress& address) const;
    [[nodiscard]] Peer& GetPeer(uint32_t number);
    void NoteWay(Peer& peer, const IpPacket& packet, const SecurityAssociation& association);
    /// \return the frame that protects the IP packet \p packet of \p frame; null: it is dropped.
    [[nodiscard]] Ptr<Packet> Protect(SecurityAssociation& association,
                                      ByteSpan frame,
                                      const IpPacket& packet,
                                      Time now);
    /// \return the association of \p frame, of ESP; nothing: there is none, and it is dropped
    [[nodiscard]] std::optional<Arrival> FindArrival(ByteSpan frame,
                                                     const IpPacket& packet,
                                                     Time now);
    /// \return the frame that \p frame, of ESP, protects; null: it is dropped, or a dummy.
    [[nodiscard]] Ptr<Packet> Open(MutableByteSpan frame,
                                   const IpPacket& packet,
                                   const Arrival& arrival,
                                   Time now);
    [[nodiscard]] Ptr<Packet> Unwrap(MutableByteSpan frame,
                                     const IpPacket& packet,
                                     const EspPlaintext& plaintext,
                                     uint32_t sender);
    /// \param receiver number of the host that the packet is for: a host uses one SPI towards all
    /// \return when the crypto engine has done with a packet; nothing when it has no room for it
    [[nodiscard]] std::optional<Time> Pass(CryptoEngine::Direction direction,
                                           uint32_t receiver,
                                           uint32_t spi,
                                           uint64_t octets,
                                           Time now);
    void Discard(IpsecDiscard reason);
    void DeliverLater(Ptr<EthernetInterface> interface,
                      Ptr<Packet> frame,
                      NetDevice::PacketType type);

    IpsecSettings m_settings;
    CryptoEngineSettings m_costs;
    CryptoEngine m_engine;
    uint32_t m_number{0};
    uint64_t m_seed{0};
    std::shared_ptr<const IpsecPeers> m_peers;
    std::set<uint32_t> m_numbers; ///< Of them.
    bool m_hasIpv6{false};
    std::map<uint32_t, Peer> m_associations; ///< By the number of the other host.
    IpsecCounters m_counters;
    ByteVector m_octets;

    TracedCallback<uint32_t, uint32_t> m_protected;
    TracedCallback<uint32_t, uint32_t> m_opened;
    TracedCallback<IpsecDiscard> m_discarded;
    TracedCallback<uint32_t, uint32_t> m_rekeyed;
    TracedCallback<uint32_t> m_fetched;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_IPSEC_INLINE_CRYPTO_H
