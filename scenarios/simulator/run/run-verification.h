/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_RUN_RUN_VERIFICATION_H
#define NFSRDMA_SCENARIOS_SIMULATOR_RUN_RUN_VERIFICATION_H

#include "helper/cluster.h"
#include "helper/cpu-watch.h"
#include "scenarios/simulator/report/run-report.h"

namespace ns3::nfsrdma
{

/// Puts what the hosts needed into \p report, up to its time simulated.
/// \param processors those of all hosts
void SumUpHosts(const Cluster& cluster, const CpuWatch& processors, RunReport& report);
/// Sums up registrations and connections lost.
void SumUpTransports(const Cluster& cluster, RunReport& report);

/// Lists what the caches of attributes and names have answered.
void ListClientCaches(const Cluster& cluster, RunReport& report);

/// Sums up what has ended connections, and what servers have thrown away.
void SumUpEnds(const Cluster& cluster, RunReport& report);

/// Sums up what the workloads found while they ran: verification (but its exports) and unsupported
/// of \p report.
void SumUpWorkloads(const Cluster& cluster, RunReport& report);

/// Compares every export with what it should hold: verification.exports of \p report. Every
/// workload must have finished.
void VerifyExports(const Cluster& cluster, RunReport& report);

/// \return true when no octet and no name was wrong, every operation had an answer (some may have
/// none after a fault), and nothing is left over.
bool IsVerified(const RunReport& report);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_RUN_RUN_VERIFICATION_H
