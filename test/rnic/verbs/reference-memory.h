/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RNIC_VERBS_REFERENCE_MEMORY_H
#define NFSRDMA_TEST_RNIC_VERBS_REFERENCE_MEMORY_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma::reference
{

/// Octets of host memory.
struct Range
{
    uint64_t address{0};
    uint64_t length{0};

    bool operator==(const Range& other) const
    {
        return address == other.address && length == other.length;
    }
};

/// A scatter/gather element; lkey 0 names all memory of the host.
struct Element
{
    uint64_t address{0};
    uint32_t length{0};
    uint32_t lkey{0};
};

/// \return the first \p length octets of \p elements.
std::vector<Element> Clip(const std::vector<Element>& elements, uint64_t length);

/// Notes where octets come from or go to.
/// \return true when they are not those noted before
bool Note(std::vector<Range>& noted, const std::vector<Range>& ranges, bool& ambiguous);

/// What an STag names: a region, or a window.
struct TaggedMemory
{
    uint32_t domain{0};
    uint32_t maxPages{0};
    bool regular{false};   ///< Valid from its registration to its end.
    bool window{false};    ///< Of no local use.
    uint32_t windows{0};   ///< Of a region: bound over it.
    uint32_t boundOver{0}; ///< Of a valid window: index of the region.
    bool valid{false};
    uint8_t key{0};
    uint32_t access{0};
    uint64_t first{0}; ///< Tagged offset of the first octet.
    Range range;
};

// Access rights, numbered as in the C verbs.
inline constexpr uint32_t LOCAL_WRITE = 0x1;
inline constexpr uint32_t REMOTE_WRITE = 0x2;
inline constexpr uint32_t REMOTE_READ = 0x4;
inline constexpr uint32_t REMOTE_ATOMIC = 0x8;
inline constexpr uint32_t WINDOW_BIND = 0x10;
inline constexpr uint32_t ZERO_BASED = 0x20;

/**
 * \brief The rules of memory on one host: what is allocated, what an STag gives access to, and what
 * every octet must hold.
 *
 * Octets are settled when nothing is under way: one that no operation may have touched since must
 * be what it was, one that exactly one successful operation touched must be what that moved, if its
 * source was not touched. The others are in doubt, and taken as they are.
 */
class ReferenceMemory
{
  public:
    void Allocate(uint64_t address, std::vector<uint8_t> octets);
    void Free(uint64_t address);
    [[nodiscard]] bool Contains(const Range& range) const;

    /// \return the host memory that [\p offset, + \p length) of \p stag names; nothing when the
    /// STag does not exist, is not valid, of another domain, without all \p access rights, or does
    /// not cover all of it, or that is not allocated.
    [[nodiscard]] std::optional<Range> Resolve(uint32_t stag,
                                               uint32_t domain,
                                               uint32_t access,
                                               uint64_t offset,
                                               uint64_t length) const;
    /// \return the pieces of host memory that \p elements name, without the empty ones; nothing
    /// when one of them may not be used so.
    [[nodiscard]] std::optional<std::vector<Range>> Resolve(const std::vector<Element>& elements,
                                                            uint32_t domain,
                                                            uint32_t access) const;
    /// \return what of \p elements can be written before a fault is met: messages are placed piece
    /// by piece, and each is checked by itself.
    [[nodiscard]] std::vector<Range> ResolveParts(const std::vector<Element>& elements,
                                                  uint32_t domain,
                                                  uint32_t access) const;
    /// \return true when a queue pair of \p domain may invalidate \p stag: it exists, in this
    /// domain, is not valid under another key, not regular, and no window is bound over it.
    [[nodiscard]] bool MayInvalidate(uint32_t stag, uint32_t domain) const;
    /// \return objects that are windows, or are not.
    [[nodiscard]] uint32_t Count(bool windows) const;
    /// \return those of them that are valid.
    [[nodiscard]] uint32_t CountValid(bool windows) const;
    /// A window is no longer bound, or a region no longer valid.
    void Close(uint32_t index);

    /// An operation may write \p ranges.
    void Touch(const std::vector<Range>& ranges);
    /// \return the octets of \p ranges when no operation has touched them.
    [[nodiscard]] std::optional<std::vector<uint8_t>> GetUntouched(
        const std::vector<Range>& ranges) const;
    /// The only operation that may have touched \p ranges has written \p octets there. Where others
    /// touched too, nothing is known.
    void Determine(const std::vector<Range>& ranges, const std::vector<uint8_t>& octets);
    /// \param actual what the allocation at \p address holds; taken over
    /// \return what is wrong with the first octet that differs from what it must be
    [[nodiscard]] std::optional<std::string> Settle(uint64_t address,
                                                    const std::vector<uint8_t>& actual);

    std::map<uint32_t, TaggedMemory> tagged; ///< By index.

  private:
    struct Octet
    {
        uint8_t value{0};
        uint8_t touches{0}; ///< Operations that may write it, counted to 2.
        bool determined{false};
    };

    using Allocations = std::map<uint64_t, std::vector<Octet>>;

    /// Calls \p function with a pointer to each octet, null where none is allocated any more.
    template <typename Octets, typename Function>
    static void ForEach(Octets& allocations, const std::vector<Range>& ranges, Function function);

    Allocations m_allocations; ///< By address.
};

} // namespace ns3::nfsrdma::reference

#endif // NFSRDMA_TEST_RNIC_VERBS_REFERENCE_MEMORY_H
