/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_DUPLICATE_REQUEST_CACHE_H
#define NFSRDMA_RPC_DUPLICATE_REQUEST_CACHE_H

#include "rpc/message.h"
#include "rpc/payload.h"
#include "wire/ip-address.h"

#include "ns3/nstime.h"

#include <list>
#include <map>
#include <tuple>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief What a server remembers of calls that must not be carried out twice, as Linux's nfsd
 * (fs/nfsd/nfscache.c): calls in progress, and the replies to those that are done.
 *
 * A call that is sent again while the first is in progress is dropped: the client sends it once
 * more. One whose reply is remembered gets the same results. Those that are too long, or carry
 * items, are not kept, and the call is carried out again.
 *
 * Calls are in buckets by their XID, 64 of the calls that are remembered at most in each, of a
 * power of two of buckets (nfsd_hashsize()). A call that is entered frees in its bucket what has
 * expired or is too much, the one used longest ago first (nfsd_prune_bucket()).
 */
class DuplicateRequestCache
{
  public:
    struct Settings
    {
        uint32_t entries{0}; ///< Calls remembered at most; those in progress are always kept.
        Time lifetime;       ///< Of a reply, since it was last looked up.
        uint32_t maximum{0}; ///< Octets of results that are kept.
        uint32_t prune{0};   ///< Entries freed in passing, at most; 0: all that can be.
    };

    /// What nfsd counts in the line "rc" of /proc/net/rpc/nfsd, and calls dropped.
    struct Statistics
    {
        uint64_t hits{0};    ///< Duplicates found, dropped ones included.
        uint64_t misses{0};  ///< Calls entered.
        uint64_t nocache{0}; ///< Calls that need no cache.
        uint64_t dropped{0}; ///< Duplicates of calls in progress.
    };

    /// What the latest look-up had to do.
    struct Effort
    {
        uint32_t bucket{0};
        uint32_t steps{0}; ///< Entries compared, as in a balanced tree of those of the bucket.
        uint32_t freed{0}; ///< Entries.
    };

    enum class Verdict
    {
        EXECUTE, ///< It is new; Finish() or Forget() follows.
        DROP,    ///< It is in progress.
        REPLAY   ///< The reply is given.
    };

    /// A call as far as duplicates are alike. The port of the client is not part of it: another
    /// connection has another one.
    struct Key
    {
        static constexpr uint32_t CHECKED = 256;

        uint32_t xid{0};
        uint32_t program{0};
        uint32_t version{0};
        uint32_t procedure{0};
        IpAddress source;     ///< The client's address.
        uint32_t length{0};   ///< Octets of the un-reduced arguments.
        uint32_t checksum{0}; ///< CRC32c of the first CHECKED of them.

        /// \param argumentsPosition where the arguments start in message.octets
        static Key Make(const RpcCallHeader& header,
                        const RpcReceivedMessage& message,
                        uint32_t argumentsPosition,
                        const IpAddress& source);
        bool operator<(const Key& other) const;
    };

    explicit DuplicateRequestCache(const Settings& settings);

    /// Looks \p key up and enters it. \param results set with REPLAY: what follows the
    /// reply's RPC header
    Verdict Lookup(const Key& key, Time now, ByteVector& results);
    /// The call was carried out. \return whether its reply is kept
    bool Finish(const Key& key, const RpcPayload& results, Time now);
    /// The call was refused: nothing has been done.
    void Forget(const Key& key);

    /// A call was carried out without the cache.
    void CountIdempotent()
    {
        ++m_statistics.nocache;
    }

    [[nodiscard]] std::size_t GetSize() const
    {
        return m_entries.size();
    }

    [[nodiscard]] const Effort& GetEffort() const
    {
        return m_effort;
    }

    [[nodiscard]] uint32_t CountBuckets() const
    {
        return m_buckets.size();
    }

    [[nodiscard]] const Statistics& GetStatistics() const
    {
        return m_statistics;
    }

  private:
    struct Entry
    {
        bool done{false};
        ByteVector results;
        Time used;
        std::list<Key>::iterator place; ///< In its bucket.
    };

    using Entries = std::map<Key, Entry>;
    /// The calls of a bucket, the one used longest ago first.
    using Bucket = std::list<Key>;

    [[nodiscard]] uint32_t GetBucket(const Key& key) const;
    void Touch(const Key& key, Entry& entry, Time now);
    /// \return entries freed.
    uint32_t Prune(Bucket& bucket, Time now);

    Settings m_settings;
    Statistics m_statistics;
    Entries m_entries;
    uint32_t m_bits{0}; ///< Of the number of a bucket.
    std::vector<Bucket> m_buckets;
    Effort m_effort;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_DUPLICATE_REQUEST_CACHE_H
