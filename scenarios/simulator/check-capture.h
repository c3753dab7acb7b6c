/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_CHECK_CAPTURE_H
#define NFSRDMA_SCENARIOS_SIMULATOR_CHECK_CAPTURE_H

#include "scenarios/simulator/report/run-report.h"

#include <ostream>

namespace ns3::nfsrdma
{

/**
 * \brief Decodes captures and prints what came of it: a table by direction for each file, errors,
 * notes, and the model in the place of each side.
 *
 * A connection that began before the capture cannot be decoded; it is noted, and no error. How the
 * model fares does not count for the status.
 *
 * \param files at least one
 * \param errors gets one line for each file that cannot be read
 * \return USER when a file cannot be read; FAILED when a startup frame or an FPDU does not encode
 * to the same octets, octets are missing, or a file has no MPA connection that can be decoded; OK
 */
RunStatus CheckCaptures(const std::vector<std::string>& files,
                        std::ostream& out,
                        std::ostream& errors);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_CHECK_CAPTURE_H
