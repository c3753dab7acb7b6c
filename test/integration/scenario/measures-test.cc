/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/conservation.h"
#include "helper/fairness.h"
#include "helper/latency-stack.h"
#include "helper/rpc-balance.h"
#include "helper/rpc-recorder.h"
#include "scenarios/simulator/report/console-summary.h"
#include "scenarios/simulator/report/loss-report.h"
#include "scenarios/simulator/report/run-report.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <sstream>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string
ReadMetrics()
{
    std::ifstream stream(std::string(NFSRDMA_SOURCE_DIR) + "/analysis/METRICS.md");
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

/// A READ whose every stage takes another time: 1, 2, 4, ... ns, in their order.
struct MarkedRead
{
    RpcRecord record;
    RpcServiceTimes service;

    MarkedRead()
    {
        Time now = NanoSeconds(1000);
        int64_t took = 1;
        const auto next = [&now, &took](Time& mark) {
            now += NanoSeconds(took);
            took *= 2;
            mark = now;
        };
        record.program = 100003;
        record.version = 3;
        record.procedure = 6;
        record.arrived = now;
        record.transmissions = 2;
        next(record.asked);
        next(record.submitted);
        next(record.begun);
        next(record.handed);
        next(record.slot);
        next(record.connected);
        next(record.credit);
        next(record.firstSent);
        next(record.sent);
        next(service.arrived);
        next(service.received);
        next(service.queued);
        next(service.started);
        next(service.storageBegan);
        next(service.storageEnded);
        next(service.posted);
        next(record.replied);
        next(record.ended);
        next(record.completed);
    }
};

Time
SumUp(const LatencySplit& split)
{
    return std::accumulate(split.begin(), split.end(), Time());
}

} // namespace

TEST(LatencyStackTest, EachStageHasTheTimeBetweenItsMarks)
{
    const MarkedRead read;
    const auto split = SplitLatency(read.record, &read.service);
    for (std::size_t stage = 0; stage + 1 < LATENCY_STAGES; ++stage)
    {
        EXPECT_EQ(split[stage], NanoSeconds(int64_t{1} << stage))
            << ToString(static_cast<LatencyStage>(stage));
    }
    EXPECT_EQ(split.back(), Time());
    EXPECT_EQ(SumUp(split), read.record.completed - read.record.arrived);
}

TEST(LatencyStackTest, WithoutTheServerItsTimeIsUnknownAndNothingIsLost)
{
    const MarkedRead read;
    const auto split = SplitLatency(read.record, nullptr);
    EXPECT_EQ(split.back(), read.record.replied - read.record.sent);
    EXPECT_EQ(split[static_cast<std::size_t>(LatencyStage::STORAGE)], Time());
    EXPECT_EQ(SumUp(split), read.record.completed - read.record.arrived);
}

TEST(LatencyStackTest, MarksThatAreNotThereTakeNoTime)
{
    MarkedRead read;
    read.service.storageBegan = Time();
    read.service.storageEnded = Time();
    const auto split = SplitLatency(read.record, &read.service);
    EXPECT_EQ(split[static_cast<std::size_t>(LatencyStage::STORAGE)], Time());
    EXPECT_EQ(split[static_cast<std::size_t>(LatencyStage::SERVER_REPLY)],
              read.service.posted - read.service.started);
    EXPECT_EQ(SumUp(split), read.record.completed - read.record.arrived);
}

TEST(LatencyStackTest, SumsAreByOperationAndFormOfWhatSucceeded)
{
    LatencyStacks stacks;
    MarkedRead read;
    stacks.Add(read.record, &read.service);
    stacks.Add(read.record, &read.service);
    read.record.writeChunks = 1;
    stacks.Add(read.record, nullptr);
    read.record.programStatus = 5;
    stacks.Add(read.record, nullptr);
    ASSERT_THAT(stacks.GetStacks(), SizeIs(2));
    EXPECT_EQ(stacks.GetStacks().at({"READ", "msg/inline"}).rpcs, 2U);
    const auto total = stacks.GetTotal();
    EXPECT_EQ(total.rpcs, 3U);
    EXPECT_EQ(total.whole, (read.record.completed - read.record.arrived) * int64_t{3});
    EXPECT_EQ(SumUp(total.stages), total.whole);
    EXPECT_EQ(total.met.back(), 1U);
}

