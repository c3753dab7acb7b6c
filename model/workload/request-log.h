/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REQUEST_LOG_H
#define NFSRDMA_WORKLOAD_REQUEST_LOG_H

#include "workload/result.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// The time in which work counts, both ends included.
struct MeasurementWindow
{
    Time begin;
    Time end{Time::Max()};

    [[nodiscard]] bool Contains(Time time) const
    {
        return begin <= time && time <= end;
    }

    /// \return its length; 0 when it ends before it begins.
    [[nodiscard]] Time GetLength() const
    {
        return Max(end - begin, Time(0));
    }
};

/**
 * \brief The requests of a workload that have ended, kept until it is known which of them count.
 *
 * The one definition of what a workload measures: a request that has ended inside the window is an
 * attempt, and counts, with its octets, or is an error; a latency is that of a request that
 * succeeded and that arrived inside the window, whenever it has ended. Rates are over the length of
 * the window. analysis/METRICS.md.
 */
class RequestLog
{
  public:
    /// A request has ended. \param arrived before anything waited for it \param octets that it
    /// moved, if \p ok
    void Add(const std::string& item, Time arrived, Time ended, uint64_t octets, bool ok);
    /// What ends from \p begin to \p end is measured by itself: all requests of \p item, over this
    /// time, as far as it is in the window.
    void SetSpan(const std::string& item, Time begin, Time end);

    /// \return what is measured in \p window, a row for each item of which anything is, in the
    /// order of their names.
    [[nodiscard]] std::vector<WorkloadResult> Summarize(const MeasurementWindow& window) const;

  private:
    struct Request
    {
        uint32_t item{0};
        bool ok{false};
        Time arrived;
        Time ended;
        uint64_t octets{0};
    };

    std::map<std::string, uint32_t> m_items; ///< Their numbers, by name.
    std::map<std::string, MeasurementWindow> m_spans;
    std::vector<Request> m_requests;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REQUEST_LOG_H
