/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/measurement-from-config.h"

#include "workload/replay/csv-fields.h"

#include <algorithm>
#include <cstdlib>

namespace ns3::nfsrdma
{

namespace
{

constexpr double HUNDRED_PERCENT = 100;
/// No simulation is as long: 100 h.
constexpr const char* NO_END = "360000s";

bool
IsSaid(const ScenarioConfig& config, const std::string& key)
{
    return config.GetOrigin(key).source != ScenarioOrigin::DEFAULT;
}

Time
ResolveWarmUp(const ScenarioConfig& config)
{
    const auto text = config.Get("measure.warm_up").AsText();
    const auto& schema = config.GetSchema();
    const auto value =
        ScenarioValue::Parse(schema.GetKey(*schema.Find("measure.duration")).constraint, text);
    if (!value)
    {
        config.Refuse("measure.warm_up", "auto, or " + value.error());
    }
    return value->AsTime();
}

double
ResolvePrecision(const ScenarioConfig& config)
{
    const auto text = config.Get("measure.until").AsText();
    char* end = nullptr;
    const double share = std::strtod(text.c_str(), &end);
    if (std::string(end) != "%" || !(share > 0) || share >= HUNDRED_PERCENT)
    {
        config.Refuse("measure.until", "none, or a share above 0% and below 100%, as 5%");
    }
    return share / HUNDRED_PERCENT;
}

/// Jobs of a client would make the same requests at the same times.
void
CheckArrivals(const ScenarioConfig& config, const std::string& section)
{
    if (config.Get(section + ".kind").AsText() == "fio" &&
        config.Get(section + ".arrivals").AsText() == "trace" &&
        config.Get(section + ".numjobs").AsInteger() > 1)
    {
        config.Refuse(section + ".numjobs", "1 with arrivals = trace, which is of one job");
    }
}

void
CheckEnds(const ScenarioConfig& config, const MeasurementPlan& plan)
{
    bool foreground = false;
    for (const auto& section : config.GetWorkloadSections())
    {
        const bool background = config.Get(section + ".background").AsBoolean();
        foreground = foreground || !background;
        CheckArrivals(config, section);
        if (config.Get(section + ".kind").AsText() != "replay")
        {
            continue;
        }
        if (background)
        {
            config.Refuse(section + ".background", "false with kind = replay, which has an end");
        }
        if (plan.EndsWork())
        {
            config.Refuse(plan.precision > 0 ? "measure.until" : "measure.duration",
                          std::string(plan.precision > 0 ? "none" : "0ns") +
                              " with kind = replay, which ends with the recording");
        }
    }
    if (!foreground)
    {
        config.Refuse(config.GetWorkloadSections().front() + ".background",
                      "false for one workload at least, whose end is that of the others");
    }
}

} // namespace

MeasurementPlan
ResolveMeasurement(const ScenarioConfig& config)
{
    MeasurementPlan plan;
    plan.barrier = config.Get("measure.barrier").AsBoolean();
    plan.spread = config.Get("measure.spread").AsTime();
    plan.findWarmUp = config.Get("measure.warm_up").AsText() == "auto";
    if (!plan.findWarmUp)
    {
        plan.warmUp = ResolveWarmUp(config);
    }
    plan.duration = config.Get("measure.duration").AsTime();
    if (config.Get("measure.until").AsText() != "none")
    {
        plan.precision = ResolvePrecision(config);
    }
    plan.metric = config.Get("measure.metric").AsText() == "latency"
                      ? MeasurementPlan::LATENCY
                      : MeasurementPlan::OPERATIONS_PER_SECOND;
    plan.longest = config.Get("measure.longest").AsTime();
    CheckEnds(config, plan);
    return plan;
}

std::vector<AttributeText>
ListEndlessAttributes(const ScenarioConfig& config, const std::string& section)
{
    const auto says = [&](const char* key) { return IsSaid(config, section + "." + key); };
    const auto kind = config.Get(section + ".kind").AsText();
    if (kind == "mix")
    {
        return says("operations") || says("duration")
                   ? std::vector<AttributeText>()
                   : std::vector<AttributeText>{{"MixWorkload::Operations", "0"},
                                                {"MixWorkload::Duration", NO_END}};
    }
    if (kind == "mdtest" || kind == "replay" || says("requests") || says("runtime") ||
        says("io_size"))
    {
        return {};
    }
    const auto workload = Workload::Create(kind);
    const bool hasRequests = IsTargetOf("RequestWorkload::Runtime", workload->GetInstanceTypeId());
    workload->Dispose();
    return hasRequests ? std::vector<AttributeText>{{"RequestWorkload::Runtime", NO_END}}
                       : std::vector<AttributeText>();
}

} // namespace ns3::nfsrdma
