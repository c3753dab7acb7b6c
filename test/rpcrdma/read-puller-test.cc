/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/puller-fixture.h"
#include "rpcrdma/server/read-puller.h"

#include <optional>
#include <string>

namespace ns3::nfsrdma
{
namespace
{

class SvcRdmaReadPullerTest : public PullerTest
{
  protected:
    void Pull(const std::vector<RpcRdmaReadSegment>& readList, ByteVector inlineMessage)
    {
        m_puller.emplace(m_host.memory, *m_registrar, m_posted.queue, m_statistics);
        m_puller->Pull(
            readList,
            std::move(inlineMessage),
            [this](RpcReceivedMessage&& message) { m_message = std::move(message); },
            [this](const std::string& reason) { m_reason = reason; });
    }

    void TearDown() override
    {
        m_message.reset();
        m_puller.reset();
        PullerTest::TearDown();
    }

    std::shared_ptr<SvcRdmaStatistics> m_statistics{std::make_shared<SvcRdmaStatistics>()};
    std::optional<SvcRdmaReadPuller> m_puller;
    std::optional<RpcReceivedMessage> m_message;
    std::string m_reason;
};

TEST_F(SvcRdmaReadPullerTest, AnItemStaysInItsSinkBesideTheInlineMessage)
{
    MakeRegistrar(16);
    Pull({{40, {0x100, 600, 1000}}, {40, {0x200, 400, 2000}}}, ByteVector(64, 0x11));
    EXPECT_EQ(GetSources(0), (Sources{{1000, 600}, {2000, 400}}));
    EXPECT_FALSE(m_message);
    CompleteAll();
    ASSERT_TRUE(m_message);
    EXPECT_EQ(m_message->octets, ByteVector(64, 0x11));
    ASSERT_EQ(m_message->items.size(), 1U);
    EXPECT_EQ(m_message->items[0].position, 40U);
    EXPECT_EQ(m_message->items[0].length, 1000U);
    ByteVector item(1000);
    m_host.memory->Read(m_message->items[0].address, item);
    ByteVector expected = MakeOctets(1000, 600);
    const ByteVector rest = MakeOctets(2000, 400);
    expected.insert(expected.end(), rest.begin(), rest.end());
    EXPECT_EQ(item, expected);
    EXPECT_EQ(m_statistics->readBytes, 1000U);
    EXPECT_EQ(m_statistics->read, 2U);
    EXPECT_FALSE(m_registrar->IsUsed());
}

TEST_F(SvcRdmaReadPullerTest, ThePositionZeroChunkIsTheMessage)
{
    MakeRegistrar(16);
    Pull({{80, {0x300, 8, 7000}}, {0, {0x100, 100, 1000}}}, ByteVector());
    EXPECT_EQ(GetSources(0), (Sources{{1000, 100}, {7000, 8}})) << "chunks go by position";
    CompleteAll();
    ASSERT_TRUE(m_message);
    EXPECT_EQ(m_message->octets, MakeOctets(1000, 100));
    ASSERT_EQ(m_message->items.size(), 1U);
    EXPECT_EQ(m_message->items[0].position, 80U);
    EXPECT_EQ(m_message->items[0].length, 8U);
}

TEST_F(SvcRdmaReadPullerTest, ChunksWithoutOctetsTakeNoRead)
{
    MakeRegistrar(16);
    Pull({{40, {0x100, 0, 1000}}}, ByteVector(48, 0x22));
    EXPECT_TRUE(m_posted.chains.empty());
    ASSERT_TRUE(m_message);
    ASSERT_EQ(m_message->items.size(), 1U);
    EXPECT_EQ(m_message->items[0].length, 0U);
    EXPECT_EQ(m_message->items[0].address, 0U);
    EXPECT_EQ(m_statistics->read, 0U);
}

TEST_F(SvcRdmaReadPullerTest, WithOneRegionPiecesFollowEachOther)
{
    MakeRegistrar(1, 1);
    Pull({{40, {0x100, 2 * PAGE + 5, 1000}}}, ByteVector(48, 0x22));
    EXPECT_EQ(GetSources(0), (Sources{{1000, PAGE}}));
    CompleteAll();
    ASSERT_TRUE(m_message);
    ByteVector item(2 * PAGE + 5);
    m_host.memory->Read(m_message->items.at(0).address, item);
    EXPECT_EQ(item, MakeOctets(1000, 2 * PAGE + 5));
    EXPECT_EQ(m_statistics->read, 3U);
    EXPECT_EQ(m_puller->GetWaiting(), 0U);
    EXPECT_EQ(m_reason, "");
}

TEST_F(SvcRdmaReadPullerTest, ACallWaitsForARegionThatAnotherHas)
{
    MakeRegistrar(16, 1);
    Pull({{40, {0x100, 100, 1000}}}, ByteVector(48, 0x22));
    std::optional<RpcReceivedMessage> second;
    m_puller->Pull(
        {{40, {0x200, 50, 3000}}},
        ByteVector(48, 0x33),
        [&second](RpcReceivedMessage&& message) { second = std::move(message); },
        [this](const std::string& reason) { m_reason = reason; });
    EXPECT_EQ(m_puller->GetWaiting(), 1U);
    EXPECT_EQ(m_statistics->regionWaits, 1U);
    CompleteAll();
    Simulator::Run();
    CompleteAll();
    EXPECT_EQ(m_puller->GetWaiting(), 0U);
    EXPECT_TRUE(m_message);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->octets, ByteVector(48, 0x33));
    EXPECT_EQ(m_reason, "");
}

} // namespace
} // namespace ns3::nfsrdma
