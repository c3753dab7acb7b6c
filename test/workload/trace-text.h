/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_WORKLOAD_TRACE_TEXT_H
#define NFSRDMA_TEST_WORKLOAD_TRACE_TEXT_H

#include "workload/replay/trace-reader.h"

#include <gtest/gtest.h>
#include <map>
#include <string>

namespace ns3::nfsrdma::test
{

inline const std::string TRACE_HEADER =
    "# nfsrdma-trace 1\n"
    "# source=some capture.pcap\n"
    "# handle_octets root=8 other=16\n"
    "# client=0 address=10.77.0.2 machine=client uid=1000 gid=100 gids=4,24\n"
    "# client=1 address=10.77.0.3 machine=other uid=0 gid=0 gids=\n";

using TraceFields = std::map<std::string, std::string>;

inline std::string
TraceColumnLine()
{
    std::string line;
    for (const auto& column : TraceReader::GetColumns())
    {
        line += (line.empty() ? "" : ",") + column;
    }
    return line + "\n";
}

inline std::string
TraceLine(TraceFields fields)
{
    fields.insert({{"time", "1.5"}, {"reply_time", "2"}, {"client", "0"}, {"program", "NFS3"}});
    std::string line;
    for (const auto& column : TraceReader::GetColumns())
    {
        line += (line.empty() ? "" : ",") + fields[column];
    }
    return line + "\n";
}

inline Parsed<Trace>
ParseTraceRows(const std::string& rows)
{
    return TraceReader::Parse("t.csv", TRACE_HEADER + TraceColumnLine() + rows);
}

inline TraceRow
ParseTraceRow(const TraceFields& fields)
{
    const auto trace = ParseTraceRows(TraceLine(fields));
    EXPECT_TRUE(trace) << trace.error().Describe();
    return trace ? trace->rows.at(0) : TraceRow();
}

inline std::string
TraceErrorOf(const std::string& content)
{
    const auto trace = TraceReader::Parse("t.csv", content);
    return trace ? "no error" : trace.error().Describe();
}

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_WORKLOAD_TRACE_TEXT_H
