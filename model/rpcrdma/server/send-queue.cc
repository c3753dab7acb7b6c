/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/send-queue.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaSvcRdmaSendQueue");

namespace
{

/// Wait before work is posted again that the queue pair had no memory for.
const Time RETRY = MicroSeconds(40);

} // namespace

SvcRdmaSendQueue::SvcRdmaSendQueue(PostWork post,
                                   uint32_t depth,
                                   std::shared_ptr<SvcRdmaStatistics> statistics,
                                   uint64_t firstId)
    : m_post(std::move(post)),
      m_depth(depth),
      m_statistics(std::move(statistics)),
      m_nextId(firstId)
{
}

SvcRdmaSendQueue::~SvcRdmaSendQueue()
{
    m_retry.Cancel();
}

void
SvcRdmaSendQueue::Post(std::vector<SendWorkRequest>&& chain, Done done)
{
    if (!m_waiting.empty() || m_used + chain.size() > m_depth)
    {
        ++m_statistics->sqStarve;
    }
    if (chain.size() <= m_depth)
    {
        m_waiting.push_back({std::move(chain), std::move(done), m_turn});
        Pump();
        return;
    }
    auto first = chain.begin();
    while (first != chain.end())
    {
        const auto count = std::min<std::ptrdiff_t>(m_depth, std::distance(first, chain.end()));
        const auto last = std::next(first, count);
        m_waiting.push_back({{std::make_move_iterator(first), std::make_move_iterator(last)},
                             Done(),
                             m_turn,
                             last != chain.end()});
        first = last;
    }
    m_waiting.back().done = std::move(done);
    Pump();
}

void
SvcRdmaSendQueue::PostIfAny(std::vector<SendWorkRequest>&& chain, Done done)
{
    if (chain.empty())
    {
        done();
        return;
    }
    Post(std::move(chain), std::move(done));
}

std::optional<std::size_t>
SvcRdmaSendQueue::ChooseNext() const
{
    const std::size_t count = m_turns == SvcRdmaSendTurns::IN_TURN
                                  ? std::min<std::size_t>(m_waiting.size(), 1)
                                  : m_waiting.size();
    if (m_begun)
    {
        for (std::size_t place = 0; place < m_waiting.size(); ++place)
        {
            if (m_waiting[place].turn == *m_begun)
            {
                const bool hasRoom = m_used + m_waiting[place].chain.size() <= m_depth;
                return hasRoom ? std::optional(place) : std::nullopt;
            }
        }
    }
    for (std::size_t place = count; place-- > 0;)
    {
        const bool isFirst = place == 0 || m_waiting[place - 1].turn != m_waiting[place].turn;
        if (isFirst && m_used + m_waiting[place].chain.size() <= m_depth)
        {
            return place;
        }
    }
    return std::nullopt;
}

SvcRdmaSendQueue::Part
SvcRdmaSendQueue::TakePart(std::size_t place)
{
    Part part = std::move(m_waiting[place]);
    if (place == 0)
    {
        m_waiting.pop_front();
    }
    else
    {
        m_waiting.erase(std::next(m_waiting.cbegin(), static_cast<std::ptrdiff_t>(place)));
    }
    return part;
}

void
SvcRdmaSendQueue::Pump()
{
    while (const auto place = ChooseNext())
    {
        Part part = TakePart(*place);
        for (SendWorkRequest& request : part.chain)
        {
            request.id = 0;
            request.signaled = false;
        }
        part.chain.back().id = m_nextId;
        part.chain.back().signaled = true;
        if (const auto posted = m_post(part.chain); !posted)
        {
            NS_LOG_LOGIC("not posted: " << ToString(posted.error()));
            if (posted.error() == VerbsError::NO_MEMORY)
            {
                if (part.goesOn)
                {
                    m_begun = part.turn;
                }
                m_waiting.push_front(std::move(part));
                m_retry.Cancel();
                m_retry = Simulator::Schedule(RETRY, &SvcRdmaSendQueue::Pump, this);
                return;
            }
            if (m_refused)
            {
                m_refused();
            }
            continue;
        }
        const auto count = static_cast<uint32_t>(part.chain.size());
        m_posted.push_back({m_nextId++, count, std::move(part.done)});
        m_used += count;
        m_begun = part.goesOn ? std::optional(part.turn) : std::nullopt;
    }
}

void
SvcRdmaSendQueue::HandleCompletion(const WorkCompletion& completion)
{
    if (completion.status != WorkCompletionStatus::SUCCESS || m_posted.empty() ||
        completion.id != m_posted.front().id)
    {
        return;
    }
    Posted posted = std::move(m_posted.front());
    m_posted.pop_front();
    m_used -= posted.count;
    if (posted.done)
    {
        posted.done();
    }
    Pump();
}

uint32_t
SvcRdmaSendQueue::GetWaiting() const
{
    uint32_t count = 0;
    for (const Part& part : m_waiting)
    {
        count += part.chain.size();
    }
    return count;
}

} // namespace ns3::nfsrdma
