/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/connection-end.h"

namespace ns3::nfsrdma
{

std::string
DescribeEnd(CmEventType type)
{
    switch (type)
    {
    case CmEventType::DISCONNECTED:
        return "closed by the other host or given up by TCP (tcp.data_retries)";
    case CmEventType::UNREACHABLE:
        return "no connection: TCP was refused or had no answer (tcp.connect_attempts)";
    case CmEventType::REJECTED:
        return "no connection: the other host rejected it";
    case CmEventType::CONNECT_ERROR:
        return "no connection: MPA's startup failed (rnic.mpa_reply_timeout or "
               "mpa_request_timeout)";
    case CmEventType::DEVICE_REMOVAL:
        return "the RNIC is gone";
    case CmEventType::CONNECT_REQUEST:
    case CmEventType::ESTABLISHED:
        break;
    }
    return ToString(type);
}

} // namespace ns3::nfsrdma
