/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "settings/setting.h"

#include "ns3/abort.h"

#include <cctype>

namespace ns3::nfsrdma
{

namespace
{

std::string
Capitalise(std::string text)
{
    text.at(0) = static_cast<char>(std::toupper(static_cast<unsigned char>(text.at(0))));
    return text;
}

const char*
GetUnit(SettingKind kind)
{
    switch (kind)
    {
    case SettingKind::COUNT:
        return " (count)";
    case SettingKind::OCTETS:
        return " (octets)";
    case SettingKind::TIME:
        return " (time)";
    case SettingKind::RATE:
        return " (bit/s)";
    case SettingKind::SWITCH:
        return " (true or false)";
    case SettingKind::REAL:
    case SettingKind::CHOICE:
    case SettingKind::TEXT:
        break;
    }
    return "";
}

SettingRange
MakeRange(SettingKind kind, double minimum = 0, double maximum = 0)
{
    SettingRange range;
    range.kind = kind;
    range.minimum = minimum;
    range.maximum = maximum;
    return range;
}

} // namespace

SettingRange
Count(double minimum, double maximum)
{
    return MakeRange(SettingKind::COUNT, minimum, maximum);
}

SettingRange
Octets(double minimum, double maximum)
{
    return MakeRange(SettingKind::OCTETS, minimum, maximum);
}

SettingRange
AnyTime()
{
    return MakeRange(SettingKind::TIME);
}

SettingRange
RateFrom(double minimum)
{
    return MakeRange(SettingKind::RATE, minimum);
}

SettingRange
Share()
{
    return MakeRange(SettingKind::REAL, 0, 1);
}

SettingRange
TrueOrFalse()
{
    return MakeRange(SettingKind::SWITCH);
}

std::string
SettingRow::GetAttribute() const
{
    return Capitalise(name);
}

std::string
SettingRow::GetKey() const
{
    std::string key;
    for (const char letter : name)
    {
        const auto octet = static_cast<unsigned char>(letter);
        if (std::isupper(octet) != 0)
        {
            key += '_';
        }
        key += static_cast<char>(std::tolower(octet));
    }
    return key;
}

std::string
SettingRow::GetHelp() const
{
    std::string help = Capitalise(meaning) + GetUnit(range.kind);
    if (!range.words.empty())
    {
        help += ": ";
        for (std::size_t i = 0; i < range.words.size(); ++i)
        {
            const bool last = i + 1 == range.words.size();
            help += (i == 0 ? "" : last ? " or " : ", ") + range.words[i];
        }
    }
    return help + ". Default: " + reason + ".";
}

Ptr<const AttributeChecker>
SettingRow::MakeChecker() const
{
    switch (range.kind)
    {
    case SettingKind::COUNT:
    case SettingKind::OCTETS:
        return MakeUintegerChecker<uint64_t>(static_cast<uint64_t>(range.minimum),
                                             static_cast<uint64_t>(range.maximum));
    case SettingKind::TIME:
        return MakeTimeChecker(Time(0));
    case SettingKind::RATE:
        return MakeDataRateChecker();
    case SettingKind::REAL:
        return MakeDoubleChecker<double>(range.minimum, range.maximum);
    case SettingKind::SWITCH:
        return MakeBooleanChecker();
    case SettingKind::CHOICE:
        return range.checker;
    case SettingKind::TEXT:
        break;
    }
    return MakeStringChecker();
}

Ptr<AttributeValue>
SettingRow::MakeDefault() const
{
    const auto checker = MakeChecker();
    const auto value = checker->Create();
    const bool isRight = value->DeserializeFromString(defaultText, checker);
    NS_ABORT_MSG_UNLESS(isRight, "default of " << name << ": " << defaultText);
    return value;
}

} // namespace ns3::nfsrdma
