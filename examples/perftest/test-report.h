/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_EXAMPLES_TEST_REPORT_H
#define NFSRDMA_EXAMPLES_TEST_REPORT_H

#include "perftest/options.h"
#include "perftest/statistics.h"
#include "perftest/test-side.h"

#include <ostream>
#include <string>

namespace ns3::nfsrdma
{

/// One row of a table.
struct TestResult
{
    uint32_t size{0};       ///< Octets of a message.
    uint64_t iterations{0}; ///< Messages of all queue pairs, in one direction.
    LatencyStatistics latency;
    BandwidthStatistics bandwidth;
};

/**
 * \brief Writes what perftest's programs write: the header block, the destinations, the table.
 */
class TestReport
{
  public:
    /// The arguments outlive the object.
    TestReport(const TestProgram& program,
               const TestOptions& options,
               const Testbed& testbed,
               std::ostream& out);

    void WriteHeader(const TestSide& client) const;
    void WriteDestinations(const TestSide& client, const TestSide& server) const;
    void WriteRow(const TestResult& result) const;
    void WriteEnd() const;

    /// \return the header line of the table of results that --csv writes.
    [[nodiscard]] std::string GetCsvHead() const;
    /// \return its line for \p result; times in us, rates in bits and messages per second.
    [[nodiscard]] std::string GetCsvRow(const TestResult& result) const;

  private:
    [[nodiscard]] bool IsLatency() const;
    void WriteTableHead() const;

    const TestProgram& m_program;
    const TestOptions& m_options;
    const Testbed& m_testbed;
    std::ostream& m_out;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_EXAMPLES_TEST_REPORT_H
