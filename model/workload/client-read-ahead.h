/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CLIENT_READ_AHEAD_H
#define NFSRDMA_WORKLOAD_CLIENT_READ_AHEAD_H

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief What a file's page cache reads ahead, as Linux decides it (ondemand_readahead() of
 * mm/readahead.c, without its look for history pages): pages to read now, and a mark on the page
 * whose use starts the next window.
 *
 * The first window is four, two or one times the request (rounded up to a power of two), each
 * further one four times or twice the last, up to the most.
 */
class ClientReadAhead
{
  public:
    /// Pages to read.
    struct Window
    {
        uint64_t first{0};
        uint32_t count{0};
        std::optional<uint64_t> mark; ///< The page to mark, one of them.
    };

    /// \param most pages of a window; 0: nothing is read ahead
    explicit ClientReadAhead(uint32_t most);

    /// \p page is used and not in the cache; it and those that follow are wanted, \p wanted in all.
    [[nodiscard]] Window Miss(uint64_t page, uint32_t wanted);
    /// A marked page is used. \param wanted pages of the request from it on. \param gap the first
    /// page after it that is not in the cache. \return a window, which may be empty.
    [[nodiscard]] Window UseMark(uint64_t page, uint32_t wanted, uint64_t gap);

    /// The latest page that was read by the application.
    void Used(uint64_t page)
    {
        m_previous = page;
    }

    /// \return get_init_ra_size().
    [[nodiscard]] static uint32_t GetInitialSize(uint32_t wanted, uint32_t most);
    /// \return get_next_ra_size().
    [[nodiscard]] static uint32_t GetNextSize(uint32_t size, uint32_t most);

  private:
    [[nodiscard]] bool IsExpected(uint64_t page) const;
    /// Makes the next window follow the last.
    void Advance();
    [[nodiscard]] Window Submit(uint64_t page);

    uint32_t m_most;
    uint64_t m_start{0};
    uint32_t m_size{0};
    uint32_t m_asyncSize{0};
    std::optional<uint64_t> m_previous;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CLIENT_READ_AHEAD_H
