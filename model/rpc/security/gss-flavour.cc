/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/security/gss-flavour.h"

#include "rpc/client.h"
#include "rpc/flatten.h"
#include "rpc/prefix.h"
#include "rpc/security/gss-mix.h"
#include "rpc/security/krb5-token.h"
#include "wire/crc32c.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaGssSecurity");

NS_OBJECT_ENSURE_REGISTERED(GssSecurity);

namespace
{

/// Room for handle and token of an INIT reply.
constexpr uint32_t HANDLE_ROOM = 32;
constexpr uint32_t TOKEN_ROOM = 2048;
/// What Linux has ready for a call's header: RPC_CALLHDRSIZE and twice au_cslack, which is
/// GSS_CRED_SLACK, octets.
constexpr uint32_t HEADER_ROOM = 4 * 6 + 2 * 800;

RpcCallHeader
MakeHeader(const RpcRecord& record, uint32_t xid)
{
    RpcCallHeader header;
    header.xid = xid;
    header.program = record.program;
    header.version = record.version;
    header.procedure = record.procedure;
    header.flavor = RpcAuthFlavor::GSS;
    return header;
}

} // namespace

/// A context and the next sequence number in it.
struct GssSecurity::Context
{
    GssContext tokens;
    ByteVector handle;
    uint32_t nextSequence{1};
};

/// A call from its submission to its end.
struct GssSecurity::HeldCall
{
    Ptr<RpcClient> client;
    RpcPayload arguments; ///< In clear.
    RpcReplyEstimate reply;
    RpcRecord record;
    std::function<void(RpcRecord&, RpcReceivedMessage&&)> completed;
    uint32_t repeats{0}; ///< Left.
    std::shared_ptr<Context> context;
    uint32_t sequence{0}; ///< Of its last encoding.
    bool destroys{false};
};

enum class GssSecurity::Verdict
{
    PASS,         ///< The program is to have it.
    BAD,          ///< It is not what the server sent.
    REPEAT,       ///< The server saw octets that were changed.
    LOST_CONTEXT, ///< The server knows the context no longer.
};

TypeId
GssSecurity::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::GssSecurity")
            .SetParent<RpcSecurity>()
            .SetGroupName("NfsRdma")
            .AddConstructor<GssSecurity>()
            .AddAttribute(
                "Service",
                "What is protected (name): krb5, krb5i or krb5p.",
                StringValue("krb5"),
                MakeStringAccessor(&GssSecurity::SetService, &GssSecurity::GetServiceName),
                MakeStringChecker())
            .AddAttribute(
                "Enctype",
                "Encryption type of contexts (IANA's name). Default: the one of MIT "
                "Kerberos' defaults that Linux 6.1 has.",
                StringValue("aes256-cts-hmac-sha1-96"),
                MakeStringAccessor(&GssSecurity::SetEnctype, &GssSecurity::GetEnctypeName),
                MakeStringChecker())
            .AddAttribute(
                "TokenSize",
                "Token that asks for a context (octets): an AP-REQ with its ticket. "
                "Default: lower end of 1 to 4 KiB (estimate).",
                UintegerValue(1200),
                MakeUintegerAccessor(&GssSecurity::m_tokenSize),
                MakeUintegerChecker<uint32_t>(Krb5Token::MINIMUM_REQUEST, Krb5Token::MAXIMUM))
            .AddAttribute("Repeats",
                          "Times a call is made again that the server could not verify (count). "
                          "Default: tk_cred_retry and tk_garb_retry of Linux.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&GssSecurity::m_repeats),
                          MakeUintegerChecker<uint32_t>())
            .AddTraceSource("ContextCreated",
                            "A context is there.",
                            MakeTraceSourceAccessor(&GssSecurity::m_contextCreatedTrace),
                            "ns3::nfsrdma::GssSecurity::ContextCreatedTracedCallback")
            .AddTraceSource("ContextLost",
                            "The server knows the context no longer.",
                            MakeTraceSourceAccessor(&GssSecurity::m_contextLostTrace),
                            "ns3::nfsrdma::GssSecurity::ContextLostTracedCallback");
    return tid;
}

GssSecurity::GssSecurity()
    : m_costs(CreateObject<GssCosts>())
{
}

