/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/connection-end.h"

#include "rnic/hardware/injected-faults.h"

namespace ns3::nfsrdma
{

namespace
{

std::string
DescribeDisconnection(std::optional<StreamEnd> end)
{
    if (!end)
    {
        return "the queue pair has failed";
    }
    switch (*end)
    {
    case StreamEnd::GRACEFUL:
        return "closed by the other host (FIN)";
    case StreamEnd::RESET:
        return "reset by the other host (RST)";
    case StreamEnd::FAILED:
        break;
    }
    return "given up by TCP without an answer (tcp.data_retries)";
}

} // namespace

std::string
DescribeEnd(const CmEvent& event)
{
    switch (event.type)
    {
    case CmEventType::DISCONNECTED:
        return DescribeDisconnection(event.streamEnd);
    case CmEventType::UNREACHABLE:
        return "no connection: TCP was refused or had no answer (tcp.connect_attempts)";
    case CmEventType::REJECTED:
        return "no connection: the other host rejected it";
    case CmEventType::CONNECT_ERROR:
        return "no connection: MPA's startup failed (rnic.mpa_reply_timeout or "
               "mpa_request_timeout)";
    case CmEventType::DEVICE_REMOVAL:
        return "the RNIC is gone";
    case CmEventType::ADDR_CHANGE:
        return "the bond has another hardware address";
    case CmEventType::CONNECT_REQUEST:
    case CmEventType::ESTABLISHED:
        break;
    }
    return ToString(event.type);
}

std::string
DescribeMissingObjects(RnicDevice& device)
{
    return device.GetFaults().HasFailed()
               ? "the RNIC is gone"
               : "the RNIC has no verbs objects left (rnic.max_qps or max_cqs or max_pds)";
}

} // namespace ns3::nfsrdma
