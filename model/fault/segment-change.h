/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_SEGMENT_CHANGE_H
#define NFSRDMA_FAULT_SEGMENT_CHANGE_H

#include "fault/connection-follower.h"
#include "fault/specification.h"

#include <functional>

namespace ns3::nfsrdma
{

/// Gives a number from 0 up to, not including, its argument.
using DrawBelow = std::function<uint64_t(uint64_t bound)>;

/**
 * \brief Inverts bits of \p segment's payload as \p what, a "corrupt", says.
 *
 * Without \p fpdu they are anywhere in the payload, else in the field or octet named, or in the
 * ULPDU, as far as they are in this segment. Before the CRC: the FPDU's CRC is computed again,
 * where CRCs are in use; its field must be in this segment.
 *
 * \param fpdu one that \p segment completes, or null
 * \return bits inverted, fewer than asked where there are no more; 0: nothing can be changed
 */
uint64_t CorruptSegment(TcpSegment& segment,
                        const FaultWhat& what,
                        const FollowedFpdu* fpdu,
                        const DrawBelow& draw);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_SEGMENT_CHANGE_H
