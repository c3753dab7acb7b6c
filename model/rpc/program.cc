/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/program.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RpcProgram);

TypeId
RpcProgram::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RpcProgram").SetParent<Object>().SetGroupName("NfsRdma");
    return tid;
}

} // namespace ns3::nfsrdma
