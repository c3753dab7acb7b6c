/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_FILE_CONTENT_H
#define NFSRDMA_WORKLOAD_CHECK_FILE_CONTENT_H

#include "wire/bytes.h"
#include "workload/check/content-pattern.h"
#include "workload/check/octet-ranges.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief What a regular file should hold, without its octets: extents that are each a part of the
 * pattern of one generation, of this file or of one that it was copied from, zeros, one of several
 * such, or anything; zeros between them.
 *
 * Octets of which one of several may be right are compared with each of them, and count as
 * uncertain.
 */
class FileContent
{
  public:
    /// A file of \p size octets of generation 0.
    FileContent(uint64_t seed, uint64_t size);

    [[nodiscard]] uint64_t GetSize() const
    {
        return m_size;
    }

    /// \return false when operations left the size open.
    [[nodiscard]] bool IsSizeCertain() const
    {
        return m_sizeCertain;
    }

    /// Makes a later SetSize() the only way to know the size again.
    void MarkSizeUncertain()
    {
        m_sizeCertain = false;
    }

    /// Cuts, or extends with zeros.
    void SetSize(uint64_t size);

    /// \return a number for the content of the next WRITE, by the client \p writer.
    uint64_t NextGeneration(uint32_t writer = 0)
    {
        m_writers.push_back(writer);
        return m_writers.size();
    }

    [[nodiscard]] ContentPattern GetPattern(uint64_t generation) const
    {
        return {m_seed, generation};
    }

    /// Overlays \p range with octets of \p generation; the size grows when it must.
    void Write(const OctetRange& range, uint64_t generation);
    /// Octets of \p range may be those of \p generation, or remain what they were; the size stays.
    void AddCandidate(const OctetRange& range, uint64_t generation);
    /// Octets of \p range may be anything until written again; the size stays.
    void MarkUncertain(const OctetRange& range);
    /// The size becomes \p size when it is less.
    void Extend(uint64_t size);
    /// Octets of \p range become zeros; the size stays.
    void Zero(const OctetRange& range);
    /// Overlays \p to with the octets of \p from, which may be this file, from \p fromOffset on;
    /// the size grows when it must.
    void Copy(const FileContent& from, uint64_t fromOffset, const OctetRange& to);
    /// \return whether octets of \p range have been written, so that they cannot be in a hole.
    [[nodiscard]] bool IsWritten(const OctetRange& range) const;

    /// \return what \p range should hold: a content that stays as it is now.
    [[nodiscard]] FileContent Slice(const OctetRange& range) const;
    /// \return whether what the file should hold now may be what \p before, a Slice(), tells of
    /// \p range.
    [[nodiscard]] bool MayEqual(const FileContent& before, const OctetRange& range) const;
    /// \return where octets come from that should not be at \p offset: "WRITE 3 of the file, by
    /// client-1, ...".
    [[nodiscard]] std::string DescribeOrigin(uint64_t offset, ByteSpan octets) const;

    /// What a comparison found.
    struct Comparison
    {
        uint64_t compared{0};             ///< Octets that may be one thing only.
        uint64_t uncertain{0};            ///< Octets of which several, or anything, may be right.
        std::optional<uint64_t> mismatch; ///< Offset in the file of the first wrong octet.
    };

    /**
     * \brief Compares octets with what the file should hold.
     * \param offset of the first in the file
     * \param octets to compare
     */
    [[nodiscard]] Comparison Compare(uint64_t offset, ByteSpan octets) const;

  private:
    /// Where octets come from: the one at offset i is the pattern's at i + shift, modulo 2^64.
    struct Source
    {
        std::optional<ContentPattern> pattern; ///< Absent: zeros.
        uint64_t shift{0};

        /// \return how many octets, which are at \p offset of the file, are as they should be,
        /// from the first on.
        [[nodiscard]] std::size_t Match(uint64_t offset, ByteSpan octets) const;

        [[nodiscard]] bool operator==(const Source& other) const
        {
            return pattern == other.pattern && (!pattern || shift == other.shift);
        }
    };

    using Sources = std::vector<Source>;

    struct Extent
    {
        uint64_t end{0};
        Sources sources; ///< Any of them; none: anything.

        [[nodiscard]] bool IsCertain() const
        {
            return sources.size() == 1;
        }
    };

    using Extents = std::map<uint64_t, Extent>; ///< By begin; disjoint.

    /// \return the first extent that has octets of \p range, or one behind it.
    [[nodiscard]] Extents::const_iterator FindFirst(const OctetRange& range) const;

    /// Makes \p range free of extents, cutting those that reach into it.
    void Clear(const OctetRange& range);
    /// Calls \p visit(part, sources) for each part of \p range that has sources of its own, in
    /// order.
    template <typename Visit>
    void ForEachPart(const OctetRange& range, Visit visit) const;
    static void ComparePiece(uint64_t offset,
                             ByteSpan octets,
                             const Sources& sources,
                             Comparison& comparison);

    uint64_t m_seed;
    uint64_t m_size;
    bool m_sizeCertain{true};
    std::vector<uint32_t> m_writers; ///< Of generations from 1 on.
    Extents m_extents;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_FILE_CONTENT_H
