/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/record.h"

#include "wire/name-of.h"

namespace ns3::nfsrdma
{

const char*
ToString(RpcOutcome outcome)
{
    return NameOf(outcome,
                  {{RpcOutcome::SUCCESS, "SUCCESS"},
                   {RpcOutcome::REJECTED, "REJECTED"},
                   {RpcOutcome::TRANSPORT_ERROR, "TRANSPORT_ERROR"},
                   {RpcOutcome::BAD_REPLY, "BAD_REPLY"},
                   {RpcOutcome::DISCONNECTED, "DISCONNECTED"},
                   {RpcOutcome::TIMED_OUT, "TIMED_OUT"},
                   {RpcOutcome::CANCELLED, "CANCELLED"}},
                  "UNKNOWN");
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
