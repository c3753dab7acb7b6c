/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_TRACE_HEADER_H
#define NFSRDMA_WORKLOAD_REPLAY_TRACE_HEADER_H

#include "workload/replay/csv-fields.h"
#include "workload/replay/csv-table.h"
#include "workload/replay/trace.h"

#include <string>
#include <string_view>
#include <utility>

namespace ns3::nfsrdma
{

/// Reads the comment lines of a trace into its source, handle_octets and clients. \param magic the
/// text of the first line
[[nodiscard]] Parsed<void> ParseTraceHeader(const CsvTable& table,
                                            Trace& trace,
                                            std::string_view magic = "nfsrdma-trace 1");

/// Reads what every trace's rows begin with: the line, the times in the first two columns, which
/// are not before those of the row above, and the client in the third.
void ReadTraceRowHead(CsvFields& fields,
                      const CsvRecord& record,
                      const Trace& trace,
                      TraceRow& row);

/// Appends the rows of \p table to \p trace. \param readRow gives one of a CsvRecord, or an error
template <typename Read>
[[nodiscard]] Parsed<Trace>
ReadTraceRows(const CsvTable& table, Trace trace, Read readRow)
{
    trace.rows.reserve(table.records.size());
    for (const auto& record : table.records)
    {
        auto row = readRow(trace, record);
        if (!row)
        {
            return tl::unexpected(row.error());
        }
        trace.rows.push_back(*std::move(row));
    }
    return trace;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_TRACE_HEADER_H
