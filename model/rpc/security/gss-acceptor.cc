/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/security/gss-acceptor.h"

#include "rpc/flatten.h"
#include "rpc/prefix.h"
#include "rpc/security/gss-mix.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaGssAcceptor");

NS_OBJECT_ENSURE_REGISTERED(RpcAcceptor);
NS_OBJECT_ENSURE_REGISTERED(GssAcceptor);

namespace
{

RpcAcceptance
Answer(const RpcReplyHeader& header, XdrWriter&& results)
{
    RpcPayload body;
    body.octets = results.Take();
    XdrWriter writer;
    header.Encode(writer);
    RpcAcceptance acceptance;
    acceptance.action = RpcAcceptance::Action::REPLY;
    acceptance.reply = Prefix(std::move(writer), std::move(body));
    return acceptance;
}

bool
IsControl(RpcSecGssProcedure procedure)
{
    return procedure != RpcSecGssProcedure::DATA;
}

} // namespace

/// Seals the reply of one call with its context and sequence number.
class GssAcceptor::Sealer : public RpcReplySealer
{
  public:
    Sealer(std::shared_ptr<GssContext> tokens,
           Ptr<GssCosts> costs,
           Ptr<HostMemory> memory,
           const RpcSecGssCredential& credential)
        : m_tokens(std::move(tokens)),
          m_costs(costs),
          m_memory(memory),
          m_service(credential.service),
          m_sequence(credential.sequence)
    {
    }

    [[nodiscard]] Time GetCost(const RpcPayload& results) const override
    {
        return m_costs->GetMessageCost(m_service, results.GetLength());
    }

    [[nodiscard]] RpcPayload Seal(RpcReplyHeader header, RpcPayload&& results) override
    {
        header.verifier = m_tokens->MakeMic(EncodeGssNumber(m_sequence));
        XdrWriter writer;
        header.Encode(writer);
        if (header.acceptStatus != RpcAcceptStatus::SUCCESS || m_service == RpcSecGssService::NONE)
        {
            return Prefix(std::move(writer), std::move(results));
        }
        RpcSecGssBody::Encode(writer, *m_tokens, m_service, m_sequence, Flatten(results, m_memory));
        RpcPayload sealed;
        sealed.octets = writer.Take();
        return sealed;
    }

  private:
    std::shared_ptr<GssContext> m_tokens;
    Ptr<GssCosts> m_costs;
    Ptr<HostMemory> m_memory;
    RpcSecGssService m_service;
    uint32_t m_sequence;
};

TypeId
RpcAcceptor::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RpcAcceptor").SetParent<Object>().SetGroupName("NfsRdma");
    return tid;
}

