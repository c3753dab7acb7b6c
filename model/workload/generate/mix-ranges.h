/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_MIX_RANGES_H
#define NFSRDMA_WORKLOAD_GENERATE_MIX_RANGES_H

#include "workload/check/verifying-file-client.h"
#include "workload/generate/mix-file.h"
#include "workload/generate/weighted-choice.h"

#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// An operation of a mix has completed. \param item its name in results \param octets that it moved
using MixEnd =
    std::function<void(const char* item, Time arrived, uint64_t octets, const FileReply& reply)>;

/// \return a number from 0 up to and without \p count.
[[nodiscard]] uint64_t DrawIndex(UniformRandomVariable& stream, uint64_t count);

/**
 * \brief The operations of a MixWorkload that have a range of a file: READ, WRITE, and those of
 * NFSv4.2. Each is drawn a place, and moves on to one that no outstanding operation has with which
 * it must not overlap; it waits while there is none.
 */
class MixRanges
{
  public:
    enum Kind
    {
        READ,
        WRITE,
        READ_PLUS,
        ALLOCATE,
        DEALLOCATE,
        COPY,
        CLONE
    };

    struct Settings
    {
        uint64_t fileSize{0};                  ///< Octets, of each file.
        uint32_t alignment{0};                 ///< Octets of which offsets are multiples.
        uint32_t copySize{0};                  ///< Octets of a copy or clone; 0: as sizes.
        StableHow stable{StableHow::UNSTABLE}; ///< Of WRITEs.
        bool allowOverlap{false};
        WeightedChoice choice;       ///< Among sizes.
        std::vector<uint32_t> sizes; ///< Octets.
    };

    struct Streams
    {
        Ptr<UniformRandomVariable> file{CreateObject<UniformRandomVariable>()};
        Ptr<UniformRandomVariable> offset{CreateObject<UniformRandomVariable>()};
        Ptr<UniformRandomVariable> size{CreateObject<UniformRandomVariable>()};
    };

    /// \param files on which operations are noted; outlives them, as the others
    MixRanges(VerifyingFileClient& client,
              std::vector<MixFile>& files,
              const Settings& settings,
              const Streams& streams,
              MixEnd end);

    /// \return the kind that an operation mix calls \p name.
    [[nodiscard]] static std::optional<Kind> Find(const std::string& name);

    /// Operations that start from now on have arrived at \p time.
    void SetArrival(Time time)
    {
        m_arrived = time;
    }

    void Start(Kind kind);
    /// SEEK has a place, but no range that it keeps from others.
    void StartSeek();

    /// Forgets what waits for a place.
    void Clear()
    {
        m_waiting.clear();
    }

    [[nodiscard]] std::vector<std::string> DescribeWaiting() const;

  private:
    /// A range of a file.
    struct Place
    {
        std::size_t file{0};
        uint64_t offset{0};
    };

    /// An operation that looks for its place.
    struct Io
    {
        Kind kind{READ};
        uint32_t size{0};
        Time arrived;
        Place place;
        Place source; ///< COPY and CLONE.
    };

    [[nodiscard]] static bool IsWrite(Kind kind)
    {
        return kind != READ && kind != READ_PLUS;
    }

    [[nodiscard]] static bool HasSource(Kind kind)
    {
        return kind == COPY || kind == CLONE;
    }

    /// \return places in a file where so many octets can be.
    [[nodiscard]] uint64_t CountPlaces(uint32_t size) const
    {
        return (m_settings.fileSize - size) / m_settings.alignment + 1;
    }

    [[nodiscard]] std::size_t DrawFile()
    {
        return DrawIndex(*m_streams.file, m_files.size());
    }

    [[nodiscard]] uint64_t DrawOffset(uint32_t size)
    {
        return DrawIndex(*m_streams.offset, CountPlaces(size)) * m_settings.alignment;
    }

    /// Finds a free place for \p io, from where it is on. \return false when there is none.
    bool Find(Io& io) const;
    /// The same for one of its ranges. \param other a file that it is not to be of
    bool Find(Place& place, uint32_t size, bool write, std::optional<std::size_t> other) const;
    void Issue(const Io& io);
    void End(const Io& io);

    VerifyingFileClient& m_client;
    std::vector<MixFile>& m_files;
    const Settings& m_settings;
    const Streams& m_streams;
    MixEnd m_end;
    std::deque<Io> m_waiting;
    uint32_t m_nextSeek{0};
    Time m_arrived;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_MIX_RANGES_H
