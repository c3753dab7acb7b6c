/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_SPARSE_FILE_H
#define NFSRDMA_NFS_STORE_SPARSE_FILE_H

#include "wire/bytes.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>

namespace ns3::nfsrdma
{

/**
 * \brief The octets of one regular file: 4 KiB pages, a page never written costs nothing.
 *
 * Below the pages lies an optional background: a function of the offset that gives the content of a
 * preloaded file. Where neither is, the file reads as zeros.
 */
class SparseFile
{
  public:
    static constexpr uint64_t PAGE_SIZE = 4096;

    /// Fills a span with the content from an offset on. Must give the same octets at each call.
    using Background = std::function<void(uint64_t offset, MutableByteSpan out)>;
    /// Gives room for content, of which there are \p length octets at \p position, counted from the
    /// first octet of the request: for all of it, or for its first octets (at least 1).
    using Room = std::function<MutableByteSpan(uint64_t position, uint64_t length)>;
    /// Gives content piece by piece, no piece crossing a page.
    using Source = std::function<void(uint64_t position, MutableByteSpan octets)>;

    SparseFile() = default;
    /// A file of \p size octets with the content \p background gives (empty: zeros).
    SparseFile(uint64_t size, Background background);

    [[nodiscard]] uint64_t GetSize() const
    {
        return m_size;
    }

    /// Cuts, or extends with zeros.
    void SetSize(uint64_t size);

    /// Fills what \p room gives with \p length octets from \p offset on, all below GetSize(). Holes
    /// are left out: whoever reads has zeros there.
    void Read(uint64_t offset, uint64_t length, const Room& room) const;
    /// Fills \p out from \p offset, zeros in holes. \return octets below GetSize().
    uint64_t Read(uint64_t offset, MutableByteSpan out) const;
    /// Writes \p length octets at \p offset, extending the file.
    void Write(uint64_t offset, uint64_t length, const Source& source);
    void Write(uint64_t offset, ByteSpan octets);

    /// \return the first octet from \p offset on that has data, at most GetSize(). What has been
    /// punched over the background counts as data.
    [[nodiscard]] uint64_t FindData(uint64_t offset) const;
    /// \return the first octet from \p offset on without data, at most GetSize().
    [[nodiscard]] uint64_t FindHole(uint64_t offset) const;
    /// Makes a range read as zeros; its whole pages hold no data any more.
    void Punch(uint64_t offset, uint64_t length);

    /// \return octets of pages that hold data or lie over the background: the file's disk space.
    [[nodiscard]] uint64_t GetUsed() const
    {
        return (GetBackgroundPages() + m_pagesBeyond) * PAGE_SIZE;
    }

  private:
    using Page = std::array<uint8_t, PAGE_SIZE>;

    [[nodiscard]] uint64_t GetBackgroundPages() const
    {
        return (m_backgroundSize + PAGE_SIZE - 1) / PAGE_SIZE;
    }

    Page& GetPageForWrite(uint64_t index, bool wholePage);
    void FillFromBackground(uint64_t offset, MutableByteSpan out) const;

    uint64_t m_size{0};
    uint64_t m_backgroundSize{0}; ///< The background ends here; it never grows again.
    Background m_background;
    uint64_t m_pagesBeyond{0}; ///< Pages in m_pages that lie over no background.
    std::map<uint64_t, std::unique_ptr<Page>> m_pages; ///< By index.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_SPARSE_FILE_H
