/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/server.h"

#include "rpc/prefix.h"
#include "rpc/service-times.h"
#include "wire/ns3-version.h"
#include "wire/simulation-clock.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <numeric>
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
    static TypeId tid = AddAttributes(
        TypeId("ns3::nfsrdma::RpcServer")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<RpcServer>()
            .AddAttribute("Threads",
                          "Calls carried out at the same time (count). Default: nfsd's.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&RpcServer::SetThreads, &RpcServer::GetThreads),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxConnections",
                          "Connections (count) that are kept when another comes; where there are "
                          "more, the oldest is closed. 0: (Threads + 3) x 20, as nfsd unless "
                          "/proc/fs/nfsd/max_connections has another. Default: nfsd's.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RpcServer::m_maxConnections),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("LimitedConnections",
                          "Which connections MaxConnections is about, and closes: all, as nfsd of "
                          "Linux 6.1; or those that have had no call answered yet whose results "
                          "begin with NFS's OK, NULL apart, and then 0 is 64, as since 6.14 "
                          "[1b5f43b1a61c, 4b2ad1c62f52]. Default: all.",
                          EnumValue(LIMIT_ALL),
                          MakeEnumFieldAccessor(&RpcServer::m_limited),
                          MakeEnumChecker(LIMIT_ALL, "all", LIMIT_UNPROVEN, "unproven"))
            .AddAttribute("SecurePorts",
                          "Whether calls over TCP from a port of 1024 or above are answered with "
                          "NFSERR_PERM (1), but for procedure 0: option secure of Linux's exports, "
                          "looked at by fh_verify() (nfsd_setuser_and_check_port()). Default: no.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RpcServer::m_securePorts),
                          MakeBooleanChecker())
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
            .AddAttribute("DuplicatePrune",
                          "Entries of the duplicate request cache that a call frees in passing at "
                          "most (count); 0: all of its bucket that can be, as nfsd before Linux "
                          "5.16.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RpcServer::m_duplicatePrune),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Groups",
                          "Groups of each user that the server looks up itself (count): mountd "
                          "--manage-gids. 0: those of the credential. Default: off.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RpcServer::m_groups),
                          MakeUintegerChecker<uint32_t>(0, 65536))
            .AddAttribute("GroupUpcall",
                          "With Groups, what a thread waits for mountd (Time) when a user of a "
                          "client calls for the first time. Default: none.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RpcServer::m_groupUpcall),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Security",
                          "Flavours served (names, separated by commas): sys (with AUTH_NONE), "
                          "krb5, krb5i, krb5p; a call of another is denied with AUTH_TOOWEAK. NULL "
                          "is served without.",
                          StringValue("sys,krb5,krb5i,krb5p"),
                          MakeStringAccessor(&RpcServer::SetFlavors, &RpcServer::GetFlavors),
                          MakeStringChecker())
            .AddTraceSource("ConnectionLimited",
                            "A connection is closed for a newcomer.",
                            MakeTraceSourceAccessor(&RpcServer::m_connectionLimited),
                            "ns3::nfsrdma::RpcServer::ConnectionLimitedTracedCallback")
            .AddTraceSource("CallTaken",
                            "A thread has a call and all its octets.",
                            MakeTraceSourceAccessor(&RpcServer::m_callTaken),
                            "ns3::nfsrdma::RpcServer::CallTakenTracedCallback"),
        RpcDispatchSettings::GetRows(),
        &RpcServer::m_dispatch,
        &RpcServer::ApplyDispatch);
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
    ++m_starts;
    m_pools.clear();
    m_duplicateLocks.clear();
    m_threads->DropQueued();
    m_threads->Dispose();
    m_programs.clear();
    m_cpu = nullptr;
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
    for (Pool& pool : m_pools)
    {
        pool.waiting.Clear();
        pool.waking = 0;
        pool.dequeuing = 0;
    }
    m_threads->DropQueued();
    m_threads->ReleaseAll();
    m_users.clear();
    m_open.clear();
    ClearDuplicateRequestCache();
}

void
RpcServer::SetStalledThreads(uint32_t threads)
{
    m_threads->SetStalled(threads);
    WakeThreads();
}

