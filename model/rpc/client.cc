/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/client.h"

#include "host/memory.h"
#include "wire/simulation-clock.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RpcClient);

TypeId
RpcClient::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RpcClient")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<RpcClient>()
            .AddAttribute("ReplyAttempts",
                          "RPCs at most for a call whose reply has no known maximum and found no "
                          "room (count), each with a larger Reply chunk; RFC 8267 section 3.1. "
                          "Default: 1, as Linux, which fails.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RpcClient::m_replyAttempts),
                          MakeUintegerChecker<uint32_t>(1, 16))
            .AddAttribute("ReplyGrowth",
                          "How many times the room of the attempt before each further one has "
                          "(factor). Default: 4 (a choice of this model).",
                          UintegerValue(4),
                          MakeUintegerAccessor(&RpcClient::m_replyGrowth),
                          MakeUintegerChecker<uint32_t>(2, 1024))
            .AddAttribute("CallCost",
                          "Processor time (Time) between the program's call and its submission to "
                          "the transport: XDR encoding and request setup. Default: half of 5 to 15 "
                          "us of client time per NFS RPC (estimate).",
                          TimeValue(MicroSeconds(5)),
                          MakeTimeAccessor(&RpcClient::m_callCost),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ReplyCost",
                          "Processor time (Time) between the transport's end of an RPC and the "
                          "program's: XDR decoding and wake-up. Default: the other half "
                          "(estimate).",
                          TimeValue(MicroSeconds(5)),
                          MakeTimeAccessor(&RpcClient::m_replyCost),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("RpcCompleted",
                            "An RPC has ended and its program was told.",
                            MakeTraceSourceAccessor(&RpcClient::m_rpcCompleted),
                            "ns3::nfsrdma::RpcClient::RpcCompletedTracedCallback");
    return tid;
}

RpcClient::RpcClient()
    : m_cpu(CreateObject<HostCpu>()),
      m_none(CreateObject<AuthNoneSecurity>()),
      m_security(m_none)
{
}

void
RpcClient::DoDispose()
{
    m_transport = nullptr;
    m_cpu = nullptr;
    m_submitter = nullptr;
    m_none = nullptr;
    m_security = nullptr;
    Object::DoDispose();
}

void
RpcClient::SetProgram(uint32_t program, uint32_t version)
{
    m_program = program;
    m_version = version;
}

void
RpcClient::SetCredential(const AuthSysCredential& credential)
{
    const auto security = CreateObject<AuthSysSecurity>();
    security->SetCredential(credential);
    m_security = security;
}

void
RpcClient::NameProgram(RpcRecord& record) const
{
    record.program = m_program;
    record.version = m_version;
}

Time
RpcClient::GetArrival() const
{
    return m_arrival.value_or(SimulationClock::Now());
}

uint32_t
RpcClient::Call(uint32_t procedure,
                RpcArguments&& arguments,
                RpcReplyEstimate reply,
                Completion completion,
                RpcPath path)
{
    NS_ABORT_MSG_UNLESS(m_transport, "RpcClient has no transport");
    Waiting waiting{std::move(completion), path, nullptr, 0, GetArrival(), m_crashes};
    if (m_replyAttempts > 1 && ShortReplyRetry::IsEligible(reply))
    {
        waiting.retry =
            std::make_shared<ShortReplyRetry>(arguments, reply, m_replyAttempts, m_replyGrowth);
    }
    return Start(procedure,
                 SimulationClock::Now(),
                 std::move(arguments),
                 std::move(reply),
                 std::move(waiting));
}

uint32_t
RpcClient::Start(uint32_t procedure,
                 Time submitted,
                 RpcArguments&& arguments,
                 RpcReplyEstimate&& reply,
                 Waiting&& waiting)
{
    auto call = std::make_unique<RpcTransportCall>();
    const uint32_t xid = TakeXid();
    if (waiting.first == 0)
    {
        waiting.first = xid;
    }
    else
    {
        m_renamed[waiting.first] = xid;
    }
    call->call = std::move(arguments);
    call->reply = std::move(reply);
    call->path = waiting.path;
    call->record.xid = xid;
    NameProgram(call->record);
    call->record.procedure = procedure;
    call->record.arrived = waiting.arrived;
    call->record.asked = submitted;
    call->record.submitted = submitted;
    call->record.begun = SimulationClock::Now();
    const uint64_t data = call->call.GetItemsTotal() + call->reply.GetItemsTotal();
    waiting.isOfData = data != 0;
    call->record.attempts = waiting.retry ? waiting.retry->GetAttempts() : 1;
    call->completed = [self = Ptr<RpcClient>(this),
                       waiting = std::move(waiting)](RpcRecord& record,
                                                     RpcReceivedMessage&& message) {
        self->Finish(record, std::move(message), waiting);
    };

    const Ptr<RpcSecurity> security = procedure == RPC_NULL_PROCEDURE ? m_none : m_security;
    const Time wait =
        RunTask(Submit(data), m_callCost + security->GetCallCost(call->call.GetLength()));
    if (wait.IsZero())
    {
        security->Submit(*this, std::move(call));
    }
    else
    {
        m_held.push_back(xid);
        Simulator::Schedule(wait,
                            [self = Ptr<RpcClient>(this),
                             security,
                             held = std::make_shared<std::unique_ptr<RpcTransportCall>>(std::move(
                                 call))] { self->SubmitHeld(security, std::move(*held)); });
    }
    return xid;
}

