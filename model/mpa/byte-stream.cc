/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/byte-stream.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ByteStream);

TypeId
ByteStream::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::ByteStream").SetParent<Object>().SetGroupName("NfsRdma");
    return tid;
}

void
ByteStream::SetEstablishedCallback(EstablishedCallback callback)
{
    m_established = callback;
}

void
ByteStream::SetReceiveCallback(ReceiveCallback callback)
{
    m_receive = callback;
}

void
ByteStream::SetSpaceCallback(SpaceCallback callback)
{
    m_space = callback;
}

void
ByteStream::SetSegmentCallback(SegmentCallback callback)
{
    m_segment = callback;
}

void
ByteStream::SetEmssCallback(EmssCallback callback)
{
    m_emss = callback;
}

uint32_t
ByteStream::GetUnitRoom() const
{
    return GetEmss();
}

uint32_t
ByteStream::GetOutOfOrderOctets() const
{
    return 0;
}

void
ByteStream::SetEndCallback(EndCallback callback)
{
    m_end = callback;
}

void
ByteStream::DoDispose()
{
    m_established = EstablishedCallback();
    m_receive = ReceiveCallback();
    m_space = SpaceCallback();
    m_segment = SegmentCallback();
    m_emss = EmssCallback();
    m_end = EndCallback();
    Object::DoDispose();
}

} // namespace ns3::nfsrdma
