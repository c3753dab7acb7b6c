/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/explore-plan.h"

namespace ns3::nfsrdma
{

ExplorePlan
ResolveExplore(const ScenarioConfig& config)
{
    ExplorePlan plan;
    const auto& text = config.Get("explore.order").AsText();
    auto order = ParseEventOrder(text);
    if (!order)
    {
        throw ScenarioError(config.GetOrigin("explore.order").ToText(),
                            "explore.order",
                            Quote(text),
                            order.error());
    }
    plan.order = std::move(*order);
    plan.bounds = {config.Get("explore.moves").AsInteger(),
                   config.Get("explore.reach").AsInteger(),
                   config.Get("explore.runs").AsInteger()};
    const auto& classes = config.Get("explore.advance").AsText();
    if (classes != "none")
    {
        plan.floating = SplitList(classes);
    }
    plan.patience = config.Get("explore.patience").AsTime();
    plan.holds = config.Get("explore.hold").AsBoolean();
    plan.losses = config.Get("explore.losses").AsInteger();
    plan.duplicates = config.Get("explore.duplicates").AsInteger();
    plan.completions = config.Get("explore.completions").AsBoolean();
    plan.setup = config.Get("explore.setup").AsBoolean();
    return plan;
}

} // namespace ns3::nfsrdma
