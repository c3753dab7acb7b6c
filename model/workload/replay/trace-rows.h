/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_TRACE_ROWS_H
#define NFSRDMA_WORKLOAD_REPLAY_TRACE_ROWS_H

#include "workload/data-octets.h"
#include "workload/life.h"
#include "workload/replay/compound-rows.h"
#include "workload/replay/mismatch-report.h"
#include "workload/replay/schedule.h"
#include "workload/replay/trace-objects.h"

#include "ns3/event-id.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Does what a client of a recorded trace did: each row as recorded, in the order in which
 * ReplaySchedule allows it.
 *
 * Rows of NFSv4 are made by a CompoundRows: the recorded client's mount and its client ID and
 * session included, in the place of those of the FileClient. A call that the server made is waited
 * for and answered. The rows at the end that only give up delegations, session and client ID, with
 * a look at the root before them, are the recorded umount: it is done when the mount is undone,
 * after the workload has finished.
 *
 * Handles come from the replies; cookies and verifiers of directories too. Octets written are those
 * of the ContentModel. Each reply is compared with the recorded one. Rows that can't be replayed
 * are passed over and counted: of another program, of an unknown operation, or of an object for
 * which no reply gave a handle ("READ without handle").
 *
 * Attributes: Pace (recorded or closed), TimeScale (factor on recorded times).
 */
class ReplayWorkload : public Workload
{
  public:
    enum Pace
    {
        PACE_RECORDED, ///< At the recorded time, or when allowed, whichever is later.
        PACE_CLOSED    ///< As soon as allowed.
    };

    static TypeId GetTypeId();
    ReplayWorkload();

    /// The recording, of which the rows of Trace::GetTraceClient() are replayed; once, before
    /// Start().
    void SetTrace(std::shared_ptr<const Trace> trace)
    {
        m_trace = std::move(trace);
    }

    void SetKnownHandle(const std::string& object, const NfsFh3& handle) override
    {
        m_knownHandles[object] = handle;
    }

    /// Holds a row, and those behind it, back when they may start, until \p go is called, later.
    using Gate = std::function<void(std::function<void()> go)>;

    /// \param line of the row in the trace
    void SetGate(uint32_t line, Gate gate)
    {
        m_gates[line] = std::move(gate);
    }

    /// \return how the replies compare with the recorded ones.
    [[nodiscard]] const ReplayReport& GetReport() const
    {
        return m_report;
    }

    [[nodiscard]] Counts GetIssued() const override;
    [[nodiscard]] Counts GetCompleted() const override;

    [[nodiscard]] Counts GetUnsupported() const override
    {
        return m_unsupported;
    }

    [[nodiscard]] uint64_t GetFailed() const override
    {
        return Workload::GetFailed() + m_compounds.GetFailed();
    }

    /// \return rows to be replayed, those of the umount not counted.
    [[nodiscard]] uint64_t GetPlanned() const override
    {
        return m_schedule ? FindUnmount() : 0;
    }

    [[nodiscard]] uint64_t GetProgress() const override;
    [[nodiscard]] std::vector<std::string> DescribeWaiting() const override;

    /// \return octets of file data that COMPOUNDs of the recording moved: they go past the
    /// FileClient, which counts those of other operations.
    [[nodiscard]] const DataOctets& GetCompoundData() const
    {
        return m_compounds.GetData();
    }

  protected:
    void DoStart() override;
    void DoDispose() override;

  private:
    /// The content model knows every object of the tree by its handle: a recording may use one that
    /// none of its replies names.
    void BindContent();
    /// Starts rows until one must wait.
    void Advance();
    /// \return when the pace lets the row start.
    [[nodiscard]] Time GetDueTime(const TraceRow& row) const;
    /// \return whether a gate holds the row back.
    bool IsHeld(const TraceRow& row);
    void StartRow(std::size_t index);
    void CompleteRow(std::size_t index);
    /// \return false when a handle is missing.
    bool IssueRow(std::size_t index, const TraceRow& row);
    bool IssueAcl(std::size_t index,
                  const TraceRow& row,
                  NfsAcl3Procedure procedure,
                  const NfsFh3& object);
    bool IssueOnObject(std::size_t index, const TraceRow& row, const NfsFh3& object);
    bool IssueOnDirectory(std::size_t index, const TraceRow& row, const NfsFh3& dir);
    template <typename Args>
    bool Issue(std::size_t index, const Args& args);

    void StartCompounds();
    /// \return the first row of the umount; the number of rows when there is none.
    [[nodiscard]] std::size_t FindUnmount() const;
    void Unmount(std::function<void()> done);

    template <typename Result>
    void Learn(const TraceRow& row, const Result& result);
    template <typename Result>
    void Compare(const TraceRow& row, const Result& result);

    Pace m_pace{PACE_RECORDED};
    double m_timeScale{1};
    std::shared_ptr<const Trace> m_trace;
    std::map<std::string, NfsFh3> m_knownHandles;
    std::map<uint32_t, Gate> m_gates; ///< By line; empty: asked, and not open yet.
    std::unique_ptr<ReplaySchedule> m_schedule;
    std::unique_ptr<ReplayObjects> m_objects;
    ReplayReport m_report;
    Counts m_unsupported;
    std::size_t m_next{0}; ///< The first row not started.
    std::size_t m_end{0};  ///< Rows before it are to be done now.
    Time m_began;
    EventId m_dueEvent;

    CompoundRows m_compounds; ///< Of NFSv4 only, as what follows.
    std::function<void()> m_unmounted;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_TRACE_ROWS_H
