/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/nlm-server.h"

#include "nfs/v2/procedures2.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(NlmServer);
NS_OBJECT_ENSURE_REGISTERED(NlmServerV1);

namespace
{

/// \return what version 1 has for a status (cast_to_nlm() in fs/lockd/svcproc.c).
NlmStatus
ToVersion1(NlmStatus status)
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
ToVersion1(NlmRes results)
{
    results.status = ToVersion1(results.status);
    return results;
}

NlmNarrow<NlmTestRes>
ToVersion1(NlmTestRes results)
{
    results.status = ToVersion1(results.status);
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

NlmLock
NlmServer::FromVersion1(const NlmLock& lock) const
{
    NlmLock wide = lock;
    if (m_store && lock.file.length == NFS2_FHSIZE)
    {
        wide.file = Nfs2HandleSizes::Of(*m_store).ToNfs3(Nfs2Fh(lock.file));
    }
    return wide;
}

template <typename Procedure, typename Narrow, typename Handler>
RpcServerReply
NlmServer::ServeEither(const RpcServerCall& call, Handler serve) const
{
    if (call.header.version == NLM_V4)
    {
        return ServeStub<Procedure>(call, serve);
    }
    return ServeStub<Narrow>(call, [this, &serve](const typename Narrow::Arguments& narrow) {
        auto args = narrow.message;
        args.lock = FromVersion1(args.lock);
        return ToVersion1(serve(args));
    });
}

RpcServerReply
NlmServer::Serve(const RpcServerCall& call)
{
    // SHARE and those after it are of versions 3 and 4.
    if (call.header.version == NLM_V1 &&
        call.header.procedure >= static_cast<uint32_t>(NlmProcedure::SHARE))
    {
        return RefuseStubCall(RpcAcceptStatus::PROC_UNAVAIL);
    }
    switch (static_cast<NlmProcedure>(call.header.procedure))
    {
    case NlmProcedure::NULLPROC:
        return ServeStub<NlmNull>(call, [](const XdrVoid&) { return XdrVoid(); });
    case NlmProcedure::TEST:
        return ServeEither<NlmTest, Nlm1Test>(call, [this](const NlmTestArgs& args) {
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
        });
    case NlmProcedure::LOCK:
        return ServeEither<NlmLockCall, Nlm1LockCall>(call, [this, &call](const NlmLockArgs& args) {
            return NlmRes{args.cookie, Lock(args, call.source, true)};
        });
    case NlmProcedure::NM_LOCK:
        return ServeStub<NlmNmLock>(call, [this, &call](const NlmLockArgs& args) {
            return NlmRes{args.cookie, Lock(args, call.source, false)};
        });
    case NlmProcedure::CANCEL:
        return ServeEither<NlmCancel, Nlm1Cancel>(call, [this](const NlmCancelArgs& args) {
            return NlmRes{args.cookie,
                          m_table.Cancel(args.lock, args.exclusive) ? NlmStatus::GRANTED
                                                                    : NlmStatus::DENIED};
        });
    case NlmProcedure::UNLOCK:
        return ServeEither<NlmUnlock, Nlm1Unlock>(call, [this](const NlmUnlockArgs& args) {
            const NlmStatus grace = CheckGrace(false);
            return NlmRes{args.cookie,
                          grace == NlmStatus::GRANTED ? m_table.Unlock(args.lock) : grace};
        });
    case NlmProcedure::SHARE:
        return ServeStub<NlmShare>(call, [this](const NlmShareArgs& args) {
            const NlmStatus grace = CheckGrace(args.reclaim);
            return NlmShareRes{args.cookie,
                               grace == NlmStatus::GRANTED ? m_table.Share(args) : grace,
                               0};
        });
    case NlmProcedure::UNSHARE:
        return ServeStub<NlmUnshare>(call, [this](const NlmShareArgs& args) {
            m_table.Unshare(args);
            return NlmShareRes{args.cookie, NlmStatus::GRANTED, 0};
        });
    case NlmProcedure::FREE_ALL:
        return ServeStub<NlmFreeAll>(call, [this](const NlmNotify& args) {
            m_table.FreeAll(args.name);
            return XdrVoid();
        });
    case NlmProcedure::GRANTED_RES:
        return ServeStub<NlmGrantedRes>(call, [this](const NlmRes& results) {
            TakeGrantedRes(results);
            return XdrVoid();
        });
    case NlmProcedure::GRANTED:
    case NlmProcedure::GRANTED_MSG:
        break;
    }
    return RefuseStubCall(RpcAcceptStatus::PROC_UNAVAIL);
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
    const uint32_t version = waiter.lock.narrow ? NLM_V1 : NLM_V4;
    Ptr<RpcPeer>& peer = m_peers[{waiter.source, version}];
    if (!peer)
    {
        peer = CreateObject<RpcPeer>(m_node, waiter.source, NLM_PROGRAM, version);
        peer->SetKernel("server");
    }
    XdrWriter octets;
    octets.WriteU32(cookie);
    NlmTestArgs args{octets.Take(), waiter.exclusive, waiter.lock};
    const auto sent = [self = Ptr<NlmServer>(this), peer = peer, cookie](const RpcRecord& record,
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
NlmServerV1::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::NlmServerV1").SetParent<RpcProgram>().SetGroupName("NfsRdma");
    return tid;
}

NlmServerV1::NlmServerV1(Ptr<NlmServer> server)
    : m_server(server)
{
}

void
NlmServerV1::DoDispose()
{
    m_server = nullptr;
    RpcProgram::DoDispose();
}

uint32_t
NlmServerV1::GetProgram() const
{
    return NLM_PROGRAM;
}

uint32_t
NlmServerV1::GetVersion() const
{
    return NLM_V1;
}

} // namespace ns3::nfsrdma
