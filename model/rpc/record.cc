/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/record.h"

namespace ns3::nfsrdma
{

const char*
ToString(RpcOutcome outcome)
{
    switch (outcome)
    {
    case RpcOutcome::SUCCESS:
        return "SUCCESS";
    case RpcOutcome::REJECTED:
        return "REJECTED";
    case RpcOutcome::TRANSPORT_ERROR:
        return "TRANSPORT_ERROR";
    case RpcOutcome::BAD_REPLY:
        return "BAD_REPLY";
    case RpcOutcome::DISCONNECTED:
        return "DISCONNECTED";
    case RpcOutcome::TIMED_OUT:
        return "TIMED_OUT";
    case RpcOutcome::CANCELLED:
        return "CANCELLED";
    }
    return "UNKNOWN";
}

std::string
RpcRecord::GetForm() const
{
    std::string form = callType == 0 ? "msg" : "nomsg";
    if (readSegments > 0)
    {
        form += "+R";
    }
    if (writeChunks > 0)
    {
        form += "+W";
    }
    if (replySegments > 0)
    {
        form += "+reply";
    }
    if (replyReadSegments > 0)
    {
        form += "/read";
    }
    else if (writeChunks == 0 && replySegments == 0)
    {
        form += "/inline";
    }
    return form;
}

} // namespace ns3::nfsrdma
