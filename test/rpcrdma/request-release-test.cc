/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t SLOTS = 16;

/// Until when requests are in use, and how many a client has.
struct Pool
{
    const char* release;
    double requests; ///< For each slot.
    bool unsent;     ///< Requests are used again whose Send is not known to have completed.
    uint64_t waits;  ///< Calls that wait for one.
};

std::ostream&
operator<<(std::ostream& stream, const Pool& pool)
{
    return stream << pool.release << " " << pool.requests;
}

class RequestRelease : public RpcRdmaTest, public ::testing::WithParamInterface<Pool>
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("Slots", UintegerValue(SLOTS));
        client->SetAttribute("RequestRelease", StringValue(GetParam().release));
        client->SetAttribute("Requests", DoubleValue(GetParam().requests));
    }
};

TEST_P(RequestRelease, CallsAreServedWhateverThePool)
{
    Connect();
    std::vector<const Result*> results;
    for (uint32_t i = 0; i < 300; ++i)
    {
        results.push_back(i % 10 == 9 ? &Take(9000) : &Take(100));
    }
    Run();
    for (const Result* result : results)
    {
        ASSERT_TRUE(result->done);
        EXPECT_EQ(result->record.outcome, RpcOutcome::SUCCESS);
        EXPECT_EQ(result->record.transmissions, 1U);
    }
    const XprtRdmaStatistics statistics = m_client->GetStatistics();
    EXPECT_EQ(statistics.requestsUnsent > 0, GetParam().unsent);
    EXPECT_EQ(statistics.requestWaits, GetParam().waits);
    ExpectCleanEnd();
}

INSTANTIATE_TEST_SUITE_P(Pools,
                         RequestRelease,
                         ::testing::Values(Pool{"reply", 1, true, 0},
                                           Pool{"reply", 0, true, 0},
                                           Pool{"reply-and-send", 1, false, 16},
                                           Pool{"reply-and-send", 0.001, false, 298},
                                           Pool{"reply-and-send", 1.5, false, 0},
                                           Pool{"reply-and-send", 0, false, 0}));

/// A pool follows the slots that it is for.
TEST(RequestPool, IsAShareOfTheSlots)
{
    RpcRdmaConnectionSettings settings;
    settings.slots = 128;
    EXPECT_EQ(settings.CountRequests(), UINT32_MAX);
    settings.requests = 1.125;
    EXPECT_EQ(settings.CountRequests(), 144U);
    settings.slots = 256;
    EXPECT_EQ(settings.CountRequests(), 288U);
    settings.requests = 0.001;
    EXPECT_EQ(settings.CountRequests(), 1U);
}

} // namespace
} // namespace ns3::nfsrdma
