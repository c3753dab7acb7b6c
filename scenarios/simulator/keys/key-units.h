/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_KEYS_KEY_UNITS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_KEYS_KEY_UNITS_H

namespace ns3::nfsrdma
{

// Bounds of keys in base units: bit/s, octets, nanoseconds.

constexpr double MBPS = 1e6;
constexpr double TBPS = 1e12;
constexpr double KIB = 1024;
constexpr double GIB = 1024 * 1024 * 1024;
constexpr double HOUR = 3.6e12;
/// Of a file of a workload.
constexpr double MAX_FILE_OCTETS = 1e15;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_KEYS_KEY_UNITS_H
