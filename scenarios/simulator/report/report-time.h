/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_REPORT_TIME_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_REPORT_TIME_H

#include "ns3/nstime.h"

namespace ns3::nfsrdma
{

constexpr double NS_PER_US = 1e3;

/// \return \p time in microseconds, to the nanosecond, as the documents of a run tell it.
inline double
ToMicroseconds(Time time)
{
    return static_cast<double>(time.GetNanoSeconds()) / NS_PER_US;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_REPORT_TIME_H
