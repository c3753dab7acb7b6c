/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/multipath.h"

#include "ns3/abort.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RpcMultipath);

TypeId
RpcMultipath::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::RpcMultipath")
                            .SetParent<RpcClientTransport>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<RpcMultipath>()
                            .AddAttribute("Connections",
                                          "Connections that it is to be made of (count); 0: as "
                                          "who makes it says. Default: 0.",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&RpcMultipath::m_connections),
                                          MakeUintegerChecker<uint32_t>(0, 16));
    return tid;
}

void
RpcMultipath::DoDispose()
{
    m_transports.clear();
    RpcClientTransport::DoDispose();
}

void
RpcMultipath::AddTransport(Ptr<RpcClientTransport> transport)
{
    if (m_transports.empty())
    {
        ShareXids(transport);
    }
    else
    {
        transport->ShareXids(m_transports.front());
    }
    m_transports.push_back(transport);
    m_latest = m_transports.size() - 1;
}

const Ptr<RpcClientTransport>&
RpcMultipath::TakeNext()
{
    const uint64_t total = GetPending();
    do
    {
        m_latest = (m_latest + 1) % m_transports.size();
    } while (uint64_t{m_transports[m_latest]->GetPending()} * m_transports.size() > total);
    return m_transports[m_latest];
}

void
RpcMultipath::Submit(std::unique_ptr<RpcTransportCall> call)
{
    NS_ABORT_MSG_IF(m_transports.empty(), "RpcMultipath has no connection");
    const auto& transport = call->path == RPC_PATH_ANY ? TakeNext() : m_transports.at(call->path);
    call->record.connection = static_cast<uint32_t>(
        std::find(m_transports.begin(), m_transports.end(), transport) - m_transports.begin());
    transport->Submit(std::move(call));
}

uint64_t
RpcMultipath::GetLargestRoom(const RpcReplyEstimate& reply) const
{
    uint64_t least = UINT64_MAX;
    for (const auto& transport : m_transports)
    {
        least = std::min(least, transport->GetLargestRoom(reply));
    }
    return least;
}

void
RpcMultipath::NoteRefusal(const RpcRecord& record, const std::string& reason)
{
    if (!m_transports.empty())
    {
        m_transports.front()->NoteRefusal(record, reason);
    }
}

bool
RpcMultipath::Cancel(uint32_t xid)
{
    return std::any_of(m_transports.begin(), m_transports.end(), [xid](const auto& transport) {
        return transport->Cancel(xid);
    });
}

uint32_t
RpcMultipath::GetPending() const
{
    uint32_t pending = 0;
    for (const auto& transport : m_transports)
    {
        pending += transport->GetPending();
    }
    return pending;
}

std::vector<std::string>
RpcMultipath::DescribeWaiting() const
{
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < m_transports.size(); ++i)
    {
        for (const auto& line : m_transports[i]->DescribeWaiting())
        {
            lines.push_back("connection " + std::to_string(i) + ": " + line);
        }
    }
    return lines;
}

} // namespace ns3::nfsrdma
