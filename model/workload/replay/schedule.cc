/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/schedule.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

ReplaySchedule::ReplaySchedule(std::shared_ptr<const Trace> trace, uint32_t client)
    : m_trace(std::move(trace))
{
    for (std::size_t i = 0; i < m_trace->rows.size(); ++i)
    {
        if (m_trace->rows[i].client == client)
        {
            m_rows.push_back(i);
        }
    }
    m_done.resize(m_rows.size(), false);
    for (std::size_t i = 0; i < m_rows.size(); ++i)
    {
        if (GetRow(i).replyTime)
        {
            m_byReply.push_back(i);
        }
    }
    const auto key = [this](std::size_t i) { return std::make_pair(*GetRow(i).replyTime, i); };
    std::sort(m_byReply.begin(), m_byReply.end(), [&key](std::size_t a, std::size_t b) {
        return key(a) < key(b);
    });
    std::size_t needed = 0;
    for (std::size_t i = 0; i < m_rows.size(); ++i)
    {
        const auto call = std::make_pair(GetRow(i).time, i);
        while (needed < m_byReply.size() && key(m_byReply[needed]) < call)
        {
            ++needed;
        }
        m_needed.push_back(needed);
    }
}

const TraceRow&
ReplaySchedule::GetBlocker(std::size_t index) const
{
    NS_ASSERT(!MayStart(index));
    return GetRow(m_byReply[m_donePrefix]);
}

void
ReplaySchedule::Complete(std::size_t index)
{
    NS_ASSERT(!m_done[index]);
    m_done[index] = true;
    ++m_completed;
    while (m_donePrefix < m_byReply.size() && m_done[m_byReply[m_donePrefix]])
    {
        ++m_donePrefix;
    }
}

} // namespace ns3::nfsrdma
