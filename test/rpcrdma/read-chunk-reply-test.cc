/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/policy/pull-notice.h"
#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <set>

namespace ns3::nfsrdma
{
namespace
{

/// RpcRdmaClient and RpcRdmaServer with replies that are larger than the client expects.
class ReadChunkReply : public RpcRdmaTest
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("ReadChunkExtension", BooleanValue(true));
        client->TraceConnectWithoutContext("DoneSent",
                                           MakeCallback(&ReadChunkReply::HandleDone, this));
        client->TraceConnectWithoutContext("ReplyPulled",
                                           MakeCallback(&ReadChunkReply::HandlePulled, this));
        client->TraceConnectWithoutContext("Disconnected",
                                           MakeCallback(&ReadChunkReply::HandleEnd, this));
    }

    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("ReadChunkExtension", BooleanValue(true));
        server->SetAttribute("ReadChunkPolicy", StringValue("when-needed"));
        server->TraceConnectWithoutContext("ReadChunkExposed",
                                           MakeCallback(&ReadChunkReply::HandleExposed, this));
        server->TraceConnectWithoutContext("ReadChunkReleased",
                                           MakeCallback(&ReadChunkReply::HandleReleased, this));
    }

    /// \p length octets that the client has no room for.
    const Result& GiveUnexpected(uint32_t length)
    {
        return Give(length, 0, false, 1);
    }

    /// Everything exposed was pulled or refused, notified and given back.
    void ExpectNothingExposed()
    {
        const SvcRdmaStatistics& server = m_server->GetStatistics();
        EXPECT_EQ(server.exposedBytes, 0U);
        EXPECT_EQ(server.exposedChunks,
                  server.exposedDone + server.exposedExpired + server.exposedLost);
        EXPECT_EQ(m_exposed, server.exposedChunks);
        EXPECT_EQ(m_released.size(), m_exposed);
    }

    void HandleDone(uint32_t xid, bool onCall)
    {
        m_done.push_back(xid);
        m_doneOnCalls += onCall ? 1 : 0;
    }

    void HandlePulled(uint32_t /* xid */, uint32_t segments, uint64_t octets)
    {
        ++m_pulled;
        m_pulledSegments += segments;
        m_pulledOctets += octets;
    }

    void HandleEnd(CmEventType /* reason */)
    {
        ++m_ends;
    }

    void HandleExposed(uint32_t /* xid */, uint32_t segments, uint64_t octets)
    {
        ++m_exposed;
        m_exposedSegments += segments;
        m_exposedOctets += octets;
    }

    void HandleReleased(uint32_t /* xid */, ReadChunkRelease reason, Time /* waited */)
    {
        m_released.push_back(reason);
    }

    std::vector<uint32_t> m_done;
    uint32_t m_doneOnCalls{0};
    uint32_t m_pulled{0};
    uint32_t m_pulledSegments{0};
    uint64_t m_pulledOctets{0};
    uint32_t m_ends{0};
    uint32_t m_exposed{0};
    uint32_t m_exposedSegments{0};
    uint64_t m_exposedOctets{0};
    std::vector<ReadChunkRelease> m_released;
};

