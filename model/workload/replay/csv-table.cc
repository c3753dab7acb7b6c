/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/csv-table.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

class CsvScanner
{
  public:
    CsvScanner(const std::string& file, std::string_view content)
        : m_file(file),
          m_content(content)
    {
    }

    [[nodiscard]] bool AtEnd() const
    {
        return m_position >= m_content.size();
    }

    [[nodiscard]] uint32_t GetLine() const
    {
        return m_line;
    }

    [[nodiscard]] bool AtComment() const
    {
        return m_content[m_position] == '#';
    }

    std::string_view TakeLine()
    {
        const std::size_t end = std::min(m_content.find('\n', m_position), m_content.size());
        std::string_view line = m_content.substr(m_position, end - m_position);
        m_position = end + 1;
        ++m_line;
        if (!line.empty() && line.back() == '\r')
        {
            line.remove_suffix(1);
        }
        return line;
    }

    /// An empty line is a record of one empty field.
    Parsed<CsvRecord> TakeRecord()
    {
        CsvRecord record;
        record.line = m_line;
        while (true)
        {
            auto field = TakeField();
            if (!field)
            {
                return tl::unexpected(field.error());
            }
            record.fields.push_back(*std::move(field));
            if (AtEnd() || m_content[m_position] != ',')
            {
                SkipLineEnd();
                return record;
            }
            ++m_position;
        }
    }

  private:
    [[nodiscard]] bool AtLineEnd() const
    {
        return AtEnd() || m_content[m_position] == '\n' ||
               (m_content[m_position] == '\r' &&
                (m_position + 1 == m_content.size() || m_content[m_position + 1] == '\n'));
    }

    void SkipLineEnd()
    {
        if (!AtEnd() && m_content[m_position] == '\r')
        {
            ++m_position;
        }
        ++m_position;
        ++m_line;
    }

    Parsed<std::string> TakeField()
    {
        if (!AtEnd() && m_content[m_position] == '"')
        {
            return TakeQuotedField();
        }
        const std::size_t begin = m_position;
        while (!AtLineEnd() && m_content[m_position] != ',')
        {
            if (m_content[m_position] == '"')
            {
                return tl::unexpected(
                    Error(m_line, "a field with a quote in it to be quoted as a whole", "\""));
            }
            ++m_position;
        }
        return std::string(m_content.substr(begin, m_position - begin));
    }

    Parsed<std::string> TakeQuotedField()
    {
        const uint32_t begin = m_line;
        std::string field;
        ++m_position;
        while (!AtEnd())
        {
            const char c = m_content[m_position++];
            if (c != '"')
            {
                m_line += c == '\n' ? 1 : 0;
                field += c;
            }
            else if (!AtEnd() && m_content[m_position] == '"')
            {
                field += '"';
                ++m_position;
            }
            else if (AtLineEnd() || m_content[m_position] == ',')
            {
                return field;
            }
            else
            {
                return tl::unexpected(Error(m_line,
                                            "a comma or the end of the line after a closing quote",
                                            std::string(1, m_content[m_position])));
            }
        }
        return tl::unexpected(
            Error(begin, "a closing quote for the quoted field that begins here", ""));
    }

    [[nodiscard]] InputError Error(uint32_t line, std::string expected, std::string found) const
    {
        return InputError{m_file, line, "", std::move(expected), std::move(found)};
    }

    const std::string& m_file;
    std::string_view m_content;
    std::size_t m_position{0};
    uint32_t m_line{1};
};

std::string
Trim(std::string_view text)
{
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos)
    {
        return {};
    }
    return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

std::string
Join(const std::vector<std::string>& words)
{
    std::string joined;
    for (const auto& word : words)
    {
        joined += (joined.empty() ? "" : ",") + word;
    }
    return joined;
}

/// For each column of \p header its place in \p columns.
Parsed<std::vector<std::size_t>>
MapColumns(const std::string& file,
           const CsvRecord& header,
           const std::vector<std::string>& columns)
{
    std::vector<std::size_t> places;
    std::vector<bool> seen(columns.size(), false);
    for (const auto& name : header.fields)
    {
        const auto column = std::find(columns.begin(), columns.end(), name);
        if (column == columns.end())
        {
            return tl::unexpected(
                InputError{file, header.line, name, "one of " + Join(columns), name});
        }
        const auto place = static_cast<std::size_t>(column - columns.begin());
        if (seen[place])
        {
            return tl::unexpected(InputError{file, header.line, name, "each column once", name});
        }
        seen[place] = true;
        places.push_back(place);
    }
    const auto missing = std::find(seen.begin(), seen.end(), false);
    if (missing != seen.end())
    {
        const auto& name = columns[static_cast<std::size_t>(missing - seen.begin())];
        return tl::unexpected(InputError{file, header.line, name, "this column in the header", ""});
    }
    return places;
}

} // namespace

Parsed<CsvTable>
CsvTable::Parse(const std::string& file,
                std::string_view content,
                const std::vector<std::string>& columns)
{
    CsvTable table;
    CsvScanner scanner(file, content);
    std::optional<std::vector<std::size_t>> places;
    while (!scanner.AtEnd())
    {
        if (scanner.AtComment())
        {
            const uint32_t line = scanner.GetLine();
            table.comments.push_back({line, Trim(scanner.TakeLine().substr(1))});
            continue;
        }
        auto record = scanner.TakeRecord();
        if (!record)
        {
            return tl::unexpected(record.error());
        }
        if (record->fields.size() == 1 && record->fields[0].empty())
        {
            continue;
        }
        if (!places)
        {
            auto mapped = MapColumns(file, *record, columns);
            if (!mapped)
            {
                return tl::unexpected(mapped.error());
            }
            places = *std::move(mapped);
            continue;
        }
        if (record->fields.size() != places->size())
        {
            return tl::unexpected(InputError{file,
                                             record->line,
                                             "",
                                             std::to_string(places->size()) + " fields",
                                             std::to_string(record->fields.size())});
        }
        CsvRecord ordered;
        ordered.line = record->line;
        ordered.fields.resize(columns.size());
        for (std::size_t i = 0; i < places->size(); ++i)
        {
            ordered.fields[(*places)[i]] = std::move(record->fields[i]);
        }
        table.records.push_back(std::move(ordered));
    }
    if (!places)
    {
        return tl::unexpected(
            InputError{file, scanner.GetLine(), "", "a header line " + Join(columns), ""});
    }
    return table;
}

} // namespace ns3::nfsrdma
