/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/data-items.h"

#include <limits>

namespace ns3::nfsrdma
{

Nfs4DataItems::Nfs4DataItems(const RpcReceivedMessage& received)
    : m_received(&received)
{
}

Nfs4DataItems
Nfs4DataItems::OfCall(const RpcReceivedMessage& received, uint32_t start)
{
    Nfs4DataItems items(received);
    items.m_isCall = true;
    items.m_start = start;
    return items;
}

Nfs3Data
Nfs4DataItems::Decode(XdrReader& reader)
{
    const std::size_t position = m_start + m_pulled + reader.Position() + 4;
    const std::vector<RpcReceivedItem>& items = m_received->items;
    const bool reduced = m_isCall ? m_next < items.size() && items[m_next].position == position
                                  : m_received->IsReduced(m_next);
    const Nfs3Data data =
        Nfs3Data::Decode(reader,
                         reduced ? items[m_next].length : std::numeric_limits<uint32_t>::max(),
                         reduced);
    if (reduced)
    {
        m_pulled += RoundUp4(data.length);
    }
    if (reduced || !m_isCall)
    {
        ++m_next;
    }
    return data;
}

void
Nfs4DataItems::Skip()
{
    if (!m_isCall)
    {
        ++m_next;
    }
}

} // namespace ns3::nfsrdma
