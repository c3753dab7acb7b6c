/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_IPSEC_SECURITY_ASSOCIATION_H
#define NFSRDMA_IPSEC_SECURITY_ASSOCIATION_H

#include "ipsec/aes-gcm.h"
#include "ipsec/esp-packet.h"
#include "ipsec/replay-window.h"

#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <limits>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/// How long a security association lasts (RFC 4301 section 4.4.2.1); 0 of each: without end.
struct AssociationLifetime
{
    uint64_t octets{0};  ///< Of IP packets protected, before they are.
    uint64_t packets{0}; ///< Protected.
    Time time;           ///< Since the association was made.
};

/// What all associations of a host are like.
struct AssociationTraits
{
    EspSuite suite{EspSuite::AES_128_GCM};
    bool extended{false}; ///< Sequence numbers have 64 bits (RFC 4303 section 2.2.1).
    uint32_t replayWindow{64};
    AssociationLifetime soft; ///< Then another is asked for.
    AssociationLifetime hard; ///< Then no more packet is protected.
};

/// Why a packet of ESP was not taken.
enum class EspFailure
{
    MALFORMED, ///< It is none, or hides none.
    REPLAYED,  ///< Its sequence number was seen, or is too old to tell.
    INTEGRITY, ///< Its integrity check value is wrong.
};

/**
 * \brief A security association of ESP (RFC 4301 section 4.1), one way: its sender's copy, which
 * counts sequence numbers, or its receiver's, which has the window against replays.
 *
 * The sequence number never comes back to its beginning (RFC 4303 section 3.3.3): after the last
 * one nothing is protected, and from an eighth of the space before it on the association has passed
 * its soft lifetime. The IV is the whole sequence number, so that none is used twice (RFC 4106
 * section 3.1).
 */
class SecurityAssociation
{
  public:
    /// \param sequence the last number that was used
    SecurityAssociation(uint32_t spi,
                        const EspKey& key,
                        const AssociationTraits& traits,
                        Time made,
                        uint64_t sequence = 0);

    [[nodiscard]] uint32_t GetSpi() const
    {
        return m_spi;
    }

    [[nodiscard]] const EspKey& GetKey() const
    {
        return m_key;
    }

    /// \return the last sequence number used by the sender.
    [[nodiscard]] uint64_t GetSequence() const
    {
        return m_sequence;
    }

    /// \return whether it is time for another: the soft lifetime is over at \p now.
    [[nodiscard]] bool IsSoftExpired(Time now) const;
    /// \return whether nothing more may be protected at \p now.
    [[nodiscard]] bool IsHardExpired(Time now) const;

    /// \return octets of the ESP packet that hides a payload of \p size octets.
    [[nodiscard]] static std::size_t GetSealedSize(std::size_t size)
    {
        return EspPacket::FIXED_SIZE + size + EspPlaintext::GetLeastPadding(size) +
               EspPlaintext::TRAILER_SIZE;
    }

    /**
     * \brief Makes an ESP packet.
     * \param esp GetSealedSize() octets, of which those from GetPayloadOffset() on are the payload
     * \param payload its octets
     * \param packetOctets what counts for the lifetime
     * \return false when the association has ended; \p esp is as it was
     */
    [[nodiscard]] bool Seal(MutableByteSpan esp,
                            std::size_t payload,
                            uint8_t nextHeader,
                            std::size_t packetOctets,
                            Time now);

    [[nodiscard]] static constexpr std::size_t GetPayloadOffset()
    {
        return EspPacket::HEADER_SIZE + EspPacket::IV_SIZE;
    }

    /// Takes the ESP packet \p esp, of this SPI, and decrypts it in place. \return what it hides,
    /// within \p esp
    [[nodiscard]] tl::expected<EspPlaintext, EspFailure> Open(MutableByteSpan esp);

  private:
    [[nodiscard]] bool IsPast(const AssociationLifetime& lifetime, Time now) const;

    [[nodiscard]] uint64_t GetLastSequence() const
    {
        return m_traits.extended ? std::numeric_limits<uint64_t>::max()
                                 : std::numeric_limits<uint32_t>::max();
    }

    /// What is authenticated and not encrypted (RFC 4106 section 5).
    struct Authenticated
    {
        std::array<uint8_t, 12> octets{};
        std::size_t size{0};

        [[nodiscard]] ByteSpan Get() const
        {
            return ByteSpan(octets).first(size);
        }
    };

    [[nodiscard]] Authenticated MakeAuthenticated(uint64_t sequence) const;

    uint32_t m_spi;
    EspKey m_key;
    AssociationTraits m_traits;
    AesGcm m_cipher;
    ReplayWindow m_window;
    Time m_made;
    uint64_t m_sequence;
    uint64_t m_octets{0};
    uint64_t m_packets{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_IPSEC_SECURITY_ASSOCIATION_H
