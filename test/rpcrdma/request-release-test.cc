/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/rpcrdma-fixture.h"

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
    uint32_t requests;
    bool unsent; ///< Requests are used again whose Send is not known to have completed.
    bool waits;  ///< Calls wait for one.
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
        client->SetAttribute("Requests", UintegerValue(GetParam().requests));
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
    EXPECT_EQ(statistics.requestWaits > 0, GetParam().waits);
    ExpectCleanEnd();
}

INSTANTIATE_TEST_SUITE_P(Pools,
                         RequestRelease,
                         ::testing::Values(Pool{"reply", SLOTS, true, false},
                                           Pool{"reply", 0, true, false},
                                           Pool{"reply-and-send", SLOTS, false, true},
                                           Pool{"reply-and-send", 1, false, true},
                                           Pool{"reply-and-send", SLOTS + SLOTS / 2, false, false},
                                           Pool{"reply-and-send", 0, false, false}));

} // namespace
} // namespace ns3::nfsrdma