TEST(FairnessTest, JainAndSharesAreTheirFormulas)
{
    const auto uneven = Fairness::Of({1, 1, 1, 5});
    EXPECT_DOUBLE_EQ(uneven.jain, 64.0 / (4 * 28));
    EXPECT_DOUBLE_EQ(uneven.least, 0.5);
    EXPECT_DOUBLE_EQ(uneven.most, 2.5);
    const auto one = Fairness::Of({0, 0, 8, 0});
    EXPECT_DOUBLE_EQ(one.jain, 0.25);
    EXPECT_DOUBLE_EQ(one.least, 0);
    EXPECT_DOUBLE_EQ(Fairness::Of({3, 3}).jain, 1);
    EXPECT_DOUBLE_EQ(Fairness::Of({0, 0}).jain, 1);
}

TEST(ConservationTest, StreamsThatLoseOctetsAreFound)
{
    TcpCounters counters;
    counters.given = 100;
    counters.acknowledged = 80;
    counters.held = 15;
    counters.abandoned = 5;
    counters.delivered = 90;
    const auto whole = BalanceTcp(counters, false);
    EXPECT_THAT(whole.broken, IsEmpty());
    EXPECT_EQ(whole.sent, whole.delivered + whole.dropped + whole.inFlight);

    counters.delivered = 79;
    EXPECT_THAT(BalanceTcp(counters, false).broken,
                ElementsAre(HasSubstr("acknowledged what has not come")));
    EXPECT_THAT(BalanceTcp(counters, true).broken, IsEmpty());
    counters.delivered = 101;
    EXPECT_THAT(BalanceTcp(counters, false).broken,
                ElementsAre(HasSubstr("delivered what was not given")));
    counters.delivered = 90;
    counters.held = 14;
    EXPECT_THAT(BalanceTcp(counters, false).broken, ElementsAre(HasSubstr("TCP senders")));
}

/// Two clients and a server between whom nothing is missing.
struct BalancedRpcs
{
    std::vector<NamedRpcCounts<ClientRpcCounts>> clients{{"client-0", {20, 15, 2, 1, 2, 23, 3, 0}},
                                                         {"client-1", {5, 5, 0, 0, 0, 7, 0, 2}}};
    std::vector<NamedRpcCounts<ServerRpcCounts>> servers{{"server-0", {30, 22, 2, 1, 1, 2, 2}}};
};

TEST(ConservationTest, RpcsThatAddUpAreConserved)
{
    const BalancedRpcs rpcs;
    const auto balance = BalanceRpcs(rpcs.clients, rpcs.servers, {});
    EXPECT_THAT(balance.broken, IsEmpty());
    EXPECT_EQ(balance.clients.submitted, 25U);
    EXPECT_EQ(balance.clients.sent, balance.servers.received);
    EXPECT_EQ(balance.lost, 0U);
}

TEST(ConservationTest, EachCallThatIsMissingIsFoundAtItsHost)
{
    using Client = ClientRpcCounts;
    using Server = ServerRpcCounts;
    for (const auto count : {&Client::submitted,
                             &Client::succeeded,
                             &Client::failed,
                             &Client::cancelled,
                             &Client::outstanding})
    {
        BalancedRpcs rpcs;
        ++(rpcs.clients[0].counts.*count);
        EXPECT_THAT(BalanceRpcs(rpcs.clients, rpcs.servers, {}).broken,
                    ElementsAre(AllOf(HasSubstr("client-0: "), HasSubstr("calls submitted"))));
    }
    for (const auto count : {&Server::answered,
                             &Server::refused,
                             &Server::dropped,
                             &Server::abandoned,
                             &Server::others,
                             &Server::inService})
    {
        BalancedRpcs rpcs;
        ++(rpcs.servers[0].counts.*count);
        EXPECT_THAT(BalanceRpcs(rpcs.clients, rpcs.servers, {true, true}).broken,
                    ElementsAre(AllOf(HasSubstr("server-0: 30 messages received"),
                                      HasSubstr("in service"))));
    }
}

