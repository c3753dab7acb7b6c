/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "helper/capture/captured-terminate.h"

namespace ns3::nfsrdma
{

/// Input: the payload of a Terminate, in either order of its bits.
void
FuzzOne(ByteSpan input)
{
    const auto captured = CapturedTerminate::Decode(input);
    if (captured)
    {
        FuzzExpect(SameOctets(captured->Encode(), input));
        FuzzExpect(!captured->ToString().empty());
    }
}

} // namespace ns3::nfsrdma
