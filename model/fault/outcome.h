/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_OUTCOME_H
#define NFSRDMA_FAULT_OUTCOME_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3::nfsrdma
{

/// A fault has happened.
struct FaultFiring
{
    Time time;
    std::string name;  ///< The fault's.
    std::string host;  ///< Where the frame left, or what was hit; of a partition by time "-".
    std::string event; ///< "rdma-write"; "time" of those due by time.
    std::string what;  ///< What was done: "corrupt 1 bit after crc".
    Time until;        ///< When it ends by itself; as time for what happens at once.
};

/// What became of a fault of a plan.
struct FaultOutcome
{
    std::string name;
    std::string sentence;
    uint64_t occurrences{0}; ///< Of what it waited for.
    uint64_t firings{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_OUTCOME_H
