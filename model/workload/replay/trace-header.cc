/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/trace-header.h"

#include "nfs/types/file-handle.h"
#include "workload/replay/csv-fields.h"

#include <limits>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::string_view SOURCE = "source=";
constexpr std::string_view HANDLE_OCTETS = "handle_octets ";
constexpr std::string_view CLIENT = "client=";

bool
StartsWith(std::string_view text, std::string_view prefix)
{
    return text.substr(0, prefix.size()) == prefix;
}

/// The words "key=value" of one comment line, with the error of the first bad one.
class CommentWords
{
  public:
    CommentWords(const std::string& file, const CsvComment& comment)
        : m_file(file),
          m_comment(comment)
    {
        for (const auto& word : Split(comment.text, ' '))
        {
            const auto equals = word.find('=');
            if (equals != std::string_view::npos)
            {
                m_words.emplace_back(word.substr(0, equals), word.substr(equals + 1));
            }
        }
    }

    std::string Text(std::string_view key)
    {
        for (const auto& [name, value] : m_words)
        {
            if (name == key)
            {
                return std::string(value);
            }
        }
        Fail(key, "'" + std::string(key) + "=' in this line", "");
        return {};
    }

    uint32_t Number(std::string_view key, uint32_t limit = std::numeric_limits<uint32_t>::max())
    {
        const std::string text = Text(key);
        return Convert(key, text, limit);
    }

    std::vector<uint32_t> Numbers(std::string_view key)
    {
        const std::string text = Text(key);
        std::vector<uint32_t> numbers;
        for (const auto& part : Split(text, ','))
        {
            numbers.push_back(Convert(key, part, std::numeric_limits<uint32_t>::max()));
        }
        return numbers;
    }

    void Fail(std::string_view key, std::string expected, std::string_view found)
    {
        if (m_result)
        {
            m_result = tl::unexpected(InputError{m_file,
                                                 m_comment.line,
                                                 std::string(key),
                                                 std::move(expected),
                                                 std::string(found)});
        }
    }

    [[nodiscard]] const Parsed<void>& GetResult() const
    {
        return m_result;
    }

  private:
    uint32_t Convert(std::string_view key, std::string_view text, uint32_t limit)
    {
        const auto value = ParseUnsigned(text, limit);
        if (!value)
        {
            Fail(key, "an unsigned number not above " + std::to_string(limit), text);
        }
        return static_cast<uint32_t>(value.value_or(0));
    }

    const std::string& m_file;
    const CsvComment& m_comment;
    std::vector<std::pair<std::string_view, std::string_view>> m_words;
    Parsed<void> m_result;
};

Parsed<void>
ParseHandleOctets(const CsvComment& comment, Trace& trace)
{
    CommentWords words(trace.file, comment);
    const auto read = [&words](std::string_view key, uint32_t least) {
        const uint32_t octets = words.Number(key, NFS3_FHSIZE);
        if (octets != 0 && octets < least)
        {
            words.Fail(key,
                       "0, when it is not known, or " + std::to_string(least) + " at least",
                       std::to_string(octets));
        }
        return octets;
    };
    trace.rootHandleOctets = read("root", FileHandle::MIN_ROOT_OCTETS);
    trace.otherHandleOctets = read("other", FileHandle::MIN_OCTETS);
    return words.GetResult();
}

Parsed<void>
ParseClient(const CsvComment& comment, Trace& trace)
{
    CommentWords words(trace.file, comment);
    const uint32_t index = words.Number("client");
    if (index != trace.clients.size())
    {
        words.Fail("client",
                   "client=" + std::to_string(trace.clients.size()),
                   std::to_string(index));
    }
    TraceClient client;
    client.address = words.Text("address");
    client.machine = words.Text("machine");
    client.uid = words.Number("uid");
    client.gid = words.Number("gid");
    client.gids = words.Numbers("gids");
    trace.clients.push_back(std::move(client));
    return words.GetResult();
}

Time
ReadTime(CsvFields& fields, std::size_t column)
{
    const auto nanoseconds = ParseSeconds(fields.Text(column));
    if (!nanoseconds)
    {
        fields.Fail(column, "seconds as 1.000000000");
    }
    return NanoSeconds(nanoseconds.value_or(0));
}

} // namespace

Parsed<void>
ParseTraceHeader(const CsvTable& table, Trace& trace, std::string_view magic)
{
    if (table.comments.empty() || table.comments[0].line != 1 || table.comments[0].text != magic)
    {
        const bool hasFirst = !table.comments.empty() && table.comments[0].line == 1;
        return tl::unexpected(InputError{trace.file,
                                         1,
                                         "",
                                         "the line '# " + std::string(magic) + "'",
                                         hasFirst ? "# " + table.comments[0].text : ""});
    }
    for (const auto& comment : table.comments)
    {
        Parsed<void> parsed;
        if (StartsWith(comment.text, SOURCE))
        {
            trace.source = comment.text.substr(SOURCE.size());
        }
        else if (StartsWith(comment.text, HANDLE_OCTETS))
        {
            parsed = ParseHandleOctets(comment, trace);
        }
        else if (StartsWith(comment.text, CLIENT))
        {
            parsed = ParseClient(comment, trace);
        }
        if (!parsed)
        {
            return parsed;
        }
    }
    if (trace.clients.empty())
    {
        return tl::unexpected(
            InputError{trace.file, 0, "", "a line '# client=0 address=... machine=...'", ""});
    }
    return {};
}

void
ReadTraceRowHead(CsvFields& fields, const CsvRecord& record, const Trace& trace, TraceRow& row)
{
    constexpr std::size_t TIME = 0;
    constexpr std::size_t REPLY_TIME = 1;
    constexpr std::size_t CLIENT_INDEX = 2;
    row.line = record.line;
    row.time = ReadTime(fields, TIME);
    if (!trace.rows.empty() && row.time < trace.rows.back().time)
    {
        fields.Fail(TIME, "a time not before that of the row above");
    }
    if (!fields.IsEmpty(REPLY_TIME))
    {
        row.replyTime = ReadTime(fields, REPLY_TIME);
        if (*row.replyTime < row.time)
        {
            fields.Fail(REPLY_TIME, "a time not before the call's");
        }
    }
    row.client =
        static_cast<uint32_t>(fields.RequiredNumber(CLIENT_INDEX, trace.clients.size() - 1));
}

} // namespace ns3::nfsrdma