GssSecurity::~GssSecurity() = default;

void
GssSecurity::DoDispose()
{
    m_waiting.clear();
    m_context = nullptr;
    m_memory = nullptr;
    m_costs = nullptr;
    Object::DoDispose();
}

void
GssSecurity::SetService(std::string name)
{
    const auto service = FindRpcSecGssService(name);
    NS_ABORT_MSG_UNLESS(service, "no RPCSEC_GSS service " << name);
    m_service = *service;
}

std::string
GssSecurity::GetServiceName() const
{
    return ToString(m_service);
}

void
GssSecurity::SetEnctype(std::string name)
{
    const auto enctype = FindGssEnctype(name);
    NS_ABORT_MSG_UNLESS(enctype, "no encryption type " << name);
    m_enctype = *enctype;
}

std::string
GssSecurity::GetEnctypeName() const
{
    return ToString(m_enctype);
}

bool
GssSecurity::Cancel(const RpcClient& client, uint32_t xid)
{
    const auto found = std::find_if(m_waiting.begin(), m_waiting.end(), [&](const auto& held) {
        return held->client == &client && held->record.xid == xid;
    });
    if (found == m_waiting.end())
    {
        return false;
    }
    const auto held = *found;
    m_waiting.erase(found);
    held->record.outcome = RpcOutcome::CANCELLED;
    held->record.completed = Simulator::Now();
    held->completed(held->record, {});
    return true;
}

void
GssSecurity::Forget()
{
    m_context = nullptr;
}

std::vector<std::string>
GssSecurity::DescribeWaiting() const
{
    if (m_waiting.empty())
    {
        return {};
    }
    return {std::to_string(m_waiting.size()) + " calls: security context"};
}

void
GssSecurity::Enlarge(RpcReplyEstimate& reply) const
{
    const uint32_t head =
        RoundUp4(GssContext::GetMicSize(m_enctype)) + RpcSecGssBody::GetHeadOverhead(m_service);
    const uint32_t tail = RpcSecGssBody::GetTailOverhead(m_service, m_enctype);
    reply.head += head;
    reply.tail += tail;
    reply.minimum += reply.minimum > 0 ? head + tail : 0;
}

void
GssSecurity::Submit(RpcClient& client, std::unique_ptr<RpcTransportCall> call)
{
    auto held = std::make_shared<HeldCall>();
    held->client = &client;
    held->arguments = std::move(call->call);
    held->reply = std::move(call->reply);
    held->record = call->record;
    held->completed = std::move(call->completed);
    held->repeats = m_repeats;
    Enlarge(held->reply);
    Send(held);
}

void
GssSecurity::Send(const std::shared_ptr<HeldCall>& held)
{
    if (m_context && m_context->nextSequence >= RpcSecGssCredential::MAX_SEQUENCE)
    {
        m_context = nullptr;
    }
    if (!m_context)
    {
        m_waiting.push_back(held);
        CreateContext(*held->client);
        return;
    }
    held->context = m_context;
    auto call = std::make_unique<RpcTransportCall>();
    call->record = held->record;
    call->reply = held->reply;
    call->noReduction = m_service != RpcSecGssService::NONE;
    call->call = Encode(*held, held->record.xid);
    call->reencode = [self = Ptr<GssSecurity>(this), held](RpcTransportCall& again) {
        again.call = self->Encode(*held, again.record.xid);
    };
    call->completed = [self = Ptr<GssSecurity>(this), held](RpcRecord& record,
                                                            RpcReceivedMessage&& message) {
        self->HandleReply(held, record, std::move(message));
    };
    held->client->GetTransport()->Submit(std::move(call));
}

