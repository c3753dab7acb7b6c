/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_MEMORY_TAGGED_BUFFER_H
#define NFSRDMA_RNIC_MEMORY_TAGGED_BUFFER_H

#include "ddp/segment-header.h"
#include "rnic/memory/stag-fault.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <algorithm>
#include <cstdint>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

class MemoryRegion;
class ProtectionDomain;

/// Access rights, numbered as ibv_access_flags.
enum MemoryAccess : uint32_t
{
    ACCESS_LOCAL_WRITE = 0x1,
    ACCESS_REMOTE_WRITE = 0x2, ///< Requires ACCESS_LOCAL_WRITE.
    ACCESS_REMOTE_READ = 0x4,
    ACCESS_REMOTE_ATOMIC = 0x8, ///< Requires ACCESS_LOCAL_WRITE.
    ACCESS_WINDOW_BIND = 0x10,  ///< Memory windows may be bound over the region.
    ACCESS_ZERO_BASED = 0x20,   ///< Tagged offsets count from 0, whatever the iova.
};

/// Objects of one kind in a table of STags.
struct TaggedBufferCount
{
    uint32_t alive{0};
    uint32_t valid{0};
};

/// Who uses an STag.
struct StagUser
{
    const ProtectionDomain& domain;
    uint32_t queuePair{0}; ///< Its number.
};

/// Where a tagged offset leads.
struct TaggedLocation
{
    const MemoryRegion* region{nullptr}; ///< Null: nowhere any more.
    uint64_t offset{0};                  ///< Octets from the first one of the region.
};

/**
 * \brief What an STag names (RFC 5041: Tagged Buffer): a memory region or a memory window.
 *
 * The STag is index << 8 | key: the index is given by the device for the life of the object, the
 * key changes with each registration or binding. It belongs to one protection domain. While it is
 * valid, tagged offsets from GetFirstOffset() on name its octets.
 */
class TaggedBuffer : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return the STag with the key of the latest registration or binding.
    [[nodiscard]] Stag GetStag() const
    {
        return MakeStag(m_key);
    }

    /// \return the STag this object has with \p key.
    [[nodiscard]] Stag MakeStag(uint8_t key) const
    {
        return m_index << 8 | key;
    }

    /// \return the upper 24 bits of every STag of this object; 0 once destroyed.
    [[nodiscard]] uint32_t GetIndex() const
    {
        return m_index;
    }

    /// \return true between a completed registration or binding and the invalidation.
    [[nodiscard]] bool IsValid() const
    {
        return m_valid;
    }

    /// \return a number that changes whenever the object becomes valid or invalid.
    [[nodiscard]] uint64_t GetGeneration() const
    {
        return m_generation;
    }

    /// \return the tagged offset of the first octet.
    [[nodiscard]] uint64_t GetFirstOffset() const
    {
        return m_firstOffset;
    }

    /// \return octets of the latest registration or binding.
    [[nodiscard]] uint64_t GetLength() const
    {
        return m_length;
    }

    /// \return MemoryAccess flags of the latest registration or binding.
    [[nodiscard]] uint32_t GetAccess() const
    {
        return m_access;
    }

    /// \return true when a range of \p length octets from tagged offset \p offset lies inside.
    [[nodiscard]] bool Covers(uint64_t offset, uint64_t length) const
    {
        const uint64_t from = offset - m_firstOffset;
        return offset >= m_firstOffset && from <= m_length && length <= m_length - from;
    }

    /// Signature of the Register, Bind and Invalidate trace sources.
    using StagTracedCallback = void (*)(Stag stag);

    // For the device only.

    /// Gives the object its place in a table of STags, which counts it in \p count.
    void Enter(uint32_t index, uint8_t key, Ptr<ProtectionDomain> domain, TaggedBufferCount& count);
    /// \return true when the protection domain is \p domain.
    [[nodiscard]] bool BelongsTo(const ProtectionDomain& domain) const;

    /// \return true when the object is open to \p user: of its domain, and the queue pair it is
    /// bound to, if any.
    [[nodiscard]] bool IsAssociated(const StagUser& user) const
    {
        return BelongsTo(user.domain) && (m_queuePair == 0 || m_queuePair == user.queuePair);
    }

    /// \return the place of tagged offset \p offset, which is covered.
    [[nodiscard]] virtual TaggedLocation Locate(uint64_t offset) const = 0;
    /// \return whether the kind and state of the object allow an invalidation, or why not.
    [[nodiscard]] virtual tl::expected<void, StagFault> CheckInvalidation() const = 0;
    /// Makes the object invalid.
    void Invalidate();

    /// Octets that were written by the STag are in host memory at \p done.
    void NoteWrite(Time done)
    {
        m_written = std::max(m_written, done);
    }

    /// \return when all octets written by the STag are in host memory, now or later: an
    /// invalidation is not done before.
    [[nodiscard]] Time GetWritten() const
    {
        return m_written;
    }

  protected:
    TaggedBuffer();
    ~TaggedBuffer() override;
    void DoDispose() override;

    /// Makes the object valid.
    void Open(uint8_t key, uint64_t firstOffset, uint64_t length, uint32_t access);

    /// Opens the object to queue pair \p number only; 0: to all of its domain.
    void Associate(uint32_t number)
    {
        m_queuePair = number;
    }

    /// The object is valid no more.
    virtual void Closed() = 0;

  private:
    void Close();

    uint32_t m_index{0};
    uint8_t m_key{0};
    bool m_valid{false};
    uint32_t m_access{0};
    uint32_t m_queuePair{0};
    Ptr<ProtectionDomain> m_domain;
    uint64_t m_firstOffset{0};
    uint64_t m_length{0};
    uint64_t m_generation{0};
    Time m_written;
    TaggedBufferCount* m_count{nullptr};
    TracedCallback<Stag> m_invalidateTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_MEMORY_TAGGED_BUFFER_H
