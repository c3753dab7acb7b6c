/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/server.h"

#include "host/memory.h"
#include "rpc/prefix.h"
#include "rpc/service-times.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <utility>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaRpcServer");

namespace
{

/// What a flavour may add to a message: credential, verifier and tokens, that of a context's
/// creation the largest.
constexpr uint64_t SECURITY_ROOM = RpcSecGssInitResult::MAX_TOKEN;
/// By number of the RPCSEC_GSS service; 0 stands for AUTH_SYS.
constexpr std::array<std::string_view, 4> FLAVORS{"sys", "krb5", "krb5i", "krb5p"};

std::optional<std::bitset<FLAVORS.size()>>
ParseFlavors(const std::string& names)
{
    std::bitset<FLAVORS.size()> flavors;
    std::istringstream stream(names);
    std::string name;
    while (std::getline(stream, name, ','))
    {
        const auto found = std::find(FLAVORS.begin(), FLAVORS.end(), name);
        if (found == FLAVORS.end())
        {
            return std::nullopt;
        }
        flavors.set(static_cast<std::size_t>(found - FLAVORS.begin()));
    }
    return flavors.any() ? std::make_optional(flavors) : std::nullopt;
}

const char* const CACHE_DUPLICATES = "linux";
const char* const EXECUTE_DUPLICATES = "none";

} // namespace

NS_OBJECT_ENSURE_REGISTERED(RpcServer);