uint32_t
RpcServer::GetConnectionLimit() const
{
    constexpr uint32_t SPARE_THREADS = 3;
    constexpr uint32_t CONNECTIONS_OF_A_THREAD = 20;
    constexpr uint32_t UNPROVEN_CONNECTIONS = 64;
    if (m_maxConnections != 0)
    {
        return m_maxConnections;
    }
    return m_limited == LIMIT_UNPROVEN ? UNPROVEN_CONNECTIONS
                                       : (GetThreads() + SPARE_THREADS) * CONNECTIONS_OF_A_THREAD;
}

uint64_t
RpcServer::OpenConnection(CloseConnection close)
{
    const uint64_t number = ++m_connections;
    if (!close)
    {
        return number;
    }
    if (m_open.size() > GetConnectionLimit())
    {
        const auto oldest = m_open.begin();
        const uint64_t closed = oldest->first;
        const CloseConnection closeOldest = std::move(oldest->second);
        m_open.erase(oldest);
        ++m_statistics.connectionsLimited;
        NS_LOG_WARN("too many open connections: number " << closed << " is closed for number "
                                                         << number);
        m_connectionLimited(closed);
        closeOldest(closed,
                    m_maxConnections != 0
                        ? "closed for a newcomer: more connections than nfs.max_connections"
                    : m_limited == LIMIT_UNPROVEN
                        ? "closed for a newcomer: more connections than 64 without a valid call"
                        : "closed for a newcomer: more connections than (nfs.threads + 3) x 20");
    }
    m_open.emplace(number, std::move(close));
    return number;
}

void
RpcServer::EndConnection(uint64_t connection)
{
    m_open.erase(connection);
    m_reverseLimits.erase(connection);
    m_unreserved.erase(connection);
    m_tlsOffers.erase(connection);
    m_tlsIgnored.erase(connection);
    m_tooWeak.erase(connection);
    if (!m_pools.empty())
    {
        m_threads->Drop(m_pools[GetPoolOf(connection)].waiting.Remove(connection));
    }
    m_receivingCores.erase(connection);
    for (const auto& [key, program] : m_programs)
    {
        program->HandleConnectionEnd(connection);
    }
}

bool
RpcServer::SetMessage(QueuedCall& queued, RpcReceivedMessage&& message)
{
    XdrReader reader(message.octets);
    queued.header = RpcCallHeader::Decode(reader);
    if (!queued.header && (queued.header.error() == WireError::TRUNCATED ||
                           queued.header.error() == WireError::BAD_VALUE))
    {
        NS_LOG_LOGIC("drops what is no RPC call: " << ToString(queued.header.error()));
        ++m_statistics.badFormat;
        return false;
    }
    queued.argumentsPosition = static_cast<uint32_t>(reader.Position());
    queued.message = std::move(message);
    if (queued.message.times)
    {
        queued.message.times->queued = SimulationClock::Now();
    }
    return true;
}

bool
RpcServer::Receive(RpcReceivedMessage&& message,
                   Reply reply,
                   const IpAddress& source,
                   uint64_t connection)
{
    QueuedCall queued;
    if (!SetMessage(queued, std::move(message)))
    {
        return false;
    }
    queued.reply = std::move(reply);
    queued.source = source;
    queued.connection = connection;
    Put(std::move(queued));
    return true;
}

void
RpcServer::Receive(Fetch fetch, Reply reply, const IpAddress& source, uint64_t connection)
{
    if (m_dispatch.callFetching == RpcFetching::AHEAD)
    {
        fetch([self = Ptr<RpcServer>(this), reply = std::move(reply), source, connection](
                  RpcReceivedMessage&& message) {
            return self->Receive(std::move(message), reply, source, connection);
        });
        return;
    }
    QueuedCall queued;
    queued.fetch = std::move(fetch);
    queued.reply = std::move(reply);
    queued.source = source;
    queued.connection = connection;
    Put(std::move(queued));
}

void
RpcServer::Assign(uint64_t connection, const IpAddress& source, Task task)
{
    QueuedCall queued;
    queued.task = std::move(task);
    queued.source = source;
    queued.connection = connection;
    Put(std::move(queued));
}

