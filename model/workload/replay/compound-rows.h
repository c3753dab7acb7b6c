/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_COMPOUND_ROWS_H
#define NFSRDMA_WORKLOAD_REPLAY_COMPOUND_ROWS_H

#include "nfs/v4/client/callback-program.h"
#include "workload/data-octets.h"
#include "workload/replay/compounds-again.h"
#include "workload/replay/mismatch-report.h"
#include "workload/replay/schedule.h"
#include "workload/replay/trace-objects.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The rows of NFSv4 that a ReplayWorkload replays: calls are made by a CompoundReplay, calls
 * that the server made are waited for and answered.
 */
class CompoundRows
{
  public:
    struct Events
    {
        /// A call has completed, with so many octets of file data.
        std::function<void(const std::string& name, const RpcRecord& record, uint64_t octets)>
            completed;
        /// Rows have completed: others may start.
        std::function<void()> advance;
    };

    using Counts = std::map<std::string, uint64_t>;

    /// \param owner lives as long as something is still to happen
    CompoundRows(Object& owner, ReplayReport& report, Events events);

    /// \param objects what has been learned of handles before
    void Start(std::unique_ptr<CompoundReplay> replay,
               Ptr<Nfs4CallbackProgram> callbacks,
               ReplaySchedule& schedule,
               const ReplayObjects& objects);

    [[nodiscard]] bool IsStarted() const
    {
        return m_replay != nullptr;
    }

    /// Makes the call of a row, or waits for the server's. \return false when a handle is missing.
    bool Issue(std::size_t index);
    void Dispose();

    /// \return the first row of the recorded umount; the number of rows when there is none.
    [[nodiscard]] static std::size_t FindUnmount(const ReplaySchedule& schedule);

    [[nodiscard]] const Counts& GetIssued() const
    {
        return m_issued;
    }

    [[nodiscard]] const Counts& GetCompleted() const
    {
        return m_completed;
    }

    [[nodiscard]] uint64_t GetFailed() const
    {
        return m_failed;
    }

    /// \return octets of file data that calls moved.
    [[nodiscard]] const DataOctets& GetData() const
    {
        return m_data;
    }

    /// Adds a line for each row that is under way.
    void Describe(std::vector<std::string>& lines) const;

  private:
    void Take(std::size_t index, const CompoundReplay::Outcome& outcome);
    [[nodiscard]] CbCompound4Res Answer(const CbCompound4Args& args);
    void FinishCallbacks();

    Object& m_owner;
    ReplayReport& m_report;
    Events m_events;
    ReplaySchedule* m_schedule{nullptr};
    std::unique_ptr<CompoundReplay> m_replay;
    Ptr<Nfs4CallbackProgram> m_callbacks;
    std::map<std::size_t, Time> m_underWay; ///< Rows, and when they were started.
    std::vector<std::size_t> m_expected;    ///< Rows of calls that the server has yet to make.
    std::vector<Nfs4CbOp> m_answered;       ///< Calls answered that no row stands for yet.
    Counts m_issued;
    Counts m_completed;
    uint64_t m_failed{0};
    DataOctets m_data;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_COMPOUND_ROWS_H