TypeId
GssAcceptor::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::GssAcceptor")
            .SetParent<RpcAcceptor>()
            .SetGroupName("NfsRdma")
            .AddConstructor<GssAcceptor>()
            .AddAttribute("SequenceWindow",
                          "Sequence numbers below the highest one that calls may still come with "
                          "(count). Default: GSS_SEQ_WIN of Linux.",
                          UintegerValue(128),
                          MakeUintegerAccessor(&GssAcceptor::m_windowSize),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("HandleSize",
                          "Handle of a context (octets). Default: rpc.svcgssd's.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&GssAcceptor::m_handleSize),
                          MakeUintegerChecker<uint32_t>(4, 32))
            .AddAttribute("TokenSize",
                          "Token that answers a request for a context (octets): an AP-REP. "
                          "Default: of 100 to 1500 octets (estimate).",
                          UintegerValue(156),
                          MakeUintegerAccessor(&GssAcceptor::m_tokenSize),
                          MakeUintegerChecker<uint32_t>(Krb5Token::MINIMUM_REPLY, 2048))
            .AddAttribute("MaxContexts",
                          "Contexts kept (count): the oldest one makes room for a new one.",
                          UintegerValue(16384),
                          MakeUintegerAccessor(&GssAcceptor::m_maxContexts),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ContextLifetime",
                          "How long a context may be used (Time); 0: for ever. Default: a "
                          "ticket's 10 hours.",
                          TimeValue(Hours(10)),
                          MakeTimeAccessor(&GssAcceptor::m_lifetime),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("CallDropped",
                            "A call is dropped: its sequence number was used before, or is too "
                            "old.",
                            MakeTraceSourceAccessor(&GssAcceptor::m_callDroppedTrace),
                            "ns3::nfsrdma::GssAcceptor::CallDroppedTracedCallback");
    return tid;
}

GssAcceptor::GssAcceptor()
    : m_costs(CreateObject<GssCosts>())
{
}

GssAcceptor::~GssAcceptor() = default;

void
GssAcceptor::DoDispose()
{
    m_contexts.clear();
    m_memory = nullptr;
    m_costs = nullptr;
    Object::DoDispose();
}

AuthSysCredential
GssAcceptor::Identify(const std::string& principal) const
{
    const auto known = m_identities.find(principal);
    if (known != m_identities.end())
    {
        return known->second;
    }
    AuthSysCredential nobody;
    nobody.uid = NOBODY;
    nobody.gid = NOBODY;
    return nobody;
}

Time
GssAcceptor::GetCost(const RpcCallHeader& header, uint32_t octets) const
{
    return header.gss.procedure == RpcSecGssProcedure::INIT
               ? m_costs->GetInitCost()
               : m_costs->GetMessageCost(header.gss.service, octets);
}

RpcAcceptance
GssAcceptor::Deny(RpcAuthStatus status) const
{
    RpcAcceptance acceptance;
    acceptance.status = status;
    return acceptance;
}

RpcAcceptance
GssAcceptor::Accept(const RpcCallHeader& header,
                    RpcReceivedMessage& message,
                    uint32_t argumentsPosition)
{
    const RpcSecGssCredential& credential = header.gss;
    if (credential.version != RpcSecGssCredential::VERSION ||
        credential.procedure > RpcSecGssProcedure::DESTROY ||
        credential.service < RpcSecGssService::NONE ||
        credential.service > RpcSecGssService::PRIVACY)
    {
        return Deny(RpcAuthStatus::REJECTEDCRED);
    }
    if (IsControl(credential.procedure) && header.procedure != RPC_NULL_PROCEDURE)
    {
        return Deny(RpcAuthStatus::BADCRED);
    }
    if (credential.procedure == RpcSecGssProcedure::INIT)
    {
        return Init(header, message.octets, argumentsPosition);
    }
    const auto found = Find(credential.handle);
    if (found == m_contexts.end())
    {
        ++m_statistics.unknownContexts;
        return Deny(RpcAuthStatus::RPCSEC_GSS_CREDPROBLEM);
    }
    Context& context = found->second;
    if (!context.tokens->VerifyMic(ByteSpan(message.octets).first(header.credentialEnd),
                                   header.verifier))
    {
        ++m_statistics.badVerifiers;
        return Deny(header.verifier.empty() ? RpcAuthStatus::BADVERF
                                            : RpcAuthStatus::RPCSEC_GSS_CREDPROBLEM);
    }
    if (credential.sequence > RpcSecGssCredential::MAX_SEQUENCE)
    {
        return Deny(RpcAuthStatus::RPCSEC_GSS_CTXPROBLEM);
    }
    if (!context.window.Take(credential.sequence))
    {
        NS_LOG_LOGIC("drops XID " << header.xid << ": sequence number " << credential.sequence);
        ++m_statistics.badSequences;
        m_callDroppedTrace(header);
        RpcAcceptance acceptance;
        acceptance.action = RpcAcceptance::Action::DROP;
        return acceptance;
    }
    auto sealer = std::make_shared<Sealer>(context.tokens, m_costs, m_memory, credential);
    if (credential.procedure == RpcSecGssProcedure::DATA)
    {
        RpcAcceptance acceptance =
            Open(header, message, argumentsPosition, std::move(sealer), *context.tokens);
        acceptance.identity = context.identity;
        return acceptance;
    }
    RpcReplyHeader reply;
    reply.xid = header.xid;
    reply.verifier = context.tokens->MakeMic(EncodeGssNumber(credential.sequence));
    if (credential.procedure == RpcSecGssProcedure::DESTROY)
    {
        ++m_statistics.contextsDestroyed;
        m_contexts.erase(found);
        return Answer(reply, XdrWriter());
    }
    return Deny(RpcAuthStatus::BADCRED);
}

RpcAcceptance
GssAcceptor::Open(const RpcCallHeader& header,
                  RpcReceivedMessage& message,
                  uint32_t argumentsPosition,
                  std::shared_ptr<RpcReplySealer> sealer,
                  const GssContext& tokens)
{
    RpcAcceptance acceptance;
    acceptance.action = RpcAcceptance::Action::DISPATCH;
    if (header.gss.service != RpcSecGssService::NONE)
    {
        XdrReader reader(ByteSpan(message.octets).subspan(argumentsPosition));
        const auto arguments =
            RpcSecGssBody::Decode(reader, tokens, header.gss.service, header.gss.sequence);
        if (!arguments || !message.items.empty())
        {
            ++m_statistics.badBodies;
            RpcReplyHeader reply;
            reply.xid = header.xid;
            reply.acceptStatus = RpcAcceptStatus::GARBAGE_ARGS;
            acceptance.action = RpcAcceptance::Action::REPLY;
            acceptance.reply = sealer->Seal(std::move(reply), RpcPayload());
            return acceptance;
        }
        message.octets.resize(argumentsPosition);
        message.octets.insert(message.octets.end(), arguments->begin(), arguments->end());
    }
    acceptance.sealer = std::move(sealer);
    return acceptance;
}

RpcAcceptance
GssAcceptor::Init(const RpcCallHeader& header, ByteSpan message, uint32_t argumentsPosition)
{
    if (!header.gss.handle.empty())
    {
        return Deny(RpcAuthStatus::BADCRED);
    }
    if (!header.verifier.empty())
    {
        return Deny(RpcAuthStatus::BADVERF);
    }
    RpcReplyHeader reply;
    reply.xid = header.xid;
    XdrReader reader(message.subspan(argumentsPosition));
    const ByteSpan octets = reader.ReadOpaque(RpcSecGssInitResult::MAX_TOKEN);
    const auto request = Krb5Token::Decode(octets);
    RpcSecGssInitResult result;
    if (!reader.Ok() || !request || request->kind != Krb5Token::Kind::AP_REQ)
    {
        ++m_statistics.badTokens;
        result.major = RpcSecGssInitResult::DEFECTIVE_TOKEN;
    }
    else
    {
        result = CreateContext(*request);
        reply.verifier =
            m_contexts.find(result.handle)->second.tokens->MakeMic(EncodeGssNumber(result.window));
    }
    XdrWriter results;
    result.Encode(results);
    return Answer(reply, std::move(results));
}

RpcSecGssInitResult
GssAcceptor::CreateContext(const Krb5Token& request)
{
    const uint32_t number = m_nextHandle++;
    const uint64_t nonce =
        MixGss(request.nonce + number + static_cast<uint64_t>(Simulator::Now().GetNanoSeconds()));
    RpcSecGssInitResult result;
    result.window = m_windowSize;
    result.handle.resize(m_handleSize);
    boost::endian::store_big_u32(result.handle.data() + m_handleSize - XDR_WORD, number);
    result.token =
        Krb5Token{Krb5Token::Kind::AP_REP, request.enctype, nonce, m_tokenSize, {}}.Encode();
    if (m_contexts.size() >= m_maxContexts)
    {
        ++m_statistics.contextsEvicted;
        m_contexts.erase(m_contexts.begin());
    }
    ++m_statistics.contextsCreated;
    m_contexts.emplace(
        result.handle,
        Context{std::make_shared<GssContext>(request.enctype,
                                             Krb5Token::DeriveKey(request.nonce, nonce),
                                             GssContext::Role::ACCEPTOR),
                GssSequenceWindow(m_windowSize),
                m_lifetime.IsZero() ? Time(0) : Simulator::Now() + m_lifetime,
                Identify(request.principal)});
    return result;
}

GssAcceptor::Contexts::iterator
GssAcceptor::Find(const ByteVector& handle)
{
    const auto found = m_contexts.find(handle);
    if (found != m_contexts.end() && !found->second.expiry.IsZero() &&
        found->second.expiry <= Simulator::Now())
    {
        ++m_statistics.contextsExpired;
        m_contexts.erase(found);
        return m_contexts.end();
    }
    return found;
}

} // namespace ns3::nfsrdma