void
RpcServer::Put(QueuedCall&& queued)
{
    queued.arrival = SimulationClock::Now();
    const uint64_t connection = queued.connection;
    const IpAddress source = queued.source;
    const uint32_t pool = GetPoolOf(connection);
    m_pools[pool].waiting.Put(connection, source, std::move(queued));
    m_threads->Arrive();
    WakeThreads(pool);
}

void
RpcServer::StartThreads()
{
    if (m_pools.empty() && (m_dispatch.minThreads != 0 || m_dispatch.threadMemory != 0))
    {
        MakePools();
    }
}

void
RpcServer::MakePools()
{
    m_threads->SetPools(m_cpu->CountPools(),
                        [cpu = m_cpu](uint32_t pool) { return cpu->MakePoolThread(pool); });
    m_threads->SetMinimum(m_dispatch.minThreads, m_dispatch.threadIdleTime);
    m_threads->SetMemory(m_memory, m_dispatch.threadMemory);
    m_threads->Start();
    m_pools.resize(m_threads->GetPools());
    ApplyDispatch();
}

std::vector<RpcServer::Pool>&
RpcServer::GetPools()
{
    if (m_pools.empty())
    {
        MakePools();
    }
    return m_pools;
}

uint32_t
RpcServer::GetPoolOf(uint64_t connection)
{
    const uint64_t pools = GetPools().size();
    if (pools == 1)
    {
        return 0;
    }
    const auto core = m_receivingCores.find(connection);
    const uint64_t pool =
        core == m_receivingCores.end() ? connection : m_cpu->GetPoolOf(core->second);
    return static_cast<uint32_t>(pool % pools);
}

void
RpcServer::ApplyDispatch()
{
    for (Pool& pool : m_pools)
    {
        pool.waiting.SetOrder(m_dispatch.dispatch);
        pool.waiting.SetCallOrder(m_dispatch.callOrder);
    }
}

uint32_t
RpcServer::GetQueuedCalls() const
{
    return std::accumulate(
        m_pools.begin(),
        m_pools.end(),
        uint32_t{0},
        [](uint32_t calls, const Pool& pool) { return calls + pool.waiting.GetSize(); });
}

RpcDispatchStatistics
RpcServer::GetDispatchStatistics() const
{
    RpcDispatchStatistics sum;
    for (const Pool& pool : m_pools)
    {
        const RpcDispatchStatistics& part = pool.waiting.GetStatistics();
        sum.attempts += part.attempts;
        sum.enqueued += part.enqueued;
        sum.dequeued += part.dequeued;
        sum.empty += part.empty;
    }
    return sum;
}

const Ptr<HostLock>&
RpcServer::GetLock(Pool& pool)
{
    if (!pool.lock && !m_cpu->GetCosts().serverQueueHold.IsZero())
    {
        pool.lock = m_cpu->MakeLock("sp_lock");
    }
    return pool.lock;
}

Ptr<HostLock>
RpcServer::GetQueueLock(uint64_t connection)
{
    return GetLock(GetPools()[GetPoolOf(connection)]);
}

void
RpcServer::AddPages(uint64_t octets, HostWork& work)
{
    const HostCosts& costs = m_cpu->GetCosts();
    const int64_t order = costs.serverPageOrder;
    const int64_t block = int64_t{1} << order;
    const int64_t blocks = (HostMemory::CountPages(octets) + block - 1) / block;
    int64_t missing = 0;
    if (order != 0)
    {
        m_compactions += costs.serverCompactionShare * static_cast<double>(blocks);
        missing = static_cast<int64_t>(m_compactions);
        m_compactions -= static_cast<double>(missing);
    }
    const int64_t taken = blocks - missing + missing * block;
    work.Then(costs.serverPageCost * taken + costs.serverOrderCost * (order * blocks) +
              costs.serverCompactionCost * missing);
    if (!costs.serverPageHold.IsZero())
    {
        work.Under(m_cpu->GetLock("zone_lock"), costs.serverPageHold * taken);
    }
}

