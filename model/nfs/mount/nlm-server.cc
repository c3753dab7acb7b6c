/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/nlm-server.h"

#include "nfs/v2/procedures2.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(NlmServer);
NS_OBJECT_ENSURE_REGISTERED(NlmNarrowServer);

namespace
{

/// \return what is done when a _RES was called: without an answer the port is asked for again.
StubCompletion<XdrVoid>
TakeAnswered(const Ptr<RpcPeer>& peer)
{
    return [peer](const RpcRecord& record, const XdrVoid&) {
        if (record.outcome != RpcOutcome::SUCCESS)
        {
            peer->Disconnect();
        }
    };
}

/// \return what versions 1 and 3 have for a status (cast_to_nlm() in fs/lockd/svcproc.c).
NlmStatus
ToNarrow(NlmStatus status)
{
    switch (status)
    {
    case NlmStatus::GRANTED:
    case NlmStatus::DENIED:
    case NlmStatus::DENIED_NOLOCKS:
    case NlmStatus::BLOCKED:
    case NlmStatus::DENIED_GRACE_PERIOD:
        return status;
    case NlmStatus::DEADLCK:
        return NlmStatus::DENIED;
    default:
        return NlmStatus::DENIED_NOLOCKS;
    }
}

NlmRes
ToNarrow(NlmRes results)
{
    results.status = ToNarrow(results.status);
    return results;
}

/// \return what versions 1 and 3 have for an offset or a length (loff_t_to_s32() in
/// fs/lockd/xdr.c).
uint64_t
BoundNarrow(uint64_t octets)
{
    constexpr uint64_t NLM_OFFSET_MAX = 0x7fffffff;
    return std::min(octets, NLM_OFFSET_MAX);
}

NlmNarrow<NlmTestRes>
ToNarrow(NlmTestRes results)
{
    results.status = ToNarrow(results.status);
    results.holder.offset = BoundNarrow(results.holder.offset);
    results.holder.length = BoundNarrow(results.holder.length);
    results.holder.narrow = true;
    return {std::move(results)};
}

} // namespace

