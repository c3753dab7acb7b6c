/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/nlm-server.h"

#include "nfs/mount/host-name.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(NlmServer);

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

NlmServer::~NlmServer() = default;

void
NlmServer::DoDispose()
{
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
NlmServer::SetFileStore(Ptr<FileStore> store)
{
    m_store = store;
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
    m_callers.clear();
    m_graceEnd = Simulator::Now() + m_gracePeriod;
}

bool
NlmServer::IsInGrace() const
{
    return Simulator::Now() < m_graceEnd;
}

const NlmLockTable&
NlmServer::GetTable() const
{
    return m_table;
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

RpcServerReply
NlmServer::Serve(const RpcServerCall& call)
{
    switch (static_cast<NlmProcedure>(call.header.procedure))
    {
    case NlmProcedure::NULLPROC:
        return ServeStub<NlmNull>(call, [](const XdrVoid&) { return XdrVoid(); });
    case NlmProcedure::TEST:
        return ServeStub<NlmTest>(call, [this](const NlmTestArgs& args) {
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
        return ServeStub<NlmLockCall>(call, [this, &call](const NlmLockArgs& args) {
            return NlmRes{args.cookie, Lock(args, call.source, true)};
        });
    case NlmProcedure::NM_LOCK:
        return ServeStub<NlmNmLock>(call, [this, &call](const NlmLockArgs& args) {
            return NlmRes{args.cookie, Lock(args, call.source, false)};
        });
    case NlmProcedure::CANCEL:
        return ServeStub<NlmCancel>(call, [this](const NlmCancelArgs& args) {
            return NlmRes{args.cookie,
                          m_table.Cancel(args.lock, args.exclusive) ? NlmStatus::GRANTED
                                                                    : NlmStatus::DENIED};
        });
    case NlmProcedure::UNLOCK:
        return ServeStub<NlmUnlock>(call, [this](const NlmUnlockArgs& args) {
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
    case NlmProcedure::GRANTED:
        break;
    }
    return RefuseStubCall(RpcAcceptStatus::PROC_UNAVAIL);
}

NlmStatus
NlmServer::Lock(const NlmLockArgs& args, uint64_t source, bool monitored)
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
    const std::string host = GetHostName(source);
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
        SendGranted(waiter);
    }
}

void
NlmServer::SendGranted(const NlmWaiter& waiter)
{
    if (!m_node)
    {
        return;
    }
    Ptr<RpcPeer>& peer = m_peers[waiter.source];
    if (!peer)
    {
        peer = CreateObject<RpcPeer>(m_node,
                                     Ipv4Address(static_cast<uint32_t>(waiter.source)),
                                     NLM_PROGRAM,
                                     NLM_V4);
    }
    XdrWriter cookie;
    cookie.WriteU32(m_nextCookie++);
    peer->Call<NlmGranted>(
        {cookie.Take(), waiter.exclusive, waiter.lock},
        [self = Ptr<NlmServer>(this), peer = peer, waiter](RpcRecord& record,
                                                           const NlmRes& results) {
            if (record.outcome != RpcOutcome::SUCCESS ||
                results.status == NlmStatus::DENIED_GRACE_PERIOD)
            {
                peer->Disconnect();
                Simulator::Schedule(self->m_grantRetry,
                                    [self, waiter] { self->SendGranted(waiter); });
            }
            else if (results.status != NlmStatus::GRANTED)
            {
                self->m_table.Unlock(waiter.lock);
                self->GrantWaiters();
            }
        });
}

} // namespace ns3::nfsrdma
