/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_FILE_CONTENT_H
#define NFSRDMA_WORKLOAD_FILE_CONTENT_H

#include "wire/bytes.h"
#include "workload/content-pattern.h"
#include "workload/octet-ranges.h"

#include <cstdint>
#include <map>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief What a regular file should hold, without its octets: extents that are each a part of the
 * pattern of one generation, or uncertain; zeros between them.
 */
class FileContent
{
  public:
    /// A file of \p size octets of generation 0.
    FileContent(uint64_t seed, uint64_t size);

    [[nodiscard]] uint64_t GetSize() const;
    /// \return false when operations left the size open.
    [[nodiscard]] bool IsSizeCertain() const;
    /// Makes a later SetSize() the only way to know the size again.
    void MarkSizeUncertain();
    /// Cuts, or extends with zeros.
    void SetSize(uint64_t size);

    /// \return a number for the content of the next WRITE.
    uint64_t NextGeneration();
    [[nodiscard]] ContentPattern GetPattern(uint64_t generation) const;
    /// Overlays \p range with octets of \p generation; the size grows when it must.
    void Write(const OctetRange& range, uint64_t generation);
    /// Octets of \p range may be anything until written again; the size stays.
    void MarkUncertain(const OctetRange& range);

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
    struct Extent
    {
        uint64_t end{0};
        std::optional<uint64_t> generation; ///< Absent: uncertain.
    };

    using Extents = std::map<uint64_t, Extent>; ///< By begin; disjoint.

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

#endif // NFSRDMA_WORKLOAD_FILE_CONTENT_H
