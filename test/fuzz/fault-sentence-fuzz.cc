/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/scene.h"
#include "fuzz/fuzz-target.h"

namespace ns3::nfsrdma
{

/// A sentence is taken or refused with a word of its own and what is expected; what is taken passes
/// the check or is refused by it in the same way.
void
FuzzOne(ByteSpan input)
{
    const std::string sentence(input.begin(), input.end());
    const auto spec = ParseFault("name", sentence);
    if (!spec)
    {
        FuzzExpect(!spec.error().expected.empty());
        FuzzExpect(sentence.find(spec.error().got) != std::string::npos);
        return;
    }
    FuzzExpect(spec->when.number > 0);
    FuzzExpect(!spec->when.at.IsStrictlyNegative() && !spec->what.duration.IsStrictlyNegative());
    FuzzExpect(spec->when.mode != FaultWhen::Mode::PROBABILITY || spec->when.probability > 0);
    for (const auto* version : {"3", "4.1"})
    {
        FaultScene scene;
        scene.nfsVersion = version;
        const auto error = CheckFault(*spec, scene);
        FuzzExpect(!error || !error->expected.empty());
    }
}

} // namespace ns3::nfsrdma
