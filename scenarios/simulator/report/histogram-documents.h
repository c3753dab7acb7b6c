/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_HISTOGRAM_DOCUMENTS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_HISTOGRAM_DOCUMENTS_H

#include "helper/latency-distributions.h"

#include <string>

namespace ns3::nfsrdma
{

/// Of a run or, of a sweep, of all runs of each point.
constexpr const char* HISTOGRAMS_FILE = "histograms.csv";

/// \return the names of its columns, as a row.
[[nodiscard]] std::string GetHistogramsHead();

/// \return a row for each bucket that has anything in it. \param prefix of each row
[[nodiscard]] std::string MakeHistogramRows(const LatencyDistributions& distributions,
                                            const std::string& prefix);

/// \return what histograms.csv of a run says, \p text. Throws ScenarioError, which names \p file
/// and the line, when it is none.
[[nodiscard]] LatencyDistributions ParseHistograms(const std::string& file,
                                                   const std::string& text);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_HISTOGRAM_DOCUMENTS_H
