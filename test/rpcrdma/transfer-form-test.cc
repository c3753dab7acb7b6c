/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{
namespace
{

/// Octets of a TAKE call besides its item: RPC header 40, length word, trailing word.
constexpr uint32_t TAKE_OVERHEAD = 48;
constexpr uint32_t LARGEST_INLINE_TAKE = 3948 - TAKE_OVERHEAD;
/// Octets of a GIVE reply besides its item: RPC header 24, length word, trailing word.
constexpr uint32_t LARGEST_INLINE_GIVE = 3996 - 32;

class TransferForm : public RpcRdmaTest
{
  protected:
    void ExpectGood(const Result& result, const std::string& form)
    {
        ASSERT_TRUE(result.done);
        EXPECT_EQ(result.record.outcome, RpcOutcome::SUCCESS);
        EXPECT_TRUE(result.intact);
        EXPECT_EQ(result.record.GetForm(), form);
    }
};

TEST_F(TransferForm, ConnectionHasLinuxLimits)
{
    Connect();
    EXPECT_EQ(m_client->GetInlineLimits().maxCall, 3948U);
    EXPECT_EQ(m_client->GetInlineLimits().maxReply, 3996U);
    EXPECT_EQ(m_client->GetStatistics().mrsAllocated, 4U);
    ExpectCleanEnd();
}

TEST_F(TransferForm, CallInlineUpToTheThreshold)
{
    Connect();
    for (const uint32_t length :
         {0U, 1U, 5U, 100U, 1996U, 2500U, LARGEST_INLINE_TAKE - 1, LARGEST_INLINE_TAKE})
    {
        const Result& result = Take(length);
        Run();
        ExpectGood(result, "msg/inline");
        EXPECT_EQ(result.record.callInlineBytes, 28 + TAKE_OVERHEAD + RoundUp4(length));
        EXPECT_EQ(result.record.registrations, 0U);
    }
    EXPECT_EQ(m_program->reducedItems, 0U);
    ExpectCleanEnd();
}

TEST_F(TransferForm, PullUpCountsItemAndTail)
{
    Connect();
    Take(1999);
    Run();
    EXPECT_EQ(m_client->GetStatistics().pullupCopy, 0U);
    Take(1995);
    Run();
    EXPECT_EQ(m_client->GetStatistics().pullupCopy, 1995U + 1 + 4);
    ExpectCleanEnd();
}

TEST_F(TransferForm, ReadChunkBeyondTheThreshold)
{
    Connect();
    for (const uint32_t length : {LARGEST_INLINE_TAKE + 1, 4096U, 5001U, 65537U, 1048576U})
    {
        const Result& result = Take(length);
        Run();
        ExpectGood(result, "msg+R/inline");
        EXPECT_EQ(result.record.readSegments, 1U);
        EXPECT_EQ(result.record.readChunkBytes, length);
        EXPECT_EQ(result.record.callInlineBytes, 28 + 24 + TAKE_OVERHEAD);
        EXPECT_TRUE(result.record.remotelyInvalidated);
        EXPECT_EQ(result.record.registrations, 1U);
    }
    EXPECT_EQ(m_program->reducedItems, 5U);
    EXPECT_EQ(m_client->GetStatistics().localInvNeeded, 0U);
    EXPECT_EQ(m_client->GetStatistics().readChunk, 5U);
    EXPECT_EQ(m_server->GetStatistics().read, 5U);
    EXPECT_EQ(m_server->GetStatistics().sendWithInvalidate, 5U);
    ExpectCleanEnd();
}

TEST_F(TransferForm, PositionZeroChunkForWhatMayNotBeReduced)
{
    Connect();
    for (const uint32_t length : {LARGEST_INLINE_TAKE + 1, 4048U, 65537U})
    {
        const Result& result = Take(length, false);
        Run();
        ExpectGood(result, "nomsg+R/inline");
        EXPECT_EQ(result.record.readSegments, 3U);
        EXPECT_EQ(result.record.readChunkBytes, TAKE_OVERHEAD + RoundUp4(length));
        EXPECT_EQ(result.record.callInlineBytes, 28U + 3 * 24);
        EXPECT_FALSE(result.record.remotelyInvalidated);
    }
    EXPECT_EQ(m_program->reducedItems, 0U);
    EXPECT_EQ(m_client->GetStatistics().nomsgCall, 3U);
    EXPECT_EQ(m_client->GetStatistics().localInvNeeded, 9U);
    ExpectCleanEnd();
}

TEST_F(TransferForm, ReplyInlineUpToTheThreshold)
{
    Connect();
    for (const uint32_t room : {0U, 5U, 3072U, LARGEST_INLINE_GIVE - 1, LARGEST_INLINE_GIVE})
    {
        const Result& result = Give(room, room);
        Run();
        ExpectGood(result, "msg/inline");
        EXPECT_EQ(result.record.replyInlineBytes, 28 + 32 + RoundUp4(room));
    }
    EXPECT_EQ(m_client->GetStatistics().fixupCopy, 5U + 3072 + 2 * LARGEST_INLINE_GIVE - 1);
    ExpectCleanEnd();
}

TEST_F(TransferForm, WriteChunkBeyondTheThreshold)
{
    Connect();
    for (const uint32_t room : {LARGEST_INLINE_GIVE + 4, 4096U, 65536U, 262144U})
    {
        for (const uint32_t length : {room, room - 3, 100U})
        {
            const Result& result = Give(length, room);
            Run();
            ExpectGood(result, "msg+W");
            EXPECT_TRUE(result.reduced);
            EXPECT_EQ(result.record.writeSegments, 1U);
            EXPECT_EQ(result.record.writeChunkBytes, length);
            EXPECT_TRUE(result.record.remotelyInvalidated);
        }
    }
    EXPECT_EQ(m_client->GetStatistics().writeChunk, 12U);
    ExpectCleanEnd();
}

TEST_F(TransferForm, WritesHaveFivePagesAtMost)
{
    Connect();
    Give(262144, 262144);
    Run();
    EXPECT_EQ(m_server->GetStatistics().write, 13U);
    ExpectCleanEnd();
}

TEST_F(TransferForm, EmptyItemLeavesTheWriteChunkUnused)
{
    Connect();
    const Result& result = Give(0, 8192);
    Run();
    ExpectGood(result, "msg+W");
    EXPECT_FALSE(result.reduced);
    EXPECT_EQ(result.record.writeChunkBytes, 0U);
    EXPECT_TRUE(result.record.remotelyInvalidated);
    ExpectCleanEnd();
}

TEST_F(TransferForm, UnalignedWriteChunkHasAPadSegment)
{
    Connect();
    const Result& result = Give(5001, 5001);
    Run();
    ExpectGood(result, "msg+W");
    EXPECT_EQ(result.record.writeSegments, 2U);
    EXPECT_EQ(result.record.writeChunkBytes, 5001U);
    EXPECT_EQ(result.record.registrations, 1U);
    EXPECT_FALSE(result.record.remotelyInvalidated);
    EXPECT_EQ(m_client->GetStatistics().localInvNeeded, 1U);
    EXPECT_EQ(m_client->GetStatistics().totalRdmaRequest, 5005U);
    ExpectCleanEnd();
}

TEST_F(TransferForm, ReplyChunkForWhatMayNotBeReduced)
{
    Connect();
    for (const uint32_t length : {0U, 1U, 28672U, 20000U})
    {
        const Result& result = Give(length, 28672, false);
        Run();
        ExpectGood(result, "msg+reply");
        EXPECT_EQ(result.record.replyType, 1U);
        EXPECT_EQ(result.record.replySegments, 3U);
        EXPECT_EQ(result.record.replyChunkBytes, 32 + RoundUp4(length));
        EXPECT_EQ(result.record.replyInlineBytes, 28U + 4 + 3 * 16);
        EXPECT_FALSE(result.record.remotelyInvalidated);
    }
    // As rpcrdma_encode_reply_chunk(): those of an encoding that then lacked a region count, too.
    EXPECT_EQ(m_client->GetStatistics().failedMarshal, 3U);
    EXPECT_EQ(m_client->GetStatistics().replyChunk, 12U + 3);
    EXPECT_EQ(m_client->GetStatistics().localInvNeeded, 12U);
    ExpectCleanEnd();
}

TEST_F(TransferForm, ReplyWithoutItemHasOneSegment)
{
    Connect();
    const Result& result = Give(0, 0, false, 1200);
    Run();
    ExpectGood(result, "msg+reply");
    EXPECT_EQ(result.record.replySegments, 1U);
    EXPECT_TRUE(result.record.remotelyInvalidated);
    EXPECT_EQ(m_client->GetStatistics().hardwayRegister, 28U + 4800);
    ExpectCleanEnd();
}

TEST_F(TransferForm, ItemsAtAnyOffsetInAPage)
{
    Connect();
    for (const uint32_t offset : {1U, 2048U, 4095U})
    {
        const Result& small = Take(3000, true, offset);
        const Result& large = Take(300001, true, offset);
        Run();
        ExpectGood(small, "msg/inline");
        ExpectGood(large, "msg+R/inline");
    }
    ExpectCleanEnd();
}

TEST_F(TransferForm, KeysRunOutAndTheRegionIsReplaced)
{
    Connect();
    uint64_t inSlots = 0;
    for (int i = 0; i < 1000; ++i)
    {
        const Result& result = Give(8192, 8192);
        Run();
        ExpectGood(result, "msg+W");
        inSlots = i == 20 ? m_client->GetStatistics().mrsAllocated : inSlots;
    }
    EXPECT_GT(m_client->GetStatistics().mrsAllocated, inSlots);
    ExpectCleanEnd();
}

TEST_F(TransferForm, NodesMayGoFirst)
{
    Connect();
    Take(262144);
    Give(262144, 262144);
    Simulator::Stop(MicroSeconds(30));
    Run();
    m_clientHost.node->Dispose();
    m_serverHost.node->Dispose();
    EXPECT_GT(m_client->GetPending(), 0U);
}

TEST_F(TransferForm, ManyCallsInFlight)
{
    Connect();
    std::vector<const Result*> results;
    for (uint32_t i = 0; i < 60; ++i)
    {
        results.push_back(&Take(i * 997));
        results.push_back(&Give(i * 1009, i * 1009));
        results.push_back(&Give(i * 499, i * 503, false));
    }
    Run();
    for (const Result* result : results)
    {
        ASSERT_TRUE(result->done);
        EXPECT_TRUE(result->intact);
    }
    EXPECT_EQ(m_client->GetCredits(), 64U);
    EXPECT_EQ(m_client->GetStatistics().recvs, 180U);
    ExpectCleanEnd();
}

/// The header is as long as its chunks take, not as long as it could be.
class ExactCallHeader : public TransferForm
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("ExactCallHeader", BooleanValue(true));
    }
};

