/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/duplicate-request-cache.h"

#include "wire/crc32c.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

/// \return the first octets of the un-reduced arguments.
ByteVector
GetStart(const RpcReceivedMessage& message, uint32_t argumentsPosition, uint32_t limit)
{
    ByteVector start;
    std::size_t position = argumentsPosition; // in the octets
    uint64_t reduced = 0;                     // octets of items so far, with their pads
    const auto copyUntil = [&](std::size_t end) {
        const std::size_t stop =
            std::min({end, message.octets.size(), position + limit - start.size()});
        if (stop > position)
        {
            start.insert(start.end(),
                         message.octets.begin() + static_cast<std::ptrdiff_t>(position),
                         message.octets.begin() + static_cast<std::ptrdiff_t>(stop));
            position = stop;
        }
    };
    for (const RpcReceivedItem& item : message.items)
    {
        copyUntil(item.position - std::min<uint64_t>(reduced, item.position));
        const auto length = static_cast<uint32_t>(
            std::min<std::size_t>(item.owner ? item.length : 0, limit - start.size()));
        if (length > 0)
        {
            const std::size_t offset = start.size();
            start.resize(offset + length);
            item.owner->Read(item.address - item.owner->GetAddress(),
                             MutableByteSpan(start).subspan(offset));
        }
        start.resize(std::min<std::size_t>(limit, start.size() + Pad4(item.length)));
        reduced += RoundUp4(item.length);
    }
    copyUntil(message.octets.size());
    return start;
}

} // namespace

DuplicateRequestCache::Key
DuplicateRequestCache::Key::Make(const RpcCallHeader& header,
                                 const RpcReceivedMessage& message,
                                 uint32_t argumentsPosition,
                                 const IpAddress& source)
{
    Key key;
    key.xid = header.xid;
    key.program = header.program;
    key.version = header.version;
    key.procedure = header.procedure;
    key.source = source;
    key.length = static_cast<uint32_t>(message.octets.size()) - argumentsPosition;
    for (const RpcReceivedItem& item : message.items)
    {
        key.length += RoundUp4(item.length);
    }
    key.checksum = Crc32c(GetStart(message, argumentsPosition, CHECKED));
    return key;
}

bool
DuplicateRequestCache::Key::operator<(const Key& other) const
{
    return std::tie(xid, checksum, procedure, program, version, source, length) <
           std::tie(other.xid,
                    other.checksum,
                    other.procedure,
                    other.program,
                    other.version,
                    other.source,
                    other.length);
}

DuplicateRequestCache::DuplicateRequestCache(const Settings& settings)
    : m_settings(settings)
{
    constexpr uint32_t TARGET_BUCKET_SIZE = 64;
    while (uint64_t{TARGET_BUCKET_SIZE} << m_bits < settings.entries)
    {
        ++m_bits;
    }
    m_buckets.resize(std::size_t{1} << m_bits);
}

uint32_t
DuplicateRequestCache::GetBucket(const Key& key) const
{
    constexpr uint32_t GOLDEN_RATIO = 0x61c88647;
    const uint32_t hash = key.xid * GOLDEN_RATIO;
    return m_bits == 0 ? 0 : hash >> (32 - m_bits);
}

DuplicateRequestCache::Verdict
DuplicateRequestCache::Lookup(const Key& key, Time now, ByteVector& results)
{
    const auto [found, isNew] = m_entries.try_emplace(key);
    Entry& entry = found->second;
    m_effort = {GetBucket(key), 0, 0};
    Bucket& bucket = m_buckets[m_effort.bucket];
    for (std::size_t left = bucket.size(); left > 0; left /= 2)
    {
        ++m_effort.steps;
    }
    if (!isNew && entry.done && now - entry.used >= m_settings.lifetime)
    {
        entry.done = false;
        entry.results.clear();
        Touch(key, entry, now);
        ++m_statistics.misses;
        return Verdict::EXECUTE;
    }
    if (isNew)
    {
        entry.place = bucket.insert(bucket.end(), key);
        entry.used = now;
        ++m_statistics.misses;
        m_effort.freed = Prune(bucket, now);
        return Verdict::EXECUTE;
    }
    ++m_statistics.hits;
    if (!entry.done)
    {
        ++m_statistics.dropped;
        return Verdict::DROP;
    }
    Touch(key, entry, now);
    results = entry.results;
    return Verdict::REPLAY;
}

bool
DuplicateRequestCache::Finish(const Key& key, const RpcPayload& results, Time now)
{
    const auto found = m_entries.find(key);
    if (found == m_entries.end())
    {
        return false;
    }
    if (!results.items.empty() || results.octets.size() > m_settings.maximum)
    {
        Forget(key);
        return false;
    }
    found->second.done = true;
    found->second.results = results.octets;
    Touch(key, found->second, now);
    return true;
}

void
DuplicateRequestCache::Forget(const Key& key)
{
    const auto found = m_entries.find(key);
    if (found != m_entries.end())
    {
        m_buckets[GetBucket(key)].erase(found->second.place);
        m_entries.erase(found);
    }
}

void
DuplicateRequestCache::Touch(const Key& key, Entry& entry, Time now)
{
    Bucket& bucket = m_buckets[GetBucket(key)];
    entry.used = now;
    bucket.splice(bucket.end(), bucket, entry.place);
}

uint32_t
DuplicateRequestCache::Prune(Bucket& bucket, Time now)
{
    uint32_t freed = 0;
    auto oldest = bucket.begin();
    while (oldest != bucket.end() && (m_settings.prune == 0 || freed < m_settings.prune))
    {
        const auto found = m_entries.find(*oldest);
        const bool expired = now - found->second.used >= m_settings.lifetime;
        if (!expired && m_entries.size() <= m_settings.entries)
        {
            break;
        }
        ++oldest;
        if (found->second.done)
        {
            Forget(found->first);
            ++freed;
        }
    }
    return freed;
}

} // namespace ns3::nfsrdma
