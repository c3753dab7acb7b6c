/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/types/local-file-locks.h"

#include <utility>

namespace ns3::nfsrdma
{

Nfs4ByteRangeLocks::Lock
LocalFileLocks::MakeLock(const FileLock& lock)
{
    Nfs4LockRange range{0, UINT64_MAX};
    if (!lock.flock)
    {
        range.first = lock.offset;
        const uint64_t last = lock.offset + lock.length - 1;
        range.last = lock.length == 0 || last < lock.offset ? UINT64_MAX : last;
    }
    // Numbers of owners count from 1.
    return {uint64_t{lock.process} + 1, lock.exclusive, range};
}

bool
LocalFileLocks::IsFree(const ByteVector& file, const FileLock& lock) const
{
    const auto found = m_files.find(file);
    return found == m_files.end() || !found->second.Test(MakeLock(lock));
}

void
LocalFileLocks::Clear(const ByteVector& file, const FileLock& lock)
{
    const auto found = m_files.find(file);
    if (found == m_files.end())
    {
        return;
    }
    const auto own = MakeLock(lock);
    found->second.Unlock(own.owner, own.range);
    if (found->second.GetLocks().empty())
    {
        m_files.erase(found);
    }
    std::list<Waiter> waiters = std::exchange(m_waiters, {});
    while (!waiters.empty())
    {
        const Waiter waiter = std::move(waiters.front());
        waiters.pop_front();
        if (IsFree(waiter.file, waiter.lock))
        {
            waiter.ready();
        }
        else
        {
            m_waiters.push_back(waiter);
        }
    }
}

void
LocalFileLocks::ClearAll()
{
    m_files.clear();
    for (const auto& waiter : std::exchange(m_waiters, {}))
    {
        waiter.ready();
    }
}

std::size_t
LocalFileLocks::GetLockCount() const
{
    std::size_t count = 0;
    for (const auto& [file, locks] : m_files)
    {
        count += locks.GetLocks().size();
    }
    return count;
}

} // namespace ns3::nfsrdma
