/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/segment-watch.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

void
SegmentWatch::Start(const Options& options,
                    FpduReceiver& receiver,
                    const ByteStream& stream,
                    FpduAssembler::PlaceFunction place)
{
    m_receiver = &receiver;
    m_firstFpduOffset = stream.GetReceivedOctets() - receiver.Rest().size();
    if (options.outOfOrderPlacement || options.dropBadSegments)
    {
        FpduAssembler::Options assembling;
        assembling.dropBadSegments = options.dropBadSegments;
        assembling.trustAlignment = options.trustAlignment;
        assembling.limit = std::max(options.reassemblyLimit, stream.GetEmss());
        receiver.LookAhead(assembling,
                           options.outOfOrderPlacement ? std::move(place)
                                                       : FpduAssembler::PlaceFunction());
    }
    m_active = options.outOfOrderPlacement || options.dropBadSegments || options.countReassembly;
}

bool
SegmentWatch::LookAt(uint64_t offset, const Packet& segment)
{
    const uint64_t begin = std::max(offset, m_firstFpduOffset);
    const uint64_t end = offset + segment.GetSize();
    if (m_receiver->GetAssembler() == nullptr || begin >= end)
    {
        return true;
    }
    m_segment.resize(segment.GetSize());
    segment.CopyData(m_segment.data(), segment.GetSize());
    return m_receiver->LookAt(begin - m_firstFpduOffset,
                              ByteSpan(m_segment).subspan(begin - offset));
}

uint64_t
SegmentWatch::GetHeldOctets(const ByteStream& stream) const
{
    const FpduAssembler* assembler = m_receiver->GetAssembler();
    return assembler != nullptr ? assembler->GetHeldOctets()
                                : stream.GetOutOfOrderOctets() + m_receiver->Rest().size();
}

const FpduAssembler::Statistics*
SegmentWatch::GetStatistics() const
{
    const FpduAssembler* assembler = m_receiver->GetAssembler();
    return assembler != nullptr ? &assembler->GetStatistics() : nullptr;
}

} // namespace ns3::nfsrdma
