/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_SENTENCE_H
#define NFSRDMA_FAULT_SENTENCE_H

#include "fault/specification.h"

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace ns3::nfsrdma
{

/// What is wrong with a line of a fault plan.
struct FaultError
{
    std::string got;      ///< The word at fault; empty: the end of the sentence.
    std::string expected; ///< What would be right.
    /// Words that would be right there, to look for the nearest; may be empty.
    std::vector<std::string> candidates;
};

/**
 * \brief Reads one fault: WHEN WHERE: WHAT.
 *
 *     WHEN    at TIME [every TIME] [N times]
 *             Nth EVENT | every EVENT [N times] | every Nth EVENT [N times]
 *             EVENT with probability P [N times]
 *             and, unless at: [after TIME] [before TIME]
 *     EVENT   a name of GetFaultEventNames() [of xid NUMBER]
 *             nfs|nfsacl|callback [PROCEDURE] call|reply [of xid NUMBER]
 *     WHERE   [from HOST] [to HOST] | between HOST and HOST | on HOST, [connection N]
 *     WHAT    drop [N times] | corrupt [N bits] [before crc|after crc] [octet N|field NAME]
 *             duplicate [N times] | delay TIME | reorder behind N [segments]
 *             resegment N [octets]
 *             link-down for TIME | flap N times down TIME up TIME
 *             partition HOST, ... | HOST, ... for TIME | mtu N for TIME [silently]
 *             a name of GetHostFaultNames() [N] [for TIME] [by TIME] [peer HOST]
 *             the last six: [on HOST]
 *
 * Words are separated by spaces; ':' ',' '|' need none. TIME is a number with ns, us, ms, s, min
 * or h. Hosts are only read, not looked up, nor whether the parts fit each other: CheckFault().
 *
 * \param name of the line, kept in the result
 */
[[nodiscard]] tl::expected<FaultSpec, FaultError> ParseFault(std::string_view name,
                                                             std::string_view sentence);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_SENTENCE_H
