/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/security/gss-acceptor.h"
#include "rpc/security/gss-flavour.h"
#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t LARGE = 100003;

/// Calls under a flavour of RPCSEC_GSS over RDMA; the parameter is the flavour.
class GssTransfer : public RpcRdmaTest, public ::testing::WithParamInterface<const char*>
{
  protected:
    void SetUp() override
    {
        RpcRdmaTest::SetUp();
        m_acceptor->SetHostMemory(m_serverHost.memory);
        m_rpcServer->SetAcceptor(m_acceptor);
        m_security->SetAttribute("Service", StringValue(GetParam()));
        m_security->SetHostMemory(m_clientHost.memory);
        m_rpcClient->SetSecurity(m_security);
    }

    [[nodiscard]] bool Reduces() const
    {
        return std::string(GetParam()) == "krb5";
    }

    void ExpectCleanSecureEnd()
    {
        m_rpcClient->EndSecurity();
        ExpectCleanEnd();
        EXPECT_EQ(m_acceptor->GetContextCount(), 0U);
    }

    Ptr<GssAcceptor> m_acceptor{CreateObject<GssAcceptor>()};
    Ptr<GssSecurity> m_security{CreateObject<GssSecurity>()};
};

TEST_P(GssTransfer, LargeArgumentsAreReducedUnderKrb5AndALongCallOtherwise)
{
    Connect();
    const Result& result = Take(LARGE);
    Run();
    EXPECT_TRUE(result.done);
    EXPECT_TRUE(result.intact);
    EXPECT_EQ(result.record.callType, Reduces() ? 0U : 1U);
    EXPECT_GT(result.record.readSegments, 0U);
    if (Reduces())
    {
        EXPECT_EQ(result.record.readChunkBytes, LARGE);
    }
    else
    {
        // The whole message is in the chunk: header with credential and verifier, sealed arguments.
        EXPECT_GT(result.record.readChunkBytes, RoundUp4(LARGE) + 92 + 8 + 8);
        EXPECT_LT(result.record.readChunkBytes, RoundUp4(LARGE) + 92 + 8 + 80);
    }
    ExpectCleanSecureEnd();
}

TEST_P(GssTransfer, LargeResultsAreReducedUnderKrb5AndALongReplyOtherwise)
{
    Connect();
    const Result& result = Give(LARGE, LARGE);
    Run();
    EXPECT_TRUE(result.done);
    EXPECT_TRUE(result.intact);
    EXPECT_EQ(result.reduced, Reduces());
    EXPECT_EQ(result.record.writeChunks, Reduces() ? 1U : 0U);
    EXPECT_EQ(result.record.replySegments > 0, !Reduces());
    EXPECT_EQ(result.record.replyType, Reduces() ? 0U : 1U);
    ExpectCleanSecureEnd();
}

TEST_P(GssTransfer, SmallMessagesAreInline)
{
    Connect();
    const Result& taken = Take(200);
    const Result& given = Give(200, 200);
    Run();
    EXPECT_TRUE(taken.intact);
    EXPECT_TRUE(given.intact);
    EXPECT_EQ(taken.record.readSegments, 0U);
    EXPECT_EQ(given.record.writeChunks + given.record.replySegments, 0U);
    ExpectCleanSecureEnd();
}

TEST_P(GssTransfer, ARequestForAContextMayBeALongCall)
{
    m_security->SetAttribute("TokenSize", UintegerValue(9000));
    Connect();
    const Result& result = Take(10);
    Run();
    EXPECT_TRUE(result.intact);
    EXPECT_EQ(m_acceptor->GetStatistics().contextsCreated, 1U);
    ExpectCleanSecureEnd();
}

TEST_P(GssTransfer, ManyCallsAtOnce)
{
    Connect();
    std::vector<const Result*> results;
    for (uint32_t i = 0; i < 150; ++i)
    {
        results.push_back(i % 3 == 0 ? &Take(i * 211) : &Give(i * 97, i * 101));
    }
    Run();
    for (const Result* result : results)
    {
        EXPECT_TRUE(result->done);
        EXPECT_TRUE(result->intact);
    }
    EXPECT_EQ(m_acceptor->GetStatistics().badSequences, 0U);
    ExpectCleanSecureEnd();
}

INSTANTIATE_TEST_SUITE_P(Flavors, GssTransfer, ::testing::Values("krb5", "krb5i", "krb5p"));

} // namespace
} // namespace ns3::nfsrdma
