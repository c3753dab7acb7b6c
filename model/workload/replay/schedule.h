/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_SCHEDULE_H
#define NFSRDMA_WORKLOAD_REPLAY_SCHEDULE_H

#include "workload/replay/trace.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Which rows of one client of a trace may start.
 *
 * A row may start when all rows have completed whose reply had come before the row's call was sent
 * (reply_time <= time). Rows start in the order of the trace: whenever a row may start, so may all
 * before it.
 */
class ReplaySchedule
{
  public:
    /// \param trace the recording
    /// \param client index of a client of the trace
    ReplaySchedule(std::shared_ptr<const Trace> trace, uint32_t client);

    /// \return rows of the client.
    [[nodiscard]] std::size_t GetCount() const
    {
        return m_rows.size();
    }

    [[nodiscard]] const TraceRow& GetRow(std::size_t index) const
    {
        return m_trace->rows[m_rows[index]];
    }

    [[nodiscard]] bool MayStart(std::size_t index) const
    {
        return m_donePrefix >= m_needed[index];
    }

    /// \return a row that \p index waits for, which must not be allowed to start.
    [[nodiscard]] const TraceRow& GetBlocker(std::size_t index) const;
    void Complete(std::size_t index);

    [[nodiscard]] std::size_t GetCompleted() const
    {
        return m_completed;
    }

  private:
    std::shared_ptr<const Trace> m_trace;
    std::vector<std::size_t> m_rows;    ///< Index into the trace's rows.
    std::vector<std::size_t> m_byReply; ///< Rows with a reply, in order of its time.
    std::vector<std::size_t> m_needed;  ///< For each row, how many of m_byReply come before it.
    std::vector<bool> m_done;           ///< For each row.
    std::size_t m_donePrefix{0};        ///< The first of m_byReply, all completed.
    std::size_t m_completed{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_SCHEDULE_H
