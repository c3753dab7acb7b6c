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

namespace ns3::nfsrdma
{

/**
 * \brief What a regular file should hold, without its octets: extents that are each a part of the
 * pattern of one generation, of this file or of one that it was copied from, or uncertain; zeros
 * between them.
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

    /// \return a number for the content of the next WRITE.
    uint64_t NextGeneration()
    {
        return ++m_generation;
    }

    [[nodiscard]] ContentPattern GetPattern(uint64_t generation) const
    {
        return {m_seed, generation};
    }

    /// Overlays \p range with octets of \p generation; the size grows when it must.
    void Write(const OctetRange& range, uint64_t generation);
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

    /// What a comparison found.
    struct Comparison
    {
        uint64_t compared{0};             ///< Octets.
        uint64_t uncertain{0};            ///< Octets.
        std::optional<uint64_t> mismatch; ///< Offset in the file of the first wrong octet.
    };

    /**
     * \brief Compares octets with what the file should hold.
     * \param offset of the first in the file
     * \param octets to compare
     * \param excluded ranges of the file not to compare, counted as uncertain
     */
    [[nodiscard]] Comparison Compare(uint64_t offset,
                                     ByteSpan octets,
                                     const OctetRanges& excluded = {}) const;

  private:
    /// Where octets come from: the one at offset i is the pattern's at i + shift, modulo 2^64.
    struct Source
    {
        ContentPattern pattern;
        uint64_t shift{0};
    };

    struct Extent
    {
        uint64_t end{0};
        std::optional<Source> source; ///< Absent: uncertain.
    };

    using Extents = std::map<uint64_t, Extent>; ///< By begin; disjoint.

    /// \return the first extent that has octets of \p range, or one behind it.
    [[nodiscard]] Extents::const_iterator FindFirst(const OctetRange& range) const;

    /// Makes \p range free of extents, cutting those that reach into it.
    void Clear(const OctetRange& range);
    void ComparePiece(uint64_t offset,
                      ByteSpan octets,
                      const Extent* extent,
                      Comparison& comparison) const;
    void CompareCertain(uint64_t offset, ByteSpan octets, Comparison& comparison) const;

    uint64_t m_seed;
    uint64_t m_size;
    bool m_sizeCertain{true};
    uint64_t m_generation{0};
    Extents m_extents;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_FILE_CONTENT_H
