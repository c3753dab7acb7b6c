/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WIRE_IP_ADDRESS_H
#define NFSRDMA_WIRE_IP_ADDRESS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief An address of IPv4 or IPv6, as a value.
 *
 * One of IPv4 is kept as an IPv4-mapped one of IPv6 (RFC 4291 section 2.5.5.2): they are ordered by
 * number among each other, and none is equal to one of IPv6.
 */
class IpAddress
{
  public:
    using Octets = std::array<uint8_t, 16>;

    /// The any address of IPv4.
    constexpr IpAddress() = default;

    /// \return the any address of IPv6.
    [[nodiscard]] static constexpr IpAddress GetAnyIpv6()
    {
        return IpAddress(Octets{});
    }

    /// \param ipv4 an address of IPv4 in host order
    constexpr IpAddress(uint32_t ipv4) // NOLINT: a number stands for an address
        : m_low(MAPPED | ipv4)
    {
    }

    /// \param octets an address of IPv6 as on the wire
    explicit constexpr IpAddress(const Octets& octets)
        : m_high(Read(octets, 0)),
          m_low(Read(octets, HALF))
    {
    }

    [[nodiscard]] constexpr bool IsIpv4() const
    {
        return m_high == 0 && (m_low & ~uint64_t{UINT32_MAX}) == MAPPED;
    }

    /// \return whether it is in 127.0.0.0/8, or ::1.
    [[nodiscard]] constexpr bool IsLoopback() const
    {
        constexpr uint64_t NET = 0x7f00'0000U;
        constexpr uint64_t MASK = 0xff00'0000U;
        return IsIpv4() ? (m_low & MASK) == NET : m_high == 0 && m_low == 1;
    }

    /// \return what \p text is in dotted decimal or in hexadecimal and colons; nothing when it is
    /// neither.
    [[nodiscard]] static std::optional<IpAddress> Parse(const std::string& text);
    /// \return "192.0.2.1", or "2001:db8::1" as RFC 5952 writes it.
    [[nodiscard]] std::string ToString() const;

    /// \return the address in host order, when it is one of IPv4.
    [[nodiscard]] constexpr uint32_t GetIpv4() const
    {
        return static_cast<uint32_t>(m_low);
    }

    /// \return the address of IPv6 as on the wire; that of IPv4 mapped.
    [[nodiscard]] constexpr Octets GetOctets() const
    {
        constexpr unsigned OCTET_BITS = 8;
        Octets octets{};
        for (std::size_t i = 0; i < HALF; ++i)
        {
            const auto shift = static_cast<unsigned>(HALF - 1 - i) * OCTET_BITS;
            octets[i] = static_cast<uint8_t>(m_high >> shift);
            octets[HALF + i] = static_cast<uint8_t>(m_low >> shift);
        }
        return octets;
    }

    /// \return the halves of the address of IPv6, as numbers; that of IPv4 mapped.
    [[nodiscard]] constexpr uint64_t GetHigh() const
    {
        return m_high;
    }

    [[nodiscard]] constexpr uint64_t GetLow() const
    {
        return m_low;
    }

    friend constexpr bool operator==(const IpAddress& a, const IpAddress& b)
    {
        return a.m_high == b.m_high && a.m_low == b.m_low;
    }

    friend constexpr bool operator!=(const IpAddress& a, const IpAddress& b)
    {
        return !(a == b);
    }

    friend constexpr bool operator<(const IpAddress& a, const IpAddress& b)
    {
        return a.m_high != b.m_high ? a.m_high < b.m_high : a.m_low < b.m_low;
    }

  private:
    static constexpr std::size_t HALF = 8;
    static constexpr uint64_t MAPPED = 0xffff'0000'0000U;

    static constexpr uint64_t Read(const Octets& octets, std::size_t begin)
    {
        constexpr unsigned OCTET_BITS = 8;
        uint64_t number = 0;
        for (std::size_t i = begin; i < begin + HALF; ++i)
        {
            number = number << OCTET_BITS | octets[i];
        }
        return number;
    }

    uint64_t m_high{0};
    uint64_t m_low{MAPPED};
};

/// Writes IpAddress::ToString().
std::ostream& operator<<(std::ostream& stream, const IpAddress& address);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_IP_ADDRESS_H
