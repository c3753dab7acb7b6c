/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-check.h"

#include "workload/mix-workload.h"

#include "ns3/string.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr const char* MIX = "MixWorkload::";

/// \return the help of an attribute of MixWorkload.
std::string
GetAttributeHelp(const std::string& attribute)
{
    TypeId::AttributeInformation information;
    MixWorkload::GetTypeId().LookupAttributeByName(attribute, &information);
    return information.help;
}

} // namespace

void
CheckWorkload(const ScenarioConfig& config)
{
    if (config.Get("workload.kind").AsText() != "mix")
    {
        return;
    }
    const auto workload = CreateObject<MixWorkload>();
    const auto& schema = config.GetSchema();
    const std::string prefix = MIX;
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        for (const auto& target : schema.GetKey(index).targets)
        {
            if (target.rfind(prefix, 0) != 0)
            {
                continue;
            }
            const auto attribute = target.substr(prefix.size());
            const StringValue value(config.Get(index).ToAttributeText());
            if (!workload->SetAttributeFailSafe(attribute, value))
            {
                config.Refuse(schema.GetFullName(index), GetAttributeHelp(attribute));
            }
        }
    }
    if (const auto valid = workload->Validate(); !valid)
    {
        throw ScenarioError(config.GetOrigin("workload.kind").ToText(),
                            "workload",
                            "keys that do not fit together",
                            valid.error());
    }
    workload->Dispose();
}

} // namespace ns3::nfsrdma