RpcRecheck
RpcServer::GetRecheck() const
{
    const HostCosts& costs = m_cpu->GetCosts();
    const bool isFree = costs.serverWakeUp.IsZero() && costs.serverQueueHold.IsZero() &&
                        costs.serverEmptyCost.IsZero();
    if (!m_dispatch.dispatchRecheck)
    {
        return RpcRecheck::NEVER;
    }
    return isFree ? RpcRecheck::AT_ONCE : RpcRecheck::LATER;
}

void
RpcServer::WakeThreads()
{
    const auto pools = static_cast<uint32_t>(m_pools.size());
    for (uint32_t number = 0; number < pools; ++number)
    {
        WakeThreads(number);
    }
}

void
RpcServer::WakeThreads(uint32_t number)
{
    Pool& pool = m_pools[number];
    while (pool.waiting.CountReady() > pool.waking + pool.dequeuing && m_threads->HasFree(number))
    {
        const std::size_t thread = m_threads->Wake(number);
        const Time wakeUp = m_cpu->GetWakeUp(m_threads->GetHostThread(thread),
                                             SimulationClock::Now(),
                                             m_cpu->GetCosts().serverWakeUp);
        if (wakeUp.IsZero())
        {
            Look(thread);
            continue;
        }
        ++pool.waking;
        Simulator::Schedule(wakeUp, [self = Ptr<RpcServer>(this), thread, start = m_starts] {
            if (start == self->m_starts)
            {
                --self->GetPool(thread).waking;
                self->Look(thread);
                self->WakeThreads(self->m_threads->GetPool(thread));
            }
        });
    }
}

void
RpcServer::Look(std::size_t thread)
{
    Pool& pool = GetPool(thread);
    while (pool.HasReady())
    {
        HostWork dequeue;
        dequeue.Under(GetLock(pool), m_cpu->GetCosts().serverQueueHold);
        if (!dequeue.IsNothing())
        {
            ++pool.dequeuing;
            After(thread, dequeue, &RpcServer::Dequeue);
            return;
        }
        if (TakeTurn(thread))
        {
            return;
        }
    }
    m_threads->Release(thread);
}

void
RpcServer::Dequeue(std::size_t thread)
{
    --GetPool(thread).dequeuing;
    if (!TakeTurn(thread))
    {
        Look(thread);
    }
}

bool
RpcServer::TakeTurn(std::size_t thread)
{
    Pool& pool = GetPool(thread);
    if (pool.waiting.CountReady() == 0)
    {
        return false;
    }
    auto& connection = pool.waiting.Turn();
    std::optional<QueuedCall> queued = pool.waiting.Take(connection, GetRecheck());
    pool.waiting.Free(connection);
    if (queued)
    {
        Take(thread, std::move(*queued));
        return true;
    }
    const HostCosts& costs = m_cpu->GetCosts();
    HostWork inVain;
    inVain.Under(GetLock(pool), costs.GetPutHold()).Then(costs.serverEmptyCost);
    if (inVain.IsNothing())
    {
        return false;
    }
    After(thread, inVain, &RpcServer::Look);
    return true;
}

void
RpcServer::After(std::size_t thread, const HostWork& work, void (RpcServer::*next)(std::size_t))
{
    const Time done = m_cpu->Run(m_threads->GetHostThread(thread), work);
    Simulator::Schedule(done - SimulationClock::Now(),
                        [self = Ptr<RpcServer>(this), thread, next, start = m_starts] {
                            if (start == self->m_starts)
                            {
                                (PeekPointer(self)->*next)(thread);
                                self->WakeThreads(self->m_threads->GetPool(thread));
                            }
                        });
}

void
RpcServer::StartThread(std::size_t thread)
{
    m_threads->AddThread(thread);
    LeaveThread(thread);
}

void
RpcServer::LeaveThread(std::size_t thread)
{
    if (m_threads->TakeStart(thread))
    {
        After(thread, HostWork(m_cpu->GetCosts().serverThreadStart), &RpcServer::StartThread);
        return;
    }
    const uint32_t number = m_threads->GetPool(thread);
    m_threads->Release(thread);
    if (m_pools.at(number).HasReady() && m_threads->HasFree(number))
    {
        Look(m_threads->Wake(number));
    }
    WakeThreads(number);
}

