/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_OCTET_HEADER_H
#define NFSRDMA_MPA_OCTET_HEADER_H

#include "wire/bytes.h"

#include "ns3/header.h"

namespace ns3::nfsrdma
{

/// A header that is there as octets, to be put in front of a packet; it cannot be read back.
class OctetHeader : public Header
{
  public:
    static TypeId GetTypeId();

    /// \param octets outlive this
    explicit OctetHeader(ByteSpan octets)
        : m_octets(octets)
    {
    }

    // Header
    [[nodiscard]] TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& stream) const override;
    [[nodiscard]] uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

  private:
    ByteSpan m_octets;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_OCTET_HEADER_H
