/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A plugin whose policy breaks a guarantee: thresholds of twice what the side is set up for.

#include "helper/plugin.h"
#include "rpcrdma/policy/inline-threshold.h"

namespace ns3::nfsrdma
{

class OverlargeThresholds : public InlineThresholdPolicy
{
  public:
    [[nodiscard]] bool IsForResponders() const override
    {
        return false;
    }

    [[nodiscard]] InlineThresholds Choose(const InlineSituation& situation) const override
    {
        return {2 * situation.maximum.send, 2 * situation.maximum.receive};
    }
};

NFSRDMA_PLUGIN("overlarge", "1.0")
{
    InlineThresholdPolicy::Add<OverlargeThresholds>("overlarge");
}

} // namespace ns3::nfsrdma