TEST_F(ReadChunkReply, IsPulledAndNotified)
{
    Connect();
    const Result& result = GiveUnexpected(4090);
    Run();
    EXPECT_TRUE(result.intact);
    EXPECT_EQ(result.record.outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(result.record.replyType, 1U);
    EXPECT_EQ(result.record.replyReadSegments, 1U);
    EXPECT_EQ(result.record.replyReadBytes, 24 + 4 + 4092 + 4U);
    EXPECT_EQ(result.record.replyInlineBytes, 28 + 24U);
    EXPECT_EQ(result.record.registrations, 1U);
    EXPECT_EQ(result.record.replySegments, 0U);
    EXPECT_EQ(m_pulled, 1U);
    EXPECT_EQ(m_pulledOctets, result.record.replyReadBytes);
    EXPECT_EQ(m_exposedOctets, result.record.replyReadBytes);
    EXPECT_EQ(m_done, std::vector<uint32_t>{result.record.xid});
    EXPECT_EQ(m_released, std::vector<ReadChunkRelease>{ReadChunkRelease::DONE});
    EXPECT_EQ(m_server->GetStatistics().exposedBytesPeak, result.record.replyReadBytes);
    EXPECT_EQ(m_server->GetStatistics().errChunk, 0U);
    ExpectNothingExposed();
    ExpectCleanEnd();
}

TEST_F(ReadChunkReply, WhatFitsInlineNeedsNoChunk)
{
    Connect();
    const Result& result = GiveUnexpected(3500);
    Run();
    EXPECT_TRUE(result.intact);
    EXPECT_EQ(result.record.replyType, 0U);
    EXPECT_EQ(result.record.registrations, 0U);
    EXPECT_EQ(m_exposed, 0U);
    ExpectCleanEnd();
}

TEST_F(ReadChunkReply, ALargeItemIsRegisteredWhereItIs)
{
    Connect();
    const uint32_t length = 3 * 4096 + 5;
    const Result& result = GiveUnexpected(length);
    Run();
    EXPECT_TRUE(result.intact);
    EXPECT_EQ(result.record.replyReadSegments, 3U);
    EXPECT_EQ(result.record.registrations, 1U);
    EXPECT_EQ(m_server->GetStatistics().exposedCopied, 24 + 4 + 3 + 4U);
    ExpectNothingExposed();
    ExpectCleanEnd();
}

TEST_F(ReadChunkReply, ReadsInvalidateTheirSinks)
{
    m_client->SetAttribute("PullInvalidates", BooleanValue(true));
    Connect();
    const Result& result = GiveUnexpected(300000);
    Run();
    EXPECT_TRUE(result.intact);
    EXPECT_EQ(result.record.registrations, 1U);
    EXPECT_EQ(m_client->GetReplyPullStatistics().readsInvalidate, 1U);
    EXPECT_EQ(m_clientHost.device->GetCounters().localInvalidations, 1U);
    EXPECT_EQ(m_clientHost.device->GetCensus().validMemoryRegions, 1U) << "the write pad's";
    ExpectNothingExposed();
    ExpectCleanEnd();
}

TEST_F(ReadChunkReply, SevenTimesOneMebibyteAtOnce)
{
    m_server->SetAttribute("ReadChunkCopyLimit", UintegerValue(1 << 21));
    Connect();
    std::vector<const Result*> results;
    for (uint32_t i = 0; i < 7; ++i)
    {
        results.push_back(&GiveUnexpected((1 << 20) - i));
    }
    Run();
    for (const Result* result : results)
    {
        EXPECT_TRUE(result->intact);
        EXPECT_EQ(result->record.replyReadSegments, 2U);
        EXPECT_EQ(result->record.registrations, 2U);
    }
    ExpectNothingExposed();
    ExpectCleanEnd();
}

/// Section 5.1.1 of the draft: a reply that might have been large.
class ReadChunkSavings : public ReadChunkReply, public ::testing::WithParamInterface<bool>
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        ReadChunkReply::ConfigureClient(client);
        client->SetAttribute("ReplyMechanism",
                             StringValue(GetParam() ? "reply-chunk-never" : "linux"));
    }
};

TEST_P(ReadChunkSavings, ASmallReplyToACallThatAllowsForALargeOne)
{
    Connect();
    const Result& small = Give(100, 8192, false);
    const Result& large = Give(8192, 8192, false);
    Run();
    EXPECT_TRUE(small.intact);
    EXPECT_TRUE(large.intact);
    // Linux registers head, item and tail of the Reply chunk, and the server must fill it.
    EXPECT_EQ(small.record.registrations, GetParam() ? 0U : 3U);
    EXPECT_EQ(small.record.replyType, GetParam() ? 0U : 1U);
    EXPECT_EQ(large.record.registrations, GetParam() ? 1U : 3U);
    EXPECT_EQ(m_exposed, GetParam() ? 1U : 0U);
    ExpectNothingExposed();
    ExpectCleanEnd();
}

INSTANTIATE_TEST_SUITE_P(LinuxAndNever, ReadChunkSavings, ::testing::Bool());

