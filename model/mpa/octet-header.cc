/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/octet-header.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(OctetHeader);

TypeId
OctetHeader::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::OctetHeader").SetParent<Header>().SetGroupName("NfsRdma");
    return tid;
}

TypeId
OctetHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
OctetHeader::Print(std::ostream& stream) const
{
    stream << m_octets.size() << " octets";
}

uint32_t
OctetHeader::GetSerializedSize() const
{
    return static_cast<uint32_t>(m_octets.size());
}

void
OctetHeader::Serialize(Buffer::Iterator start) const
{
    start.Write(m_octets.data(), GetSerializedSize());
}

uint32_t
OctetHeader::Deserialize(Buffer::Iterator /* start */)
{
    return 0;
}

} // namespace ns3::nfsrdma
