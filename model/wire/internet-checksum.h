/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WIRE_INTERNET_CHECKSUM_H
#define NFSRDMA_WIRE_INTERNET_CHECKSUM_H

#include "wire/bytes.h"

namespace ns3::nfsrdma
{

/// The checksum of IP, ICMP and TCP, RFC 1071. Every piece but the last has an even length.
class InternetChecksum
{
  public:
    void Add(ByteSpan octets)
    {
        for (std::size_t i = 0; i + 1 < octets.size(); i += 2)
        {
            m_sum += static_cast<uint32_t>(octets[i] << 8 | octets[i + 1]);
        }
        if (octets.size() % 2 != 0)
        {
            m_sum += static_cast<uint32_t>(octets[octets.size() - 1] << 8);
        }
    }

    void AddU16(uint16_t value)
    {
        m_sum += value;
    }

    /// \return the value of the checksum field, which was zero in what has been added.
    [[nodiscard]] uint16_t Finish() const
    {
        uint64_t sum = m_sum;
        while (sum > 0xffff)
        {
            sum = (sum >> 16) + (sum & 0xffff);
        }
        return static_cast<uint16_t>(~sum);
    }

  private:
    uint64_t m_sum{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_INTERNET_CHECKSUM_H
