/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HOST_MEMORY_PAGE_H
#define NFSRDMA_HOST_MEMORY_PAGE_H

#include "wire/bytes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace ns3::nfsrdma
{

/**
 * \brief A page of host memory: 4 KiB that are zero until they are written.
 *
 * It stores the part that was written, and as a whole once that is long: most pages of receive
 * buffers and send contexts never hold more than a message. There are so many of them that an
 * empty one is a pointer.
 */
class MemoryPage
{
  public:
    static constexpr uint32_t SIZE = 4096;

    /// \return room for \p length octets (at least 1) that are written at \p offset; together at
    /// most SIZE. Valid until the next call.
    MutableByteSpan GetRoom(uint32_t offset, uint32_t length)
    {
        if (!m_part || offset < m_part->begin || offset + length > m_part->end)
        {
            Grow(offset, offset + length);
        }
        return {GetOctets() + (offset - m_part->begin), length};
    }

    /// Fills \p out from \p offset on; together at most SIZE.
    void Read(uint32_t offset, MutableByteSpan out) const
    {
        const auto end = static_cast<uint32_t>(offset + out.size());
        const uint32_t first = m_part ? std::max(offset, m_part->begin) : end;
        const uint32_t last = m_part ? std::min(end, m_part->end) : end;
        if (first >= last)
        {
            std::fill_n(out.data(), out.size(), uint8_t{0});
            return;
        }
        std::fill_n(out.data(), first - offset, uint8_t{0});
        std::copy_n(GetOctets() + (first - m_part->begin),
                    last - first,
                    out.data() + (first - offset));
        std::fill_n(out.data() + (last - offset), end - last, uint8_t{0});
    }

    /// \return whether nothing was written.
    [[nodiscard]] bool IsEmpty() const
    {
        return !m_part;
    }

    /// \return octets that it stores.
    [[nodiscard]] std::size_t GetStored() const
    {
        return m_part ? m_part->end - m_part->begin : 0;
    }

  private:
    static constexpr uint32_t STEP = 32;
    static constexpr uint32_t MOST_IN_PART = 1024;

    /// What is stored: from begin to end; its octets follow in the same block.
    struct Part
    {
        uint32_t begin;
        uint32_t end;
    };

    struct Release
    {
        void operator()(Part* part) const
        {
            ::operator delete(part);
        }
    };

    using Block = std::unique_ptr<Part, Release>;

    [[nodiscard]] static uint8_t* GetOctets(const Block& block)
    {
        return reinterpret_cast<uint8_t*>(block.get() + 1);
    }

    [[nodiscard]] uint8_t* GetOctets() const
    {
        return GetOctets(m_part);
    }

    /// Stores what lies from \p offset to \p end, too.
    void Grow(uint32_t offset, uint32_t end)
    {
        uint32_t first = (m_part ? std::min(offset, m_part->begin) : offset) / STEP * STEP;
        uint32_t last = ((m_part ? std::max(end, m_part->end) : end) + STEP - 1) / STEP * STEP;
        if (last - first > MOST_IN_PART)
        {
            first = 0;
            last = SIZE;
        }
        Block larger(new (::operator new(sizeof(Part) + (last - first))) Part{first, last});
        std::fill_n(GetOctets(larger), last - first, uint8_t{0});
        if (m_part)
        {
            std::copy_n(GetOctets(),
                        m_part->end - m_part->begin,
                        GetOctets(larger) + (m_part->begin - first));
        }
        m_part = std::move(larger);
    }

    Block m_part; ///< Null while nothing was written.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_MEMORY_PAGE_H
