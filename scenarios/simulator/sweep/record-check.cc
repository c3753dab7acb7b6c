/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/sweep/record-check.h"

#include "scenarios/simulator/config/sweep-plan.h"
#include "scenarios/simulator/config/sweep-shard.h"
#include "scenarios/simulator/report/run-report.h"
#include "scenarios/simulator/sweep/document-check.h"
#include "scenarios/simulator/sweep/table.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

using Json = nlohmann::ordered_json;

void
CheckManifest(const DocumentCheck& check, const Json& document)
{
    const auto& manifest = check.Require(document, "", "manifest", &Json::is_object);
    check.Require(manifest, "manifest.", "name", &Json::is_string);
    check.Require(manifest, "manifest.", "config", &Json::is_object);
    const auto& sweep = check.Require(manifest, "manifest.", "sweep", &Json::is_object);
    check.Require(sweep, "manifest.sweep.", "seeds", &Json::is_array);
    check.RequireEach(sweep, "manifest.sweep.", "keys", &Json::is_array, &Json::is_string);
}

/// \param keys swept
void
CheckRun(const DocumentCheck& check, const std::string& prefix, const Json& run, std::size_t keys)
{
    SweepRun named;
    named.point = check.Require(run, prefix, "point", &Json::is_number_unsigned);
    named.seed = check.Require(run, prefix, "seed", &Json::is_number_unsigned);
    const auto& name = check.Require(run, prefix, "name", &Json::is_string);
    if (name != named.GetName())
    {
        check.Refuse(prefix + "name", name.dump());
    }
    check.Require(run, prefix, "inputs", &Json::is_string);
    for (const auto* key : {"values", "texts"})
    {
        const auto& texts = check.RequireEach(run, prefix, key, &Json::is_array, &Json::is_string);
        if (texts.size() != keys)
        {
            check.Refuse(prefix + key, texts.dump());
        }
    }
}

/// \return whether \p value is a number, or null for the quantile that \p key names: what too few
/// values do not tell.
bool
IsNumberOrNull(const Json& value, const std::string& key)
{
    const auto name = key.substr(key.find_last_of('.') + 1);
    return value.is_number() || (value.is_null() && name.size() > 1 && name[0] == 'p' &&
                                 name.find_first_not_of("0123456789", 1) == std::string::npos);
}

void
CheckItems(const DocumentCheck& check, const std::string& prefix, const Json& owner)
{
    for (const auto& item :
         check.RequireEach(owner, prefix, "items", &Json::is_array, &Json::is_object))
    {
        const auto place = prefix + "items.";
        check.Require(item, place, "item", &Json::is_string);
        for (const auto* key :
             {"operations", "errors", "octets", "seconds", "per_second", "octets_per_second"})
        {
            check.Require(item, place, key, &Json::is_number);
        }
        for (const auto& [key, value] :
             check.Require(item, place, "latency_us", &Json::is_object).items())
        {
            if (!IsNumberOrNull(value, key))
            {
                check.Refuse(std::string(place).append("latency_us.").append(key),
                             value.type_name());
            }
        }
    }
}

void
CheckWorkloads(const DocumentCheck& check, const Json& summary)
{
    for (const auto& workload :
         check.RequireEach(summary, "", "workloads", &Json::is_array, &Json::is_object))
    {
        check.Require(workload, "workloads.", "workload", &Json::is_string);
        check.Require(workload, "workloads.", "kind", &Json::is_string);
        CheckItems(check, "workloads.", workload);
        for (const auto& client : check.RequireEach(workload,
                                                    "workloads.",
                                                    "clients",
                                                    &Json::is_array,
                                                    &Json::is_object))
        {
            check.Require(client, "workloads.clients.", "client", &Json::is_number_unsigned);
            CheckItems(check, "workloads.clients.", client);
        }
    }
}

void
CheckAdversaries(const DocumentCheck& check, const Json& summary)
{
    if (!summary.contains("adversaries"))
    {
        return;
    }
    const auto& adversaries = check.Require(summary, "", "adversaries", &Json::is_object);
    for (const auto& role :
         check.RequireEach(adversaries, "adversaries.", "roles", &Json::is_array, &Json::is_object))
    {
        for (const auto* key : {"name", "role", "host"})
        {
            check.Require(role, "adversaries.roles.", key, &Json::is_string);
        }
        check.RequireEach(role,
                          "adversaries.roles.",
                          "broken",
                          &Json::is_object,
                          &Json::is_number_unsigned);
    }
}

} // namespace

void
CheckSweepRecord(const std::string& file, const std::string& format, const Json& document)
{
    const DocumentCheck check(file, "the record of a sweep");
    if (!document.is_object() || document.value("format", Json()) != format)
    {
        check.Refuse("", "another file");
    }
    const auto& shard = check.Require(document, "", "shard", &Json::is_string);
    if (!SweepShard::Parse(shard.get<std::string>()))
    {
        check.Refuse("shard", shard.dump());
    }
    check.Require(document, "", "program", &Json::is_string);
    CheckManifest(check, document);
    const auto keys = document["manifest"]["sweep"]["keys"].size();
    const auto& runs = check.RequireEach(document, "", "runs", &Json::is_array, &Json::is_object);
    for (std::size_t place = 0; place < runs.size(); ++place)
    {
        CheckRun(check, "runs." + std::to_string(place) + ".", runs[place], keys);
    }
}

void
CheckRunSummary(const std::string& file, const Json& summary)
{
    const DocumentCheck check(file, "the summary of a run (without its directory it runs again)");
    if (!summary.is_object())
    {
        check.Refuse("", "another file");
    }
    const auto& status = check.Require(summary, "", "exit_status", &Json::is_number_unsigned);
    if (status.get<uint64_t>() > static_cast<uint64_t>(RunStatus::STALLED))
    {
        check.Refuse("exit_status", status.dump());
    }
    check.Require(summary, "", "digest", &Json::is_string);
    check.RequireEach(summary, "", "unsupported", &Json::is_object, &Json::is_number_unsigned);
    for (const auto& measure : GetSweepMeasures())
    {
        auto key = measure.pointer.to_string().substr(1);
        std::replace(key.begin(), key.end(), '/', '.');
        const bool isThere = summary.contains(measure.pointer);
        if (!isThere)
        {
            check.Refuse(key, "nothing");
        }
        const auto& value = summary.at(measure.pointer);
        const bool isUntold = measure.mayBeUntold && (value.is_null() || value.is_boolean());
        if (!isUntold && !IsNumberOrNull(value, key))
        {
            check.Refuse(key, value.type_name());
        }
    }
    CheckWorkloads(check, summary);
    CheckAdversaries(check, summary);
}

} // namespace ns3::nfsrdma