TypeId
NlmServer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::NlmServer")
            .SetParent<RpcProgram>()
            .SetGroupName("NfsRdma")
            .AddAttribute("GracePeriod",
                          "Time after a restart in which only reclaims are taken. Default: "
                          "Linux's (get_lockd_grace_period(), five times nlm_timeout).",
                          TimeValue(Seconds(50)),
                          MakeTimeAccessor(&NlmServer::m_gracePeriod),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("GrantRetry",
                          "Time between a GRANTED that failed and the next. Default: Linux's "
                          "(nlmsvc_grant_callback()).",
                          TimeValue(Seconds(10)),
                          MakeTimeAccessor(&NlmServer::m_grantRetry),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("GrantTimeout",
                          "Time that a client has to answer GRANTED_MSG, until it is sent again. "
                          "Default: Linux's (nlmsvc_grant_callback()).",
                          TimeValue(Seconds(60)),
                          MakeTimeAccessor(&NlmServer::m_grantTimeout),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("Granted",
                            "A lock that was waited for can be had.",
                            MakeTraceSourceAccessor(&NlmServer::m_grantedTrace),
                            "ns3::nfsrdma::NlmServer::GrantedTracedCallback");
    return tid;
}

NlmServer::NlmServer(Ptr<Node> node)
    : m_node(node)
{
}

void
NlmServer::DoDispose()
{
    ForgetGranting();
    for (const auto& [source, peer] : m_peers)
    {
        peer->Dispose();
    }
    m_peers.clear();
    m_store = nullptr;
    m_monitor = nullptr;
    m_node = nullptr;
    RpcProgram::DoDispose();
}

void
NlmServer::SetMonitor(Ptr<NsmServer> monitor)
{
    m_monitor = monitor;
    m_monitor->SetRestartedCallback([this](const std::string& host, uint32_t) { FreeHost(host); });
}

void
NlmServer::Restart()
{
    m_table = NlmLockTable();
    ForgetGranting();
    m_callers.clear();
    m_graceEnd = Simulator::Now() + m_gracePeriod;
}

void
NlmServer::ForgetGranting()
{
    for (auto& [cookie, event] : m_again)
    {
        event.Cancel();
    }
    m_again.clear();
    m_granting.clear();
}

void
NlmServer::Disconnect()
{
    ForgetGranting();
    for (const auto& [source, peer] : m_peers)
    {
        peer->Disconnect();
    }
}

bool
NlmServer::IsInGrace() const
{
    return Simulator::Now() < m_graceEnd;
}

uint32_t
NlmServer::GetProgram() const
{
    return NLM_PROGRAM;
}

uint32_t
NlmServer::GetVersion() const
{
    return NLM_V4;
}

void
NlmServer::Dispatch(std::shared_ptr<RpcServerCall> call, Done done)
{
    done(Serve(*call));
    GrantWaiters();
}

NlmStatus
NlmServer::CheckGrace(bool reclaim) const
{
    return IsInGrace() == reclaim ? NlmStatus::GRANTED : NlmStatus::DENIED_GRACE_PERIOD;
}

NfsFh3
NlmServer::FromNarrow(const NfsFh3& file) const
{
    return m_store && file.length == NFS2_FHSIZE
               ? Nfs2HandleSizes::Of(*m_store).ToNfs3(Nfs2Fh(file))
               : file;
}

template <typename Arguments>
Arguments
NlmServer::FromNarrow(const NlmNarrow<Arguments>& narrow, uint32_t version) const
{
    Arguments args = narrow.message;
    args.lock.file = FromNarrow(args.lock.file);
    args.lock.version = version;
    return args;
}

template <typename Procedure, typename Narrow, typename Handler>
RpcServerReply
NlmServer::ServeEither(const RpcServerCall& call, Handler serve) const
{
    if (call.header.version == NLM_V4)
    {
        return ServeStub<Procedure>(call, serve);
    }
    return ServeStub<Narrow>(call, [&](const typename Narrow::Arguments& narrow) {
        return ToNarrow(serve(FromNarrow(narrow, call.header.version)));
    });
}

template <typename Message, typename Result, typename NarrowResult, typename Handler>
RpcServerReply
NlmServer::ServeMessage(const RpcServerCall& call, Handler serve)
{
    if (call.header.version == NLM_V4)
    {
        return ServeStub<Message>(call, [&](const typename Message::Arguments& args) {
            const auto peer = GetPeer(call.source, call.header.version);
            peer->template Call<Result>(serve(args), TakeAnswered(peer));
            return XdrVoid();
        });
    }
    using Narrow = Nlm1Procedure<Message>;
    return ServeStub<Narrow>(call, [&](const typename Narrow::Arguments& narrow) {
        const auto peer = GetPeer(call.source, call.header.version);
        peer->template Call<NarrowResult>(ToNarrow(serve(FromNarrow(narrow, call.header.version))),
                                          TakeAnswered(peer));
        return XdrVoid();
    });
}

NlmTestRes
NlmServer::Test(const NlmTestArgs& args) const
{
    NlmTestRes results{args.cookie, CheckGrace(false), {}};
    if (results.status != NlmStatus::GRANTED)
    {
        return results;
    }
    const auto other = m_table.Test(args.lock, args.exclusive);
    if (!other)
    {
        results.status = other.error();
    }
    else if (*other)
    {
        results.status = NlmStatus::DENIED;
        results.holder = **other;
    }
    return results;
}

NlmRes
NlmServer::Cancel(const NlmCancelArgs& args)
{
    const NlmStatus grace = CheckGrace(false);
    if (grace != NlmStatus::GRANTED)
    {
        return {args.cookie, grace};
    }
    const auto granted =
        std::find_if(m_granting.begin(), m_granting.end(), [&args](const auto& granting) {
            return granting.second.IsFor(args.lock, args.exclusive);
        });
    if (granted != m_granting.end())
    {
        m_again[granted->first].Cancel();
        m_again.erase(granted->first);
        m_granting.erase(granted);
        return {args.cookie, NlmStatus::DENIED};
    }
    m_table.Cancel(args.lock, args.exclusive);
    return {args.cookie, NlmStatus::GRANTED};
}

NlmRes
NlmServer::Unlock(const NlmUnlockArgs& args)
{
    const NlmStatus grace = CheckGrace(false);
    return {args.cookie, grace == NlmStatus::GRANTED ? m_table.Unlock(args.lock) : grace};
}

NlmShareRes
NlmServer::Share(NlmShareArgs args, const RpcServerCall& call, bool isMade)
{
    const bool isNarrow = call.header.version != NLM_V4;
    NlmShareRes results{args.cookie, NlmStatus::GRANTED, 0};
    args.file = isNarrow ? FromNarrow(args.file) : args.file;
    if (IsInGrace() && !(isMade && args.reclaim))
    {
        results.status = NlmStatus::DENIED_GRACE_PERIOD;
    }
    else if (m_store && !m_store->Resolve(args.file))
    {
        results.status = isNarrow ? ToNarrow(NlmStatus::STALE_FH) : NlmStatus::STALE_FH;
    }
    else if (isMade)
    {
        m_callers[call.source.ToString()].insert(args.caller);
        results.status = m_table.Share(args);
    }
    else
    {
        m_table.Unshare(args);
    }
    return results;
}

RpcServerReply
NlmServer::Serve(const RpcServerCall& call)
{
    const auto test = [this](const NlmTestArgs& args) { return Test(args); };
    const auto lock = [this, &call](const NlmLockArgs& args) {
        return NlmRes{args.cookie, Lock(args, call.source, true)};
    };
    const auto cancel = [this](const NlmCancelArgs& args) { return Cancel(args); };
    const auto unlock = [this](const NlmUnlockArgs& args) { return Unlock(args); };
    switch (static_cast<NlmProcedure>(call.header.procedure))
    {
    case NlmProcedure::NULLPROC:
        return ServeStub<NlmNull>(call, [](const XdrVoid&) { return XdrVoid(); });
    case NlmProcedure::TEST:
        return ServeEither<NlmTest, Nlm1Test>(call, test);
    case NlmProcedure::LOCK:
        return ServeEither<NlmLockCall, Nlm1LockCall>(call, lock);
    case NlmProcedure::CANCEL:
        return ServeEither<NlmCancel, Nlm1Cancel>(call, cancel);
    case NlmProcedure::UNLOCK:
        return ServeEither<NlmUnlock, Nlm1Unlock>(call, unlock);
    case NlmProcedure::TEST_MSG:
        return ServeMessage<NlmTestMsg, NlmTestResult, Nlm1TestResult>(call, test);
    case NlmProcedure::LOCK_MSG:
        return ServeMessage<NlmLockMsg, NlmLockResult, NlmLockResult>(call, lock);
    case NlmProcedure::CANCEL_MSG:
        return ServeMessage<NlmCancelMsg, NlmCancelResult, NlmCancelResult>(call, cancel);
    case NlmProcedure::UNLOCK_MSG:
        return ServeMessage<NlmUnlockMsg, NlmUnlockResult, NlmUnlockResult>(call, unlock);
    case NlmProcedure::TEST_RES:
    case NlmProcedure::LOCK_RES:
    case NlmProcedure::CANCEL_RES:
    case NlmProcedure::UNLOCK_RES:
        return EncodeStubReply(XdrVoid());
    case NlmProcedure::GRANTED_RES:
        return ServeStub<NlmGrantedRes>(call, [this](const NlmRes& results) {
            TakeGrantedRes(results);
            return XdrVoid();
        });
    case NlmProcedure::SM_NOTIFY:
        return ServeNotify(call);
    case NlmProcedure::SHARE:
    case NlmProcedure::UNSHARE:
    case NlmProcedure::NM_LOCK:
    case NlmProcedure::FREE_ALL:
        return ServeFromVersion3(call);
    case NlmProcedure::GRANTED:
    case NlmProcedure::GRANTED_MSG:
        break;
    }
    return RefuseStubCall(RpcAcceptStatus::PROC_UNAVAIL);
}

RpcServerReply
NlmServer::ServeNotify(const RpcServerCall& call)
{
    if (!call.source.IsLoopback())
    {
        return RefuseStubCall(RpcAcceptStatus::SYSTEM_ERR);
    }
    return ServeStub<NlmSmNotify>(call, [this](const NlmReboot& reboot) {
        FreeHost(reboot.name);
        return XdrVoid();
    });
}

RpcServerReply
NlmServer::ServeFromVersion3(const RpcServerCall& call)
{
    if (call.header.version == NLM_V1)
    {
        return RefuseStubCall(RpcAcceptStatus::PROC_UNAVAIL);
    }
    switch (static_cast<NlmProcedure>(call.header.procedure))
    {
    case NlmProcedure::SHARE:
        return ServeStub<NlmShare>(call, [&](const NlmShareArgs& args) {
            return Share(args, call, true);
        });
    case NlmProcedure::UNSHARE:
        return ServeStub<NlmUnshare>(call, [&](const NlmShareArgs& args) {
            return Share(args, call, false);
        });
    case NlmProcedure::NM_LOCK:
        return ServeEither<NlmNmLock, Nlm3NmLock>(call, [&](const NlmLockArgs& args) {
            return NlmRes{args.cookie, Lock(args, call.source, false)};
        });
    default:
        return ServeStub<NlmFreeAll>(call, [this](const NlmNotify& args) {
            m_table.FreeAll(args.name);
            return XdrVoid();
        });
    }
}

Ptr<RpcPeer>
NlmServer::GetPeer(const IpAddress& source, uint32_t version)
{
    Ptr<RpcPeer>& peer = m_peers[{source, version}];
    if (!peer)
    {
        peer = CreateObject<RpcPeer>(m_node, source, NLM_PROGRAM, version);
        peer->SetKernel("server");
    }
    return peer;
}

NlmStatus
NlmServer::Lock(const NlmLockArgs& args, const IpAddress& source, bool monitored)
{
    const NlmStatus grace = CheckGrace(args.reclaim);
    if (grace != NlmStatus::GRANTED)
    {
        return grace;
    }
    if (m_store && !m_store->Resolve(args.lock.file))
    {
        return NlmStatus::STALE_FH;
    }
    const std::string host = source.ToString();
    m_callers[host].insert(args.lock.caller);
    if (monitored && m_monitor)
    {
        m_monitor->Monitor(host);
    }
    return m_table.Lock(args.lock, args.exclusive, args.block, source);
}

void
NlmServer::FreeHost(const std::string& host)
{
    for (const std::string& caller : m_callers[host])
    {
        m_table.FreeAll(caller);
    }
    m_callers.erase(host);
    GrantWaiters();
}

void
NlmServer::GrantWaiters()
{
    for (const NlmWaiter& waiter : m_table.TakeGranted())
    {
        m_grantedTrace(waiter);
        m_granting.emplace(m_nextCookie, waiter);
        SendGranted(m_nextCookie++);
    }
}

void
NlmServer::SendGranted(uint32_t cookie)
{
    const auto found = m_granting.find(cookie);
    if (!m_node || found == m_granting.end())
    {
        return;
    }
    const NlmWaiter& waiter = found->second;
    const uint32_t version = waiter.lock.version;
    const auto peer = GetPeer(waiter.source, version);
    XdrWriter octets;
    octets.WriteU32(cookie);
    NlmTestArgs args{octets.Take(), waiter.exclusive, waiter.lock};
    const auto sent = [self = Ptr<NlmServer>(this), peer, cookie](const RpcRecord& record,
                                                                  const XdrVoid&) {
        self->GrantedMsgSent(peer, cookie, record.outcome);
    };
    if (version == NLM_V4)
    {
        peer->Call<NlmGrantedMsg>(args, sent);
        return;
    }
    const Nfs2Fh handle(waiter.lock.file);
    args.lock.file = NfsFh3(handle.octets);
    peer->Call<Nlm1GrantedMsg>({args}, sent);
}

void
NlmServer::GrantedMsgSent(const Ptr<RpcPeer>& peer, uint32_t cookie, RpcOutcome outcome)
{
    if (outcome != RpcOutcome::SUCCESS)
    {
        peer->Disconnect();
    }
    SendGrantedAfter(outcome == RpcOutcome::SUCCESS ? m_grantTimeout : m_grantRetry, cookie);
}

void
NlmServer::SendGrantedAfter(Time delay, uint32_t cookie)
{
    if (m_granting.count(cookie) != 0)
    {
        m_again[cookie] = Simulator::Schedule(delay, [self = Ptr<NlmServer>(this), cookie] {
            self->SendGranted(cookie);
        });
    }
}

void
NlmServer::TakeGrantedRes(const NlmRes& results)
{
    XdrReader reader(results.cookie);
    const uint32_t cookie = reader.ReadU32();
    const auto found = m_granting.find(cookie);
    if (!reader.Ok() || found == m_granting.end())
    {
        return;
    }
    m_again[cookie].Cancel();
    if (results.status == NlmStatus::DENIED_GRACE_PERIOD)
    {
        SendGrantedAfter(m_grantRetry, cookie);
        return;
    }
    m_again.erase(cookie);
    const NlmLock lock = found->second.lock;
    m_granting.erase(found);
    if (results.status != NlmStatus::GRANTED)
    {
        m_table.Unlock(lock);
    }
}

TypeId
NlmNarrowServer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::NlmNarrowServer").SetParent<RpcProgram>().SetGroupName("NfsRdma");
    return tid;
}

NlmNarrowServer::NlmNarrowServer(Ptr<NlmServer> server, uint32_t version)
    : m_server(server),
      m_version(version)
{
}

void
NlmNarrowServer::DoDispose()
{
    m_server = nullptr;
    RpcProgram::DoDispose();
}

uint32_t
NlmNarrowServer::GetProgram() const
{
    return NLM_PROGRAM;
}

} // namespace ns3::nfsrdma
