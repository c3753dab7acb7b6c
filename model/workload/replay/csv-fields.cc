/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/csv-fields.h"

#include <charconv>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t MAX_MODE = 07777;

} // namespace

std::optional<uint64_t>
ParseUnsigned(std::string_view text, uint64_t limit, int base)
{
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size() || value > limit)
    {
        return std::nullopt;
    }
    return value;
}

std::optional<int64_t>
ParseSeconds(std::string_view text)
{
    constexpr uint64_t NANOSECONDS = 1000000000;
    constexpr std::size_t DECIMALS = 9;
    const auto point = text.find('.');
    const auto seconds =
        ParseUnsigned(text.substr(0, point),
                      static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) / NANOSECONDS - 1);
    if (!seconds)
    {
        return std::nullopt;
    }
    uint64_t nanoseconds = 0;
    if (point != std::string_view::npos)
    {
        std::string fraction(text.substr(point + 1));
        const bool tooLong = fraction.size() > DECIMALS;
        const auto digits = ParseUnsigned(fraction);
        if (!digits || tooLong)
        {
            return std::nullopt;
        }
        fraction.resize(DECIMALS, '0');
        nanoseconds = *ParseUnsigned(fraction);
    }
    return static_cast<int64_t>(*seconds * NANOSECONDS + nanoseconds);
}

std::vector<std::string_view>
Split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    while (!text.empty())
    {
        const auto end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
        {
            return parts;
        }
        text.remove_prefix(end + 1);
        if (text.empty())
        {
            parts.push_back(text);
        }
    }
    return parts;
}

CsvFields::CsvFields(const std::string& file,
                     const std::vector<std::string>& columns,
                     const CsvRecord& record)
    : m_file(file),
      m_columns(columns),
      m_record(record)
{
}

std::string
CsvFields::Required(std::size_t column, const std::string& expected)
{
    if (IsEmpty(column))
    {
        Fail(column, expected);
    }
    return Text(column);
}

std::optional<uint64_t>
CsvFields::Number(std::size_t column, uint64_t limit)
{
    if (IsEmpty(column))
    {
        return std::nullopt;
    }
    const auto value = ParseUnsigned(Text(column), limit);
    if (!value)
    {
        Fail(column, "an unsigned number not above " + std::to_string(limit));
    }
    return value;
}

std::optional<uint32_t>
CsvFields::Number32(std::size_t column)
{
    const auto value = Number(column, std::numeric_limits<uint32_t>::max());
    return value ? std::optional<uint32_t>(static_cast<uint32_t>(*value)) : std::nullopt;
}

uint64_t
CsvFields::RequiredNumber(std::size_t column, uint64_t limit)
{
    if (IsEmpty(column))
    {
        Fail(column, "an unsigned number not above " + std::to_string(limit));
    }
    return Number(column, limit).value_or(0);
}

std::optional<uint32_t>
CsvFields::Mode(std::size_t column)
{
    if (IsEmpty(column))
    {
        return std::nullopt;
    }
    const auto value = ParseUnsigned(Text(column), MAX_MODE, 8);
    if (!value)
    {
        Fail(column, "an octal mode not above 7777");
        return std::nullopt;
    }
    return static_cast<uint32_t>(*value);
}

void
CsvFields::Fail(std::size_t column, const std::string& expected)
{
    if (!m_error)
    {
        m_error = InputError{m_file, m_record.line, m_columns[column], expected, Text(column)};
    }
}

} // namespace ns3::nfsrdma
