/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/duplicate-request-cache.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

using Cache = DuplicateRequestCache;

RpcCallHeader
MakeHeader(uint32_t xid, uint32_t procedure = 8)
{
    RpcCallHeader header;
    header.xid = xid;
    header.program = 100003;
    header.version = 3;
    header.procedure = procedure;
    return header;
}

RpcReceivedMessage
MakeMessage(std::size_t arguments, uint8_t fill = 7)
{
    RpcReceivedMessage message;
    message.octets.assign(40 + arguments, fill);
    return message;
}

Cache::Key
MakeKey(uint32_t xid)
{
    return Cache::Key::Make(MakeHeader(xid), MakeMessage(16), 40, 0x0a4d0002);
}

bool
IsSame(const Cache::Key& one, const Cache::Key& other)
{
    return !(one < other) && !(other < one);
}

RpcPayload
MakeResults(std::size_t size)
{
    RpcPayload results;
    results.octets.assign(size, 9);
    return results;
}

TEST(DuplicateRequestCache, KeyIsTheCall)
{
    const Cache::Key key = MakeKey(1);
    EXPECT_TRUE(IsSame(key, MakeKey(1)));
    EXPECT_FALSE(IsSame(key, MakeKey(2)));
    EXPECT_FALSE(IsSame(key, Cache::Key::Make(MakeHeader(1, 9), MakeMessage(16), 40, 0x0a4d0002)));
    EXPECT_FALSE(IsSame(key, Cache::Key::Make(MakeHeader(1), MakeMessage(16), 40, 0x0a4d0003)));
    EXPECT_FALSE(IsSame(key, Cache::Key::Make(MakeHeader(1), MakeMessage(20), 40, 0x0a4d0002)));
    EXPECT_FALSE(IsSame(key, Cache::Key::Make(MakeHeader(1), MakeMessage(16, 8), 40, 0x0a4d0002)));
    // Only the first 256 octets are looked at.
    RpcReceivedMessage one = MakeMessage(400);
    RpcReceivedMessage other = one;
    other.octets[40 + 255] = 0;
    EXPECT_FALSE(IsSame(Cache::Key::Make(MakeHeader(1), one, 40, 1),
                        Cache::Key::Make(MakeHeader(1), other, 40, 1)));
    other = one;
    other.octets[40 + 256] = 0;
    EXPECT_TRUE(IsSame(Cache::Key::Make(MakeHeader(1), one, 40, 1),
                       Cache::Key::Make(MakeHeader(1), other, 40, 1)));
}

TEST(DuplicateRequestCache, KeyDoesNotDependOnTheTransferForm)
{
    const auto memory = CreateObject<HostMemory>();
    const ByteVector item(101, 5);
    RpcReceivedMessage whole = MakeMessage(12);
    whole.octets.insert(whole.octets.end(), item.begin(), item.end());
    whole.octets.insert(whole.octets.end(), 3, 0);
    whole.octets.insert(whole.octets.end(), 4, 6);
    RpcReceivedMessage reduced = MakeMessage(12);
    reduced.octets.insert(reduced.octets.end(), 4, 6);
    const auto owner = std::make_shared<HostBuffer>(memory, 104);
    owner->Write(0, item);
    for (const uint32_t length : {101U, 104U})
    {
        reduced.items = {{52, owner->GetAddress(), length, owner}};
        EXPECT_TRUE(IsSame(Cache::Key::Make(MakeHeader(1), whole, 40, 1),
                           Cache::Key::Make(MakeHeader(1), reduced, 40, 1)));
    }
}

TEST(DuplicateRequestCache, DropsThenReplays)
{
    Cache cache({10, Seconds(120), 256});
    ByteVector results;
    EXPECT_EQ(cache.Lookup(MakeKey(1), Seconds(0), results), Cache::Verdict::EXECUTE);
    EXPECT_EQ(cache.Lookup(MakeKey(1), Seconds(1), results), Cache::Verdict::DROP);
    cache.Finish(MakeKey(1), MakeResults(100), Seconds(2));
    EXPECT_EQ(cache.Lookup(MakeKey(1), Seconds(3), results), Cache::Verdict::REPLAY);
    EXPECT_EQ(results, ByteVector(100, 9));
    EXPECT_EQ(cache.GetStatistics().hits, 2U);
    EXPECT_EQ(cache.GetStatistics().misses, 1U);
    EXPECT_EQ(cache.GetStatistics().dropped, 1U);
    EXPECT_EQ(cache.Lookup(MakeKey(1), Seconds(122), results), Cache::Verdict::REPLAY);
    EXPECT_EQ(cache.Lookup(MakeKey(1), Seconds(242), results), Cache::Verdict::EXECUTE);
}

