/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "helper/charts/message-selection.h"
#include "nfs/types/posix-acl.h"
#include "scenarios/simulator/config/host-range.h"
#include "scenarios/simulator/config/sweep-shard.h"
#include "scenarios/simulator/keys/scenario-value.h"
#include "workload/generate/weighted-choice.h"
#include "workload/replay/csv-fields.h"

namespace ns3::nfsrdma
{

namespace
{

/// What is taken as a value is taken again as it is printed.
void
CheckValue(ScenarioType type, const std::string& text)
{
    const ScenarioConstraint constraint{type, 0, 0, {"aware", "layered"}};
    const auto value = ScenarioValue::Parse(constraint, text);
    if (!value)
    {
        FuzzExpect(value.error() == constraint.Describe());
        return;
    }
    const auto again = ScenarioValue::Parse(constraint, value->ToText());
    FuzzExpect(again && *again == *value);
    FuzzExpect(!value->ToAttributeText().empty() || text.empty());
    FuzzExpect(!value->ToBaseUnits().empty() || text.empty());
}

void
CheckWeights(const std::string& text)
{
    const auto choice = WeightedChoice::Parse(text);
    if (!choice)
    {
        FuzzExpect(!choice.error().empty());
        return;
    }
    uint64_t total = 0;
    for (const auto& item : choice->GetItems())
    {
        total += item.weight;
        FuzzExpect(total >= item.weight);
    }
    FuzzExpect(total == choice->GetTotal() && total > 0);
    FuzzExpect(choice->GetItems().at(choice->Choose(0)).weight > 0);
    FuzzExpect(choice->GetItems().at(choice->Choose(total - 1)).weight > 0);
}

void
CheckAcl(const std::string& text)
{
    const auto acl = ParsePosixAcl(text);
    FuzzExpect(!acl || ParsePosixAcl(ToString(*acl)) == acl);
}

void
CheckShard(const std::string& text)
{
    const auto shard = SweepShard::Parse(text);
    FuzzExpect(!shard || (shard->index >= 1 && shard->index <= shard->count));
}

} // namespace

/// The first octet chooses what the text that follows is to be.
void
FuzzOne(ByteSpan input)
{
    const FuzzText chosen(input);
    switch (chosen.choice)
    {
    case 'i':
        return CheckValue(ScenarioType::INTEGER, chosen.text);
    case 'r':
        return CheckValue(ScenarioType::REAL, chosen.text);
    case 'b':
        return CheckValue(ScenarioType::BOOLEAN, chosen.text);
    case 't':
        return CheckValue(ScenarioType::TIME, chosen.text);
    case 'R':
        return CheckValue(ScenarioType::RATE, chosen.text);
    case 's':
        return CheckValue(ScenarioType::SIZE, chosen.text);
    case 'c':
        return CheckValue(ScenarioType::CHOICE, chosen.text);
    case 'w':
        return CheckWeights(chosen.text);
    case 'a':
        return CheckAcl(chosen.text);
    case 'h':
        return FuzzExpect(ExpandHostRange(chosen.text).size() <= 65536);
    case 'n':
        return CheckShard(chosen.text);
    case 'm':
        if (auto selection = MessageSelection::Parse(chosen.text))
        {
            FuzzExpect(!selection->IsEmpty() || !selection->Take(1, "READ"));
        }
        return;
    case 'e':
        if (const auto seconds = ParseSeconds(chosen.text))
        {
            FuzzExpect(*seconds >= 0);
        }
        return;
    default:
        return;
    }
}

} // namespace ns3::nfsrdma
