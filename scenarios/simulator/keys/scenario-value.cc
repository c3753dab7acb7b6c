/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/scenario-value.h"

#include "fault/word-list.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace ns3::nfsrdma
{

namespace
{

struct Unit
{
    const char* name;
    uint64_t factor;
};

constexpr std::array<Unit, 6> TIME_UNITS{{{"h", 3'600'000'000'000},
                                          {"min", 60'000'000'000},
                                          {"s", 1'000'000'000},
                                          {"ms", 1'000'000},
                                          {"us", 1'000},
                                          {"ns", 1}}};
constexpr std::array<Unit, 10> RATE_UNITS{{{"Tbps", 1'000'000'000'000},
                                           {"Gbps", 1'000'000'000},
                                           {"Mbps", 1'000'000},
                                           {"kbps", 1'000},
                                           {"Tb/s", 1'000'000'000'000},
                                           {"Gb/s", 1'000'000'000},
                                           {"Mb/s", 1'000'000},
                                           {"kb/s", 1'000},
                                           {"b/s", 1},
                                           {"bps", 1}}};
constexpr std::array<Unit, 6> SIZE_UNITS{{{"TiB", uint64_t{1} << 40},
                                          {"GiB", uint64_t{1} << 30},
                                          {"MiB", uint64_t{1} << 20},
                                          {"KiB", uint64_t{1} << 10},
                                          {"B", 1},
                                          {"", 1}}};

/// Base units up to here fit a Time and are exact in a double with a fraction of the unit.
constexpr double LARGEST_QUANTITY = 9.0e18;

std::string
FormatReal(double value)
{
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), end.ptr};
}

template <std::size_t N>
std::string
FormatQuantity(uint64_t value, const std::array<Unit, N>& units)
{
    for (const auto& unit : units)
    {
        if (value != 0 && value % unit.factor == 0)
        {
            return std::to_string(value / unit.factor) + unit.name;
        }
    }
    return std::string("0") + units[N - 1].name;
}

std::string
FormatBase(ScenarioType type, uint64_t value)
{
    switch (type)
    {
    case ScenarioType::TIME:
        return FormatQuantity(value, TIME_UNITS);
    case ScenarioType::RATE:
        return FormatQuantity(value, RATE_UNITS);
    case ScenarioType::SIZE:
        return std::to_string(value) + "B";
    default:
        return std::to_string(value);
    }
}

/// Splits "12.5 us" into the digits and the unit.
struct QuantityText
{
    std::string_view number;
    std::string_view unit;
};

std::optional<QuantityText>
SplitQuantity(std::string_view text)
{
    const auto end = std::find_if(text.begin(), text.end(), [](char c) {
        return (c < '0' || c > '9') && c != '.';
    });
    const auto digits = static_cast<std::size_t>(end - text.begin());
    if (digits == 0)
    {
        return std::nullopt;
    }
    const auto unit = text.find_first_not_of(' ', digits);
    return QuantityText{text.substr(0, digits),
                        unit == std::string_view::npos ? std::string_view() : text.substr(unit)};
}

/// Exact decimal arithmetic: 0.1us is 100 ns, 1.0005us is no whole number of ns.
std::optional<uint64_t>
ScaleDecimal(std::string_view number, uint64_t factor)
{
    const auto point = number.find('.');
    const auto whole = number.substr(0, point);
    const auto fraction =
        point == std::string_view::npos ? std::string_view() : number.substr(point + 1);
    if (whole.empty() || fraction.find('.') != std::string_view::npos ||
        (point != std::string_view::npos && fraction.empty()))
    {
        return std::nullopt;
    }
    uint64_t value = 0;
    if (std::from_chars(whole.data(), whole.data() + whole.size(), value).ec != std::errc() ||
        static_cast<double>(value) * static_cast<double>(factor) > LARGEST_QUANTITY)
    {
        return std::nullopt;
    }
    uint64_t total = value * factor;
    uint64_t step = factor;
    uint64_t stepDenominator = 1;
    uint64_t numerator = 0;
    for (const char digit : fraction)
    {
        if (stepDenominator > 100'000'000'000'000)
        {
            return std::nullopt;
        }
        stepDenominator *= 10;
        numerator = numerator * 10 + static_cast<uint64_t>(digit - '0');
    }
    while (stepDenominator % 2 == 0 && step % 2 == 0)
    {
        stepDenominator /= 2;
        step /= 2;
    }
    while (stepDenominator % 5 == 0 && step % 5 == 0)
    {
        stepDenominator /= 5;
        step /= 5;
    }
    if (numerator % stepDenominator != 0)
    {
        return std::nullopt;
    }
    total += numerator / stepDenominator * step;
    return static_cast<double>(total) > LARGEST_QUANTITY ? std::nullopt
                                                         : std::optional<uint64_t>(total);
}

template <std::size_t N>
std::optional<uint64_t>
ParseQuantity(std::string_view text, const std::array<Unit, N>& units)
{
    const auto split = SplitQuantity(text);
    if (!split)
    {
        return std::nullopt;
    }
    for (const auto& unit : units)
    {
        if (split->unit == unit.name)
        {
            return ScaleDecimal(split->number, unit.factor);
        }
    }
    return ScaleDecimal(split->number, 1) == uint64_t{0} && split->unit.empty()
               ? std::optional<uint64_t>(0)
               : std::nullopt;
}

std::optional<uint64_t>
ParseBaseUnits(ScenarioType type, const std::string& text)
{
    switch (type)
    {
    case ScenarioType::TIME:
        return ParseQuantity(text, TIME_UNITS);
    case ScenarioType::RATE:
        return ParseQuantity(text, RATE_UNITS);
    case ScenarioType::SIZE:
        return ParseQuantity(text, SIZE_UNITS);
    default: {
        uint64_t value = 0;
        const auto* end = text.data() + text.size();
        const auto result = std::from_chars(text.data(), end, value);
        return result.ec == std::errc() && result.ptr == end ? std::optional<uint64_t>(value)
                                                             : std::nullopt;
    }
    }
}

std::optional<double>
ParseReal(const std::string& text)
{
    double value = 0;
    const auto* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || !std::isfinite(value))
    {
        return std::nullopt;
    }
    return value;
}

std::optional<bool>
ParseBoolean(const std::string& text)
{
    if (text == "true" || text == "yes" || text == "on" || text == "1")
    {
        return true;
    }
    if (text == "false" || text == "no" || text == "off" || text == "0")
    {
        return false;
    }
    return std::nullopt;
}

const char*
DescribeType(ScenarioType type)
{
    switch (type)
    {
    case ScenarioType::INTEGER:
        return "a whole number";
    case ScenarioType::REAL:
        return "a decimal number";
    case ScenarioType::BOOLEAN:
        return "true or false";
    case ScenarioType::TIME:
        return "a time such as 500ns, 10us or 1.5s, in whole ns";
    case ScenarioType::RATE:
        return "a rate such as 25Gbps or 100Mbps";
    case ScenarioType::SIZE:
        return "a size in octets such as 4096 or 64KiB";
    case ScenarioType::CHOICE:
        return "one of";
    case ScenarioType::TEXT:
        break;
    }
    return "a text";
}

} // namespace

const char*
ToString(ScenarioType type)
{
    switch (type)
    {
    case ScenarioType::INTEGER:
        return "integer";
    case ScenarioType::REAL:
        return "real";
    case ScenarioType::BOOLEAN:
        return "bool";
    case ScenarioType::TIME:
        return "time";
    case ScenarioType::RATE:
        return "rate";
    case ScenarioType::SIZE:
        return "size";
    case ScenarioType::CHOICE:
        return "choice";
    case ScenarioType::TEXT:
        break;
    }
    return "text";
}

std::string
ScenarioConstraint::Describe() const
{
    std::string text = DescribeType(type);
    if (type == ScenarioType::CHOICE)
    {
        return text + " " + JoinWords(choices);
    }
    const auto format = [this](double bound) {
        return type == ScenarioType::REAL ? FormatReal(bound)
                                          : FormatBase(type, static_cast<uint64_t>(bound));
    };
    if (maximum > 0)
    {
        return text + " from " + format(minimum) + " to " + format(maximum);
    }
    if (minimum > 0)
    {
        return text + " of at least " + format(minimum);
    }
    return text;
}

ScenarioValue::ScenarioValue(ScenarioType type,
                             std::variant<uint64_t, double, bool, std::string> value)
    : m_type(type),
      m_value(std::move(value))
{
}

tl::expected<ScenarioValue, std::string>
ScenarioValue::Parse(const ScenarioConstraint& constraint, const std::string& text)
{
    const auto wrong = [&constraint] { return tl::make_unexpected(constraint.Describe()); };
    const auto inRange = [&constraint](double value) {
        return value >= constraint.minimum &&
               (constraint.maximum <= 0 || value <= constraint.maximum);
    };
    switch (constraint.type)
    {
    case ScenarioType::TEXT:
        return ScenarioValue(constraint.type, text);
    case ScenarioType::CHOICE:
        if (std::find(constraint.choices.begin(), constraint.choices.end(), text) ==
            constraint.choices.end())
        {
            return wrong();
        }
        return ScenarioValue(constraint.type, text);
    case ScenarioType::BOOLEAN:
        if (const auto value = ParseBoolean(text))
        {
            return ScenarioValue(constraint.type, *value);
        }
        return wrong();
    case ScenarioType::REAL: {
        const auto value = ParseReal(text);
        if (!value || *value < 0 || !inRange(*value))
        {
            return wrong();
        }
        return ScenarioValue(constraint.type, *value);
    }
    default: {
        const auto value = ParseBaseUnits(constraint.type, text);
        if (!value || !inRange(static_cast<double>(*value)))
        {
            return wrong();
        }
        return ScenarioValue(constraint.type, *value);
    }
    }
}

ScenarioType
ScenarioValue::GetType() const
{
    return m_type;
}

uint64_t
ScenarioValue::AsInteger() const
{
    return std::get<uint64_t>(m_value);
}

double
ScenarioValue::AsReal() const
{
    return std::get<double>(m_value);
}

bool
ScenarioValue::AsBoolean() const
{
    return std::get<bool>(m_value);
}

Time
ScenarioValue::AsTime() const
{
    return NanoSeconds(std::get<uint64_t>(m_value));
}

DataRate
ScenarioValue::AsRate() const
{
    return DataRate(std::get<uint64_t>(m_value));
}

const std::string&
ScenarioValue::AsText() const
{
    return std::get<std::string>(m_value);
}

std::string
ScenarioValue::ToText() const
{
    switch (m_type)
    {
    case ScenarioType::TEXT:
    case ScenarioType::CHOICE:
        return AsText();
    case ScenarioType::BOOLEAN:
        return AsBoolean() ? "true" : "false";
    case ScenarioType::REAL:
        return FormatReal(AsReal());
    default:
        return FormatBase(m_type, AsInteger());
    }
}

std::string
ScenarioValue::ToBaseUnits() const
{
    switch (m_type)
    {
    case ScenarioType::TIME:
        return FormatReal(static_cast<double>(AsInteger()) / 1e9);
    case ScenarioType::RATE:
    case ScenarioType::SIZE:
        return std::to_string(AsInteger());
    default:
        return ToText();
    }
}

std::string
ScenarioValue::ToAttributeText() const
{
    switch (m_type)
    {
    case ScenarioType::TIME:
        return std::to_string(AsInteger()) + "ns";
    case ScenarioType::RATE:
        return std::to_string(AsInteger()) + "bps";
    case ScenarioType::SIZE:
        return std::to_string(AsInteger());
    default:
        return ToText();
    }
}

bool
ScenarioValue::operator==(const ScenarioValue& other) const
{
    return m_type == other.m_type && m_value == other.m_value;
}

} // namespace ns3::nfsrdma
