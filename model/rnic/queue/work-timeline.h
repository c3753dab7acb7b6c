/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_WORK_TIMELINE_H
#define NFSRDMA_RNIC_QUEUE_WORK_TIMELINE_H

#include "rnic/hardware/stage-times.h"

#include "ns3/nstime.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ns3::nfsrdma
{

/// Where a work request spends its time between the post and the poll of its completion. A stage
/// that a work request does not pass takes no time.
enum class WorkStage
{
    POST,      ///< The posting thread: its other work, the call, the copy of inline data.
    DOORBELL,  ///< The write of the doorbell to the device.
    FETCH,     ///< The fetch of the work request from host memory, with the wait for the bus.
    QUEUE,     ///< Behind earlier work requests of its queue, the fence and the ORD limit.
    CONTEXT,   ///< The fetch of contexts on a miss of the cache.
    ENGINE,    ///< The transmit engine, or the memory unit, with the wait for it and for the bus.
    GATHER,    ///< The payload of the first FPDU over the bus.
    TRANSMIT,  ///< From the first FPDU handed to TCP to the last: engine, bus, TCP and network.
    RESPONSE,  ///< Of Reads and atomics: from the request to the arrival of the last response.
               ///< Of receives: from the post to the arrival of the message's last FPDU.
    RECEIVE,   ///< The receive engine, with the wait for it.
    PLACEMENT, ///< The payload of the last FPDU over the bus, with the wait for it.
    ORDER,     ///< Behind the completions of earlier work requests of its queue.
    CQE,       ///< The write of the completion.
    NOTIFY, ///< Until the consumer has polled it: moderation, interrupt, the thread's other work.
};

inline constexpr std::size_t WORK_STAGES = static_cast<std::size_t>(WorkStage::NOTIFY) + 1;

const char* ToString(WorkStage stage);

/**
 * \brief The time a work request has spent in each stage. The stages add up to the time from the
 * post to the latest mark: what is past belongs to exactly one of them.
 */
class WorkTimeline
{
  public:
    void Start(Time now)
    {
        m_start = now;
        m_latest = now;
    }

    /// The time since the latest mark, until \p until, went into \p stage; nothing when that is not
    /// later.
    void Mark(WorkStage stage, Time until)
    {
        if (until > m_latest)
        {
            m_stages[static_cast<std::size_t>(stage)] += until - m_latest;
            m_latest = until;
        }
    }

    /// Marks the way of the last FPDU into host memory.
    void MarkReception(const ReceiveTimes& times)
    {
        Mark(WorkStage::RESPONSE, times.arrived);
        Mark(WorkStage::RECEIVE, times.handled - times.miss);
        Mark(WorkStage::CONTEXT, times.handled);
        Mark(WorkStage::PLACEMENT, times.done);
    }

    /// What was marked for later than \p until does not happen.
    void Limit(Time until)
    {
        for (std::size_t stage = WORK_STAGES; stage != 0 && m_latest > until; stage--)
        {
            const Time cut = std::min(m_stages[stage - 1], m_latest - until);
            m_stages[stage - 1] -= cut;
            m_latest -= cut;
        }
    }

    [[nodiscard]] Time GetStage(WorkStage stage) const
    {
        return m_stages[static_cast<std::size_t>(stage)];
    }

    [[nodiscard]] Time GetStart() const
    {
        return m_start;
    }

    [[nodiscard]] Time GetLatest() const
    {
        return m_latest;
    }

  private:
    std::array<Time, WORK_STAGES> m_stages{};
    Time m_start;
    Time m_latest;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_WORK_TIMELINE_H
