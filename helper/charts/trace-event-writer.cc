/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/charts/trace-event-writer.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr unsigned char FIRST_PRINTABLE = 0x20;

/// Appends \p text as a JSON string (RFC 8259 section 7); control characters as spaces.
void
AppendString(std::string& line, const std::string& text)
{
    line += '"';
    for (const char c : text)
    {
        if (c == '"' || c == '\\')
        {
            line += '\\';
        }
        line += static_cast<unsigned char>(c) < FIRST_PRINTABLE ? ' ' : c;
    }
    line += '"';
}

/// Appends microseconds with three decimals.
void
AppendMicroseconds(std::string& line, Time time)
{
    constexpr int64_t THOUSAND = 1000;
    const int64_t nanoseconds = time.GetNanoSeconds();
    const auto fraction = std::to_string(nanoseconds % THOUSAND);
    line += std::to_string(nanoseconds / THOUSAND) + '.';
    line.append(3 - fraction.size(), '0');
    line += fraction;
}

} // namespace

TraceEventWriter::TraceEventWriter(std::ostream& stream)
    : m_stream(stream)
{
    m_stream << R"({"displayTimeUnit":"ns","traceEvents":[)";
}

void
TraceEventWriter::Begin(char phase, const std::string& name, const char* category)
{
    m_line = m_first ? "\n" : ",\n";
    m_first = false;
    m_line += R"({"ph":")";
    m_line += phase;
    m_line += R"(","name":)";
    AppendString(m_line, name);
    if (category != nullptr)
    {
        m_line += R"(,"cat":")" + std::string(category) + '"';
    }
}

void
TraceEventWriter::AddTime(const char* key, Time time)
{
    m_line += std::string(",\"") + key + "\":";
    AppendMicroseconds(m_line, time);
}

void
TraceEventWriter::NameProcess(uint32_t process, const std::string& name)
{
    Begin('M', "process_name", nullptr);
    m_line += R"(,"pid":)" + std::to_string(process) + R"(,"args":{"name":)";
    AppendString(m_line, name);
    m_stream << m_line << "}}";
}

void
TraceEventWriter::NameTrack(TraceTrack track, const std::string& name)
{
    const auto place = R"(,"pid":)" + std::to_string(track.process) + R"(,"tid":)" +
                       std::to_string(track.track) + R"(,"args":{)";
    Begin('M', "thread_name", nullptr);
    m_line += place + R"("name":)";
    AppendString(m_line, name);
    m_stream << m_line << "}}";
    Begin('M', "thread_sort_index", nullptr);
    m_line += place + R"("sort_index":)" + std::to_string(track.track);
    m_stream << m_line << "}}";
}

void
TraceEventWriter::AddSlice(TraceTrack track,
                           const char* category,
                           const std::string& name,
                           Time begin,
                           Time end,
                           const Arguments& arguments)
{
    Begin('X', name, category);
    m_line +=
        R"(,"pid":)" + std::to_string(track.process) + R"(,"tid":)" + std::to_string(track.track);
    AddTime("ts", begin);
    AddTime("dur", end - begin);
    if (!arguments.empty())
    {
        const char* separator = R"(,"args":{")";
        for (const auto& [key, text] : arguments)
        {
            m_line += separator + std::string(key) + "\":";
            AppendString(m_line, text);
            separator = ",\"";
        }
        m_line += '}';
    }
    m_stream << m_line << '}';
}

void
TraceEventWriter::AddInstant(TraceTrack track,
                             const char* category,
                             const std::string& name,
                             Time time,
                             bool isGlobal)
{
    Begin('i', name, category);
    m_line +=
        R"(,"pid":)" + std::to_string(track.process) + R"(,"tid":)" + std::to_string(track.track);
    AddTime("ts", time);
    m_stream << m_line << R"(,"s":")" << (isGlobal ? 'g' : 't') << R"("})";
}

void
TraceEventWriter::AddCounter(uint32_t process,
                             const std::string& name,
                             Time time,
                             const char* unit,
                             uint64_t value)
{
    Begin('C', name, nullptr);
    m_line += R"(,"pid":)" + std::to_string(process);
    AddTime("ts", time);
    m_stream << m_line << R"(,"args":{")" << unit << "\":" << value << "}}";
}

void
TraceEventWriter::Finish()
{
    m_stream << "\n]}\n";
}

uint32_t
TraceLanes::Take(Time begin, Time end)
{
    const auto found = std::find_if(m_ends.begin(), m_ends.end(), [begin](Time latest) {
        return latest <= begin;
    });
    const auto lane = static_cast<uint32_t>(found - m_ends.begin());
    if (found == m_ends.end())
    {
        m_ends.push_back(end);
    }
    else
    {
        *found = end;
    }
    return lane;
}

uint32_t
TraceLanes::GetCount() const
{
    return static_cast<uint32_t>(m_ends.size());
}

} // namespace ns3::nfsrdma