void
RpcServer::Take(std::size_t thread, QueuedCall&& queued)
{
    const Time now = SimulationClock::Now();
    m_threads->Begin(thread, queued.arrival);
    m_threads->NoteTurn(thread);
    queued.thread = thread;
    queued.start = m_starts;
    queued.waited = now - queued.arrival;
    if (queued.task)
    {
        StartTask(std::move(queued));
        return;
    }
    if (queued.fetch)
    {
        StartFetching(std::move(queued));
        return;
    }
    if (const auto& times = queued.message.times)
    {
        times->started = now;
    }
    Begin(std::move(queued), now);
}

struct RpcServer::Fetching
{
    Ptr<RpcServer> server;
    QueuedCall call;
    Time started;
    bool isWanted{true};

    Fetching(const Ptr<RpcServer>& fetcher, QueuedCall&& fetched)
        : server(fetcher),
          call(std::move(fetched)),
          started(SimulationClock::Now())
    {
    }

    Fetching(const Fetching&) = delete;
    Fetching& operator=(const Fetching&) = delete;

    ~Fetching()
    {
        if (isWanted)
        {
            server->GiveUpFetching(call);
        }
    }
};

void
RpcServer::StartFetching(QueuedCall&& queued)
{
    const Fetch fetch = std::move(queued.fetch);
    const std::size_t thread = queued.thread;
    queued.fetch = nullptr;
    fetch([fetching = std::make_shared<Fetching>(Ptr<RpcServer>(this), std::move(queued))](
              RpcReceivedMessage&& message) {
        return fetching->server->TakeFetched(*fetching, std::move(message));
    });
    if (m_dispatch.callFetching == RpcFetching::STAGED)
    {
        LeaveThread(thread);
    }
}

bool
RpcServer::TakeFetched(Fetching& fetching, RpcReceivedMessage&& message)
{
    fetching.isWanted = false;
    QueuedCall queued = std::move(fetching.call);
    if (IsGivenUp(queued))
    {
        return true;
    }
    const bool isHeld = m_dispatch.callFetching == RpcFetching::THREAD;
    if (!SetMessage(queued, std::move(message)))
    {
        if (isHeld)
        {
            LeaveThread(queued.thread);
        }
        return false;
    }
    if (!isHeld)
    {
        queued.arrival = SimulationClock::Now();
        const uint64_t connection = queued.connection;
        const IpAddress source = queued.source;
        const uint32_t pool = GetPoolOf(connection);
        m_pools[pool].waiting.PutAgain(connection, source, std::move(queued));
        m_threads->Arrive();
        WakeThreads(pool);
        return true;
    }
    if (const auto& times = queued.message.times)
    {
        times->started = fetching.started;
    }
    const Time now = SimulationClock::Now();
    const Time wakeUp = m_cpu->GetWakeUp(m_threads->GetHostThread(queued.thread),
                                         now,
                                         m_cpu->GetCosts().serverWakeUp);
    Begin(std::move(queued), now + wakeUp);
    return true;
}

void
RpcServer::GiveUpFetching(const QueuedCall& queued)
{
    if (IsGivenUp(queued))
    {
        return;
    }
    ++m_statistics.dropped;
    if (m_dispatch.callFetching == RpcFetching::THREAD)
    {
        Simulator::ScheduleNow(
            [self = Ptr<RpcServer>(this), thread = queued.thread, start = m_starts] {
                if (start == self->m_starts)
                {
                    self->LeaveThread(thread);
                }
            });
    }
}

void
RpcServer::Begin(QueuedCall&& queued, Time earliest)
{
    ++m_statistics.calls;
    if (queued.header)
    {
        m_callTaken(*queued.header, queued.waited, queued.thread);
    }
    HostWork work(GetCost(queued));
    AddPages(queued.message.GetItemsTotal(), work);
    HostThread& thread = m_threads->GetHostThread(queued.thread);
    const Time read = ReadCall(queued.message, thread, earliest) + GetGroupWait(queued);
    const Time wait = m_cpu->Run(thread, read, work) - SimulationClock::Now();
    Simulator::Schedule(
        wait,
        [self = Ptr<RpcServer>(this), held = std::make_shared<QueuedCall>(std::move(queued))] {
            if (!self->IsGivenUp(*held))
            {
                self->Process(std::move(*held));
            }
        });
}

