/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/sentence.h"
#include "fault/trigger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

class FaultTriggerTest : public testing::Test
{
  protected:
    FaultTrigger Make(const std::string& sentence)
    {
        return {ParseFault("name", sentence).value().when, [this] { return m_draw; }};
    }

    static FaultEvent MakeEvent(FaultEventKind kind)
    {
        FaultEvent event;
        event.kind = kind;
        return event;
    }

    /// \return numbers, from 1, of those of \p count FPDUs, one a millisecond, that fire.
    static std::vector<int> Run(FaultTrigger& trigger, int count)
    {
        std::vector<int> fired;
        for (int number = 1; number <= count; ++number)
        {
            if (trigger.Take(MakeEvent(FaultEventKind::FPDU), MilliSeconds(number)))
            {
                fired.push_back(number);
            }
        }
        return fired;
    }

    double m_draw{0};
};

TEST_F(FaultTriggerTest, NthHappensOnce)
{
    auto trigger = Make("3rd fpdu: drop");
    EXPECT_THAT(Run(trigger, 10), testing::ElementsAre(3));
    EXPECT_EQ(trigger.GetFirings(), 1U);
    EXPECT_EQ(trigger.GetOccurrences(), 3U);
    EXPECT_TRUE(trigger.IsOver(Seconds(0)));
}

TEST_F(FaultTriggerTest, EveryHappensWithMultiples)
{
    auto trigger = Make("every 3rd fpdu: drop");
    EXPECT_THAT(Run(trigger, 10), testing::ElementsAre(3, 6, 9));
    auto limited = Make("every 3rd fpdu 2 times: drop");
    EXPECT_THAT(Run(limited, 10), testing::ElementsAre(3, 6));
    EXPECT_TRUE(limited.IsOver(Seconds(0)));
}

TEST_F(FaultTriggerTest, ProbabilityAsksTheDraw)
{
    auto trigger = Make("fpdu with probability 0.5: drop");
    m_draw = 0.5;
    EXPECT_THAT(Run(trigger, 3), testing::IsEmpty());
    m_draw = 0.4999;
    EXPECT_THAT(Run(trigger, 3), testing::ElementsAre(1, 2, 3));
    EXPECT_EQ(trigger.GetOccurrences(), 6U);
}

TEST_F(FaultTriggerTest, OccurrencesOutsideTheWindowAreNotCounted)
{
    auto trigger = Make("every 2nd fpdu after 3ms before 8ms: drop");
    EXPECT_THAT(Run(trigger, 20), testing::ElementsAre(4, 6));
    EXPECT_EQ(trigger.GetOccurrences(), 5U);
    EXPECT_TRUE(trigger.IsOver(MilliSeconds(8)));
    EXPECT_FALSE(trigger.IsOver(MilliSeconds(7)));
}

TEST_F(FaultTriggerTest, OtherEventsAreNotCounted)
{
    auto trigger = Make("1st rdma-write: drop");
    EXPECT_FALSE(trigger.Take(MakeEvent(FaultEventKind::READ_REQUEST), Seconds(0)));
    EXPECT_EQ(trigger.GetOccurrences(), 0U);
    EXPECT_TRUE(trigger.Take(MakeEvent(FaultEventKind::RDMA_WRITE), Seconds(0)));
}

TEST_F(FaultTriggerTest, NamesAndXidsMustAgree)
{
    auto event = MakeEvent(FaultEventKind::RPC_CALL);
    event.xid = 5;
    auto name = std::make_shared<RpcName>();
    name->program = "nfs";
    name->procedures = {"COMPOUND", "SEQUENCE", "READ"};
    event.rpc = name;
    const std::pair<const char*, bool> sentences[]{{"every rpc-call: drop", true},
                                                   {"every nfs call: drop", true},
                                                   {"every nfs READ call: drop", true},
                                                   {"every nfs SEQUENCE call: drop", true},
                                                   {"every nfs WRITE call: drop", false},
                                                   {"every nfs READ reply: drop", false},
                                                   {"every nfsacl call: drop", false},
                                                   {"every rpc-call of xid 5: drop", true},
                                                   {"every nfs READ call of xid 6: drop", false}};
    for (const auto& [sentence, matches] : sentences)
    {
        EXPECT_EQ(Make(sentence).Take(event, Seconds(0)), matches) << sentence;
    }
    event.rpc = nullptr;
    EXPECT_FALSE(Make("every nfs call: drop").Take(event, Seconds(0)));
    EXPECT_EQ(event.ToText(), "rpc-call xid 0x00000005");
    event.rpc = name;
    EXPECT_EQ(event.ToText(), "rpc-call nfs COMPOUND SEQUENCE READ xid 0x00000005");
}

TEST_F(FaultTriggerTest, TimesComeAgainUntilTheirNumber)
{
    auto trigger = Make("at 1ms every 2ms 3 times on server-0: crash");
    EXPECT_EQ(trigger.TakeTime(), MilliSeconds(2));
    EXPECT_EQ(trigger.TakeTime(), MilliSeconds(2));
    EXPECT_EQ(trigger.TakeTime(), std::nullopt);
    EXPECT_EQ(trigger.GetFirings(), 3U);
    auto once = Make("at 1ms on server-0: crash");
    EXPECT_EQ(once.TakeTime(), std::nullopt);
    EXPECT_FALSE(once.Take(MakeEvent(FaultEventKind::FPDU), MilliSeconds(1)));
}

} // namespace

} // namespace ns3::nfsrdma
