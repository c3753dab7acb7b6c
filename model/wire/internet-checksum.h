/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WIRE_INTERNET_CHECKSUM_H
#define NFSRDMA_WIRE_INTERNET_CHECKSUM_H

#include "wire/bytes.h"

#include <boost/endian/conversion.hpp>
#include <cstring>

namespace ns3::nfsrdma
{

/// The checksum of IP, ICMP and TCP, RFC 1071. Every piece but the last has an even length.
class InternetChecksum
{
  public:
    void Add(ByteSpan octets)
    {
        uint64_t sum = 0; // In the machine's byte order: RFC 1071 section 2 (B).
        std::size_t at = 0;
        for (; at + sizeof(uint32_t) <= octets.size(); at += sizeof(uint32_t))
        {
            uint32_t word = 0;
            std::memcpy(&word, octets.data() + at, sizeof(word));
            sum += word;
        }
        m_sum += boost::endian::big_to_native(Fold(sum));
        for (; at + 1 < octets.size(); at += 2)
        {
            m_sum += static_cast<uint32_t>(octets[at] << 8 | octets[at + 1]);
        }
        if (at < octets.size())
        {
            m_sum += static_cast<uint32_t>(octets[at] << 8);
        }
    }

    void AddU16(uint16_t value)
    {
        m_sum += value;
    }

    /// \return the value of the checksum field, which was zero in what has been added.
    [[nodiscard]] uint16_t Finish() const
    {
        return static_cast<uint16_t>(~Fold(m_sum));
    }

  private:
    [[nodiscard]] static uint16_t Fold(uint64_t sum)
    {
        while (sum > 0xffff)
        {
            sum = (sum >> 16) + (sum & 0xffff);
        }
        return static_cast<uint16_t>(sum);
    }

    uint64_t m_sum{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_INTERNET_CHECKSUM_H
