/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ACTION_H
#define NFSRDMA_FAULT_ACTION_H

#include "fault/link-state.h"
#include "fault/segment-change.h"
#include "fault/sentence-reader.h"
#include "fault/specification.h"
#include "settings/named.h"

namespace ns3::nfsrdma
{

/// What becomes of a frame.
struct FrameVerdict
{
    bool isMet{false};
    bool isChanged{false};
    uint64_t drops{0};
    uint64_t copies{0};
    Time delay;
    uint64_t behind{0};
    uint32_t segmentSize{0};
};

/// A frame that a fault has met.
struct MetFrame
{
    TcpSegment& segment;
    const FollowedFpdu* fpdu; ///< Of the event; null: the event is of no FPDU.
    DrawBelow draw;
    FrameVerdict& verdict;
    bool isAsItWas{false}; ///< There was nothing to change in it.
};

/// Something that can be done to frames or links. What can be done inside hosts is a HostFault.
struct FaultAction
{
    const char* name; ///< The word that fault plans use: "link-down".
    FaultPlace place;
    /// Reads what follows the word.
    void (*read)(SentenceReader& reader, FaultWhat& what);
    /// FRAME, else null.
    void (*meet)(const FaultWhat& what, MetFrame& frame);
    /// LINK, else null. \param running whether faults go on; outlives what is scheduled
    void (*act)(const FaultWhat& what, LinkState& link, const bool& running);
    /// \return how long it lasts before it ends by itself. Null: it is over at once.
    Time (*getDuration)(const FaultWhat& what);
};

/// What can be done to frames and links. A further one needs a row.
[[nodiscard]] const NameTable<FaultAction>& GetFaultActions();
/// \return every word a WHAT can begin with, those of HostFaultKind included.
[[nodiscard]] std::vector<std::string> GetFaultActionNames();

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ACTION_H
