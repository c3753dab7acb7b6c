/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/message/pull-notice-list.h"
#include "rpcrdma/policy/pull-notice.h"
#include "rpcrdma/policy/read-chunk.h"
#include "wire/hex-bytes.h"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <random>

namespace ns3::nfsrdma
{
namespace
{

TEST(PullNoticeListTest, OctetsBehindTheFixedHeader)
{
    PullNoticeList list;
    list.xids = {0x11223344, 0x55};
    const RpcRdmaFixedHeader call{7, 1, 32, 1};
    EXPECT_EQ(list.Encode(call),
              HexBytes("00000007 00000001 00000020 80000001 00000002 11223344 00000055"));
    EXPECT_EQ(PullNoticeList::GetEncodedSize(2), 12U);
}

TEST(PullNoticeListTest, TakenOutOfAMessageLeavesAPlainOne)
{
    ByteVector message = HexBytes("00000007 00000001 00000020 80000000 00000001 0000abcd "
                                  "00000000 00000000 00000000 99999999");
    ASSERT_TRUE(PullNoticeList::IsIn(message));
    const auto list = PullNoticeList::TakeFrom(message);
    ASSERT_TRUE(list);
    EXPECT_EQ(list->xids, std::vector<uint32_t>{0xabcd});
    EXPECT_EQ(message,
              HexBytes("00000007 00000001 00000020 00000000 00000000 00000000 00000000 99999999"));
    EXPECT_FALSE(PullNoticeList::IsIn(message));
}

TEST(PullNoticeListTest, MalformedListsChangeNothing)
{
    const auto expect = [](const std::string& hex, WireError error) {
        const ByteVector before = HexBytes(hex);
        ByteVector message = before;
        EXPECT_EQ(PullNoticeList::TakeFrom(message).error(), error) << hex;
        EXPECT_EQ(message, before);
    };
    const std::string fixed = "00000007 00000001 00000020 80000000 ";
    expect("00000007 00000001", WireError::TRUNCATED);
    expect(fixed, WireError::TRUNCATED);
    expect(fixed + "00000000 00000000", WireError::BAD_VALUE);
    expect(fixed + "00000011 00000000", WireError::BAD_VALUE);
    expect(fixed + "ffffffff 00000000", WireError::BAD_VALUE);
    expect(fixed + "00000002 00000000", WireError::TRUNCATED);
    EXPECT_FALSE(PullNoticeList::IsIn(HexBytes("00000007 00000001 00000020")));
}

TEST(ReadChunkPolicyTest, Table)
{
    struct Case
    {
        bool inlineFits;
        bool offered;
        bool chunkFits;
        bool whenNeeded;
        bool prefers;
    };

    const std::vector<Case> cases{
        {true, false, false, false, false},
        {true, true, false, false, false},
        {true, true, true, false, false},
        {false, false, false, true, true},
        {false, true, false, true, true},
        {false, true, true, false, true},
    };
    const auto never = ReadChunkPolicy::Create("never");
    const auto whenNeeded = ReadChunkPolicy::Create("when-needed");
    const auto prefers = ReadChunkPolicy::Create("prefer-over-reply-chunk");
    for (const Case& c : cases)
    {
        const ReplyRoom room{c.inlineFits, c.offered, c.chunkFits};
        EXPECT_FALSE(never->Provides(room));
        EXPECT_EQ(whenNeeded->Provides(room), c.whenNeeded);
        EXPECT_EQ(prefers->Provides(room), c.prefers);
    }
    EXPECT_FALSE(never->IsEnabled());
    const auto announced = ReadChunkPolicy::Create("announced-only");
    EXPECT_TRUE(announced->IsEnabled());
    EXPECT_FALSE(announced->Provides({false, false, false}));
    EXPECT_TRUE(whenNeeded->IsEnabled());
    EXPECT_EQ(ReadChunkPolicy::Create("sometimes"), nullptr);
    for (const std::string& name : ReadChunkPolicy::GetNames())
    {
        EXPECT_NE(ReadChunkPolicy::Create(name), nullptr) << name;
    }
}

TEST(PullNoticePolicyTest, OneCreditTakesTurns)
{
    for (const std::string& name : PullNoticePolicy::GetNames())
    {
        const auto policy = PullNoticePolicy::Create(name);
        ASSERT_TRUE(policy);
        EXPECT_TRUE(policy->MayCall({1, 0, 0, 1})) << name;
        EXPECT_FALSE(policy->MayCall({1, 1, 0, 1})) << name;
        EXPECT_TRUE(policy->MayNotify({1, 0, 0, 1})) << name;
        EXPECT_TRUE(policy->MayCall({1, 0, 1, 1})) << name;
        EXPECT_FALSE(policy->MayNotify({1, 0, 1, 1})) << name;
    }
    EXPECT_EQ(PullNoticePolicy::Create("now-and-then"), nullptr);
}

TEST(PullNoticePolicyTest, ADoneTakesACreditUnlessAReceiveIsReserved)
{
    const auto outstanding = PullNoticePolicy::Create("outstanding-until-reply");
    EXPECT_FALSE(outstanding->MayCall({4, 3, 1, 1}));
    EXPECT_TRUE(outstanding->MayCall({4, 2, 1, 1}));
    const auto reserved = PullNoticePolicy::Create("reserved-receives");
    EXPECT_TRUE(reserved->MayCall({4, 3, 1, 8}));
    EXPECT_TRUE(reserved->MayCall({4, 3, 8, 8}));
    EXPECT_FALSE(reserved->MayCall({4, 3, 9, 8}));
}

/// A requester that wants to call and to notify all the time, and a responder whose receives are
/// handled late: counts what stands in its receive queue.
class CreditModel
{
  public:
    CreditModel(const std::string& policy, uint32_t granted, uint32_t reserved, uint64_t seed)
        : m_policy(PullNoticePolicy::Create(policy)),
          m_usage{granted, 0, 0, reserved},
          m_random(seed)
    {
    }