TEST(DuplicateRequestCache, LongResultsAndRefusalsAreForgotten)
{
    Cache cache({10, Seconds(120), 256});
    ByteVector results;
    EXPECT_EQ(cache.Lookup(MakeKey(1), Seconds(0), results), Cache::Verdict::EXECUTE);
    cache.Finish(MakeKey(1), MakeResults(257), Seconds(0));
    EXPECT_EQ(cache.Lookup(MakeKey(1), Seconds(0), results), Cache::Verdict::EXECUTE);
    RpcPayload item = MakeResults(10);
    item.items.emplace_back();
    cache.Finish(MakeKey(1), item, Seconds(0));
    EXPECT_EQ(cache.Lookup(MakeKey(1), Seconds(0), results), Cache::Verdict::EXECUTE);
    cache.Forget(MakeKey(1));
    EXPECT_EQ(cache.GetSize(), 0U);
}

TEST(DuplicateRequestCache, OldRepliesMakeRoomCallsInProgressDoNot)
{
    Cache cache({3, Seconds(120), 256});
    ByteVector results;
    EXPECT_EQ(cache.Lookup(MakeKey(0), Seconds(0), results), Cache::Verdict::EXECUTE);
    for (uint32_t xid = 1; xid < 6; ++xid)
    {
        EXPECT_EQ(cache.Lookup(MakeKey(xid), Seconds(xid), results), Cache::Verdict::EXECUTE);
        cache.Finish(MakeKey(xid), MakeResults(4), Seconds(xid));
    }
    EXPECT_EQ(cache.GetSize(), 3U);
    EXPECT_EQ(cache.Lookup(MakeKey(0), Seconds(6), results), Cache::Verdict::DROP);
    EXPECT_EQ(cache.Lookup(MakeKey(5), Seconds(6), results), Cache::Verdict::REPLAY);
    EXPECT_EQ(cache.Lookup(MakeKey(1), Seconds(6), results), Cache::Verdict::EXECUTE);
}

TEST(DuplicateRequestCache, HasABucketForEach64Calls)
{
    EXPECT_EQ(Cache({64, Seconds(120), 256}).CountBuckets(), 1U);
    EXPECT_EQ(Cache({65, Seconds(120), 256}).CountBuckets(), 2U);
    EXPECT_EQ(Cache({65536, Seconds(120), 256}).CountBuckets(), 1024U);
}

/// N69: as many as 74 entries have been seen to be freed by one call.
TEST(DuplicateRequestCache, ACallFreesWhatHasExpiredInItsBucket)
{
    constexpr uint32_t OLD = 74;
    for (const uint32_t prune : {0U, 3U})
    {
        Cache cache({64, Seconds(120), 256, prune});
        ByteVector results;
        for (uint32_t xid = 0; xid < OLD; ++xid)
        {
            cache.Lookup(MakeKey(xid), Seconds(0), results);
        }
        EXPECT_EQ(cache.GetEffort().freed, 0U) << "all are in progress";
        EXPECT_EQ(cache.GetEffort().steps, 7U) << "of 73 entries";
        for (uint32_t xid = 0; xid < OLD; ++xid)
        {
            EXPECT_TRUE(cache.Finish(MakeKey(xid), MakeResults(8), Seconds(0)));
        }
        cache.Lookup(MakeKey(OLD), Seconds(120), results);
        EXPECT_EQ(cache.GetEffort().freed, prune == 0 ? OLD : prune);
        EXPECT_EQ(cache.GetSize(), OLD + 1 - cache.GetEffort().freed);
    }
}

TEST(DuplicateRequestCache, OtherBucketsAreLeftAlone)
{
    Cache cache({1024, Seconds(120), 256});
    ByteVector results;
    cache.Lookup(MakeKey(1), Seconds(0), results);
    const uint32_t bucket = cache.GetEffort().bucket;
    cache.Finish(MakeKey(1), MakeResults(8), Seconds(0));
    uint32_t xid = 2;
    do
    {
        cache.Lookup(MakeKey(xid++), Seconds(500), results);
    } while (cache.GetEffort().freed == 0);
    EXPECT_EQ(cache.GetEffort().bucket, bucket);
    EXPECT_GT(xid, 3U);
}

} // namespace
} // namespace ns3::nfsrdma
