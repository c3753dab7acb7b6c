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
ByteStream::DoDispose()
{
    m_callbacks = {};
    m_segment = SegmentCallback();
    Object::DoDispose();
}

} // namespace ns3::nfsrdma
