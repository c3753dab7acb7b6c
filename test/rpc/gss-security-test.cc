/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/gss-fixture.h"
#include "rpc/security/gss-context.h"
#include "rpc/security/gss-credential.h"
#include "rpc/security/krb5-token.h"

#include "ns3/uinteger.h"

#include <gmock/gmock.h>
#include <optional>
#include <random>

namespace ns3::nfsrdma
{
namespace
{

using ::testing::Each;

constexpr std::size_t CREDENTIAL_OFFSET = 32; ///< Of its body, after flavor and length.

RpcCallHeader
DecodeCall(const ByteVector& octets)
{
    XdrReader reader(octets);
    const auto header = RpcCallHeader::Decode(reader);
    EXPECT_TRUE(header);
    return header.value();
}

RpcReplyHeader
DecodeReply(const ByteVector& octets)
{
    XdrReader reader(octets);
    const auto header = RpcReplyHeader::Decode(reader);
    EXPECT_TRUE(header);
    return header.value();
}

bool
Contains(const ByteVector& octets, const ByteVector& part)
{
    return std::search(octets.begin(), octets.end(), part.begin(), part.end()) != octets.end();
}

/// The parameter is the flavour.
class GssFlavors : public GssTest, public ::testing::WithParamInterface<const char*>
{
  protected:
    void SetUp() override
    {
        GssTest::SetUp();
        SetService(GetParam());
    }

