/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CHARTS_TRACE_EVENT_WRITER_H
#define NFSRDMA_HELPER_CHARTS_TRACE_EVENT_WRITER_H

#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/// Where an event is shown: a process, and a track (thread) of it.
struct TraceTrack
{
    uint32_t process{0};
    uint32_t track{0};
};

/**
 * \brief Writes a file in the Trace Event Format, its JSON Object Format, that Perfetto and
 * chrome://tracing open: metadata (M), complete (X), instant (i) and counter (C) events.
 *
 * Times are microseconds with three decimals. A slice must lie in one of its track, or beside it:
 * TraceLanes finds tracks for slices that may overlap. Names and texts are UTF-8.
 */
class TraceEventWriter
{
  public:
    /// Written behind the name of an event: key and text.
    using Arguments = std::vector<std::pair<const char*, std::string>>;

    /// Begins the document. \param stream outlives it
    explicit TraceEventWriter(std::ostream& stream);

    void NameProcess(uint32_t process, const std::string& name);
    /// Tracks are shown by their numbers.
    void NameTrack(TraceTrack track, const std::string& name);
    void AddSlice(TraceTrack track,
                  const char* category,
                  const std::string& name,
                  Time begin,
                  Time end,
                  const Arguments& arguments = {});
    /// \param isGlobal shown over all processes
    void AddInstant(TraceTrack track,
                    const char* category,
                    const std::string& name,
                    Time time,
                    bool isGlobal = false);
    void AddCounter(uint32_t process,
                    const std::string& name,
                    Time time,
                    const char* unit,
                    uint64_t value);
    /// Ends the document.
    void Finish();

  private:
    void Begin(char phase, const std::string& name, const char* category);
    void AddTime(const char* key, Time time);

    std::ostream& m_stream;
    std::string m_line;
    bool m_first{true};
};

/**
 * \brief Tracks for slices that may overlap: the first one that is free. Few are needed when slices
 * are given in the order of their ends.
 */
class TraceLanes
{
  public:
    /// \return a lane, from 0, whose slices all end by \p begin; it ends at \p end now.
    [[nodiscard]] uint32_t Take(Time begin, Time end);
    /// \return lanes in use so far.
    [[nodiscard]] uint32_t GetCount() const;

  private:
    std::vector<Time> m_ends;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CHARTS_TRACE_EVENT_WRITER_H