    void Step()
    {
        switch (m_random() % 4)
        {
        case 0:
            TryCall();
            return;
        case 1:
            TryNotify();
            return;
        case 2:
            HandleOne();
            return;
        default:
            ReplyToOne();
            return;
        }
    }

    /// No Call is outstanding, nothing is under way: a Call can be sent.
    void ExpectProgress()
    {
        while (m_usage.calls > 0)
        {
            HandleOne();
            ReplyToOne();
        }
        EXPECT_TRUE(m_policy->MayCall(m_usage));
        if (m_usage.notices == 0)
        {
            EXPECT_TRUE(m_policy->MayNotify(m_usage));
        }
    }

    [[nodiscard]] std::size_t GetMostUnhandled() const
    {
        return m_most;
    }

    [[nodiscard]] uint64_t GetNotified() const
    {
        return m_sent;
    }

  private:
    void TryCall()
    {
        if (m_policy->MayCall(m_usage))
        {
            ++m_usage.calls;
            m_underWay.push_back({true, m_sent});
            m_most = std::max(m_most, m_underWay.size());
        }
    }

    void TryNotify()
    {
        if (m_wanted > 0 && m_policy->MayNotify(m_usage))
        {
            --m_wanted;
            ++m_usage.notices;
            ++m_sent;
            m_underWay.push_back({false, 0});
            m_most = std::max(m_most, m_underWay.size());
        }
    }

    void HandleOne()
    {
        if (!m_underWay.empty())
        {
            if (m_underWay.front().isCall)
            {
                m_called.push_back(m_underWay.front().noticesBefore);
            }
            m_underWay.pop_front();
        }
    }

    void ReplyToOne()
    {
        if (!m_called.empty())
        {
            const std::size_t which = m_random() % m_called.size();
            m_confirmed = std::max(m_confirmed, m_called[which]);
            m_called.erase(m_called.begin() + static_cast<std::ptrdiff_t>(which));
            --m_usage.calls;
            m_usage.notices = static_cast<uint32_t>(m_sent - m_confirmed);
            ++m_wanted;
        }
    }

    struct Message
    {
        bool isCall;
        uint64_t noticesBefore;
    };

    std::unique_ptr<PullNoticePolicy> m_policy;
    NoticeUsage m_usage;
    std::mt19937_64 m_random;
    std::deque<Message> m_underWay; ///< Sent, and not taken from a receive.
    std::vector<uint64_t> m_called; ///< Calls in service, with the notices sent before each.
    std::size_t m_most{0};
    uint64_t m_sent{0};
    uint64_t m_confirmed{0};
    uint64_t m_wanted{0};
};

TEST(PullNoticePolicyTest, NeverMoreUnderWayThanReceives)
{
    for (const std::string& name : PullNoticePolicy::GetNames())
    {
        for (const uint32_t granted : {1U, 2U, 3U, 16U})
        {
            for (const uint32_t reserved : {1U, 2U, 16U})
            {
                CreditModel model(name, granted, reserved, granted * 100 + reserved);
                for (uint32_t step = 0; step < 20000; ++step)
                {
                    model.Step();
                    if (step % 1000 == 0)
                    {
                        model.ExpectProgress();
                    }
                }
                EXPECT_LE(model.GetMostUnhandled(), granted + reserved) << name;
                EXPECT_GE(model.GetMostUnhandled(), granted) << name;
                EXPECT_GT(model.GetNotified(), 500U) << name;
            }
        }
    }
}

} // namespace
} // namespace ns3::nfsrdma
