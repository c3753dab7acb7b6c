/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "mpa/startup-frame.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t KEY_SIZE = 16;

using Kind = MpaStartupFrame::Kind;

void
CheckDecoding(ByteSpan input)
{
    for (const Kind kind : {Kind::REQUEST, Kind::REPLY})
    {
        const auto size = MpaStartupFrame::FrameSize(input, kind);
        const auto frame = MpaStartupFrame::Decode(input, kind);
        if (!frame)
        {
            continue;
        }
        FuzzExpect(size && size->has_value() && **size == input.size());
        const auto block = frame->GetEnhancedBlock();
        FuzzExpect(block.has_value() ==
                   (frame->enhanced && frame->privateData.size() >= MpaEnhancedBlock::SIZE));
        FuzzExpect(frame->GetConsumerPrivateData().size() <= frame->privateData.size());

        const ByteVector octets = frame->Encode();
        const auto again = MpaStartupFrame::Decode(octets, kind);
        FuzzExpect(again && SameOctets(again->Encode(), octets));
        FuzzExpect(SameOctets(again->privateData, frame->privateData));
    }
}

} // namespace

/// The input alone, and the input after either key.
void
FuzzOne(ByteSpan input)
{
    CheckDecoding(input);
    for (const Kind kind : {Kind::REQUEST, Kind::REPLY})
    {
        MpaStartupFrame empty;
        empty.kind = kind;
        ByteVector octets = empty.Encode();
        octets.resize(KEY_SIZE);
        octets.insert(octets.end(), input.begin(), input.end());
        CheckDecoding(octets);
    }
}

} // namespace ns3::nfsrdma