RpcPayload
GssSecurity::Encode(HeldCall& held, uint32_t xid) const
{
    Context& context = *held.context;
    RpcCallHeader header = MakeHeader(held.record, xid);
    held.sequence = context.nextSequence++;
    header.gss.procedure = held.destroys ? RpcSecGssProcedure::DESTROY : RpcSecGssProcedure::DATA;
    header.gss.sequence = held.sequence;
    header.gss.service = m_service;
    header.gss.handle = context.handle;

    XdrWriter writer;
    header.EncodeToCredential(writer);
    const ByteVector verifier = context.tokens.MakeMic(writer.GetOctets());
    writer.WriteU32(static_cast<uint32_t>(RpcAuthFlavor::GSS));
    writer.WriteOpaque(verifier);
    if (held.destroys || m_service == RpcSecGssService::NONE)
    {
        return Prefix(std::move(writer), RpcPayload(held.arguments), HEADER_ROOM);
    }
    RpcSecGssBody::Encode(writer,
                          context.tokens,
                          m_service,
                          held.sequence,
                          Flatten(held.arguments, m_memory));
    RpcPayload payload;
    payload.octets = writer.Take();
    payload.room = held.arguments.room > 0 ? held.arguments.room + HEADER_ROOM : 0;
    return payload;
}

void
GssSecurity::HandleReply(const std::shared_ptr<HeldCall>& held,
                         RpcRecord& record,
                         RpcReceivedMessage&& message)
{
    const Verdict verdict =
        record.outcome == RpcOutcome::SUCCESS ? Open(*held, message) : Verdict::PASS;
    const bool again = verdict == Verdict::REPEAT || verdict == Verdict::LOST_CONTEXT;
    if (again && held->repeats > 0 && !held->destroys)
    {
        --held->repeats;
        ++m_statistics.callsRepeated;
        held->record.xid = held->client->TakeXid();
        NS_LOG_LOGIC("XID " << record.xid << " is called again as " << held->record.xid);
        held->client->Rename(record.xid, held->record.xid);
        Send(held);
        return;
    }
    if (verdict == Verdict::BAD)
    {
        record.outcome = RpcOutcome::BAD_REPLY;
        message = {};
    }
    held->completed(record, std::move(message));
}

GssSecurity::Verdict
GssSecurity::Open(const HeldCall& held, RpcReceivedMessage& message)
{
    XdrReader reader(message.octets);
    auto header = RpcReplyHeader::Decode(reader);
    if (!header)
    {
        return Verdict::PASS;
    }
    if (header->denied)
    {
        const auto status = static_cast<RpcAuthStatus>(header->authStatus.value_or(0));
        if (status != RpcAuthStatus::RPCSEC_GSS_CREDPROBLEM &&
            status != RpcAuthStatus::RPCSEC_GSS_CTXPROBLEM)
        {
            return Verdict::PASS;
        }
        if (m_context == held.context)
        {
            LoseContext(*header->authStatus);
        }
        return Verdict::LOST_CONTEXT;
    }
    if (!held.context->tokens.VerifyMic(EncodeGssNumber(held.sequence), header->verifier))
    {
        ++m_statistics.badVerifiers;
        return Verdict::BAD;
    }
    if (m_service == RpcSecGssService::NONE || held.destroys)
    {
        return Verdict::PASS;
    }
    if (header->acceptStatus != RpcAcceptStatus::SUCCESS)
    {
        return header->acceptStatus == RpcAcceptStatus::GARBAGE_ARGS ? Verdict::REPEAT
                                                                     : Verdict::PASS;
    }
    const auto results =
        RpcSecGssBody::Decode(reader, held.context->tokens, m_service, held.sequence);
    if (!results)
    {
        ++m_statistics.badBodies;
        return Verdict::BAD;
    }
    header->verifier.clear();
    XdrWriter writer;
    writer.Reserve(RpcReplyHeader::ACCEPTED_SIZE + results->size());
    header->Encode(writer);
    writer.WriteFixedOpaque(*results);
    message.octets = writer.Take();
    return Verdict::PASS;
}

void
GssSecurity::LoseContext(uint32_t authStatus)
{
    m_context = nullptr;
    ++m_statistics.contextsLost;
    m_contextLostTrace(authStatus);
}

void
GssSecurity::CreateContext(RpcClient& client)
{
    if (m_creating)
    {
        return;
    }
    m_creating = true;
    HostThread task;
    const Time done = client.GetHostCpu()->Run(task, m_costs->GetInitCost());
    Simulator::Schedule(done - Simulator::Now(),
                        &GssSecurity::SendInit,
                        Ptr<GssSecurity>(this),
                        Ptr<RpcClient>(&client));
}

