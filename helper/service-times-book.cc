/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/service-times-book.h"

#include <algorithm>

namespace ns3::nfsrdma
{

void
ServiceTimesBook::Watch(const Ptr<RpcRdmaServer>& server)
{
    server->TraceConnectWithoutContext("Replied", MakeCallback(&ServiceTimesBook::Note, this));
}

void
ServiceTimesBook::Watch(const Ptr<RpcTcpServer>& server)
{
    server->TraceConnectWithoutContext("Replied", MakeCallback(&ServiceTimesBook::Note, this));
}

void
ServiceTimesBook::Note(const RpcServiceTimes& times)
{
    m_replies[{times.client, times.xid}].push_back(times);
}

std::optional<RpcServiceTimes>
ServiceTimesBook::Take(const std::vector<IpAddress>& client, const RpcRecord& record)
{
    auto found = m_replies.end();
    for (auto address = client.begin(); address != client.end() && found == m_replies.end();
         ++address)
    {
        found = m_replies.find({*address, record.xid});
    }
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
