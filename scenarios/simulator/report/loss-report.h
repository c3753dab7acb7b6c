/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_LOSS_REPORT_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_LOSS_REPORT_H

#include "mpa/tcp-counters.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

struct RunReport;

/// What a run has counted of loss and congestion, all hosts together, setup included.
struct LossCounts
{
    TcpCounters tcp;
    uint64_t framesLost{0};      ///< In hosts, switches and middleboxes: the sum of "drops".
    uint64_t framesStopped{0};   ///< Lost to links down or narrow, and partitions, of faults.
    uint64_t framesMarked{0};    ///< That switches gave CE.
    uint64_t receiveOverruns{0}; ///< Connections that ended for want of a receive (as RNR).
    uint64_t creditStalls{0};    ///< RPCs that had a slot and waited for a credit.
    Time creditStalled;          ///< How long, together.
    uint64_t callsRepeated{0};   ///< Calls sent again.
    uint64_t reconnects{0};      ///< Connections lost, and made anew.
};

/// One of them, as it is shown.
struct LossMeasure
{
    const char* name;  ///< In summary.json and sweep.csv.
    const char* words; ///< On the console, behind the number.
    bool isLoss;       ///< Else it is congestion.
    /// In the unit of the name.
    double (*get)(const LossCounts& counts);
};

/// \return all, in order: the one place that says what is shown of loss and congestion.
[[nodiscard]] const std::vector<LossMeasure>& GetLossMeasures();

/// \return "loss" of summary.json.
[[nodiscard]] nlohmann::ordered_json DescribeLoss(const LossCounts& counts);

/// \return the lines of the console: what is not zero, or that nothing was lost.
[[nodiscard]] std::string PrintLoss(const LossCounts& counts);

/// \return "conservation" of summary.json: octets by layer, and RPCs.
[[nodiscard]] nlohmann::ordered_json DescribeConservation(const RunReport& report);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_LOSS_REPORT_H
