/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "settings/setting.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <sstream>
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
Names(std::vector<std::string> (*list)())
{
    SettingRange range = MakeRange(SettingKind::NAME);
    range.listWords = list;
    return range;
}

std::vector<std::string>
SettingRange::GetWords() const
{
    return listWords == nullptr ? words : listWords();
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
    const auto words = range.GetWords();
    if (!words.empty())
    {
        help += ": ";
        for (std::size_t i = 0; i < words.size(); ++i)
        {
            const bool last = i + 1 == words.size();
            help += (i == 0 ? "" : last ? " or " : ", ") + words[i];
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

std::optional<SettingWords>
SettingWords::Parse(const std::string& text)
{
    const auto bracket = text.find('[');
    SettingWords words;
    words.name = text.substr(0, bracket);
    if (bracket == std::string::npos)
    {
        return words;
    }
    if (text.back() != ']')
    {
        return std::nullopt;
    }
    std::istringstream values(text.substr(bracket + 1, text.size() - bracket - 2));
    for (std::string value; std::getline(values, value, '|');)
    {
        const auto equals = value.find('=');
        if (equals == std::string::npos)
        {
            return std::nullopt;
        }
        words.values.emplace_back(value.substr(0, equals), value.substr(equals + 1));
    }
    return words;
}

std::string
SettingWords::ToText() const
{
    if (values.empty())
    {
        return name;
    }
    std::string text = name;
    char before = '[';
    for (const auto& [attribute, value] : values)
    {
        text.append(1, before).append(attribute).append("=").append(value);
        before = '|';
    }
    return text + "]";
}

bool
SettingWords::AreOf(const std::vector<SettingRow>& rows) const
{
    return std::all_of(values.begin(), values.end(), [&rows](const auto& value) {
        return std::any_of(rows.begin(), rows.end(), [&value](const SettingRow& row) {
            return row.GetAttribute() == value.first;
        });
    });
}

Ptr<AttributeValue>
SettingWords::MakeValue(const SettingRow& row) const
{
    const auto attribute = row.GetAttribute();
    const auto said = std::find_if(values.rbegin(), values.rend(), [&attribute](const auto& value) {
        return value.first == attribute;
    });
    return said == values.rend() ? row.MakeDefault()
                                 : row.MakeChecker()->CreateValidValue(StringValue(said->second));
}

} // namespace ns3::nfsrdma