    [[nodiscard]] bool IsAuthenticOnly() const
    {
        return std::string(GetParam()) == "krb5";
    }
};

TEST_P(GssFlavors, CreateOneContextForAllCallsAndDestroyIt)
{
    const auto first = Call(100);
    const auto second = Call(5, MirrorProgram::MIRROR_AS_ITEM);
    Simulator::Run();
    const auto third = Call(3000);
    Simulator::Run();
    m_client->EndSecurity();
    Simulator::Run();
    for (const auto& result : {first, second, third})
    {
        EXPECT_EQ(result->ends, 1U);
        EXPECT_EQ(result->record.outcome, RpcOutcome::SUCCESS);
        EXPECT_TRUE(result->intact);
    }
    ASSERT_EQ(m_transport->calls.size(), 5U);
    std::vector<RpcSecGssProcedure> procedures;
    for (const ByteVector& call : m_transport->calls)
    {
        procedures.push_back(DecodeCall(call).gss.procedure);
    }
    EXPECT_EQ(procedures,
              (std::vector<RpcSecGssProcedure>{RpcSecGssProcedure::INIT,
                                               RpcSecGssProcedure::DATA,
                                               RpcSecGssProcedure::DATA,
                                               RpcSecGssProcedure::DATA,
                                               RpcSecGssProcedure::DESTROY}));
    EXPECT_EQ(m_acceptor->GetStatistics().contextsCreated, 1U);
    EXPECT_EQ(m_acceptor->GetStatistics().contextsDestroyed, 1U);
    EXPECT_EQ(m_acceptor->GetContextCount(), 0U);
    EXPECT_FALSE(m_security->HasContext());
}

TEST_P(GssFlavors, MessagesHaveExactlyTheirSizes)
{
    for (const std::string& enctype : GetGssEnctypeNames())
    {
        m_security->SetAttribute("Enctype", StringValue(enctype));
        m_transport->calls.clear();
        m_transport->replies.clear();
        const auto result = Call(400);
        Simulator::Run();
        EXPECT_TRUE(result->intact);
        m_client->EndSecurity();
        Simulator::Run();
        const uint32_t checksum = GetGssChecksumSize(*FindGssEnctype(enctype));
        const uint32_t mic = 16 + checksum;
        const uint32_t data = 404;
        const uint32_t body = std::string(GetParam()) == "krb5" ? data
                              : std::string(GetParam()) == "krb5i"
                                  ? 8 + data + 4 + mic
                                  : 4 + 32 + 4 + data + 16 + checksum;
        ASSERT_EQ(m_transport->calls.size(), 3U);
        EXPECT_EQ(m_transport->calls[0].size(), 24U + 28 + 8 + 4 + 1200);
        EXPECT_EQ(m_transport->calls[1].size(), 24U + 32 + 8 + mic + body);
        EXPECT_EQ(m_transport->replies[0].size(), 24U + mic + 8 + 12 + 4 + 156);
        EXPECT_EQ(m_transport->replies[1].size(), 24U + mic + body);
        EXPECT_EQ(m_transport->calls[2].size(), 24U + 32 + 8 + mic);
        EXPECT_EQ(m_transport->replies[2].size(), 24U + mic);
    }
}

TEST_P(GssFlavors, PrincipalsBecomeWhomTheServerKnowsThemAs)
{
    Call(10);
    Simulator::Run();
    m_client->EndSecurity();
    AuthSysCredential known;
    known.uid = 1000;
    known.gid = 100;
    known.gids = {4, 24};
    m_acceptor->MapPrincipal("alice", known);
    m_security->SetPrincipal("alice");
    Call(10);
    Simulator::Run();
    ASSERT_EQ(m_program->callers.size(), 2U);
    EXPECT_EQ(m_program->callers[0].uid, 65534U);
    EXPECT_EQ(m_program->callers[0].gid, 65534U);
    EXPECT_EQ(m_program->callers[1].uid, 1000U);
    EXPECT_EQ(m_program->callers[1].gid, 100U);
    EXPECT_EQ(m_program->callers[1].gids, known.gids);
}

TEST_P(GssFlavors, RoomForTheReplyGrowsByWhatTheFlavorAdds)
{
    Call(400);
    Simulator::Run();
    const RpcReplyEstimate& room = m_transport->estimates[1];
    EXPECT_EQ(room.GetTotal(), m_transport->replies[1].size());
    EXPECT_EQ(room.minimum, room.GetTotal() - 400);
    EXPECT_EQ(m_transport->noReduction[1], !IsAuthenticOnly());
}

TEST_P(GssFlavors, OnlyPrivacyHidesTheData)
{
    Call(64);
    Simulator::Run();
    const bool hidden = std::string(GetParam()) == "krb5p";
    EXPECT_EQ(Contains(m_transport->calls[1], MakeData(64)), !hidden);
    EXPECT_EQ(Contains(m_transport->replies[1], MakeData(64)), !hidden);
}

TEST_P(GssFlavors, ACallMadeAgainHasANewNumberAndTheSameXid)
{
    const auto warm = Call(10);
    Simulator::Run();
    m_transport->loseCalls = 1;
    const auto lost = Call(20);
    Simulator::Run();
    m_transport->loseReplies = 1;
    const auto unanswered = Call(30);
    Simulator::Run();
    EXPECT_EQ(lost->ends + unanswered->ends, 0U);
    m_transport->Retransmit();
    Simulator::Run();
    for (const auto& result : {warm, lost, unanswered})
    {
        EXPECT_EQ(result->ends, 1U);
        EXPECT_TRUE(result->intact);
    }
    ASSERT_EQ(m_transport->calls.size(), 6U);
    const auto first = DecodeCall(m_transport->calls[2]);
    const auto again = DecodeCall(m_transport->calls[4]);
    EXPECT_EQ(first.xid, again.xid);
    EXPECT_LT(first.gss.sequence, again.gss.sequence);
    EXPECT_EQ(m_acceptor->GetStatistics().badSequences, 0U);
}

TEST_P(GssFlavors, AReplayedCallIsDroppedInSilence)
{
    Call(10);
    Simulator::Run();
    uint32_t answers = 0;
    bool dropped = false;
    RpcReceivedMessage replay{m_transport->calls[1], {}};
    m_server->Receive(std::move(replay), [&](RpcPayload&& payload) {
        dropped = payload.octets.empty();
        ++answers;
    });
    Simulator::Run();
    EXPECT_TRUE(dropped);
    EXPECT_EQ(answers, 1U);
    EXPECT_EQ(m_program->calls, 1U);
    EXPECT_EQ(m_acceptor->GetStatistics().badSequences, 1U);
    EXPECT_EQ(m_server->GetStatistics().dropped, 1U);
    EXPECT_EQ(m_server->GetBusyThreads(), 0U);
}

TEST_P(GssFlavors, ANumberBelowTheWindowIsDropped)
{
    m_acceptor->SetAttribute("SequenceWindow", UintegerValue(4));
    Call(10);
    Simulator::Run();
    m_transport->loseCalls = 1;
    const auto late = Call(10);
    Simulator::Run();
    RpcReceivedMessage message{m_transport->calls.back(), {}};
    for (int i = 0; i < 4; ++i)
    {
        Call(10);
        Simulator::Run();
    }
    m_server->Receive(std::move(message),
                      [](RpcPayload&& payload) { EXPECT_TRUE(payload.octets.empty()); });
    Simulator::Run();
    EXPECT_EQ(m_acceptor->GetStatistics().badSequences, 1U);
    EXPECT_EQ(m_program->calls, 5U);
    m_transport->Retransmit();
    Simulator::Run();
    EXPECT_TRUE(late->intact);
}

TEST_P(GssFlavors, AServerThatForgotItsContextsGetsANewOne)
{
    Call(10);
    Simulator::Run();
    m_acceptor->Forget();
    const auto first = Call(11);
    const auto second = Call(12);
    Simulator::Run();
    EXPECT_TRUE(first->intact);
    EXPECT_TRUE(second->intact);
    EXPECT_EQ(m_acceptor->GetStatistics().contextsCreated, 2U);
    EXPECT_EQ(m_security->GetStatistics().contextsLost, 1U);
    EXPECT_EQ(m_security->GetStatistics().callsRepeated, 2U);
    const auto denial = DecodeReply(m_transport->replies[2]);
    EXPECT_TRUE(denial.denied);
    EXPECT_EQ(denial.authStatus, static_cast<uint32_t>(RpcAuthStatus::RPCSEC_GSS_CREDPROBLEM));
}

TEST_P(GssFlavors, ACallThatIsMadeAgainIsGivenUpByItsFirstXid)
{
    // What is lost once the server has forgotten its contexts: the INIT, or the call made again.
    for (const std::size_t lost : {1U, 2U})
    {
        Call(10);
        Simulator::Run();
        m_acceptor->Forget();
        std::size_t sent = 0;
        m_transport->onCall = [&](ByteVector&) { m_transport->loseCalls = sent++ == lost ? 1 : 0; };
        const auto result = Call(11);
        Simulator::Run();
        m_transport->onCall = nullptr;
        EXPECT_EQ(sent, lost + 1);
        ASSERT_EQ(result->ends, 0U);
        EXPECT_TRUE(m_client->Cancel(result->xid));
        EXPECT_FALSE(m_client->Cancel(result->xid));
        Simulator::Run();
        EXPECT_EQ(result->ends, 1U);
        EXPECT_EQ(result->record.outcome, RpcOutcome::CANCELLED);
        m_transport->Retransmit();
        Simulator::Run();
        EXPECT_EQ(result->ends, 1U);
        const auto next = Call(12);
        Simulator::Run();
        EXPECT_TRUE(next->intact);
        EXPECT_FALSE(m_client->Cancel(next->xid));
    }
}

TEST_P(GssFlavors, AnExpiredContextIsMadeAnew)
{
    m_acceptor->SetAttribute("ContextLifetime", TimeValue(Seconds(1)));
    Call(10);
    Simulator::Run();
    Simulator::Schedule(Seconds(2), [] {});
    Simulator::Run();
    const auto late = Call(10);
    Simulator::Run();
    EXPECT_TRUE(late->intact);
    EXPECT_EQ(m_acceptor->GetStatistics().contextsExpired, 1U);
    const auto denial = DecodeReply(m_transport->replies[2]);
    EXPECT_TRUE(denial.denied);
    EXPECT_EQ(denial.authStatus, static_cast<uint32_t>(RpcAuthStatus::RPCSEC_GSS_CREDPROBLEM));
}

TEST_P(GssFlavors, TheOldestContextMakesRoom)
{
    m_acceptor->SetAttribute("MaxContexts", UintegerValue(1));
    Call(10);
    Simulator::Run();
    const auto other = CreateObject<GssSecurity>();
    other->SetPrincipal("other");
    other->SetHostMemory(m_memory);
    other->SetAttribute("Service", StringValue(GetParam()));
    m_client->SetSecurity(other);
    EXPECT_TRUE((Simulator::Run(), Call(10)) != nullptr);
    Simulator::Run();
    EXPECT_EQ(m_acceptor->GetStatistics().contextsEvicted, 1U);
    m_client->SetSecurity(m_security);
    const auto back = Call(10);
    Simulator::Run();
    EXPECT_TRUE(back->intact);
    EXPECT_EQ(m_security->GetStatistics().contextsLost, 1U);
}

TEST_P(GssFlavors, WithoutAnAcceptorCallsEndRejected)
{
    m_server->SetAcceptor(nullptr);
    const auto result = Call(10);
    Simulator::Run();
    EXPECT_EQ(result->ends, 1U);
    EXPECT_EQ(result->record.outcome, RpcOutcome::REJECTED);
    EXPECT_EQ(m_security->GetStatistics().contextsRefused, 1U);
}

TEST_P(GssFlavors, AreServedWhenTheServerListsThem)
{
    m_server->SetAttribute("Security", StringValue("sys"));
    const auto refused = Call(10);
    Simulator::Run();
    EXPECT_EQ(refused->record.outcome, RpcOutcome::REJECTED);
    const auto denial = DecodeReply(m_transport->replies.back());
    EXPECT_EQ(denial.authStatus, static_cast<uint32_t>(RpcAuthStatus::TOOWEAK));
    m_server->SetAttribute("Security", StringValue(GetParam()));
    const auto served = Call(10);
    Simulator::Run();
    EXPECT_TRUE(served->intact);
    m_client->SetSecurity(CreateObject<AuthNoneSecurity>());
    const auto bare = Call(10);
    Simulator::Run();
    EXPECT_EQ(bare->record.outcome, RpcOutcome::REJECTED);
}

TEST_P(GssFlavors, AnErrorOfTheServerIsAuthenticToo)
{
    m_client->SetProgram(MirrorProgram::PROGRAM, 9);
    const auto result = Call(10);
    Simulator::Run();
    EXPECT_EQ(result->record.outcome, RpcOutcome::REJECTED);
    const auto reply = DecodeReply(m_transport->replies.back());
    EXPECT_EQ(reply.acceptStatus, RpcAcceptStatus::PROG_MISMATCH);
    EXPECT_EQ(reply.verifier.size(), 28U);
}

TEST_P(GssFlavors, CostTheProcessorsWhatTheySay)
{
    Call(0);
    Simulator::Run();
    const Time start = Simulator::Now();
    const auto costs = CreateObject<GssCosts>();
    const auto service = *FindRpcSecGssService(GetParam());
    const auto result = Call(100000);
    Simulator::Run();
    EXPECT_TRUE(result->intact);
    const Time plain = MicroSeconds(5 + 5 + 5 + 5 + 5);
    const Time call = costs->GetMessageCost(service, 100004);
    // Server and reply count what they get, headers and all.
    const Time most = 4 * costs->GetMessageCost(service, 100004 + 400);
    EXPECT_GE(result->end - start, plain + 4 * call);
    EXPECT_LE(result->end - start, plain + most);
}

TEST_P(GssFlavors, NoOctetOfACallChangesUnnoticed)
{
    Call(16);
    Simulator::Run();
    const std::size_t length = m_transport->calls[1].size();
    std::mt19937_64 random(5);
    const std::size_t covered = IsAuthenticOnly() ? length - 20 : length;
    for (std::size_t offset = 4; offset < covered; ++offset)
    {
        // Message type and RPC version make it another message; what is no Call is not answered.
        if (offset < 12)
        {
            continue;
        }
        const auto change = static_cast<uint8_t>(1 + random() % 255);
        const uint32_t before = m_program->calls;
        bool spoil = true;
        m_transport->onCall = [&](ByteVector& octets) {
            if (spoil && octets.size() == length)
            {
                octets[offset] ^= change;
                spoil = false;
            }
        };
        const auto result = Call(16);
        Simulator::Run();
        EXPECT_FALSE(spoil);
        m_transport->onCall = nullptr;
        if (result->ends == 0)
        {
            m_transport->Retransmit();
            Simulator::Run();
        }
        EXPECT_EQ(result->ends, 1U) << offset;
        EXPECT_LE(m_program->calls, before + 1) << offset;
        EXPECT_EQ(m_program->calls == before + 1, result->intact) << offset;
    }
}

TEST_P(GssFlavors, NoOctetOfAReplyChangesUnnoticed)
{
    Call(16);
    Simulator::Run();
    const std::size_t length = m_transport->replies[1].size();
    const std::size_t covered = IsAuthenticOnly() ? length - 20 : length;
    // The accept status is under no checksum, as RFC 2203 has it.
    const std::size_t statusOffset = 12 + 8 + 28;
    for (std::size_t offset = 20; offset < covered; ++offset)
    {
        if (offset >= statusOffset && offset < statusOffset + 4)
        {
            continue;
        }
        m_transport->onReply = [&](ByteVector& octets) {
            if (octets.size() == length)
            {
                octets[offset] ^= 0x20;
            }
        };
        const auto result = Call(16);
        Simulator::Run();
        EXPECT_EQ(result->ends, 1U) << offset;
        EXPECT_EQ(result->record.outcome, RpcOutcome::BAD_REPLY) << offset;
    }
}

TEST_P(GssFlavors, RandomLossAndRetransmissionRunEachCallOnceOrMore)
{
    std::mt19937_64 random(77);
    std::vector<std::shared_ptr<Result>> results;
    for (int round = 0; round < 30; ++round)
    {
        m_transport->loseCalls = random() % 3;
        m_transport->loseReplies = random() % 3;
        for (int i = 0; i < 6; ++i)
        {
            results.push_back(
                Call(static_cast<uint32_t>(random() % 9000), MirrorProgram::MIRROR + random() % 2));
        }
        if (random() % 5 == 0)
        {
            m_acceptor->Forget();
        }
        Simulator::Run();
        while (m_transport->GetPending() > 0)
        {
            m_transport->Retransmit();
            Simulator::Run();
        }
    }
    for (const auto& result : results)
    {
        EXPECT_EQ(result->ends, 1U);
        EXPECT_TRUE(result->intact);
    }
    m_client->EndSecurity();
    m_transport->loseCalls = 0;
    m_transport->loseReplies = 0;
    Simulator::Run();
    EXPECT_EQ(m_acceptor->GetStatistics().badSequences, 0U);
}

INSTANTIATE_TEST_SUITE_P(Services, GssFlavors, ::testing::Values("krb5", "krb5i", "krb5p"));

/// What a peer sends that follows no rule.
class GssAcceptorTest : public GssTest
{
  protected:
    RpcReplyHeader Ask(RpcCallHeader header, const ByteVector& arguments = {})
    {
        header.program = MirrorProgram::PROGRAM;
        header.version = 1;
        header.flavor = RpcAuthFlavor::GSS;
        XdrWriter writer;
        header.Encode(writer);
        writer.WriteFixedOpaque(arguments);
        RpcReceivedMessage message;
        message.octets = writer.Take();
        RpcReplyHeader answer;
        m_server->Receive(std::move(message), [this, &answer](RpcPayload&& payload) {
            m_answer = std::move(payload.octets);
            XdrReader reader(m_answer);
            answer = RpcReplyHeader::Decode(reader).value();
        });
        Simulator::Run();
        return answer;
    }