TEST_F(ExactCallHeader, WhatFitsReallyGoesInline)
{
    Connect();
    constexpr uint32_t largest = 4096 - 28 - TAKE_OVERHEAD;
    for (uint32_t length = LARGEST_INLINE_TAKE - 4; length <= largest; length += 4)
    {
        const Result& result = Take(length);
        Run();
        ExpectGood(result, "msg/inline");
        EXPECT_EQ(result.record.callInlineBytes, 28 + TAKE_OVERHEAD + length);
    }
    const Result& reduced = Take(largest + 1);
    const Result& whole = Take(largest + 1, false);
    Run();
    ExpectGood(reduced, "msg+R/inline");
    ExpectGood(whole, "nomsg+R/inline");
    ExpectCleanEnd();
}

TEST_F(ExactCallHeader, WhatIsOfferedForTheReplyTakesRoom)
{
    m_client->SetAttribute("ReplyMechanism", StringValue("reply-chunk-always"));
    Connect();
    constexpr uint32_t chunk = 4 + 16; // number of segments, and one of them
    constexpr uint32_t largest = 4096 - 28 - chunk - TAKE_OVERHEAD;
    const Result& fits = Take(largest);
    const Result& reduced = Take(largest + 1);
    Run();
    ExpectGood(fits, "msg+reply");
    EXPECT_EQ(fits.record.callInlineBytes, 4096U);
    EXPECT_EQ(fits.record.readSegments, 0U);
    ExpectGood(reduced, "msg+R+reply");
    ExpectCleanEnd();
}

