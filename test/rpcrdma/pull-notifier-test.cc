/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/pull-notifier.h"
#include "rpcrdma/message/pull-notice-list.h"
#include "rpcrdma/posted-chains.h"

#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <optional>
#include <utility>

namespace ns3::nfsrdma
{
namespace
{

/// A notifier on a send queue that completes when told, with 32 credits asked for.
class PullNotifierTest : public testing::Test
{
  protected:
    static constexpr uint32_t CREDITS = 32;
    static constexpr uint32_t DONE = 3;
    static constexpr uint32_t CALL_XID = 0x77;

    void SetUp() override
    {
        m_settings.noticePolicy = "outstanding-until-reply";
        m_settings.piggybackDelay = MicroSeconds(10);
        m_settings.statistics = std::make_shared<ReplyPullStatistics>();
        m_settings.doneSent = [this](uint32_t xid, bool onCall) {
            m_sent.emplace_back(xid, onCall);
        };
        m_limits.sendSize = 4096;
        m_limits.elements = 4;
    }

    void TearDown() override
    {
        m_notifier.reset();
        Simulator::Destroy();
    }

    PullNotifier& Make()
    {
        return m_notifier.emplace(m_memory, m_posted.queue, m_window, m_settings, m_limits);
    }

    PullNotifier& MakePiggyback()
    {
        m_settings.noticePolicy = "piggyback";
        m_limits.agreement.piggyback = true;
        return Make();
    }

    ByteVector Read(const SendWorkRequest& send) const
    {
        ByteVector message;
        for (const ScatterGatherElement& element : send.elements)
        {
            ByteVector octets(element.length);
            m_memory->Read(element.address, octets);
            message.insert(message.end(), octets.begin(), octets.end());
        }
        return message;
    }

    /// \return a Send of \p request's call: a fixed header and 8 octets.
    SendWorkRequest MakeCall(RpcRdmaRequest& request)
    {
        ByteVector message(RpcRdmaFixedHeader::SIZE + 8, 0xab);
        ByteWriter writer(message);
        RpcRdmaFixedHeader{CALL_XID, 1, CREDITS, 0}.Encode(writer);
        request.sendBuffer = HostBuffer(m_memory, message.size());
        request.sendBuffer.Write(0, message);
        request.call = std::make_unique<RpcTransportCall>();
        SendWorkRequest send;
        send.elements.push_back(
            {request.sendBuffer.GetAddress(), static_cast<uint32_t>(message.size())});
        return send;
    }

