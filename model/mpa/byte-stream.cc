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
    m_end = EndCallback();
    Object::DoDispose();
}

} // namespace ns3::nfsrdma