class SmallRegions : public TransferForm
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("RegionPages", UintegerValue(4));
    }
};

TEST_F(SmallRegions, ChunksHaveManySegments)
{
    Connect();
    const Result& taken = Take(65537);
    Run();
    ExpectGood(taken, "msg+R/inline");
    EXPECT_EQ(taken.record.readSegments, 5U);
    EXPECT_FALSE(taken.record.remotelyInvalidated);
    const Result& unaligned = Take(65536, true, 100);
    Run();
    ExpectGood(unaligned, "msg+R/inline");
    EXPECT_EQ(unaligned.record.readSegments, 5U);
    const Result& given = Give(50001, 50001);
    Run();
    ExpectGood(given, "msg+W");
    EXPECT_EQ(given.record.writeSegments, 5U);
    const Result& whole = Give(40001, 65536, false);
    Run();
    ExpectGood(whole, "msg+reply");
    EXPECT_EQ(whole.record.replySegments, 6U);
    const Result& zero = Take(30001, false);
    Run();
    ExpectGood(zero, "nomsg+R/inline");
    EXPECT_EQ(zero.record.readSegments, 4U);
    ExpectCleanEnd();
}

TEST_F(SmallRegions, HeaderThatDoesNotFitFailsTheCall)
{
    Connect();
    const Result& tooMany = Give(1048576, 1048576); // 64 segments of 16 octets
    const Result& good = Give(262144, 262144);
    Run();
    ASSERT_TRUE(tooMany.done);
    EXPECT_EQ(tooMany.record.outcome, RpcOutcome::TRANSPORT_ERROR);
    EXPECT_GE(m_client->GetStatistics().failedMarshal, 3U);
    ExpectGood(good, "msg+W");
    ExpectCleanEnd();
}

