/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_TRACE_HEADER_H
#define NFSRDMA_WORKLOAD_TRACE_HEADER_H

#include "workload/csv-table.h"
#include "workload/trace.h"

#include <string>

namespace ns3::nfsrdma
{

/// Reads the comment lines of a trace into its source, handle_octets and clients.
[[nodiscard]] Parsed<void> ParseTraceHeader(const CsvTable& table, Trace& trace);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_TRACE_HEADER_H
