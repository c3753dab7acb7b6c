/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HOST_MEMORY_PAGE_H
#define NFSRDMA_HOST_MEMORY_PAGE_H

#include "wire/bytes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ns3::nfsrdma
{

/**
 * \brief A page of host memory: 4 KiB that are zero until they are written.
 *
 * It stores the part that was written, and as a whole once that is long: most pages of receive
 * buffers and send contexts never hold more than a message.
 */
class MemoryPage
{
  public:
    static constexpr uint32_t SIZE = 4096;

    /// \return room for \p length octets (at least 1) that are written at \p offset; together at
    /// most SIZE. Valid until the next call.
    MutableByteSpan GetRoom(uint32_t offset, uint32_t length)
    {
        if (offset < m_begin || offset + length > GetEnd())
        {
            Grow(offset, offset + length);
        }
        return {m_octets.data() + (offset - m_begin), length};
    }

    /// Fills \p out from \p offset on; together at most SIZE.
    void Read(uint32_t offset, MutableByteSpan out) const
    {
        const auto end = static_cast<uint32_t>(offset + out.size());
        if (offset >= m_begin && end <= GetEnd())
        {
            std::copy_n(m_octets.data() + (offset - m_begin), out.size(), out.data());
            return;
        }
        std::fill_n(out.data(), out.size(), uint8_t{0});
        const uint32_t first = std::max(offset, m_begin);
        const uint32_t last = std::min(end, GetEnd());
        if (first < last)
        {
            std::copy_n(m_octets.data() + (first - m_begin),
                        last - first,
                        out.data() + (first - offset));
        }
    }

    /// \return whether nothing was written.
    [[nodiscard]] bool IsEmpty() const
    {
        return m_octets.empty();
    }

    /// \return octets that it stores.
    [[nodiscard]] std::size_t GetStored() const
    {
        return m_octets.size();
    }

  private:
    static constexpr uint32_t STEP = 128;
    static constexpr uint32_t MOST_IN_PART = 1024;

    [[nodiscard]] uint32_t GetEnd() const
    {
        return m_begin + static_cast<uint32_t>(m_octets.size());
    }

    /// Stores what lies from \p offset to \p end, too.
    void Grow(uint32_t offset, uint32_t end)
    {
        uint32_t first = (IsEmpty() ? offset : std::min(offset, m_begin)) / STEP * STEP;
        uint32_t last = (std::max(end, GetEnd()) + STEP - 1) / STEP * STEP;
        if (last - first > MOST_IN_PART)
        {
            first = 0;
            last = SIZE;
        }
        ByteVector octets(last - first, 0);
        std::copy(m_octets.begin(), m_octets.end(), octets.begin() + (m_begin - first));
        m_octets = std::move(octets);
        m_begin = first;
    }

    ByteVector m_octets;
    uint32_t m_begin{0}; ///< Where they are.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_MEMORY_PAGE_H
