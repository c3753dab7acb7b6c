/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/nlm-client.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(NlmClient);

namespace
{

bool
IsSame(const NlmRequest& a, const NlmRequest& b)
{
    return a.file == b.file && a.svid == b.svid && a.offset == b.offset && a.length == b.length &&
           a.exclusive == b.exclusive;
}

} // namespace

TypeId
NlmClient::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::NlmClient")
            .SetParent<RpcProgram>()
            .SetGroupName("NfsRdma")
            .AddAttribute("GraceWait",
                          "Time between a LOCK that the grace period denies and the next. Default: "
                          "Linux's (NLMCLNT_GRACE_WAIT).",
                          TimeValue(Seconds(5)),
                          MakeTimeAccessor(&NlmClient::m_graceWait),
                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

NlmClient::NlmClient(Ptr<Node> node, const std::string& name, Ipv4Address server)
    : m_node(node),
      m_name(name),
      m_server(server),
      m_peer(CreateObject<RpcPeer>(node, server, NLM_PROGRAM, NLM_V4))
{
}

NlmClient::~NlmClient() = default;

void
NlmClient::DoDispose()
{
    m_peer->Dispose();
    m_monitor = nullptr;
    m_waiting.clear();
    m_node = nullptr;
    RpcProgram::DoDispose();
}

void
NlmClient::SetMonitor(Ptr<NsmServer> monitor)
{
    m_monitor = monitor;
    m_monitor->SetRestartedCallback([this](const std::string& host, uint32_t) {
        if (m_server == Ipv4Address(host.c_str()))
        {
            Reclaim();
        }
    });
}

std::size_t
NlmClient::GetLockCount() const
{
    return m_held.size();
}

NlmLock
NlmClient::MakeLock(const NlmRequest& request) const
{
    NlmLock lock;
    lock.caller = m_name;
    lock.file = request.file;
    const std::string owner = std::to_string(request.svid) + "@" + m_name;
    lock.owner.assign(owner.begin(), owner.end());
    lock.svid = request.svid;
    lock.offset = request.offset;
    lock.length = request.length;
    return lock;
}

ByteVector
NlmClient::TakeCookie()
{
    XdrWriter writer;
    writer.WriteU32(m_nextCookie++);
    return writer.Take();
}

void
NlmClient::Lock(const NlmRequest& request, bool block, Answered answered)
{
    if (m_monitor)
    {
        std::ostringstream server;
        server << m_server;
        m_monitor->Monitor(server.str());
    }
    SendLock(request, block, false, std::move(answered));
}

void
NlmClient::SendLock(const NlmRequest& request, bool block, bool reclaim, Answered answered)
{
    NlmLockArgs args{TakeCookie(),
                     block,
                     request.exclusive,
                     MakeLock(request),
                     reclaim,
                     m_monitor ? m_monitor->GetState() : 0};
    if (block)
    {
        m_waiting.push_back({request, answered});
    }
    m_peer->Call<NlmLockCall>(
        args,
        [self = Ptr<NlmClient>(this), request, block, reclaim, answered](RpcRecord& record,
                                                                         const NlmRes& results) {
            const NlmStatus status =
                record.outcome == RpcOutcome::SUCCESS ? results.status : NlmStatus::FAILED;
            const auto waits = std::find_if(
                self->m_waiting.begin(),
                self->m_waiting.end(),
                [&request](const Waiting& waiting) { return IsSame(waiting.request, request); });
            if (block && waits == self->m_waiting.end())
            {
                return; // GRANTED came first.
            }
            if (block && status != NlmStatus::BLOCKED)
            {
                self->m_waiting.erase(waits);
            }
            if (status == NlmStatus::DENIED_GRACE_PERIOD && !reclaim)
            {
                Simulator::Schedule(self->m_graceWait, [self, request, block, answered] {
                    self->SendLock(request, block, false, answered);
                });
                return;
            }
            if (status == NlmStatus::GRANTED)
            {
                self->Hold(request);
            }
            if (status != NlmStatus::BLOCKED && answered)
            {
                answered(status);
            }
        });
}

void
NlmClient::Hold(const NlmRequest& request)
{
    const bool held =
        std::any_of(m_held.begin(), m_held.end(), [&request](const NlmRequest& other) {
            return IsSame(other, request);
        });
    if (!held)
    {
        m_held.push_back(request);
    }
}

void
NlmClient::Unlock(const NlmRequest& request, Answered answered)
{
    m_held.erase(
        std::remove_if(m_held.begin(),
                       m_held.end(),
                       [&request](const NlmRequest& other) { return IsSame(other, request); }),
        m_held.end());
    m_peer->Call<NlmUnlock>({TakeCookie(), MakeLock(request)},
                            [answered](RpcRecord& record, const NlmRes& results) {
                                if (answered)
                                {
                                    answered(record.outcome == RpcOutcome::SUCCESS
                                                 ? results.status
                                                 : NlmStatus::FAILED);
                                }
                            });
}

void
NlmClient::Cancel(const NlmRequest& request, Answered answered)
{
    const auto waits =
        std::find_if(m_waiting.begin(), m_waiting.end(), [&request](const Waiting& waiting) {
            return IsSame(waiting.request, request);
        });
    if (waits != m_waiting.end())
    {
        const Answered denied = waits->answered;
        m_waiting.erase(waits);
        if (denied)
        {
            denied(NlmStatus::DENIED);
        }
    }
    m_peer->Call<NlmCancel>({TakeCookie(), true, request.exclusive, MakeLock(request)},
                            [answered](RpcRecord& record, const NlmRes& results) {
                                if (answered)
                                {
                                    answered(record.outcome == RpcOutcome::SUCCESS
                                                 ? results.status
                                                 : NlmStatus::FAILED);
                                }
                            });
}

void
NlmClient::Test(const NlmRequest& request,
                std::function<void(NlmStatus status, const NlmHolder& holder)> tested)
{
    m_peer->Call<NlmTest>(
        {TakeCookie(), request.exclusive, MakeLock(request)},
        [tested = std::move(tested)](RpcRecord& record, const NlmTestRes& results) {
            tested(record.outcome == RpcOutcome::SUCCESS ? results.status : NlmStatus::FAILED,
                   results.holder);
        });
}

void
NlmClient::Reclaim()
{
    m_peer->Disconnect();
    const std::vector<NlmRequest> held = std::move(m_held);
    m_held.clear();
    for (const NlmRequest& request : held)
    {
        SendLock(request, false, true, nullptr);
    }
}

uint32_t
NlmClient::GetProgram() const
{
    return NLM_PROGRAM;
}

uint32_t
NlmClient::GetVersion() const
{
    return NLM_V4;
}

void
NlmClient::Dispatch(std::shared_ptr<RpcServerCall> call, Done done)
{
    switch (static_cast<NlmProcedure>(call->header.procedure))
    {
    case NlmProcedure::NULLPROC:
        done(ServeStub<NlmNull>(*call, [](const XdrVoid&) { return XdrVoid(); }));
        return;
    case NlmProcedure::GRANTED:
        done(ServeStub<NlmGranted>(*call, [this](const NlmTestArgs& args) {
            return NlmRes{args.cookie, TakeGranted(args)};
        }));
        return;
    default:
        done(RefuseStubCall(RpcAcceptStatus::PROC_UNAVAIL));
        return;
    }
}

NlmStatus
NlmClient::TakeGranted(const NlmTestArgs& args)
{
    const auto waits =
        std::find_if(m_waiting.begin(), m_waiting.end(), [&args](const Waiting& waiting) {
            const NlmRequest& request = waiting.request;
            return request.file == args.lock.file && request.svid == args.lock.svid &&
                   request.offset == args.lock.offset && request.length == args.lock.length &&
                   request.exclusive == args.exclusive;
        });
    if (waits == m_waiting.end())
    {
        return NlmStatus::DENIED;
    }
    const Waiting waiting = *waits;
    m_waiting.erase(waits);
    Hold(waiting.request);
    if (waiting.answered)
    {
        waiting.answered(NlmStatus::GRANTED);
    }
    return NlmStatus::GRANTED;
}

} // namespace ns3::nfsrdma