TypeId
RpcServer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RpcServer")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<RpcServer>()
            .AddAttribute("Threads",
                          "Calls carried out at the same time (count). Default: nfsd's.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&RpcServer::SetThreads, &RpcServer::GetThreads),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("CallCost",
                          "Processor time (Time) of a thread for each RPC besides the program's "
                          "own. Default: lower end of 5 to 15 us of server time per NFS RPC, "
                          "(estimate).",
                          TimeValue(MicroSeconds(5)),
                          MakeTimeAccessor(&RpcServer::m_callCost),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "DuplicateRequests",
                "What becomes of calls that come again and are not idempotent: \"linux\": "
                "as in DuplicateRequestCache; \"none\": they are carried out again. "
                "Default: nfsd's.",
                StringValue("linux"),
                MakeStringAccessor(&RpcServer::m_duplicatePolicy),
                MakeStringChecker())
            .AddAttribute("DuplicateEntries",
                          "Calls that are remembered at most (count). Default: nfsd's in 4 GiB of "
                          "memory (nfsd_cache_size_limit).",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&RpcServer::m_duplicateEntries),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("DuplicateLifetime",
                          "Time for which a reply is remembered. Default: RC_EXPIRE.",
                          TimeValue(Seconds(120)),
                          MakeTimeAccessor(&RpcServer::m_duplicateLifetime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("DuplicateReplySize",
                          "Largest results that are remembered (octets). Default: nfsd's, in "
                          "nfsd_cache_update().",
                          UintegerValue(256),
                          MakeUintegerAccessor(&RpcServer::m_duplicateReplySize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Security",
                          "Flavours served (names, separated by commas): sys (with AUTH_NONE), "
                          "krb5, krb5i, krb5p; a call of another is denied with AUTH_TOOWEAK. NULL "
                          "is served without.",
                          StringValue("sys,krb5,krb5i,krb5p"),
                          MakeStringAccessor(&RpcServer::SetFlavors, &RpcServer::GetFlavors),
                          MakeStringChecker())
            .AddTraceSource("CallTaken",
                            "A thread takes a call.",
                            MakeTraceSourceAccessor(&RpcServer::m_callTaken),
                            "ns3::nfsrdma::RpcServer::CallTakenTracedCallback");
    return tid;
}

RpcServer::RpcServer()
    : m_threads(CreateObject<RpcThreadPool>()),
      m_cpu(CreateObject<HostCpu>())
{
}

void
RpcServer::DoDispose()
{
    m_queue.clear();
    m_threads->DropQueued();
    m_programs.clear();
    m_cpu = nullptr;
    m_queueLock = nullptr;
    m_acceptor = nullptr;
    Object::DoDispose();
}

void
RpcServer::Register(Ptr<RpcProgram> program)
{
    const bool isNew =
        m_programs.emplace(ProgramKey(program->GetProgram(), program->GetVersion()), program)
            .second;
    NS_ABORT_MSG_UNLESS(isNew,
                        "program " << program->GetProgram() << " version " << program->GetVersion()
                                   << " is registered twice");
}

bool
RpcServer::AreFlavors(const std::string& names)
{
    return ParseFlavors(names).has_value();
}

void
RpcServer::SetFlavors(std::string names)
{
    const auto flavors = ParseFlavors(names);
    NS_ABORT_MSG_UNLESS(flavors, "no security flavours " << names);
    m_flavors = *flavors;
}

std::string
RpcServer::GetFlavors() const
{
    std::string names;
    for (std::size_t i = 0; i < FLAVORS.size(); ++i)
    {
        if (m_flavors.test(i))
        {
            names += (names.empty() ? "" : ",") + std::string(FLAVORS[i]);
        }
    }
    return names;
}

RpcMessageLimits
RpcServer::AddSecurity(RpcMessageLimits limits) const
{
    if (m_acceptor && limits.arguments < UINT64_MAX - SECURITY_ROOM &&
        limits.results < UINT64_MAX - SECURITY_ROOM)
    {
        limits.arguments += SECURITY_ROOM;
        limits.results += SECURITY_ROOM;
    }
    return limits;
}

RpcMessageLimits
RpcServer::GetMessageLimits(ByteSpan start) const
{
    XdrReader reader(start);
    reader.ReadU32(); // XID
    reader.ReadU32(); // message type
    reader.ReadU32(); // RPC version
    const uint32_t program = reader.ReadU32();
    const uint32_t version = reader.ReadU32();
    const auto found = m_programs.find({program, version});
    if (reader.Ok() && found != m_programs.end())
    {
        return AddSecurity(found->second->GetMessageLimits());
    }
    RpcMessageLimits widest{0, 0};
    for (const auto& [key, served] : m_programs)
    {
        const RpcMessageLimits limits = served->GetMessageLimits();
        widest.arguments = std::max(widest.arguments, limits.arguments);
        widest.results = std::max(widest.results, limits.results);
    }
    return AddSecurity(widest);
}

void
RpcServer::Restart()
{
    ++m_starts;
    m_ordered.clear();
    m_queue.clear();
    m_threads->DropQueued();
    m_threads->ReleaseAll();
    ClearDuplicateRequestCache();
}

void
RpcServer::SetStalledThreads(uint32_t threads)
{
    m_threads->SetStalled(threads);
    TakeCalls(false);
}

void
RpcServer::EndConnection(uint64_t connection)
{
    m_reverseLimits.erase(connection);
    for (const auto& [key, program] : m_programs)
    {
        program->HandleConnectionEnd(connection);
    }
}

bool
RpcServer::Receive(RpcReceivedMessage&& message,
                   Reply reply,
                   const IpAddress& source,
                   uint64_t connection)
{
    XdrReader reader(message.octets);
    auto header = RpcCallHeader::Decode(reader);
    if (!header &&
        (header.error() == WireError::TRUNCATED || header.error() == WireError::BAD_VALUE))
    {
        NS_LOG_LOGIC("drops what is no RPC call: " << ToString(header.error()));
        ++m_statistics.badFormat;
        return false;
    }
    const auto argumentsPosition = static_cast<uint32_t>(reader.Position());
    QueuedCall queued;
    queued.header = std::move(header);
    queued.message = std::move(message);
    queued.argumentsPosition = argumentsPosition;
    queued.reply = std::move(reply);
    queued.arrival = Simulator::Now();
    if (queued.message.times)
    {
        queued.message.times->queued = queued.arrival;
    }
    queued.source = source;
    queued.connection = connection;
    m_queue.push_back(std::move(queued));
    m_threads->Arrive();
    TakeCalls(false);
    return true;
}

Ptr<HostLock>
RpcServer::GetQueueLock()
{
    if (!m_queueLock && !m_cpu->GetCosts().serverQueueHold.IsZero())
    {
        m_queueLock = m_cpu->MakeLock("sp_lock");
    }
    return m_queueLock;
}

void
RpcServer::AddPages(uint64_t octets, HostWork& work) const
{
    const HostCosts& costs = m_cpu->GetCosts();
    const int64_t pages = HostMemory::CountPages(octets);
    work.Then(costs.serverPageCost * pages);
    if (!costs.serverPageHold.IsZero())
    {
        work.Under(m_cpu->GetLock("zone_lock"), costs.serverPageHold * pages);
    }
}

void
RpcServer::TakeCalls(bool awake)
{
    while (m_threads->HasFree() && !m_queue.empty())
    {
        ++m_statistics.calls;
        QueuedCall queued = std::move(m_queue.front());
        m_queue.pop_front();
        if (queued.header)
        {
            m_callTaken(*queued.header, Simulator::Now() - queued.arrival);
        }
        queued.thread = m_threads->Take(queued.arrival);
        queued.start = m_starts;
        if (const auto& times = queued.message.times)
        {
            times->started = Simulator::Now();
        }
        HostThread& thread = m_threads->GetHostThread(queued.thread);
        const HostCosts& costs = m_cpu->GetCosts();
        const Time now = Simulator::Now();
        const Time wakeUp = std::exchange(awake, false)
                                ? Time(0)
                                : m_cpu->GetWakeUp(thread, now, costs.serverWakeUp);
        const bool reads = queued.message.read != nullptr;
        const Time read = ReadCall(queued.message, thread, now + wakeUp);
        HostWork work;
        if (!reads)
        {
            work.Under(GetQueueLock(), costs.serverQueueHold);
        }
        work.Then(GetCost(queued));
        AddPages(queued.message.GetItemsTotal(), work);
        const Time wait = m_cpu->Run(thread, read, work) - now;
        auto held = std::make_shared<QueuedCall>(std::move(queued));
        Simulator::Schedule(wait, [self = Ptr<RpcServer>(this), held] {
            if (!self->IsGivenUp(*held))
            {
                self->Process(std::move(*held));
            }
        });
    }
}

Time
RpcServer::ReadCall(RpcReceivedMessage& message, HostThread& thread, Time earliest)
{
    if (!message.read)
    {
        return earliest;
    }
    HostWork work;
    work.Under(GetQueueLock(), m_cpu->GetCosts().serverQueueHold).Then(message.readCost);
    const Time read = m_cpu->Run(thread, earliest, work);
    Simulator::Schedule(read - Simulator::Now(), std::move(message.read));
    message.read = nullptr;
    return read;
}

Time
RpcServer::GetCost(const QueuedCall& queued) const
{
    if (m_acceptor && queued.header && queued.header->flavor == RpcAuthFlavor::GSS)
    {
        return m_callCost + m_acceptor->GetCost(*queued.header, queued.message.octets.size());
    }
    return m_callCost;
}

void
RpcServer::Process(QueuedCall&& queued)
{
    if (m_acceptor && queued.header && queued.header->flavor == RpcAuthFlavor::GSS &&
        !Accept(queued))
    {
        return;
    }
    if (queued.header && !FindDenial(queued))
    {
        const auto program =
            m_programs.find(ProgramKey(queued.header->program, queued.header->version));
        if (program != m_programs.end())
        {
            Dispatch(program->second, std::move(queued));
            return;
        }
    }
    RpcReplyHeader refusal = Refuse(queued);
    SendReply(queued, std::move(refusal), RpcPayload());
}

bool
RpcServer::Accept(QueuedCall& queued)
{
    RpcAcceptance acceptance =
        m_acceptor->Accept(*queued.header, queued.message, queued.argumentsPosition);
    switch (acceptance.action)
    {
    case RpcAcceptance::Action::DISPATCH:
        queued.sealer = std::move(acceptance.sealer);
        queued.header->authSys = std::move(acceptance.identity);
        return true;
    case RpcAcceptance::Action::REPLY:
        Finish(queued.thread, queued.reply, std::move(acceptance.reply));
        return false;
    case RpcAcceptance::Action::DROP:
        ++m_statistics.dropped;
        Finish(queued.thread, queued.reply, RpcPayload());
        return false;
    case RpcAcceptance::Action::DENY:
        break;
    }
    ++m_statistics.badAuth;
    RpcReplyHeader denial;
    denial.xid = queued.header->xid;
    denial.denied = true;
    denial.authStatus = static_cast<uint32_t>(acceptance.status);
    SendReply(queued, std::move(denial), RpcPayload());
    return false;
}

bool
RpcServer::IsAllowed(const RpcCallHeader& header) const
{
    if (header.flavor == RpcAuthFlavor::NONE && header.procedure == RPC_NULL_PROCEDURE)
    {
        return true;
    }
    return m_flavors.test(
        header.flavor == RpcAuthFlavor::GSS ? static_cast<std::size_t>(header.gss.service) : 0);
}

std::optional<RpcAuthStatus>
RpcServer::FindDenial(const QueuedCall& queued) const
{
    if (!queued.header || (queued.header->flavor > RpcAuthFlavor::SYS && !queued.sealer))
    {
        return RpcAuthStatus::BADCRED;
    }
    if (!IsAllowed(*queued.header))
    {
        return RpcAuthStatus::TOOWEAK;
    }
    return std::nullopt;
}

void
RpcServer::SendReply(const AnsweredCall& call,
                     RpcReplyHeader&& header,
                     RpcPayload&& results,
                     Time cost)
{
    const bool seals = call.sealer && !header.denied;
    HostWork work(seals ? cost + call.sealer->GetCost(results) : cost);
    AddPages(results.GetItemsTotal(), work);
    RpcPayload reply;
    if (seals)
    {
        reply = call.sealer->Seal(std::move(header), std::move(results));
    }
    else
    {
        XdrWriter writer;
        writer.Reserve(RpcReplyHeader::ACCEPTED_SIZE + results.octets.size());
        header.Encode(writer);
        reply = Prefix(std::move(writer), std::move(results));
    }
    if (work.IsNothing())
    {
        Finish(call.thread, call.reply, std::move(reply));
        return;
    }
    const Time done = m_cpu->Run(m_threads->GetHostThread(call.thread), work);
    Simulator::Schedule(done - Simulator::Now(),
                        [self = Ptr<RpcServer>(this),
                         answered = call,
                         held = std::make_shared<RpcPayload>(std::move(reply))] {
                            if (!self->IsGivenUp(answered))
                            {
                                self->Finish(answered.thread, answered.reply, std::move(*held));
                            }
                        });
}

void
RpcServer::Finish(std::size_t thread, const Reply& reply, RpcPayload&& payload)
{
    reply(std::move(payload));
    m_threads->Release(thread);
    TakeCalls(true);
}

RpcReplyHeader
RpcServer::Refuse(const QueuedCall& queued)
{
    RpcReplyHeader refusal;
    refusal.xid = XdrReader(queued.message.octets).ReadU32();
    if (const auto denial = FindDenial(queued))
    {
        ++m_statistics.badAuth;
        refusal.denied = true;
        if (!queued.header && queued.header.error() == WireError::BAD_VERSION)
        {
            refusal.low = RpcCallHeader::RPC_VERSION;
            refusal.high = RpcCallHeader::RPC_VERSION;
        }
        else
        {
            refusal.authStatus = static_cast<uint32_t>(*denial);
        }
        return refusal;
    }
    ++m_statistics.badCall;
    refusal.acceptStatus = RpcAcceptStatus::PROG_UNAVAIL;
    for (const auto& [key, program] : m_programs)
    {
        if (key.first != queued.header->program)
        {
            continue;
        }
        if (refusal.acceptStatus == RpcAcceptStatus::PROG_UNAVAIL)
        {
            refusal.acceptStatus = RpcAcceptStatus::PROG_MISMATCH;
            refusal.low = key.second;
        }
        refusal.high = key.second;
    }
    return refusal;
}

void
RpcServer::Dispatch(Ptr<RpcProgram> program, QueuedCall&& queued)
{
    std::optional<DuplicateRequestCache::Key> key;
    if (program->IsIdempotentCall(*queued.header, queued.message, queued.argumentsPosition))
    {
        GetDuplicates().CountIdempotent();
    }
    else if (m_duplicatePolicy == CACHE_DUPLICATES)
    {
        key = DuplicateRequestCache::Key::Make(*queued.header,
                                               queued.message,
                                               queued.argumentsPosition,
                                               queued.source);
        if (!IsNew(*key, queued))
        {
            return;
        }
    }
    auto call = std::make_shared<RpcServerCall>();
    if (const auto ordered = m_ordered.find({queued.source, queued.header->xid});
        ordered != m_ordered.end())
    {
        call->ordered = std::move(ordered->second);
        m_ordered.erase(ordered);
    }
    call->header = std::move(*queued.header);
    call->message = std::move(queued.message);
    call->argumentsPosition = queued.argumentsPosition;
    call->source = queued.source;
    call->connection = queued.connection;
    if (const auto limit = m_reverseLimits.find(queued.connection); limit != m_reverseLimits.end())
    {
        call->reverseLimit = limit->second;
    }
    program->Dispatch(call,
                      [self = Ptr<RpcServer>(this),
                       xid = call->header.xid,
                       key,
                       answered = AnsweredCall(std::move(queued))](RpcServerReply&& answer) {
                          if (self->IsGivenUp(answered))
                          {
                              return;
                          }
                          if (answer.dropped)
                          {
                              self->Drop(key, answered);
                              return;
                          }
                          RpcReplyHeader header;
                          header.xid = xid;
                          header.acceptStatus = answer.status;
                          RpcPayload results;
                          if (answer.status == RpcAcceptStatus::SUCCESS)
                          {
                              results = std::move(answer.results);
                          }
                          else
                          {
                              ++self->m_statistics.badCall;
                          }
                          if (key)
                          {
                              self->Remember(*key, answer.status, results);
                          }
                          self->SendReply(answered,
                                          std::move(header),
                                          std::move(results),
                                          self->m_cpu->GetCosts().serverOperationCost *
                                              int64_t{answer.operations});
                      });
}

void
RpcServer::Drop(const std::optional<DuplicateRequestCache::Key>& key, const AnsweredCall& call)
{
    ++m_statistics.dropped;
    if (key)
    {
        GetDuplicates().Forget(*key);
    }
    Finish(call.thread, call.reply, RpcPayload());
}

DuplicateRequestCache&
RpcServer::GetDuplicates() const
{
    if (!m_duplicates)
    {
        NS_ABORT_MSG_UNLESS(m_duplicatePolicy == CACHE_DUPLICATES ||
                                m_duplicatePolicy == EXECUTE_DUPLICATES,
                            "no policy for duplicate requests " << m_duplicatePolicy);
        m_duplicates = std::make_unique<DuplicateRequestCache>(
            DuplicateRequestCache::Settings{m_duplicateEntries,
                                            m_duplicateLifetime,
                                            m_duplicateReplySize});
    }
    return *m_duplicates;
}

std::vector<std::string>
RpcServer::GetDuplicatePolicies()
{
    return {CACHE_DUPLICATES, EXECUTE_DUPLICATES};
}

bool
RpcServer::IsNew(const DuplicateRequestCache::Key& key, QueuedCall& queued)
{
    RpcPayload results;
    switch (GetDuplicates().Lookup(key, Simulator::Now(), results.octets))
    {
    case DuplicateRequestCache::Verdict::EXECUTE:
        return true;
    case DuplicateRequestCache::Verdict::DROP:
        ++m_statistics.dropped;
        Finish(queued.thread, queued.reply, RpcPayload());
        return false;
    case DuplicateRequestCache::Verdict::REPLAY:
        break;
    }
    RpcReplyHeader header;
    header.xid = key.xid;
    SendReply(queued, std::move(header), std::move(results));
    return false;
}

void
RpcServer::Remember(const DuplicateRequestCache::Key& key,
                    RpcAcceptStatus status,
                    const RpcPayload& results)
{
    if (status == RpcAcceptStatus::SUCCESS)
    {
        GetDuplicates().Finish(key, results, Simulator::Now());
    }
    else
    {
        GetDuplicates().Forget(key);
    }
}

} // namespace ns3::nfsrdma