TEST_F(ReadChunkReply, MemoryReturnsToZeroAfterAThousand)
{
    m_client->SetAttribute("MapCost", TimeValue(Time(0)));
    Connect();
    constexpr uint32_t WARM_UP = 2; // Rounds in which the server gets the buffers that it keeps.
    uint64_t after = 0;
    for (uint32_t round = 0; round < 10; ++round)
    {
        std::vector<const Result*> results;
        for (uint32_t i = 0; i < 100; ++i)
        {
            results.push_back(&GiveUnexpected(5000 + i * 40));
        }
        Run();
        for (const Result* result : results)
        {
            ASSERT_TRUE(result->intact);
        }
        after = round < WARM_UP ? m_serverHost.memory->GetAllocatedBytes() : after;
    }
    EXPECT_LE(m_serverHost.memory->GetAllocatedBytes(), after);
    EXPECT_EQ(m_pulled, 1000U);
    EXPECT_EQ(m_done.size(), 1000U);
    EXPECT_EQ(m_ends, 0U);
    ExpectNothingExposed();
    ExpectCleanEnd();
}

// ---------------------------------------------------------------------------------------------

/// What the two sides support.
struct Pairing
{
    bool client;
    bool server;
    bool withoutAgreement;
    bool clientNotifies;
    RpcOutcome outcome;
    uint32_t exposed;
    uint32_t notified;
};

class ReadChunkPairing : public ReadChunkReply, public ::testing::WithParamInterface<Pairing>
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        ReadChunkReply::ConfigureClient(client);
        client->SetAttribute("ReadChunkExtension", BooleanValue(GetParam().client));
        client->SetAttribute("NotifyUnexpectedReadChunks", BooleanValue(GetParam().clientNotifies));
    }

    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        ReadChunkReply::ConfigureServer(server);
        server->SetAttribute("ReadChunkExtension", BooleanValue(GetParam().server));
        server->SetAttribute("ReadChunksWithoutAgreement",
                             BooleanValue(GetParam().withoutAgreement));
        server->SetAttribute("ReadChunkTimeout", TimeValue(Seconds(2)));
    }
};

TEST_P(ReadChunkPairing, LargeReplyAndThenSmallOnes)
{
    const Pairing& p = GetParam();
    Connect();
    const Result& large = GiveUnexpected(6000);
    const Result& small = GiveUnexpected(10);
    Run();
    EXPECT_EQ(large.record.outcome, p.outcome);
    EXPECT_EQ(large.intact, p.outcome == RpcOutcome::SUCCESS);
    EXPECT_TRUE(small.intact);
    EXPECT_EQ(m_exposed, p.exposed);
    EXPECT_EQ(m_done.size(), p.notified);
    EXPECT_EQ(m_server->GetStatistics().errChunk, p.exposed == 0 ? 1U : 0U);
    EXPECT_EQ(m_server->GetStatistics().exposedExpired, p.exposed - p.notified);
    EXPECT_EQ(m_ends, 0U);
    ExpectNothingExposed();
    ExpectCleanEnd();
}

INSTANTIATE_TEST_SUITE_P(
    All,
    ReadChunkPairing,
    ::testing::Values(Pairing{true, true, false, false, RpcOutcome::SUCCESS, 1, 1},
                      Pairing{true, false, false, false, RpcOutcome::TRANSPORT_ERROR, 0, 0},
                      Pairing{false, true, false, false, RpcOutcome::TRANSPORT_ERROR, 0, 0},
                      Pairing{false, false, false, false, RpcOutcome::TRANSPORT_ERROR, 0, 0},
                      // Section 6: provided to a requester that does not know of them. As Linux,
                      // and as section 4.1.3 asks.
                      Pairing{false, true, true, false, RpcOutcome::BAD_REPLY, 1, 0},
                      Pairing{false, true, true, true, RpcOutcome::BAD_REPLY, 1, 1},
                      Pairing{false, false, true, false, RpcOutcome::BAD_REPLY, 1, 0},
                      Pairing{false, false, true, true, RpcOutcome::BAD_REPLY, 1, 1},
                      // Asked for, not answered, provided all the same.
                      Pairing{true, false, true, false, RpcOutcome::BAD_REPLY, 1, 0},
                      Pairing{true, false, true, true, RpcOutcome::BAD_REPLY, 1, 1},
                      Pairing{true, true, true, false, RpcOutcome::SUCCESS, 1, 1}));

