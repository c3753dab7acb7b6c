/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/client-transport.h"

#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RpcClientTransport);

TypeId
RpcClientTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RpcClientTransport")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddAttribute("FirstXid",
                          "XID of the next call; the following ones count up from it.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RpcClientTransport::m_nextXid),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
RpcClientTransport::DoDispose()
{
    m_xids = nullptr;
    Object::DoDispose();
}

uint64_t
RpcClientTransport::GetLargestRoom(const RpcReplyEstimate& /* reply */) const
{
    return UINT64_MAX;
}

} // namespace ns3::nfsrdma