class FewRegions : public TransferForm
{
  protected:
    void ConfigureDevice(Ptr<RnicDevice> device) override
    {
        device->SetAttribute("MaxMrs", UintegerValue(3));
    }
};

TEST_F(FewRegions, CallsWaitForRegionsOfOthers)
{
    Connect();
    std::vector<const Result*> results;
    for (int i = 0; i < 10; ++i)
    {
        results.push_back(&Give(8192, 8192));
        results.push_back(&Take(8192));
    }
    Run();
    for (const Result* result : results)
    {
        ASSERT_TRUE(result->done);
        EXPECT_TRUE(result->intact);
    }
    EXPECT_EQ(m_client->GetStatistics().mrsAllocated, 3U);
    ExpectCleanEnd();
}

class FewerRegions : public TransferForm
{
  protected:
    void ConfigureDevice(Ptr<RnicDevice> device) override
    {
        device->SetAttribute("MaxMrs", UintegerValue(2));
    }
};

TEST_F(FewerRegions, ReplyChunkForWhichThereAreTooFewIsOnePiece)
{
    Connect();
    const Result& whole = Give(8192, 8192, false); // three segments, two regions
    const Result& good = Give(8192, 8192);
    Run();
    ExpectGood(whole, "msg+reply");
    EXPECT_EQ(whole.record.replySegments, 1U);
    ExpectGood(good, "msg+W");
    ExpectCleanEnd();
}