// ---------------------------------------------------------------------------------------------

using Mix = std::tuple<std::string, // PullNotice
                       bool,        // DoneInvalidates
                       bool,        // DoneOnCalls
                       uint32_t,    // credits of the server
                       uint32_t,    // region pages of the server
                       bool>;       // Write chunk beside

constexpr uint32_t BURST = 24;

class ReadChunkMix : public ReadChunkReply, public ::testing::WithParamInterface<Mix>
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        ReadChunkReply::ConfigureClient(client);
        client->SetAttribute("PullNotice", StringValue(std::get<0>(GetParam())));
        client->SetAttribute("DoneInvalidates", BooleanValue(std::get<1>(GetParam())));
    }

    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        ReadChunkReply::ConfigureServer(server);
        server->SetAttribute("RemoteInvalidation", BooleanValue(true));
        server->SetAttribute("DoneOnCalls", BooleanValue(std::get<2>(GetParam())));
        server->SetAttribute("Credits", UintegerValue(std::get<3>(GetParam())));
        server->SetAttribute("RegionPages", UintegerValue(std::get<4>(GetParam())));
        server->SetAttribute("BackchannelCredits", UintegerValue(0));
        server->SetAttribute("ReceiveBatch", UintegerValue(1));
        server->SetAttribute("DoneReceives", UintegerValue(1));
    }
};

TEST_P(ReadChunkMix, ABurstOfLargeRepliesLeavesNothing)
{
    const auto& [policy, invalidates, onCalls, credits, pages, write] = GetParam();
    Connect();
    std::vector<const Result*> results;
    for (uint32_t i = 0; i < BURST; ++i)
    {
        // With a Write chunk for an item of a page, and a rest beyond the inline threshold.
        results.push_back(write ? &Give(5001, 5001, true, 2000 + i, 0)
                                : &GiveUnexpected(20000 + 777 * i));
    }
    Run();
    for (const Result* result : results)
    {
        ASSERT_TRUE(result->done);
        EXPECT_EQ(result->record.outcome, RpcOutcome::SUCCESS);
        EXPECT_TRUE(result->intact);
        EXPECT_EQ(result->reduced, write);
        EXPECT_GE(result->record.replyReadSegments, write ? (pages > 1 ? 1U : 2U) : 3U);
        EXPECT_EQ(result->record.writeChunkBytes, write ? 5001U : 0U);
    }
    EXPECT_EQ(m_ends, 0U);
    EXPECT_EQ(m_exposed, BURST);
    EXPECT_EQ(m_pulled, BURST);
    EXPECT_EQ(std::set<uint32_t>(m_done.begin(), m_done.end()).size(), BURST);
    EXPECT_EQ(m_server->GetStatistics().doneUnknown, 0U);
    const ReplyPullStatistics& client = m_client->GetReplyPullStatistics();
    EXPECT_EQ(client.doneSent + client.doneOnCalls, BURST);
    if (policy == "piggyback" && onCalls)
    {
        EXPECT_GT(client.doneOnCalls, 0U);
    }
    else
    {
        EXPECT_EQ(client.doneOnCalls, 0U);
    }
    EXPECT_EQ(client.doneInvalidates > 0, invalidates);
    ExpectNothingExposed();
    ExpectCleanEnd();
}

INSTANTIATE_TEST_SUITE_P(All,
                         ReadChunkMix,
                         ::testing::Combine(::testing::Values("outstanding-until-reply",
                                                              "reserved-receives",
                                                              "piggyback"),
                                            ::testing::Bool(),
                                            ::testing::Bool(),
                                            ::testing::Values(1U, 2U, 16U),
                                            ::testing::Values(1U, 256U),
                                            ::testing::Bool()));

} // namespace
} // namespace ns3::nfsrdma
