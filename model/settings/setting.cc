/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "settings/setting.h"

#include "ns3/abort.h"

#include <cctype>
#include <cstdint>
#include <utility>

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
    case SettingKind::NAME:
    case SettingKind::TEXT:
        break;
    }
    return "";
}

/// \return "4096" of "4KiB".
std::string
ToOctets(const std::string& text)
{
    std::size_t end = 0;
    const uint64_t count = std::stoull(text, &end);
    const std::string powers = "BKMGT";
    return std::to_string(count << (end == text.size() ? 0 : 10 * powers.find(text.at(end))));
}

/// \return the bound of a whole number that \p maximum is.
uint64_t
GetMost(double maximum)
{
    return maximum > 0 ? static_cast<uint64_t>(maximum) : UINT64_MAX;
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
AnyTime(double minimum, double maximum)
{
    return MakeRange(SettingKind::TIME, minimum, maximum);
}

SettingRange
RateFrom(double minimum)
{
    return MakeRange(SettingKind::RATE, minimum);
}

SettingRange
Number(double minimum, double maximum)
{
    return MakeRange(SettingKind::REAL, minimum, maximum);
}

SettingRange
Share()
{
    return Number(0, 1);
}

SettingRange
TrueOrFalse()
{
    return MakeRange(SettingKind::SWITCH);
}

SettingRange
Names(std::vector<std::string> words)
{
    SettingRange range = MakeRange(SettingKind::NAME);
    range.words = std::move(words);
    return range;
}

SettingRange
AnyText()
{
    return MakeRange(SettingKind::TEXT);
}

std::string
SettingRow::GetAttribute() const
{
    return Capitalise(name);
}

std::string
SettingRow::GetKey() const
{
    if (!otherKey.empty())
    {
        return otherKey;
    }
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
    return help + (reason.empty() ? "." : ". Default: " + reason + ".");
}

Ptr<const AttributeChecker>
SettingRow::MakeChecker() const
{
    switch (range.kind)
    {
    case SettingKind::COUNT:
    case SettingKind::OCTETS:
        return MakeUintegerChecker<uint64_t>(static_cast<uint64_t>(range.minimum),
                                             GetMost(range.maximum));
    case SettingKind::TIME:
        return MakeTimeChecker(NanoSeconds(static_cast<uint64_t>(range.minimum)),
                               range.maximum > 0 ? NanoSeconds(static_cast<uint64_t>(range.maximum))
                                                 : Time::Max());
    case SettingKind::RATE:
        return MakeDataRateChecker();
    case SettingKind::REAL:
        return MakeDoubleChecker<double>(range.minimum, range.maximum);
    case SettingKind::SWITCH:
        return MakeBooleanChecker();
    case SettingKind::CHOICE:
        return range.checker;
    case SettingKind::NAME:
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
    const bool isRight = value->DeserializeFromString(
        range.kind == SettingKind::OCTETS ? ToOctets(defaultText) : defaultText,
        checker);
    NS_ABORT_MSG_UNLESS(isRight, "default of " << name << ": " << defaultText);
    return value;
}

} // namespace ns3::nfsrdma