void
GssSecurity::SendInit(Ptr<RpcClient> client)
{
    const uint64_t name =
        Crc32c(ByteSpan(ByteVector(m_principal.begin(), m_principal.end())), m_contextCount++);
    const uint64_t nonce =
        MixGss(name ^ MixGss(static_cast<uint64_t>(Simulator::Now().GetNanoSeconds())));

    auto call = std::make_unique<RpcTransportCall>();
    call->record.xid = client->TakeXid();
    client->NameProgram(call->record);
    call->record.submitted = Simulator::Now();
    RpcCallHeader header = MakeHeader(call->record, call->record.xid);
    header.gss.procedure = RpcSecGssProcedure::INIT;
    header.gss.service = m_service;
    XdrWriter writer;
    header.Encode(writer);
    writer.WriteOpaque(
        Krb5Token{Krb5Token::Kind::AP_REQ, m_enctype, nonce, m_tokenSize, m_principal}.Encode());
    call->call.octets = writer.Take();
    call->reply.head = RpcReplyHeader::ACCEPTED_SIZE + RoundUp4(GssContext::GetMicSize(m_enctype)) +
                       XDR_WORD + HANDLE_ROOM + 4 * XDR_WORD + TOKEN_ROOM;
    call->reply.minimum = RpcReplyHeader::ACCEPTED_SIZE + XDR_WORD + 4 * XDR_WORD;
    call->reply.bounded = false;
    call->noReduction = true;
    call->completed = [self = Ptr<GssSecurity>(this), nonce](RpcRecord& record,
                                                             RpcReceivedMessage&& message) {
        self->HandleInit(nonce, record, message);
    };
    client->GetTransport()->Submit(std::move(call));
}

void
GssSecurity::HandleInit(uint64_t nonce, RpcRecord& record, const RpcReceivedMessage& message)
{
    m_creating = false;
    if (record.outcome == RpcOutcome::SUCCESS && !TakeInitResult(nonce, message))
    {
        record.outcome = RpcOutcome::REJECTED;
    }
    std::vector<std::shared_ptr<HeldCall>> waiting;
    waiting.swap(m_waiting);
    if (record.outcome != RpcOutcome::SUCCESS)
    {
        ++m_statistics.contextsRefused;
    }
    for (const auto& held : waiting)
    {
        if (record.outcome == RpcOutcome::SUCCESS)
        {
            Send(held);
        }
        else
        {
            held->record.outcome = record.outcome;
            held->record.completed = Simulator::Now();
            held->completed(held->record, {});
        }
    }
}

bool
GssSecurity::TakeInitResult(uint64_t nonce, const RpcReceivedMessage& message)
{
    XdrReader reader(message.octets);
    const auto header = RpcReplyHeader::Decode(reader);
    if (!header || header->denied || header->acceptStatus != RpcAcceptStatus::SUCCESS)
    {
        return false;
    }
    const auto result = RpcSecGssInitResult::Decode(reader);
    if (!result || result->major != RpcSecGssInitResult::COMPLETE)
    {
        return false;
    }
    const auto token = Krb5Token::Decode(result->token);
    if (!token || token->kind != Krb5Token::Kind::AP_REP)
    {
        return false;
    }
    const GssContext tokens(m_enctype,
                            Krb5Token::DeriveKey(nonce, token->nonce),
                            GssContext::Role::INITIATOR);
    if (!tokens.VerifyMic(EncodeGssNumber(result->window), header->verifier))
    {
        ++m_statistics.badVerifiers;
        return false;
    }
    m_context = std::make_shared<Context>(Context{tokens, result->handle});
    ++m_statistics.contextsCreated;
    m_contextCreatedTrace(result->window);
    return true;
}

void
GssSecurity::End(RpcClient& client)
{
    if (!m_context)
    {
        return;
    }
    auto held = std::make_shared<HeldCall>();
    held->client = &client;
    held->record.xid = client.TakeXid();
    client.NameProgram(held->record);
    held->record.submitted = Simulator::Now();
    held->reply.head = RpcReplyHeader::ACCEPTED_SIZE + RoundUp4(GssContext::GetMicSize(m_enctype));
    held->reply.minimum = held->reply.head;
    held->destroys = true;
    held->completed = [](RpcRecord&, RpcReceivedMessage&&) {};
    Send(held);
    m_context = nullptr;
}

} // namespace ns3::nfsrdma
