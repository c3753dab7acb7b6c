/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/client.h"
#include "rpc/xdr-writer.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

/// Keeps calls until they are answered or given up.
class KeepingTransport : public RpcClientTransport
{
  public:
    void Submit(std::unique_ptr<RpcTransportCall> call) override
    {
        m_calls.push_back(std::move(call));
    }

    bool Cancel(uint32_t xid) override
    {
        const auto found = std::find_if(m_calls.begin(), m_calls.end(), [xid](const auto& call) {
            return call->record.xid == xid;
        });
        if (found == m_calls.end())
        {
            return false;
        }
        End(found - m_calls.begin(), RpcOutcome::CANCELLED);
        return true;
    }

    [[nodiscard]] uint32_t GetPending() const override
    {
        return static_cast<uint32_t>(m_calls.size());
    }

    [[nodiscard]] std::vector<std::string> DescribeWaiting() const override
    {
        return {};
    }

    void End(std::ptrdiff_t number, RpcOutcome outcome)
    {
        const auto call = std::move(m_calls.at(number));
        m_calls.erase(m_calls.begin() + number);
        call->record.outcome = outcome;
        call->record.replyRoom = 1000;
        call->completed(call->record, {});
    }

  private:
    std::vector<std::unique_ptr<RpcTransportCall>> m_calls;
};

class RpcCancel : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_client->SetTransport(m_transport);
        m_client->SetProgram(400000, 3);
        m_client->SetAttribute("ReplyAttempts", UintegerValue(4));
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    /// Calls with a reply that may turn out too small.
    uint32_t Call()
    {
        RpcReplyEstimate reply{100, {}, 900, 40, false};
        return m_client->Call(1,
                              {},
                              reply,
                              [this](RpcRecord& record, const RpcReceivedMessage&, XdrReader&) {
                                  m_ends.push_back(record.outcome);
                              });
    }

    Ptr<KeepingTransport> m_transport{Create<KeepingTransport>()};
    Ptr<RpcClient> m_client{CreateObject<RpcClient>()};
    std::vector<RpcOutcome> m_ends;
};

TEST_F(RpcCancel, FindsACallByItsFirstXidHoweverOftenItWasMadeAgain)
{
    for (uint32_t tries = 0; tries < 4; ++tries)
    {
        m_ends.clear();
        const uint32_t other = Call();
        const uint32_t xid = Call();
        Simulator::Run();
        for (uint32_t again = 0; again < tries; ++again)
        {
            m_transport->End(1, RpcOutcome::TRANSPORT_ERROR);
            Simulator::Run();
        }
        ASSERT_EQ(m_transport->GetPending(), 2U);
        EXPECT_TRUE(m_client->Cancel(xid)) << tries;
        Simulator::Run();
        EXPECT_EQ(m_ends, std::vector<RpcOutcome>{RpcOutcome::CANCELLED}) << tries;
        EXPECT_FALSE(m_client->Cancel(xid));
        EXPECT_EQ(m_transport->GetPending(), 1U) << "the other call goes on";
        EXPECT_TRUE(m_client->Cancel(other));
        Simulator::Run();
        EXPECT_EQ(m_ends.size(), 2U);
    }
}

TEST_F(RpcCancel, FindsWhatIsMadeAgainBeforeItIsSubmitted)
{
    const uint32_t xid = Call();
    Simulator::Run();
    m_transport->End(0, RpcOutcome::TRANSPORT_ERROR);
    // The reply has cost its time; the call made again has not.
    while (m_transport->GetPending() == 0 && m_ends.empty() && !m_client->Cancel(xid))
    {
        Simulator::Stop(NanoSeconds(500));
        Simulator::Run();
    }
    Simulator::Run();
    EXPECT_EQ(m_ends, std::vector<RpcOutcome>{RpcOutcome::CANCELLED});
    EXPECT_EQ(m_transport->GetPending(), 0U);
}

} // namespace

} // namespace ns3::nfsrdma
