/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/byte-range-locks.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t TO_END = std::numeric_limits<uint64_t>::max();

} // namespace

std::optional<Nfs4LockRange>
Nfs4LockRange::Make(uint64_t offset, uint64_t length)
{
    if (length == 0 || (length != TO_END && length > TO_END - offset))
    {
        return std::nullopt;
    }
    return Nfs4LockRange{offset, length == TO_END ? TO_END : offset + length - 1};
}

uint64_t
Nfs4LockRange::GetLength() const
{
    return last == TO_END ? TO_END : last - first + 1;
}

std::optional<Nfs4ByteRangeLocks::Lock>
Nfs4ByteRangeLocks::Test(const Lock& wanted) const
{
    const auto found = std::find_if(m_locks.begin(), m_locks.end(), [&wanted](const Lock& lock) {
        return lock.owner != wanted.owner && (lock.write || wanted.write) &&
               lock.range.Overlaps(wanted.range);
    });
    return found == m_locks.end() ? std::nullopt : std::make_optional(*found);
}

void
Nfs4ByteRangeLocks::Set(const Lock& lock)
{
    Unlock(lock.owner, lock.range);
    Lock merged = lock;
    for (auto it = m_locks.begin(); it != m_locks.end();)
    {
        const bool touches =
            (it->range.last != TO_END && it->range.last + 1 == merged.range.first) ||
            (merged.range.last != TO_END && merged.range.last + 1 == it->range.first);
        if (it->owner == merged.owner && it->write == merged.write && touches)
        {
            merged.range.first = std::min(merged.range.first, it->range.first);
            merged.range.last = std::max(merged.range.last, it->range.last);
            it = m_locks.erase(it);
        }
        else
        {
            ++it;
        }
    }
    const auto place =
        std::upper_bound(m_locks.begin(), m_locks.end(), merged, [](const Lock& a, const Lock& b) {
            return std::tie(a.range.first, a.owner) < std::tie(b.range.first, b.owner);
        });
    m_locks.insert(place, merged);
}

void
Nfs4ByteRangeLocks::Unlock(uint64_t owner, const Nfs4LockRange& range)
{
    std::vector<Lock> kept;
    for (const Lock& lock : m_locks)
    {
        if (lock.owner != owner || !lock.range.Overlaps(range))
        {
            kept.push_back(lock);
            continue;
        }
        if (lock.range.first < range.first)
        {
            kept.push_back({owner, lock.write, {lock.range.first, range.first - 1}});
        }
        if (lock.range.last > range.last)
        {
            kept.push_back({owner, lock.write, {range.last + 1, lock.range.last}});
        }
    }
    std::stable_sort(kept.begin(), kept.end(), [](const Lock& a, const Lock& b) {
        return std::tie(a.range.first, a.owner) < std::tie(b.range.first, b.owner);
    });
    m_locks = std::move(kept);
}

void
Nfs4ByteRangeLocks::UnlockAll(uint64_t owner)
{
    Unlock(owner, {0, TO_END});
}

bool
Nfs4ByteRangeLocks::HasAny(uint64_t owner) const
{
    return std::any_of(m_locks.begin(), m_locks.end(), [owner](const Lock& lock) {
        return lock.owner == owner;
    });
}

} // namespace ns3::nfsrdma
