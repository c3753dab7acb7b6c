/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/connection-error.h"

#include "wire/name-of.h"

namespace ns3::nfsrdma
{

const char*
ToString(MpaError error)
{
    return NameOf(error,
                  {{MpaError::LLP_LOST, "connection lost"},
                   {MpaError::CRC_MISMATCH, "CRC mismatch"},
                   {MpaError::MARKER_MISMATCH, "marker mismatch"},
                   {MpaError::INVALID_STARTUP, "invalid startup frame"},
                   {MpaError::LOCAL_CATASTROPHIC, "local catastrophic error"},
                   {MpaError::INSUFFICIENT_IRD, "insufficient IRD"},
                   {MpaError::NO_MATCHING_RTR, "no matching RTR"}});
}

} // namespace ns3::nfsrdma
