/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/multipath.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::ElementsAre;

/// Keeps the calls that it is given.
class HoldingTransport : public RpcClientTransport
{
  public:
    void Submit(std::unique_ptr<RpcTransportCall> call) override
    {
        calls.push_back(std::move(call));
    }

    bool Cancel(uint32_t xid) override
    {
        const auto found = std::find_if(calls.begin(), calls.end(), [xid](const auto& call) {
            return call->record.xid == xid;
        });
        if (found == calls.end())
        {
            return false;
        }
        calls.erase(found);
        return true;
    }

    uint32_t GetPending() const override
    {
        return static_cast<uint32_t>(calls.size());
    }

    std::vector<std::string> DescribeWaiting() const override
    {
        return std::vector<std::string>(calls.size(), "a call");
    }

    std::vector<std::unique_ptr<RpcTransportCall>> calls;
};

/// Three connections.
class RpcMultipathTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        for (int i = 0; i < 3; ++i)
        {
            transports.push_back(CreateObject<HoldingTransport>());
        }
        transports[0]->SetAttribute("FirstXid", UintegerValue(1000));
        transports[1]->SetAttribute("FirstXid", UintegerValue(5000));
        for (const auto& transport : transports)
        {
            multipath->AddTransport(transport);
        }
    }

    void TearDown() override
    {
        multipath->Dispose();
        for (const auto& transport : transports)
        {
            transport->Dispose();
        }
    }

    void Submit(RpcPath path = RPC_PATH_ANY)
    {
        auto call = std::make_unique<RpcTransportCall>();
        call->record.xid = multipath->TakeXid();
        call->path = path;
        multipath->Submit(std::move(call));
    }

    [[nodiscard]] std::vector<std::size_t> Counts() const
    {
        return {transports[0]->calls.size(),
                transports[1]->calls.size(),
                transports[2]->calls.size()};
    }

    Ptr<RpcMultipath> multipath{CreateObject<RpcMultipath>()};
    std::vector<Ptr<HoldingTransport>> transports;
};

TEST_F(RpcMultipathTest, CallsGoInTurn)
{
    Submit();
    EXPECT_THAT(Counts(), ElementsAre(1, 0, 0));
    Submit();
    EXPECT_THAT(Counts(), ElementsAre(1, 1, 0));
    for (int i = 0; i < 7; ++i)
    {
        Submit();
    }
    EXPECT_THAT(Counts(), ElementsAre(3, 3, 3));
    EXPECT_EQ(multipath->GetPending(), 9U);
}

TEST_F(RpcMultipathTest, TheTurnGoesOnWhenCallsEnd)
{
    Submit();
    transports[0]->calls.clear();
    Submit();
    EXPECT_THAT(Counts(), ElementsAre(0, 1, 0));
    transports[1]->calls.clear();
    Submit();
    EXPECT_THAT(Counts(), ElementsAre(0, 0, 1));
}

TEST_F(RpcMultipathTest, ConnectionsWithMoreThanTheAverageAreLeftOut)
{
    for (int i = 0; i < 9; ++i)
    {
        Submit();
    }
    transports[1]->calls.clear();
    Submit(); // 3, 0, 3: the average is 2
    Submit();
    EXPECT_THAT(Counts(), ElementsAre(3, 2, 3));
    Submit(); // 3, 2, 3: the average is 2.67
    EXPECT_THAT(Counts(), ElementsAre(3, 3, 3));
}

TEST_F(RpcMultipathTest, TheMainOneCarriesWhatAsksForIt)
{
    Submit(RPC_PATH_MAIN);
    Submit(RPC_PATH_MAIN);
    EXPECT_THAT(Counts(), ElementsAre(2, 0, 0));
    Submit();
    EXPECT_THAT(Counts(), ElementsAre(2, 1, 0));
}

TEST_F(RpcMultipathTest, EachCarriesWhatNamesIt)
{
    ASSERT_EQ(multipath->GetPathCount(), 3U);
    Submit(2);
    Submit(2);
    Submit(1);
    EXPECT_THAT(Counts(), ElementsAre(0, 1, 2));
    EXPECT_EQ(transports[0]->GetPathCount(), 1U);
}

TEST_F(RpcMultipathTest, XidsAreOfOneSpace)
{
    EXPECT_EQ(multipath->TakeXid(), 1000U);
    EXPECT_EQ(transports[1]->TakeXid(), 1001U);
    EXPECT_EQ(transports[0]->TakeXid(), 1002U);
    EXPECT_EQ(multipath->TakeXid(), 1003U);
}

TEST_F(RpcMultipathTest, CancelFindsTheConnection)
{
    Submit();
    Submit();
    EXPECT_TRUE(multipath->Cancel(1001));
    EXPECT_THAT(Counts(), ElementsAre(1, 0, 0));
    EXPECT_FALSE(multipath->Cancel(1001));
}

TEST_F(RpcMultipathTest, TellsWhichConnectionWaits)
{
    Submit();
    Submit();
    EXPECT_THAT(multipath->DescribeWaiting(),
                ElementsAre("connection 0: a call", "connection 1: a call"));
}

} // namespace

} // namespace ns3::nfsrdma
