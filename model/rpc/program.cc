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

bool
RpcProgram::IsIdempotent(uint32_t /* procedure */) const
{
    return true;
}

bool
RpcProgram::IsIdempotentCall(const RpcCallHeader& header,
                             const RpcReceivedMessage& /* message */,
                             uint32_t /* argumentsPosition */) const
{
    return IsIdempotent(header.procedure);
}

RpcMessageLimits
RpcProgram::GetMessageLimits() const
{
    return {};
}

void
RpcProgram::HandleConnectionEnd(uint64_t /*connection*/)
{
}

} // namespace ns3::nfsrdma