    Ptr<HostMemory> m_memory{CreateObject<HostMemory>()};
    PostedChains m_posted;
    CreditWindow m_window{CREDITS};
    ReplyPullSettings m_settings;
    PullNotifier::Limits m_limits;
    std::optional<PullNotifier> m_notifier;
    std::vector<std::pair<uint32_t, bool>> m_sent; ///< XID, whether on a Call.
};

using Sent = std::vector<std::pair<uint32_t, bool>>;

TEST_F(PullNotifierTest, ADoneIsTheFixedHeaderUnderTheXidOfTheReply)
{
    PullNotifier& notifier = Make();
    notifier.Notify({0x31, 5});
    ASSERT_EQ(m_posted.chains.size(), 1U);
    ASSERT_EQ(m_posted.chains[0].size(), 1U);
    const SendWorkRequest& send = m_posted.chains[0][0];
    EXPECT_EQ(send.opcode, WorkRequestOpcode::SEND);
    const ByteVector octets = Read(send);
    ASSERT_EQ(octets.size(), RpcRdmaFixedHeader::SIZE);
    ByteReader reader(octets);
    const auto header = RpcRdmaFixedHeader::Decode(reader);
    ASSERT_TRUE(header);
    EXPECT_EQ(header->xid, 0x31U);
    EXPECT_EQ(header->version, 1U);
    EXPECT_EQ(header->credit, CREDITS);
    EXPECT_EQ(header->proc, DONE);
    EXPECT_EQ(m_settings.statistics->doneSent, 1U);
    EXPECT_EQ(m_settings.statistics->doneInvalidates, 0U);
    EXPECT_EQ(m_sent, (Sent{{0x31, false}}));
}

TEST_F(PullNotifierTest, ADoneInvalidatesATagOfTheChunkWhereThatWasAgreed)
{
    m_limits.agreement.remoteInvalidation = true;
    Make().Notify({0x31, 0x500});
    const SendWorkRequest& send = m_posted.chains.at(0).at(0);
    EXPECT_EQ(send.opcode, WorkRequestOpcode::SEND_WITH_INVALIDATE);
    EXPECT_EQ(send.invalidateStag, 0x500U);
    EXPECT_EQ(m_settings.statistics->doneInvalidates, 1U);
}

TEST_F(PullNotifierTest, NothingIsSentOnceTheConnectionCloses)
{
    PullNotifier& notifier = MakePiggyback();
    notifier.Notify({1, 1});
    EXPECT_EQ(notifier.GetWaiting(), 1U);
    notifier.Stop();
    EXPECT_EQ(notifier.GetWaiting(), 0U);
    notifier.Notify({2, 2});
    notifier.Pump();
    Simulator::Run();
    EXPECT_TRUE(m_posted.chains.empty());
    EXPECT_EQ(m_settings.statistics->doneSent, 0U);
    EXPECT_TRUE(m_sent.empty());
}

TEST_F(PullNotifierTest, NoticesWaitForCreditsUntilALaterCallHasItsReply)
{
    PullNotifier& notifier = Make();
    RpcRdmaRequest earlier;
    SendWorkRequest send = MakeCall(earlier);
    notifier.PrepareCall(earlier, send);
    notifier.Notify({1, 1});
    notifier.Notify({2, 2});
    EXPECT_EQ(m_posted.chains.size(), 1U);
    EXPECT_EQ(notifier.GetWaiting(), 1U);
    EXPECT_EQ(notifier.GetUnconfirmed(), 1U);

    notifier.Confirm(earlier);
    EXPECT_EQ(notifier.GetUnconfirmed(), 1U) << "the call went before RDMA_DONE";
    RpcRdmaRequest later;
    send = MakeCall(later);
    notifier.PrepareCall(later, send);
    EXPECT_EQ(send.elements.size(), 1U) << "nothing rides where it was not agreed";
    notifier.Confirm(later);
    EXPECT_EQ(notifier.GetUnconfirmed(), 0U);
    notifier.Pump();
    EXPECT_EQ(m_posted.chains.size(), 2U);
    EXPECT_EQ(notifier.GetWaiting(), 0U);
    EXPECT_EQ(m_sent, (Sent{{1, false}, {2, false}}));
}

TEST_F(PullNotifierTest, UnconfirmedNoticesLeaveTheLastCreditToACall)
{
    PullNotifier& notifier = Make();
    m_window.OnGrant(2);
    notifier.Notify({1, 1});
    EXPECT_TRUE(notifier.MayCall());
    m_window.OnSent();
    EXPECT_FALSE(notifier.MayCall()) << "one call and one notice, two credits";
    m_window.OnEnded();
    EXPECT_TRUE(notifier.MayCall());
}

TEST_F(PullNotifierTest, BuffersOfSentNoticesAreUsedAgain)
{
    PullNotifier& notifier = Make();
    m_window.OnGrant(CREDITS);
    notifier.Notify({1, 1});
    m_posted.CompleteOne();
    notifier.Notify({2, 2});
    notifier.Notify({3, 3});
    ASSERT_EQ(m_posted.chains.size(), 3U);
    const auto address = [this](std::size_t index) {
        return m_posted.chains[index][0].elements[0].address;
    };
    EXPECT_EQ(address(1), address(0));
    EXPECT_NE(address(2), address(1)) << "the second is still being sent";
}

TEST_F(PullNotifierTest, NoticesRideOnACall)
{
    PullNotifier& notifier = MakePiggyback();
    m_limits.agreement.remoteInvalidation = false;
    notifier.Notify({1, 0x100});
    notifier.Notify({2, 0x200});
    EXPECT_TRUE(m_posted.chains.empty());

    RpcRdmaRequest request;
    SendWorkRequest send = MakeCall(request);
    const ByteVector plain = Read(send);
    notifier.PrepareCall(request, send);
    EXPECT_EQ(send.elements.size(), 2U);
    EXPECT_EQ(request.call->record.callInlineBytes, PullNoticeList::GetEncodedSize(2));
    ByteVector message = Read(send);
    ASSERT_TRUE(PullNoticeList::IsIn(message));
    const auto list = PullNoticeList::TakeFrom(message);
    ASSERT_TRUE(list);
    EXPECT_EQ(list->xids, (std::vector<uint32_t>{1, 2}));
    EXPECT_EQ(message, plain) << "without the notices it is the call";
    EXPECT_EQ(notifier.GetWaiting(), 0U);
    EXPECT_EQ(m_sent, (Sent{{1, true}, {2, true}}));
    EXPECT_EQ(m_settings.statistics->doneOnCalls, 2U);
    EXPECT_EQ(m_settings.statistics->doneSent, 0U);

    Simulator::Run();
    EXPECT_TRUE(m_posted.chains.empty()) << "nothing is left to be sent alone";
}

TEST_F(PullNotifierTest, WithoutACallInTimeTheyGoAlone)
{
    PullNotifier& notifier = MakePiggyback();
    m_window.OnGrant(CREDITS);
    notifier.Notify({1, 1});
    notifier.Notify({2, 2});
    Simulator::Run();
    EXPECT_EQ(Simulator::Now(), m_settings.piggybackDelay);
    EXPECT_EQ(m_sent, (Sent{{1, false}, {2, false}}));

    notifier.Notify({3, 3});
    EXPECT_EQ(notifier.GetWaiting(), 1U) << "the next one waits for a Call again";
    EXPECT_EQ(m_posted.chains.size(), 2U);
}

TEST_F(PullNotifierTest, AsManyRideAsTheSendHoldsRoomFor)
{
    m_limits.sendSize = RpcRdmaFixedHeader::SIZE + 8 + PullNoticeList::GetEncodedSize(1);
    PullNotifier& notifier = MakePiggyback();
    notifier.Notify({1, 1});
    notifier.Notify({2, 2});
    RpcRdmaRequest request;
    SendWorkRequest send = MakeCall(request);
    notifier.PrepareCall(request, send);
    EXPECT_EQ(m_sent, (Sent{{1, true}}));
    EXPECT_EQ(notifier.GetWaiting(), 1U);
}

TEST_F(PullNotifierTest, NoneRidesWithoutAnElementForIt)
{
    m_limits.elements = 1;
    PullNotifier& notifier = MakePiggyback();
    notifier.Notify({1, 1});
    RpcRdmaRequest request;
    SendWorkRequest send = MakeCall(request);
    const ByteVector plain = Read(send);
    notifier.PrepareCall(request, send);
    EXPECT_EQ(Read(send), plain);
    EXPECT_EQ(notifier.GetWaiting(), 1U);
}

TEST_F(PullNotifierTest, AFloodOfNoticesIsCut)
{
    PullNotifier& notifier = MakePiggyback();
    for (uint32_t xid = 0; xid < PullNotifier::MAXIMUM_WAITING + 5; ++xid)
    {
        notifier.Notify({xid, xid});
    }
    EXPECT_EQ(notifier.GetWaiting(), PullNotifier::MAXIMUM_WAITING);
}

} // namespace
} // namespace ns3::nfsrdma