    RpcAuthStatus GetDenial(const RpcCallHeader& header, const ByteVector& arguments = {})
    {
        return static_cast<RpcAuthStatus>(Ask(header, arguments).authStatus.value_or(0));
    }

    ByteVector m_answer;
};

TEST_F(GssAcceptorTest, AnswersWrongCredentialsAsRfc2203Says)
{
    RpcCallHeader header;
    header.procedure = 1;
    header.gss.handle = {1, 2, 3, 4};
    EXPECT_EQ(GetDenial(header), RpcAuthStatus::RPCSEC_GSS_CREDPROBLEM);
    header.gss.version = 2;
    EXPECT_EQ(GetDenial(header), RpcAuthStatus::REJECTEDCRED);
    header.gss.version = 1;
    header.gss.service = static_cast<RpcSecGssService>(4);
    EXPECT_EQ(GetDenial(header), RpcAuthStatus::REJECTEDCRED);
    header.gss.service = RpcSecGssService::NONE;
    header.gss.procedure = static_cast<RpcSecGssProcedure>(4);
    EXPECT_EQ(GetDenial(header), RpcAuthStatus::REJECTEDCRED);
    header.gss.procedure = RpcSecGssProcedure::INIT;
    EXPECT_EQ(GetDenial(header), RpcAuthStatus::BADCRED);
    header.procedure = 0;
    EXPECT_EQ(GetDenial(header), RpcAuthStatus::BADCRED);
    header.gss.handle.clear();
    header.verifier = ByteVector(28, 1);
    EXPECT_EQ(GetDenial(header), RpcAuthStatus::BADVERF);
    header.gss.procedure = RpcSecGssProcedure::CONTINUE_INIT;
    EXPECT_EQ(GetDenial(header), RpcAuthStatus::RPCSEC_GSS_CREDPROBLEM);
    EXPECT_EQ(m_acceptor->GetContextCount(), 0U);
}

TEST_F(GssAcceptorTest, TellsOfATokenThatItCannotRead)
{
    RpcCallHeader header;
    header.gss.procedure = RpcSecGssProcedure::INIT;
    for (const ByteVector& arguments :
         {ByteVector(), ByteVector{0, 0, 0, 4, 1, 2, 3, 4}, ByteVector{0, 0, 16, 0, 1, 2, 3, 4}})
    {
        const RpcReplyHeader answer = Ask(header, arguments);
        EXPECT_EQ(answer.acceptStatus, RpcAcceptStatus::SUCCESS);
        EXPECT_TRUE(answer.verifier.empty());
        XdrReader reader(ByteSpan(m_answer).subspan(RpcReplyHeader::ACCEPTED_SIZE));
        const auto result = RpcSecGssInitResult::Decode(reader);
        ASSERT_TRUE(result);
        EXPECT_EQ(result->major, RpcSecGssInitResult::DEFECTIVE_TOKEN);
        EXPECT_TRUE(result->handle.empty());
    }
    EXPECT_EQ(m_acceptor->GetStatistics().badTokens, 3U);
}

TEST_F(GssAcceptorTest, WantsAVerifierOfEachCallInAContext)
{
    Call(10);
    Simulator::Run();
    RpcCallHeader header = DecodeCall(m_transport->calls[1]);
    header.gss.sequence += 1;
    header.verifier.clear();
    EXPECT_EQ(GetDenial(header), RpcAuthStatus::BADVERF);
    header.verifier = DecodeCall(m_transport->calls[1]).verifier;
    EXPECT_EQ(GetDenial(header), RpcAuthStatus::RPCSEC_GSS_CREDPROBLEM);
    EXPECT_EQ(m_acceptor->GetStatistics().badVerifiers, 2U);
}

TEST_F(GssAcceptorTest, ANumberBeyondTheLargestIsAProblemOfTheContext)
{
    Call(10);
    Simulator::Run();
    XdrReader call(m_transport->calls[0]);
    ASSERT_TRUE(RpcCallHeader::Decode(call));
    const auto request = Krb5Token::Decode(call.ReadOpaque(RpcSecGssInitResult::MAX_TOKEN));
    XdrReader reply(m_transport->replies[0]);
    ASSERT_TRUE(RpcReplyHeader::Decode(reply));
    const auto result = RpcSecGssInitResult::Decode(reply);
    ASSERT_TRUE(request && result);
    const auto answer = Krb5Token::Decode(result->token);
    ASSERT_TRUE(answer);
    GssContext tokens(request->enctype,
                      Krb5Token::DeriveKey(request->nonce, answer->nonce),
                      GssContext::Role::INITIATOR);
    RpcCallHeader header = DecodeCall(m_transport->calls[1]);
    header.program = MirrorProgram::PROGRAM;
    header.version = 1;
    const auto ask = [&](uint32_t sequence) {
        header.gss.sequence = sequence;
        XdrWriter writer;
        header.Encode(writer);
        const auto octets = writer.Take();
        const auto end = DecodeCall(octets).credentialEnd;
        header.verifier = tokens.MakeMic(ByteSpan(octets).first(end));
        return Ask(header);
    };
    EXPECT_EQ(ask(RpcSecGssCredential::MAX_SEQUENCE + 1).authStatus,
              static_cast<uint32_t>(RpcAuthStatus::RPCSEC_GSS_CTXPROBLEM));
    EXPECT_EQ(ask(header.gss.sequence - 1).authStatus, std::nullopt) << "the largest one is taken";
    EXPECT_EQ(m_acceptor->GetStatistics().badVerifiers, 0U);
}

TEST_F(GssAcceptorTest, SurvivesRandomOctets)
{
    Call(10);
    Simulator::Run();
    std::mt19937_64 random(99);
    for (int i = 0; i < 3000; ++i)
    {
        RpcReceivedMessage message{m_transport->calls[random() % 2], {}};
        const uint64_t changes = 1 + random() % 4;
        for (uint64_t change = 0; change < changes; ++change)
        {
            const std::size_t offset =
                CREDENTIAL_OFFSET + random() % (message.octets.size() - CREDENTIAL_OFFSET);
            message.octets[offset] = static_cast<uint8_t>(random());
        }
        if (random() % 4 == 0)
        {
            message.octets.resize(random() % message.octets.size());
        }
        m_server->Receive(std::move(message), [](RpcPayload&&) {});
        Simulator::Run();
    }
    EXPECT_EQ(m_program->calls, 1U);
    EXPECT_EQ(m_server->GetBusyThreads(), 0U);
}

} // namespace
} // namespace ns3::nfsrdma
