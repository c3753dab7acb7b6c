/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_LOCAL_FILE_LOCKS_H
#define NFSRDMA_NFS_TYPES_LOCAL_FILE_LOCKS_H

#include "nfs/v4/server/byte-range-locks.h"
#include "wire/bytes.h"

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <utility>

namespace ns3::nfsrdma
{

/// A lock of a range of a file, as a process asks for it with fcntl() or flock().
struct FileLock
{
    uint32_t process{0}; ///< Which process of the host.
    bool exclusive{true};
    uint64_t offset{0};
    uint64_t length{0}; ///< 0: to the end, however far that goes.
    bool flock{false};  ///< flock(): of the whole file, whatever the range says.
};

/**
 * \brief The locks that processes of one host have on files, as the host's own kernel keeps them:
 * POSIX locks of ranges; flock() counts as one of the whole file.
 *
 * Files are named by the octets of their handles.
 */
class LocalFileLocks
{
  public:
    /// \return whether no other process has a lock that is in the way.
    [[nodiscard]] bool IsFree(const ByteVector& file, const FileLock& lock) const;

    /// Sets a lock that IsFree().
    void Set(const ByteVector& file, const FileLock& lock)
    {
        m_files[file].Set(MakeLock(lock));
    }

    /// Frees the range of what its process has, then tells those who wait and find it free, in the
    /// order in which they came, each once.
    void Clear(const ByteVector& file, const FileLock& lock);

    /// \param ready called from within a Clear() that makes \p lock free
    void Wait(const ByteVector& file, const FileLock& lock, std::function<void()> ready)
    {
        m_waiters.push_back({file, lock, std::move(ready)});
    }

    /// Frees everything, then tells all who wait.
    void ClearAll();

    /// \return ranges that are locked.
    [[nodiscard]] std::size_t GetLockCount() const;

    [[nodiscard]] std::size_t GetWaiterCount() const
    {
        return m_waiters.size();
    }

  private:
    struct Waiter
    {
        ByteVector file;
        FileLock lock;
        std::function<void()> ready;
    };

    [[nodiscard]] static Nfs4ByteRangeLocks::Lock MakeLock(const FileLock& lock);

    std::map<ByteVector, Nfs4ByteRangeLocks> m_files;
    std::list<Waiter> m_waiters;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_LOCAL_FILE_LOCKS_H