void
RpcClient::SubmitHeld(const Ptr<RpcSecurity>& security, std::unique_ptr<RpcTransportCall> call)
{
    const auto held = std::find(m_held.begin(), m_held.end(), call->record.xid);
    if (held != m_held.end())
    {
        m_held.erase(held);
        security->Submit(*this, std::move(call));
        return;
    }
    call->record.outcome = RpcOutcome::CANCELLED;
    call->record.completed = SimulationClock::Now();
    call->completed(call->record, {});
}

bool
RpcClient::Cancel(uint32_t xid)
{
    const auto renamed = m_renamed.find(xid);
    const uint32_t present = renamed == m_renamed.end() ? xid : renamed->second;
    const auto held = std::find(m_held.begin(), m_held.end(), present);
    if (held != m_held.end())
    {
        m_held.erase(held);
        return true;
    }
    return m_security->Cancel(*this, present) || m_transport->Cancel(present);
}

void
RpcClient::Crash()
{
    ++m_crashes;
    m_held.clear();
    m_security->Forget();
}

void
RpcClient::Rename(uint32_t before, uint32_t now)
{
    const auto renamed = std::find_if(m_renamed.begin(),
                                      m_renamed.end(),
                                      [before](const auto& one) { return one.second == before; });
    m_renamed[renamed == m_renamed.end() ? before : renamed->first] = now;
}

Time
RpcClient::Submit(uint64_t octets)
{
    const Time cost = m_cpu->GetCosts().clientPageCost * HostMemory::CountPages(octets);
    if (cost.IsZero())
    {
        return SimulationClock::Now();
    }
    HostThread process;
    return m_cpu->Run(m_submitter ? *m_submitter : process, cost);
}

Time
RpcClient::RunTask(Time earliest, Time cost, int32_t core)
{
    return m_cpu->RunTask(earliest, cost, core) - SimulationClock::Now();
}

void
RpcClient::Finish(RpcRecord& record, RpcReceivedMessage&& message, const Waiting& waiting)
{
    const Ptr<RpcSecurity> security = record.procedure == RPC_NULL_PROCEDURE ? m_none : m_security;
    record.ended = SimulationClock::Now();
    Time wait = RunTask(SimulationClock::Now(),
                        m_replyCost + m_cpu->GetCopyTime(record.copiedBytes) +
                            security->GetReplyCost(message.octets.size()),
                        record.replyCore);
    if (waiting.isOfData && m_cpu->GetCosts().clientReleaseWork)
    {
        wait = RunTask(SimulationClock::Now() + wait, Time(0), record.replyCore);
    }
    if (wait.IsZero())
    {
        Deliver(record, message, waiting);
        return;
    }

    struct Ended
    {
        RpcRecord record;
        RpcReceivedMessage message;
        Waiting waiting;
    };

    auto ended = std::make_shared<Ended>(Ended{record, std::move(message), waiting});
    Simulator::Schedule(wait, [self = Ptr<RpcClient>(this), ended] {
        self->Deliver(ended->record, ended->message, ended->waiting);
    });
}

bool
RpcClient::IsMadeAgain(const RpcRecord& record,
                       std::optional<RpcAcceptStatus> refusal,
                       ShortReplyRetry& retry) const
{
    const auto verdict = retry.Next(record, refusal, m_transport->GetLargestRoom(retry.GetReply()));
    if (verdict == ShortReplyRetry::Verdict::LARGEST)
    {
        m_transport->NoteRefusal(record,
                                 "its reply found no room in " + std::to_string(record.replyRoom) +
                                     " octets, and no Reply chunk can be larger");
    }
    return verdict == ShortReplyRetry::Verdict::AGAIN;
}

void
RpcClient::Deliver(RpcRecord& record, const RpcReceivedMessage& message, const Waiting& waiting)
{
    const bool isGone = waiting.crashes != m_crashes;
    record.outcome = isGone ? RpcOutcome::CANCELLED : record.outcome;
    XdrReader reader(message.octets);
    std::optional<RpcAcceptStatus> refusal;
    if (record.outcome == RpcOutcome::SUCCESS)
    {
        const auto header = RpcReplyHeader::Decode(reader);
        if (!header || header->xid != record.xid)
        {
            record.outcome = RpcOutcome::BAD_REPLY;
        }
        else if (header->denied || header->acceptStatus != RpcAcceptStatus::SUCCESS)
        {
            record.outcome = RpcOutcome::REJECTED;
            refusal = header->denied ? std::nullopt : std::optional(header->acceptStatus);
        }
    }
    if (!isGone && waiting.retry && IsMadeAgain(record, refusal, *waiting.retry))
    {
        RpcArguments arguments = waiting.retry->GetArguments();
        RpcReplyEstimate reply = waiting.retry->GetReply();
        Start(record.procedure,
              record.submitted,
              std::move(arguments),
              std::move(reply),
              Waiting(waiting));
        return;
    }
    m_renamed.erase(waiting.first);
    record.completed = SimulationClock::Now();
    if (waiting.completion)
    {
        waiting.completion(record, message, reader);
    }
    m_rpcCompleted(record);
}

} // namespace ns3::nfsrdma