class OneShortRegion : public TransferForm
{
  protected:
    void ConfigureDevice(Ptr<RnicDevice> device) override
    {
        device->SetAttribute("MaxMrs", UintegerValue(1));
        device->SetAttribute("MaxFastRegisterPages", UintegerValue(1));
    }
};

TEST_F(OneShortRegion, CallThatNeedsMoreThanThereAreFails)
{
    Connect();
    const Result& tooMany = Give(8192, 8192, false);
    const Result& good = Give(4096, 4096);
    Run();
    ASSERT_TRUE(tooMany.done);
    EXPECT_EQ(tooMany.record.outcome, RpcOutcome::TRANSPORT_ERROR);
    ExpectGood(good, "msg+W");
    ExpectCleanEnd();
}

TEST_F(FewRegions, RegionsOfIdleSlotsAreReclaimed)
{
    Connect();
    Give(8192, 8192);
    Take(8192);
    Give(8192, 8192);
    Run(); // two slots keep a region each
    const uint64_t failures = m_client->GetStatistics().failedMarshal;
    const Result& both = Give(8192, 8192, false, 0); // two segments
    Run();
    ExpectGood(both, "msg+reply");
    EXPECT_EQ(both.record.replySegments, 2U);
    EXPECT_EQ(m_client->GetStatistics().failedMarshal, failures + 1);
    ExpectCleanEnd();
}

class FifoRegions : public TransferForm
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("Registration", StringValue("shared-fifo"));
        client->SetAttribute("WritePadSegment", BooleanValue(false));
    }
};

TEST_F(FifoRegions, NoPadSegmentAndRemoteInvalidation)
{
    Connect();
    const Result& result = Give(5001, 5001);
    Run();
    ExpectGood(result, "msg+W");
    EXPECT_EQ(result.record.writeSegments, 1U);
    EXPECT_TRUE(result.record.remotelyInvalidated);
    ExpectCleanEnd();
}

class ReplyChunkAlways : public TransferForm
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("ReplyMechanism", StringValue("reply-chunk-always"));
    }
};

TEST_F(ReplyChunkAlways, EvenForSmallReplies)
{
    Connect();
    const Result& small = Give(4, 4);
    const Result& both = Take(8192);
    Run();
    ExpectGood(small, "msg+reply");
    ExpectGood(both, "msg+R+reply");
    ExpectCleanEnd();
}

class NoRemoteInvalidation : public TransferForm
{
  protected:
    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("RemoteInvalidationPolicy", StringValue("never"));
    }
};

TEST_F(NoRemoteInvalidation, EveryChunkIsInvalidatedLocally)
{
    Connect();
    const Result& taken = Take(8192);
    const Result& given = Give(8192, 8192);
    Run();
    ExpectGood(taken, "msg+R/inline");
    ExpectGood(given, "msg+W");
    EXPECT_EQ(m_client->GetStatistics().localInvNeeded, 2U);
    EXPECT_EQ(m_server->GetStatistics().sendWithInvalidate, 0U);
    EXPECT_EQ(m_clientHost.device->GetCensus().validMemoryRegions, 1U); // the write pad
    ExpectCleanEnd();
}

class ShortSendQueue : public TransferForm
{
  protected:
    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("SendQueueDepth", UintegerValue(4));
    }
};

TEST_F(ShortSendQueue, WorkWaitsForRoom)
{
    Connect();
    const Result& first = Give(262144, 262144);
    const Result& second = Give(262144, 262144);
    const Result& third = Take(262144);
    Run();
    ExpectGood(first, "msg+W");
    ExpectGood(second, "msg+W");
    ExpectGood(third, "msg+R/inline");
    EXPECT_GT(m_server->GetStatistics().sqStarve, 0U);
    ExpectCleanEnd();
}

} // namespace
} // namespace ns3::nfsrdma
