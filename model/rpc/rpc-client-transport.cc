/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/rpc-client-transport.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RpcClientTransport);

TypeId
RpcClientTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RpcClientTransport").SetParent<Object>().SetGroupName("NfsRdma");
    return tid;
}

bool
RpcClientTransport::Cancel(uint32_t /* xid */)
{
    return false;
}

} // namespace ns3::nfsrdma
