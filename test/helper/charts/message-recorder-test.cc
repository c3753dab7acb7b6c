/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/charts/message-recorder.h"
#include "helper/cluster-helper.h"
#include "workload/generate/lock-counters.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// All messages of a client and a server, which count in files.
class MessageRecorderTest : public ::testing::Test
{
  protected:
    static constexpr uint32_t REQUESTS = 20;
    static constexpr uint32_t SERVER = 0;

    using Row = std::map<std::string, std::string>;

    void SetUp() override
    {
        ClusterHelper helper;
        helper.SetSize(1, 1);
        helper.SetNfsVersion("4.1");
        helper.SetSharedExport(true);
        helper.SetWorkload([](uint32_t) {
            const auto workload = CreateObject<LockWorkload>();
            workload->SetAttribute("Requests", UintegerValue(REQUESTS));
            return workload;
        });
        m_cluster = helper.Build();
        m_recorder = std::make_unique<MessageRecorder>(*m_cluster,
                                                       RpcRdmaServer::NFS_RDMA_PORT,
                                                       *MessageSelection::Parse("all"),
                                                       m_stream);
        m_cluster->SetFrameCallback([this](uint32_t host, const Ptr<const Packet>& frame) {
            m_recorder->TakeFrame(host, frame);
        });
        m_cluster->SetRpcCallback([this](uint32_t client, const RpcRecord& record) {
            m_recorder->TakeRpc(client, record);
            if (++m_rpcs == REQUESTS && m_halfway)
            {
                Simulator::Schedule(MicroSeconds(12), m_halfway);
            }
        });
        m_cluster->GetDevice(SERVER)->TraceConnectWithoutContext(
            "QueuePairCreated",
            Callback<void, Ptr<QueuePair>>(
                [this](const Ptr<QueuePair>& pair) { m_pairs.push_back(pair); }));
        m_cluster->SetFinishedCallback([] { Simulator::Stop(); });
    }

    void TearDown() override
    {
        m_pairs.clear();
        m_cluster.reset();
        Simulator::Destroy();
        m_recorder.reset();
    }

    /// Runs to the end. \return the table.
    std::vector<Row> Run()
    {
        m_cluster->Start();
        Simulator::Run();
        m_recorder->Finish();
        EXPECT_TRUE(m_cluster->IsFinished());
        std::istringstream lines(m_stream.str());
        std::string line;
        std::getline(lines, line);
        const auto columns = SplitAtCommas(line);
        std::vector<Row> rows;
        while (std::getline(lines, line))
        {
            const auto cells = SplitAtCommas(line);
            EXPECT_EQ(cells.size(), columns.size()) << line;
            Row& row = rows.emplace_back();
            for (std::size_t i = 0; i < std::min(cells.size(), columns.size()); ++i)
            {
                row[columns[i]] = cells[i];
            }
        }
        return rows;
    }

    static std::vector<std::string> SplitAtCommas(const std::string& line)
    {
        std::vector<std::string> cells;
        std::istringstream stream(line + ",");
        for (std::string cell; std::getline(stream, cell, ',');)
        {
            cells.push_back(cell);
        }
        return cells;
    }

    static uint64_t Count(const std::vector<Row>& rows, const std::function<bool(const Row&)>& is)
    {
        return static_cast<uint64_t>(std::count_if(rows.begin(), rows.end(), is));
    }

    /// Expects that each Send that was seen to leave has its post, and only these.
    static void ExpectAPostForEachSend(const std::vector<Row>& rows)
    {
        const auto sent = Count(rows, [](const Row& row) {
            return row.at("event") == "sent" && row.at("message").rfind("Send", 0) == 0;
        });
        const auto posted =
            Count(rows, [](const Row& row) { return row.at("text") == "post Send"; });
        EXPECT_GE(sent, 2U * REQUESTS);
        EXPECT_EQ(posted, sent);
    }

    static std::vector<std::string> ListTexts(const std::vector<Row>& rows)
    {
        std::vector<std::string> texts;
        texts.reserve(rows.size());
        for (const auto& row : rows)
        {
            texts.push_back(row.at("text"));
        }
        return texts;
    }

    std::unique_ptr<Cluster> m_cluster;
    std::ostringstream m_stream;
    std::unique_ptr<MessageRecorder> m_recorder;
    /// Called when as many RPCs as REQUESTS have ended, and the next is on its way.
    std::function<void()> m_halfway;
    uint32_t m_rpcs{0};
    std::vector<Ptr<QueuePair>> m_pairs; ///< Of the server.
};

TEST_F(MessageRecorderTest, EachHostTellsOfEachMessage)
{
    const auto rows = Run();
    ExpectAPostForEachSend(rows);
    const auto counts = [&rows](const std::string& event) {
        return Count(rows, [&event](const Row& row) { return row.at("event") == event; });
    };
    EXPECT_GT(counts("sent"), 0U);
    EXPECT_EQ(counts("received"), counts("sent"));
    EXPECT_THAT(ListTexts(rows), Contains("call"));
    EXPECT_THAT(ListTexts(rows), Contains(StartsWith("thread takes the call")));
    EXPECT_THAT(ListTexts(rows), Contains(StartsWith("complete: ")));
    EXPECT_THAT(ListTexts(rows), Not(Contains(StartsWith("connection lost"))));
}

/// A server may still have replies for a connection that is over: what is posted then is not sent.
TEST_F(MessageRecorderTest, PostsToAQueuePairWithoutConnectionAreOfNoMessage)
{
    bool isPosted = false;
    const auto post = [this, &isPosted] {
        const QueuePair& pair = *m_pairs.front();
        ASSERT_FALSE(pair.HasConnection());
        for (const auto opcode : {WorkRequestOpcode::SEND,
                                  WorkRequestOpcode::SEND_WITH_INVALIDATE,
                                  WorkRequestOpcode::RDMA_WRITE,
                                  WorkRequestOpcode::RDMA_READ,
                                  WorkRequestOpcode::LOCAL_INVALIDATE})
        {
            SendWorkRequest request;
            request.opcode = opcode;
            m_recorder->TakePost(SERVER, pair, request);
        }
        isPosted = true;
    };
    m_halfway = [this, post] {
        ASSERT_EQ(m_pairs.size(), 1U);
        ASSERT_TRUE(m_pairs.front()->HasConnection());
        m_pairs.front()->MoveToError();
        Simulator::Schedule(MicroSeconds(1), post);
    };
    const auto rows = Run();
    EXPECT_TRUE(isPosted);
    EXPECT_EQ(m_pairs.size(), 2U) << "the client has not connected again";
    ExpectAPostForEachSend(rows);
    EXPECT_THAT(ListTexts(rows), Contains("queue pair: RTS to ERROR"));
    EXPECT_THAT(ListTexts(rows), Contains(StartsWith("connection lost")));
    EXPECT_THAT(ListTexts(rows), Contains("connected"));
}

TEST_F(MessageRecorderTest, NothingIsTakenAfterTheEnd)
{
    EXPECT_THAT(Run(), Not(IsEmpty()));
    const auto before = m_stream.str();
    m_cluster->GetClients()[0].stack.transports[0]->InjectError();
    Simulator::Schedule(MilliSeconds(1), [] { Simulator::Stop(); });
    Simulator::Run();
    EXPECT_EQ(m_stream.str(), before);
    EXPECT_THAT(before, HasSubstr("client-0,server-0,"));
}

} // namespace

} // namespace ns3::nfsrdma
