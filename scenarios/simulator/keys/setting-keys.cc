/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/setting-keys.h"

#include "scenarios/simulator/keys/key-makers.h"

namespace ns3::nfsrdma
{

namespace
{

ScenarioConstraint
MakeConstraint(const SettingRange& range)
{
    switch (range.kind)
    {
    case SettingKind::COUNT:
        return Integer(range.minimum, range.maximum);
    case SettingKind::OCTETS:
        return Size(range.minimum, range.maximum);
    case SettingKind::TIME:
        return Duration(range.minimum, range.maximum > 0 ? range.maximum : MAX_DURATION);
    case SettingKind::RATE:
        return Rate(range.minimum);
    case SettingKind::REAL:
        return Real(range.minimum, range.maximum);
    case SettingKind::SWITCH:
        return Boolean();
    case SettingKind::CHOICE:
    case SettingKind::NAME:
        return Choice(range.GetWords());
    case SettingKind::TEXT:
        break;
    }
    return Text();
}

} // namespace

ScenarioKey
MakeKey(const SettingRow& row, const std::string& model, const std::string& prefix)
{
    return {prefix + row.GetKey(),
            MakeConstraint(row.range),
            row.defaultText,
            row.meaning,
            {model + "::" + row.GetAttribute()}};
}

} // namespace ns3::nfsrdma
