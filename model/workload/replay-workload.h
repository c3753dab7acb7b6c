/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_WORKLOAD_H
#define NFSRDMA_WORKLOAD_REPLAY_WORKLOAD_H

#include "workload/replay-objects.h"
#include "workload/replay-report.h"
#include "workload/replay-schedule.h"
#include "workload/workload.h"

#include "ns3/event-id.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Does what a client of a recorded trace did: each row as recorded, in the order in which
 * ReplaySchedule allows it.
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
    ~ReplayWorkload() override;

    /// The recording, of which the rows of Trace::GetTraceClient() are replayed; once, before
    /// Start().
    void SetTrace(std::shared_ptr<const Trace> trace);
    void SetKnownHandle(const std::string& object, const NfsFh3& handle) override;

    /// \return how the replies compare with the recorded ones.
    [[nodiscard]] const ReplayReport& GetReport() const;

    [[nodiscard]] Counts GetUnsupported() const override;
    /// \return rows to be replayed.
    [[nodiscard]] uint64_t GetPlanned() const override;
    [[nodiscard]] uint64_t GetProgress() const override;
    [[nodiscard]] std::vector<std::string> DescribeWaiting() const override;

  protected:
    void DoStart() override;
    void DoDispose() override;

  private:
    /// Starts rows until one must wait.
    void Advance();
    /// \return when the pace lets the row start.
    [[nodiscard]] Time GetDueTime(const TraceRow& row) const;
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

    template <typename Result>
    void Learn(const TraceRow& row, const Result& result);
    template <typename Result>
    void Compare(const TraceRow& row, const Result& result);

    Pace m_pace{PACE_RECORDED};
    double m_timeScale{1};
    std::shared_ptr<const Trace> m_trace;
    std::map<std::string, NfsFh3> m_knownHandles;
    std::unique_ptr<ReplaySchedule> m_schedule;
    std::unique_ptr<ReplayObjects> m_objects;
    ReplayReport m_report;
    Counts m_unsupported;
    std::size_t m_next{0}; ///< The first row not started.
    Time m_began;
    EventId m_dueEvent;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_WORKLOAD_H
