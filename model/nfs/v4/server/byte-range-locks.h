/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_BYTE_RANGE_LOCKS_H
#define NFSRDMA_NFS_V4_SERVER_BYTE_RANGE_LOCKS_H

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/// Octets first to last of a file, both included; last is UINT64_MAX for a range to the end.
struct Nfs4LockRange
{
    uint64_t first{0};
    uint64_t last{0};

    /// \return the range of an offset and a length, whose UINT64_MAX means to the end; nothing when
    /// the length is 0 or the end is past UINT64_MAX.
    [[nodiscard]] static std::optional<Nfs4LockRange> Make(uint64_t offset, uint64_t length);
    /// \return the length as on the wire.
    [[nodiscard]] uint64_t GetLength() const;

    [[nodiscard]] bool Overlaps(const Nfs4LockRange& other) const
    {
        return first <= other.last && other.first <= last;
    }
};

/**
 * \brief The byte-range locks of one file with the semantics of POSIX: an owner's new lock replaces
 * what it had in the range, read locks are shared, ranges split and merge.
 */
class Nfs4ByteRangeLocks
{
  public:
    struct Lock
    {
        uint64_t owner{0}; ///< Number of the lock owner.
        bool write{false};
        Nfs4LockRange range;
    };

    /// \return the first lock of another owner that is in the way; nothing: it can be had.
    [[nodiscard]] std::optional<Lock> Test(const Lock& wanted) const;
    /// Sets a lock that Test() found free.
    void Set(const Lock& lock);
    void Unlock(uint64_t owner, const Nfs4LockRange& range);
    void UnlockAll(uint64_t owner);
    [[nodiscard]] bool HasAny(uint64_t owner) const;

    [[nodiscard]] const std::vector<Lock>& GetLocks() const
    {
        return m_locks;
    }

  private:
    std::vector<Lock> m_locks; ///< By first octet, then owner.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_BYTE_RANGE_LOCKS_H
