/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/nlm-lock-table.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

bool
IsSameShare(const NlmShareArgs& a, const NlmShareArgs& b)
{
    return a.caller == b.caller && a.file == b.file && a.owner == b.owner;
}

} // namespace

bool
NlmWaiter::IsFor(const NlmLock& other, bool isExclusive) const
{
    return exclusive == isExclusive && lock.caller == other.caller && lock.file == other.file &&
           lock.owner == other.owner && lock.svid == other.svid && lock.offset == other.offset &&
           lock.length == other.length;
}

std::optional<Nfs4LockRange>
NlmLockTable::GetRange(const NlmLock& lock)
{
    if (lock.length == 0)
    {
        return Nfs4LockRange{lock.offset, UINT64_MAX};
    }
    const uint64_t last = lock.offset + lock.length - 1;
    return last < lock.offset ? std::nullopt : std::make_optional(Nfs4LockRange{lock.offset, last});
}

std::optional<uint64_t>
NlmLockTable::FindNumber(const NlmLock& lock) const
{
    const auto found = m_numbers.find({lock.caller, lock.svid, lock.owner});
    return found == m_numbers.end() ? std::nullopt : std::make_optional(found->second);
}

uint64_t
NlmLockTable::NumberOf(const NlmLock& lock)
{
    const Owner owner(lock.caller, lock.svid, lock.owner);
    const auto [place, isNew] = m_numbers.emplace(owner, m_owners.size() + 1);
    if (isNew)
    {
        m_owners.push_back(owner);
    }
    return place->second;
}

tl::expected<std::optional<NlmHolder>, NlmStatus>
NlmLockTable::Test(const NlmLock& lock, bool exclusive) const
{
    const auto range = GetRange(lock);
    if (!range)
    {
        return tl::make_unexpected(NlmStatus::FBIG);
    }
    const auto file = m_files.find(lock.file);
    if (file == m_files.end())
    {
        return std::nullopt;
    }
    const auto other = file->second.Test({FindNumber(lock).value_or(0), exclusive, *range});
    if (!other)
    {
        return std::nullopt;
    }
    const auto& [caller, svid, octets] = m_owners.at(other->owner - 1);
    const bool toEnd = other->range.last == UINT64_MAX;
    return NlmHolder{other->write,
                     svid,
                     octets,
                     other->range.first,
                     toEnd ? 0 : other->range.last - other->range.first + 1};
}

NlmStatus
NlmLockTable::Lock(const NlmLock& lock, bool exclusive, bool block, const IpAddress& source)
{
    const auto other = Test(lock, exclusive);
    if (!other)
    {
        return other.error();
    }
    if (!*other)
    {
        Cancel(lock, exclusive);
        m_files[lock.file].Set({NumberOf(lock), exclusive, *GetRange(lock)});
        return NlmStatus::GRANTED;
    }
    if (!block)
    {
        return NlmStatus::DENIED;
    }
    const bool waits =
        std::any_of(m_waiters.begin(), m_waiters.end(), [&](const NlmWaiter& waiter) {
            return waiter.IsFor(lock, exclusive);
        });
    if (!waits)
    {
        m_waiters.push_back({exclusive, lock, source});
    }
    return NlmStatus::BLOCKED;
}

bool
NlmLockTable::Cancel(const NlmLock& lock, bool exclusive)
{
    const auto found =
        std::find_if(m_waiters.begin(), m_waiters.end(), [&](const NlmWaiter& waiter) {
            return waiter.IsFor(lock, exclusive);
        });
    if (found == m_waiters.end())
    {
        return false;
    }
    m_waiters.erase(found);
    return true;
}

NlmStatus
NlmLockTable::Unlock(const NlmLock& lock)
{
    const auto range = GetRange(lock);
    if (!range)
    {
        return NlmStatus::FBIG;
    }
    const auto file = m_files.find(lock.file);
    const auto number = FindNumber(lock);
    if (file != m_files.end() && number)
    {
        file->second.Unlock(*number, *range);
        if (file->second.GetLocks().empty())
        {
            m_files.erase(file);
        }
    }
    return NlmStatus::GRANTED;
}

void
NlmLockTable::FreeAll(const std::string& host)
{
    for (const auto& [owner, number] : m_numbers)
    {
        if (std::get<0>(owner) != host)
        {
            continue;
        }
        for (auto file = m_files.begin(); file != m_files.end();)
        {
            file->second.UnlockAll(number);
            file = file->second.GetLocks().empty() ? m_files.erase(file) : std::next(file);
        }
    }
    m_waiters.erase(
        std::remove_if(m_waiters.begin(),
                       m_waiters.end(),
                       [&host](const NlmWaiter& waiter) { return waiter.lock.caller == host; }),
        m_waiters.end());
    m_shares.erase(
        std::remove_if(m_shares.begin(),
                       m_shares.end(),
                       [&host](const NlmShareArgs& share) { return share.caller == host; }),
        m_shares.end());
}

std::vector<NlmWaiter>
NlmLockTable::TakeGranted()
{
    std::vector<NlmWaiter> granted;
    for (auto waiter = m_waiters.begin(); waiter != m_waiters.end();)
    {
        const auto other = Test(waiter->lock, waiter->exclusive);
        if (other && !*other)
        {
            m_files[waiter->lock.file].Set(
                {NumberOf(waiter->lock), waiter->exclusive, *GetRange(waiter->lock)});
            granted.push_back(std::move(*waiter));
            waiter = m_waiters.erase(waiter);
        }
        else
        {
            ++waiter;
        }
    }
    return granted;
}

NlmStatus
NlmLockTable::Share(const NlmShareArgs& args)
{
    for (const NlmShareArgs& other : m_shares)
    {
        if (other.file == args.file && !IsSameShare(other, args) &&
            ((other.deny & args.access) != 0 || (other.access & args.deny) != 0))
        {
            return NlmStatus::DENIED;
        }
    }
    Unshare(args);
    m_shares.push_back(args);
    return NlmStatus::GRANTED;
}

void
NlmLockTable::Unshare(const NlmShareArgs& args)
{
    m_shares.erase(
        std::remove_if(m_shares.begin(),
                       m_shares.end(),
                       [&args](const NlmShareArgs& share) { return IsSameShare(share, args); }),
        m_shares.end());
}

std::size_t
NlmLockTable::GetLockCount() const
{
    std::size_t count = 0;
    for (const auto& [handle, locks] : m_files)
    {
        count += locks.GetLocks().size();
    }
    return count;
}

} // namespace ns3::nfsrdma
