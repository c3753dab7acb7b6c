/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/iommu.h"
#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/enum.h"
#include "ns3/string.h"

#include <algorithm>
#include <ostream>
#include <string>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t LARGE = 65536;

/// How many posts, each of which completes once, a reply takes.
struct Chaining
{
    const char* policy;
    uint64_t withWriteChunk;
    uint64_t withReplyChunk;
};

std::ostream&
operator<<(std::ostream& os, const Chaining& chaining)
{
    return os << chaining.policy;
}

class ReplyChainingTest : public RpcRdmaTest, public ::testing::WithParamInterface<Chaining>
{
  protected:
    void SetUp() override
    {
        RpcRdmaTest::SetUp();
        m_serverHost.device->GetHostCpu()->SetAttribute("Iommu", EnumValue(IommuSettings::STRICT));
        Connect();
    }

    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("ReplyChaining", StringValue(GetParam().policy));
    }

    /// \return completions at the server, that of the call's Receive apart.
    uint64_t CountPosts(uint32_t length, bool eligible)
    {
        const uint64_t before = m_serverHost.device->GetCounters().completions;
        const Result& result = Give(length, length, eligible);
        Run();
        EXPECT_TRUE(result.intact);
        return m_serverHost.device->GetCounters().completions - before - 1;
    }
};

TEST_P(ReplyChainingTest, APostForWhatIsChained)
{
    EXPECT_EQ(CountPosts(100, true), 1U);
    EXPECT_EQ(CountPosts(LARGE, true), GetParam().withWriteChunk);
    EXPECT_EQ(CountPosts(LARGE, false), GetParam().withReplyChunk);
    ExpectCleanEnd();
}

TEST_P(ReplyChainingTest, WhatIsMappedIsUnmapped)
{
    const HostIommu::Counters& counted =
        m_serverHost.device->GetHostCpu()->GetIommu()->GetCounters();
    const HostIommu::Counters before = counted;
    CountPosts(LARGE, true);
    CountPosts(LARGE, false);
    EXPECT_GE(counted.mappedPages - before.mappedPages, 2 * LARGE / 4096);
    EXPECT_EQ(counted.unmaps - before.unmaps, counted.maps - before.maps);
}

INSTANTIATE_TEST_SUITE_P(Policies,
                         ReplyChainingTest,
                         ::testing::Values(Chaining{"none", 2, 2},
                                           Chaining{"reply-chunk", 2, 1},
                                           Chaining{"all", 1, 1}),
                         [](const auto& chaining) {
                             std::string name = chaining.param.policy;
                             name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
                             return name;
                         });

} // namespace
} // namespace ns3::nfsrdma