Time
RpcServer::ReadCall(RpcReceivedMessage& message, HostThread& thread, Time earliest)
{
    if (!message.read)
    {
        return earliest;
    }
    Time read = m_cpu->Run(thread, earliest, message.readCost);
    Simulator::Schedule(read - SimulationClock::Now(), std::move(message.read));
    message.read = nullptr;
    return read;
}

Time
RpcServer::GetCost(const QueuedCall& queued) const
{
    Time cost = m_callCost;
    if (m_groups != 0)
    {
        cost += m_cpu->GetCosts().serverGroupCost * int64_t{m_groups};
    }
    if (m_acceptor && queued.header && queued.header->flavor == RpcAuthFlavor::GSS)
    {
        cost += m_acceptor->GetCost(*queued.header, queued.message.octets.size());
    }
    return cost;
}

Time
RpcServer::GetGroupWait(const QueuedCall& queued)
{
    if (m_groups == 0 || m_groupUpcall.IsZero() || !queued.header ||
        queued.header->flavor != RpcAuthFlavor::SYS)
    {
        return Time(0);
    }
    const bool isNew = m_users.emplace(queued.source, queued.header->authSys.uid).second;
    return isNew ? m_groupUpcall : Time(0);
}

void
RpcServer::Process(QueuedCall&& queued)
{
    if (m_acceptor && queued.header && queued.header->flavor == RpcAuthFlavor::GSS &&
        !Accept(queued))
    {
        return;
    }
    if (AnswerTlsProbe(queued))
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
RpcServer::AnswerTlsProbe(QueuedCall& queued)
{
    if (!queued.header || queued.header->flavor != RpcAuthFlavor::TLS ||
        queued.header->procedure != RPC_NULL_PROCEDURE || queued.header->tlsFault)
    {
        return false;
    }
    if (m_tlsOffers.count(queued.connection) == 0)
    {
        const bool isIgnored = m_tlsIgnored.count(queued.connection) != 0;
        queued.header->flavor = isIgnored ? RpcAuthFlavor::NONE : RpcAuthFlavor::TLS;
        return false;
    }
    RpcReplyHeader reply;
    reply.xid = queued.header->xid;
    reply.startTls = true;
    SendReply(queued, std::move(reply), RpcPayload());
    return true;
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
        return queued.header && queued.header->tlsFault ? queued.header->tlsFault
                                                        : RpcAuthStatus::BADCRED;
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
                     HostWork work)
{
    const bool seals = call.sealer && !header.denied;
    if (seals)
    {
        work.Then(call.sealer->GetCost(results));
    }
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
    Simulator::Schedule(done - SimulationClock::Now(),
                        [self = Ptr<RpcServer>(this),
                         answered = call,
                         held = std::make_shared<RpcPayload>(std::move(reply))] {
                            if (!self->IsGivenUp(answered))
                            {
                                self->Finish(answered.thread, answered.reply, std::move(*held));
                            }
                        });
}

/// As long as its reply is being sent, or its task goes on, in the hands of the transport.
struct RpcServer::Sending
{
    Ptr<RpcServer> server;
    std::size_t thread;
    uint64_t start;
    bool sleeps{false};

    Sending(const Ptr<RpcServer>& answering, std::size_t number)
        : server(answering),
          thread(number),
          start(answering->m_starts)
    {
    }

    Sending(const Sending&) = delete;
    Sending& operator=(const Sending&) = delete;

    ~Sending()
    {
        if (sleeps && start == server->m_starts)
        {
            server->EndSending(thread);
        }
    }
};

void
RpcServer::StartTask(QueuedCall&& queued)
{
    const auto hold = std::make_shared<Sending>(Ptr<RpcServer>(this), queued.thread);
    hold->sleeps = true;
    queued.task(hold);
}

void
RpcServer::Finish(std::size_t thread, const Reply& reply, RpcPayload&& payload)
{
    if (!m_dispatch.sendWait)
    {
        reply(std::move(payload));
        LeaveThread(thread);
        return;
    }
    std::weak_ptr<Sending> sending;
    {
        const auto made = std::make_shared<Sending>(Ptr<RpcServer>(this), thread);
        RpcPayload answer(std::move(payload));
        answer.sending = made;
        sending = made;
        reply(std::move(answer));
    }
    if (const auto held = sending.lock())
    {
        held->sleeps = true;
        return;
    }
    LeaveThread(thread);
}

void
RpcServer::EndSending(std::size_t thread)
{
    const Time wakeUp = m_cpu->GetWakeUp(m_threads->GetHostThread(thread),
                                         SimulationClock::Now(),
                                         m_cpu->GetCosts().serverWakeUp);
    Simulator::Schedule(wakeUp, [self = Ptr<RpcServer>(this), thread, start = m_starts] {
        if (start == self->m_starts)
        {
            self->LeaveThread(thread);
        }
    });
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
RpcServer::Dispatch(const Ptr<RpcProgram>& program, QueuedCall&& queued)
{
    if (program->IsIdempotentCall(*queued.header, queued.message, queued.argumentsPosition))
    {
        GetDuplicates().CountIdempotent();
        Execute(program, std::move(queued), std::nullopt);
    }
    else if (m_duplicatePolicy == CACHE_DUPLICATES)
    {
        LookUp(program, std::move(queued));
    }
    else
    {
        Execute(program, std::move(queued), std::nullopt);
    }
}

std::optional<RpcOrderedAnswer>
RpcServer::RefusePort(const QueuedCall& queued)
{
    constexpr uint32_t PERM = 1;
    if (!m_securePorts || queued.header->procedure == 0 ||
        m_unreserved.count(queued.connection) == 0)
    {
        return std::nullopt;
    }
    ++m_statistics.unreserved;
    return RpcOrderedAnswer{"", PERM, true};
}

std::optional<RpcOrderedAnswer>
RpcServer::RefuseWeak(const QueuedCall& queued)
{
    constexpr uint32_t ACCES = 13;
    constexpr uint32_t WRONGSEC = 10016;
    constexpr uint32_t COMPOUNDS = 4;
    if (queued.header->procedure == RPC_NULL_PROCEDURE || m_tooWeak.count(queued.connection) == 0)
    {
        return std::nullopt;
    }
    ++m_statistics.tooWeak;
    return RpcOrderedAnswer{"", queued.header->version < COMPOUNDS ? ACCES : WRONGSEC, true};
}

void
RpcServer::TakeProof(uint64_t connection, uint32_t procedure, const RpcPayload& results)
{
    constexpr std::size_t STATUS = 4;
    const auto& octets = results.octets;
    if (m_limited == LIMIT_UNPROVEN && procedure != RPC_NULL_PROCEDURE && octets.size() >= STATUS &&
        std::all_of(octets.begin(), octets.begin() + STATUS, [](auto octet) { return octet == 0; }))
    {
        m_open.erase(connection);
    }
}

void
RpcServer::Execute(const Ptr<RpcProgram>& program,
                   QueuedCall&& queued,
                   const std::optional<DuplicateRequestCache::Key>& key)
{
    auto call = std::make_shared<RpcServerCall>();
    if (const auto ordered = m_ordered.find({queued.source, queued.header->xid});
        ordered != m_ordered.end())
    {
        call->ordered = std::move(ordered->second);
        m_ordered.erase(ordered);
    }
    else
    {
        call->ordered = RefuseWeak(queued);
        if (!call->ordered)
        {
            call->ordered = RefusePort(queued);
        }
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
    program->Dispatch(
        call,
        [self = Ptr<RpcServer>(this),
         xid = call->header.xid,
         connection = call->connection,
         procedure = call->header.procedure,
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
                self->TakeProof(connection, procedure, results);
            }
            else
            {
                ++self->m_statistics.badCall;
            }
            const HostCosts& costs = self->m_cpu->GetCosts();
            Time cost = costs.serverOperationCost * int64_t{answer.operations};
            if (key && self->Remember(*key, answer.status, results))
            {
                cost += costs.serverDuplicateKeep;
            }
            if (answer.isOfSession && !costs.serverSessionHold.IsZero())
            {
                self->SendReplyOfSession(answered, std::move(header), std::move(results), cost);
                return;
            }
            self->SendReply(answered, std::move(header), std::move(results), HostWork(cost));
        });
}

void
RpcServer::SendReplyOfSession(const AnsweredCall& call,
                              RpcReplyHeader&& header,
                              RpcPayload&& results,
                              Time cost)
{
    struct Answer
    {
        RpcReplyHeader header;
        RpcPayload results;
    };

    const Ptr<HostLock> lock = m_cpu->GetLock("client_lock");
    const Time hold = m_cpu->GetCosts().serverSessionHold;
    const Time found =
        m_cpu->Run(m_threads->GetHostThread(call.thread), HostWork().Under(lock, hold));
    Simulator::Schedule(
        found - SimulationClock::Now(),
        [self = Ptr<RpcServer>(this),
         answered = call,
         held = std::make_shared<Answer>(Answer{std::move(header), std::move(results)}),
         work = HostWork(cost).Under(lock, hold)] {
            if (!self->IsGivenUp(answered))
            {
                self->SendReply(answered, std::move(held->header), std::move(held->results), work);
            }
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
                                            m_duplicateReplySize,
                                            m_duplicatePrune});
    }
    return *m_duplicates;
}

std::vector<std::string>
RpcServer::GetDuplicatePolicies()
{
    return {CACHE_DUPLICATES, EXECUTE_DUPLICATES};
}

void
RpcServer::LookUp(const Ptr<RpcProgram>& program, QueuedCall&& queued)
{
    LookedUp looked;
    looked.key = DuplicateRequestCache::Key::Make(*queued.header,
                                                  queued.message,
                                                  queued.argumentsPosition,
                                                  queued.source);
    looked.verdict =
        GetDuplicates().Lookup(looked.key, SimulationClock::Now(), looked.results.octets);
    looked.program = program;
    looked.call = std::move(queued);
    const Time wait = ChargeLookUp(looked.call.thread) - SimulationClock::Now();
    if (!wait.IsStrictlyPositive())
    {
        Decide(std::move(looked));
        return;
    }
    Simulator::Schedule(
        wait,
        [self = Ptr<RpcServer>(this), held = std::make_shared<LookedUp>(std::move(looked))] {
            if (!self->IsGivenUp(held->call))
            {
                self->Decide(std::move(*held));
            }
        });
}

Time
RpcServer::ChargeLookUp(std::size_t thread)
{
    const HostCosts& costs = m_cpu->GetCosts();
    const DuplicateRequestCache::Effort& effort = GetDuplicates().GetEffort();
    const Time hold = costs.serverDuplicateHold +
                      costs.serverDuplicateStep * int64_t{effort.steps} +
                      costs.serverDuplicateFree * int64_t{effort.freed};
    HostWork work(costs.serverDuplicateCost);
    if (!hold.IsZero())
    {
        Ptr<HostLock>& lock = m_duplicateLocks[effort.bucket];
        lock = lock ? lock : m_cpu->MakeLock("cache_lock");
        work.Under(lock, hold);
    }
    return work.IsNothing() ? SimulationClock::Now()
                            : m_cpu->Run(m_threads->GetHostThread(thread), work);
}

void
RpcServer::Decide(LookedUp&& looked)
{
    switch (looked.verdict)
    {
    case DuplicateRequestCache::Verdict::EXECUTE:
        Execute(looked.program, std::move(looked.call), looked.key);
        return;
    case DuplicateRequestCache::Verdict::DROP:
        ++m_statistics.dropped;
        Finish(looked.call.thread, looked.call.reply, RpcPayload());
        return;
    case DuplicateRequestCache::Verdict::REPLAY:
        break;
    }
    RpcReplyHeader header;
    header.xid = looked.key.xid;
    SendReply(looked.call, std::move(header), std::move(looked.results));
}

bool
RpcServer::Remember(const DuplicateRequestCache::Key& key,
                    RpcAcceptStatus status,
                    const RpcPayload& results)
{
    if (status == RpcAcceptStatus::SUCCESS)
    {
        return GetDuplicates().Finish(key, results, SimulationClock::Now());
    }
    GetDuplicates().Forget(key);
    return false;
}

} // namespace ns3::nfsrdma
