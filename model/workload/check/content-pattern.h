/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_CONTENT_PATTERN_H
#define NFSRDMA_WORKLOAD_CHECK_CONTENT_PATTERN_H

#include "wire/bytes.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace ns3::nfsrdma
{

/// \return the seed of the content of \p object in the export of \p client.
[[nodiscard]] uint64_t GetContentSeed(uint32_t client, std::string_view object);

/**
 * \brief The octets of one generation of one file: octet i is octet i mod 8, lowest first, of a
 * 64-bit mix (splitmix64) of the key and i / 8.
 *
 * Any part is found without what is before it; another seed or generation gives other octets.
 */
class ContentPattern
{
  public:
    ContentPattern(uint64_t seed, uint64_t generation);

    /// Fills \p out with the octets from \p offset on.
    void Fill(uint64_t offset, MutableByteSpan out) const;
    /// \return the position in \p octets, which should be those from \p offset on, of the first
    /// that is not.
    [[nodiscard]] std::optional<std::size_t> FindMismatch(uint64_t offset, ByteSpan octets) const;

    [[nodiscard]] bool operator==(const ContentPattern& other) const
    {
        return m_key == other.m_key;
    }

  private:
    [[nodiscard]] uint64_t GetWord(uint64_t index) const;

    uint64_t m_key;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_CONTENT_PATTERN_H
