/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/service-times-book.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

uint64_t
MakeKey(uint64_t client, uint32_t xid)
{
    constexpr uint32_t XID_BITS = 32;
    return client << XID_BITS | xid;
}

} // namespace

void
ServiceTimesBook::Watch(const Ptr<RpcRdmaServer>& server)
{
    server->TraceConnectWithoutContext("Replied", MakeCallback(&ServiceTimesBook::Note, this));
}

void
ServiceTimesBook::Note(const RpcServiceTimes& times)
{
    m_replies[MakeKey(times.client, times.xid)].push_back(times);
}

std::optional<RpcServiceTimes>
ServiceTimesBook::Take(Ipv4Address client, const RpcRecord& record)
{
    const auto found = m_replies.find(MakeKey(client.Get(), record.xid));
    if (found == m_replies.end())
    {
        return std::nullopt;
    }
    const auto& replies = found->second;
    const auto reply =
        std::find_if(replies.rbegin(), replies.rend(), [&record](const RpcServiceTimes& times) {
            return times.arrived >= record.sent && times.posted <= record.replied;
        });
    auto times = reply == replies.rend() ? std::nullopt : std::optional<RpcServiceTimes>(*reply);
    m_replies.erase(found);
    return times;
}

} // namespace ns3::nfsrdma