TEST(ConservationTest, MessagesBetweenHostsAreLostWithConnectionsAlone)
{
    BalancedRpcs lost;
    ++lost.clients[1].counts.sent;
    EXPECT_THAT(BalanceRpcs(lost.clients, lost.servers, {}).broken,
                ElementsAre("between clients and servers: 31 messages sent, 30 received"));
    const auto balance = BalanceRpcs(lost.clients, lost.servers, {true, false});
    EXPECT_THAT(balance.broken, IsEmpty());
    EXPECT_EQ(balance.lost, 1U);

    BalancedRpcs foreign;
    --foreign.clients[1].counts.sent;
    EXPECT_THAT(BalanceRpcs(foreign.clients, foreign.servers, {true, false}).broken,
                ElementsAre(HasSubstr("29 messages sent, 30 received")));
    EXPECT_THAT(BalanceRpcs(foreign.clients, foreign.servers, {true, true}).broken, IsEmpty());
}

/// A run whose RPCs do not add up has failed, and says so in one line.
TEST(ConservationTest, ARunWhoseRpcsDoNotAddUpIsNotConserved)
{
    RunReport report;
    EXPECT_TRUE(IsConserved(report));
    BalancedRpcs rpcs;
    --rpcs.clients[0].counts.succeeded;
    report.rpcBalance = BalanceRpcs(rpcs.clients, rpcs.servers, {});
    EXPECT_FALSE(IsConserved(report));
    std::ostringstream errors;
    PrintNotConserved(errors, report);
    EXPECT_EQ(errors.str(),
              "not conserved: rpcs: client-0: 20 calls submitted, 14 succeeded, 2 failed, 1 "
              "cancelled, 2 outstanding\n");
    EXPECT_EQ(DescribeConservation(report)["rpcs"]["broken"].size(), 1U);
}

TEST(LossReportTest, SaysWhenNothingWasLost)
{
    LossCounts counts;
    EXPECT_EQ(PrintLoss(counts), "loss            no loss\n");
    counts.framesMarked = 3;
    EXPECT_EQ(PrintLoss(counts), "loss            no loss\ncongestion      3 frames marked\n");
    counts.framesLost = 2;
    counts.tcp.fastRetransmits = 1;
    EXPECT_THAT(PrintLoss(counts),
                HasSubstr("loss            2 frames dropped, 1 segments repeated fast\n"));
}

/// What the columns and measures say of themselves stands in the document, row by row.
TEST(MetricsDocumentTest, HasEveryColumnOfRpcCsvAndEveryMeasureOfLoss)
{
    const auto document = ReadMetrics();
    std::string table;
    for (const auto& column : GetRpcColumns())
    {
        table += std::string("| `") + column.name + "` | " + column.what + " |\n";
    }
    EXPECT_THAT(document, HasSubstr(table));
    for (const auto* reasons : {&GetCallReasons(), &GetReplyReasons()})
    {
        std::string rows;
        for (auto reason = reasons->begin() + 1; reason != reasons->end(); ++reason)
        {
            rows += std::string("| `") + reason->name + "` | " + reason->what + " |\n";
        }
        EXPECT_THAT(document, HasSubstr(rows));
    }
    for (const auto& measure : GetLossMeasures())
    {
        EXPECT_THAT(document, HasSubstr(std::string("| `") + measure.name + "` |"));
    }
    for (std::size_t stage = 0; stage < LATENCY_STAGES; ++stage)
    {
        EXPECT_THAT(
            document,
            HasSubstr(std::string("| `") + ToString(static_cast<LatencyStage>(stage)) + "` |"));
    }
}

} // namespace ns3::nfsrdma
