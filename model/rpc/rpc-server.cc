/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/rpc-server.h"

#include "rpc/rpc-prefix.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaRpcServer");

namespace
{

const char* const CACHE_DUPLICATES = "linux";
const char* const EXECUTE_DUPLICATES = "none";

} // namespace

NS_OBJECT_ENSURE_REGISTERED(RpcProgram);
NS_OBJECT_ENSURE_REGISTERED(RpcServer);

TypeId
RpcProgram::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RpcProgram").SetParent<Object>().SetGroupName("NfsRdma");
    return tid;
}

bool
RpcProgram::IsIdempotent(uint32_t /* procedure */) const
{
    return true;
}

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
                          MakeUintegerAccessor(&RpcServer::m_threads),
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
            .AddTraceSource("CallTaken",
                            "A thread takes a call.",
                            MakeTraceSourceAccessor(&RpcServer::m_callTaken),
                            "ns3::nfsrdma::RpcServer::CallTakenTracedCallback");
    return tid;
}

RpcMessageLimits
RpcProgram::GetMessageLimits() const
{
    return {};
}

RpcServer::RpcServer()
    : m_cpu(CreateObject<HostCpu>())
{
}

RpcServer::~RpcServer() = default;

void
RpcServer::DoDispose()
{
    m_queue.clear();
    m_programs.clear();
    m_cpu = nullptr;
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

void
RpcServer::SetHostCpu(Ptr<HostCpu> cpu)
{
    m_cpu = cpu;
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
        return found->second->GetMessageLimits();
    }
    RpcMessageLimits widest{0, 0};
    for (const auto& [key, served] : m_programs)
    {
        const RpcMessageLimits limits = served->GetMessageLimits();
        widest.arguments = std::max(widest.arguments, limits.arguments);
        widest.results = std::max(widest.results, limits.results);
    }
    return widest;
}

uint32_t
RpcServer::GetBusyThreads() const
{
    return m_busy;
}

uint32_t
RpcServer::GetQueuedCalls() const
{
    return m_queue.size();
}

const RpcServerStatistics&
RpcServer::GetStatistics() const
{
    return m_statistics;
}

bool
RpcServer::Receive(RpcReceivedMessage&& message, Reply reply, uint64_t source)
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
    m_queue.push_back(QueuedCall{std::move(header),
                                 std::move(message),
                                 argumentsPosition,
                                 std::move(reply),
                                 Simulator::Now(),
                                 0,
                                 source});
    TakeCalls();
    return true;
}

void
RpcServer::TakeCalls()
{
    while (m_busy < m_threads && !m_queue.empty())
    {
        ++m_busy;
        ++m_statistics.calls;
        QueuedCall queued = std::move(m_queue.front());
        m_queue.pop_front();
        if (queued.header)
        {
            m_callTaken(*queued.header, Simulator::Now() - queued.arrival);
        }
        queued.thread = TakeThread();
        const Time wait = m_cpu->Run(m_workers[queued.thread], m_callCost) - Simulator::Now();
        auto held = std::make_shared<QueuedCall>(std::move(queued));
        Simulator::Schedule(wait, [self = Ptr<RpcServer>(this), held] {
            self->Process(std::move(*held));
        });
    }
}

void
RpcServer::Process(QueuedCall&& queued)
{
    if (queued.header && queued.header->flavor <= RpcAuthFlavor::SYS)
    {
        const auto program =
            m_programs.find(ProgramKey(queued.header->program, queued.header->version));
        if (program != m_programs.end())
        {
            Dispatch(program->second, std::move(queued));
            return;
        }
    }
    XdrWriter writer;
    Refuse(queued).Encode(writer);
    RpcPayload payload;
    payload.octets = writer.Take();
    queued.reply(std::move(payload));
    ReleaseThread(queued.thread);
}

RpcReplyHeader
RpcServer::Refuse(const QueuedCall& queued)
{
    RpcReplyHeader refusal;
    refusal.xid = XdrReader(queued.message.octets).ReadU32();
    if (!queued.header || queued.header->flavor > RpcAuthFlavor::SYS)
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
            refusal.authStatus = static_cast<uint32_t>(RpcAuthStatus::BADCRED);
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
    if (program->IsIdempotent(queued.header->procedure))
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
    call->header = std::move(*queued.header);
    call->message = std::move(queued.message);
    call->argumentsPosition = queued.argumentsPosition;
    program->Dispatch(call,
                      [self = Ptr<RpcServer>(this),
                       xid = call->header.xid,
                       thread = queued.thread,
                       key,
                       reply = std::move(queued.reply)](RpcServerReply&& answer) {
                          RpcReplyHeader header;
                          header.xid = xid;
                          header.acceptStatus = answer.status;
                          RpcPayload payload;
                          XdrWriter writer;
                          const bool accepted = answer.status == RpcAcceptStatus::SUCCESS;
                          if (accepted)
                          {
                              payload = std::move(answer.results);
                          }
                          else
                          {
                              ++self->m_statistics.badCall;
                          }
                          writer.Reserve(RpcReplyHeader::ACCEPTED_SIZE + payload.octets.size());
                          header.Encode(writer);
                          payload = Prefix(std::move(writer), std::move(payload));
                          if (key)
                          {
                              self->Remember(*key, accepted, payload);
                          }
                          reply(std::move(payload));
                          self->ReleaseThread(thread);
                      });
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

const DuplicateRequestCache&
RpcServer::GetDuplicateRequestCache() const
{
    return GetDuplicates();
}

void
RpcServer::ClearDuplicateRequestCache()
{
    m_duplicates.reset();
}

std::vector<std::string>
RpcServer::GetDuplicatePolicies()
{
    return {CACHE_DUPLICATES, EXECUTE_DUPLICATES};
}

bool
RpcServer::IsNew(const DuplicateRequestCache::Key& key, QueuedCall& queued)
{
    RpcPayload replay;
    const auto verdict = GetDuplicates().Lookup(key, Simulator::Now(), replay.octets);
    if (verdict == DuplicateRequestCache::Verdict::EXECUTE)
    {
        return true;
    }
    if (verdict == DuplicateRequestCache::Verdict::REPLAY)
    {
        queued.reply(std::move(replay));
    }
    ReleaseThread(queued.thread);
    return false;
}

void
RpcServer::Remember(const DuplicateRequestCache::Key& key, bool accepted, const RpcPayload& reply)
{
    if (accepted)
    {
        GetDuplicates().Finish(key, reply, Simulator::Now());
    }
    else
    {
        GetDuplicates().Forget(key);
    }
}

std::size_t
RpcServer::TakeThread()
{
    if (m_idle.empty())
    {
        m_workers.emplace_back();
        return m_workers.size() - 1;
    }
    const std::size_t thread = m_idle.back();
    m_idle.pop_back();
    return thread;
}

void
RpcServer::ReleaseThread(std::size_t thread)
{
    m_idle.push_back(thread);
    --m_busy;
    TakeCalls();
}

} // namespace ns3::nfsrdma
