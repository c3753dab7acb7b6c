/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/blocked-locks.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

void
Nfs4BlockedLocks::Add(Nfs4BlockedLock lock)
{
    Remove(lock.file, lock.owner);
    m_locks.push_back(std::move(lock));
}

void
Nfs4BlockedLocks::Remove(const Nfs4FileKey& file, const Nfs4StateOwner& owner)
{
    const auto isIt = [&](const Nfs4BlockedLock& lock) {
        return lock.file == file && lock.owner == owner;
    };
    m_locks.erase(std::remove_if(m_locks.begin(), m_locks.end(), isIt), m_locks.end());
}

void
Nfs4BlockedLocks::Check(const Nfs4StateTable& states,
                        Time now,
                        Time limit,
                        const std::function<void(const Nfs4BlockedLock&)>& notify)
{
    std::vector<Nfs4BlockedLock> waiting;
    for (auto& lock : std::exchange(m_locks, {}))
    {
        const auto conflict = states.TestLock(lock.file, lock.wanted);
        if (conflict && conflict->owner == lock.blocker)
        {
            waiting.push_back(std::move(lock));
        }
        else if (now - lock.since <= limit)
        {
            notify(lock);
        }
    }
    m_locks = std::move(waiting);
}

} // namespace ns3::nfsrdma
