/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_TRACE_HEADER_H
#define NFSRDMA_WORKLOAD_REPLAY_TRACE_HEADER_H

#include "workload/replay/csv-table.h"
#include "workload/replay/trace.h"

#include <string>
#include <string_view>

namespace ns3::nfsrdma
{

/// Reads the comment lines of a trace into its source, handle_octets and clients. \param magic the
/// text of the first line
[[nodiscard]] Parsed<void> ParseTraceHeader(const CsvTable& table,
                                            Trace& trace,
                                            std::string_view magic = "nfsrdma-trace 1");

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_TRACE_HEADER_H
