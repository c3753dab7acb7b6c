/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/nlm-client.h"

#include "wire/ns3-version.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(NlmClient);

namespace
{

bool
IsSameLock(const NlmRequest& a, const NlmRequest& b)
{
    return a.file == b.file && a.svid == b.svid && a.offset == b.offset && a.length == b.length &&
           a.exclusive == b.exclusive;
}

/// Serves a call of either version.
template <typename Procedure, typename Narrow, typename Serve>
RpcServerReply
ServeTest(const RpcServerCall& call, Serve serve)
{
    if (call.header.version == NLM_V4)
    {
        return ServeStub<Procedure>(call, serve);
    }
    return ServeStub<Narrow>(call, [&serve](const typename Narrow::Arguments& args) {
        return serve(args.message);
    });
}

template <typename Message>
const Message&
Widen(const Message& message)
{
    return message;
}

template <typename Message>
const Message&
Widen(const NlmNarrow<Message>& narrow)
{
    return narrow.message;
}

} // namespace

template <typename Procedure, typename Narrow>
void
NlmClient::CallServer(const typename Procedure::Arguments& arguments,
                      StubCompletion<typename Procedure::Results> completion)
{
    if (m_version == NLM_V4)
    {
        m_peer->Call<Procedure>(arguments, std::move(completion));
        return;
    }
    m_peer->Call<Narrow>(
        {arguments},
        [completion = std::move(completion)](RpcRecord& record,
                                             const typename Narrow::Results& results) {
            completion(record, Widen(results));
        });
}

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
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("PollInterval",
                          "Time that a lock is waited for until it is asked for again. Default: "
                          "Linux's (NLMCLNT_POLL_TIMEOUT).",
                          TimeValue(Seconds(30)),
                          MakeTimeAccessor(&NlmClient::m_pollInterval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddTraceSource("Reclaimed",
                            "A lock has been asked for after a restart of the server.",
                            MakeTraceSourceAccessor(&NlmClient::m_reclaimedTrace),
                            "ns3::nfsrdma::NlmClient::ReclaimedTracedCallback");
    return tid;
}

NlmClient::NlmClient(Ptr<Node> node, const std::string& name, IpAddress server, uint32_t version)
    : m_node(node),
      m_name(name),
      m_server(server),
      m_version(version),
      m_peer(CreateObject<RpcPeer>(node, server, NLM_PROGRAM, version))
{
    m_peer->SetKernel(name);
}

void
NlmClient::DoDispose()
{
    Disconnect();
    m_peer->Dispose();
    m_monitor = nullptr;
    m_node = nullptr;
    RpcProgram::DoDispose();
}

void
NlmClient::SetMonitor(Ptr<NsmServer> monitor)
{
    m_monitor = monitor;
    m_monitor->SetRestartedCallback([this](const std::string& host, uint32_t) {
        if (IpAddress::Parse(host) == m_server)
        {
            Reclaim();
        }
    });
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
    lock.narrow = m_version != NLM_V4;
    lock.version = m_version;
    return lock;
}

ByteVector
NlmClient::TakeCookie()
{
    XdrWriter writer;
    writer.WriteU32(m_nextCookie++);
    return writer.Take();
}

NlmStatus
NlmClient::GetStatus(const RpcRecord& record, NlmStatus status)
{
    if (record.outcome == RpcOutcome::SUCCESS)
    {
        return status;
    }
    m_peer->Disconnect();
    return NlmStatus::FAILED;
}

void
NlmClient::Later(std::function<void()> again)
{
    Simulator::Schedule(m_graceWait, [self = Ptr<NlmClient>(this), again = std::move(again)] {
        if (self->m_closed)
        {
            return;
        }
        if (self->m_reclaiming)
        {
            self->Later(again);
            return;
        }
        again();
    });
}

bool
NlmClient::IsHeld(const NlmRequest& request) const
{
    return std::any_of(m_held.begin(), m_held.end(), [&request](const NlmRequest& other) {
        return IsSameLock(other, request);
    });
}

void
NlmClient::Hold(const NlmRequest& request)
{
    if (!IsHeld(request))
    {
        m_held.push_back(request);
    }
}

std::list<NlmClient::Waiting>::iterator
NlmClient::FindWaiting(const NlmRequest& request)
{
    return std::find_if(m_waiting.begin(), m_waiting.end(), [&request](const Waiting& waiting) {
        return IsSameLock(waiting.request, request);
    });
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
    if (block)
    {
        m_waiting.push_back({request, answered, EventId()});
    }
    SendLock(request, block, std::move(answered));
}

void
NlmClient::SendLock(const NlmRequest& request, bool block, Answered answered)
{
    if (block && FindWaiting(request) == m_waiting.end())
    {
        return; // Granted, or cancelled.
    }
    if (m_reclaiming)
    {
        Later([this, request, block, answered = std::move(answered)] {
            SendLock(request, block, answered);
        });
        return;
    }
    CallLock(request,
             block,
             false,
             [this, request, block, restarts = m_serverRestarts, answered = std::move(answered)](
                 NlmStatus status) {
                 // What was granted before a restart is gone (nlmclnt_lock()).
                 const bool isOld = status == NlmStatus::GRANTED && restarts != m_serverRestarts;
                 TakeLockAnswer(request,
                                block,
                                isOld ? NlmStatus::DENIED_GRACE_PERIOD : status,
                                answered);
             });
}

void
NlmClient::CallLock(const NlmRequest& request, bool block, bool reclaim, Answered answered)
{
    const NlmLockArgs args{TakeCookie(),
                           block,
                           request.exclusive,
                           MakeLock(request),
                           reclaim,
                           m_monitor ? m_monitor->GetState() : 0};
    CallServer<NlmLockCall, Nlm1LockCall>(
        args,
        [self = Ptr<NlmClient>(this), answered = std::move(answered)](const RpcRecord& record,
                                                                      const NlmRes& results) {
            const NlmStatus status = self->GetStatus(record, results.status);
            if (!self->m_closed)
            {
                answered(status);
            }
        });
}

void
NlmClient::TakeLockAnswer(const NlmRequest& request,
                          bool block,
                          NlmStatus status,
                          const Answered& answered)
{
    const auto waits = block ? FindWaiting(request) : m_waiting.end();
    if (block && waits == m_waiting.end())
    {
        if (status == NlmStatus::GRANTED && !IsHeld(request))
        {
            Unlock(request, nullptr); // It was given up meanwhile.
        }
        return;
    }
    switch (status)
    {
    case NlmStatus::BLOCKED:
        if (block)
        {
            waits->poll = Simulator::Schedule(m_pollInterval, [this, request, answered] {
                SendLock(request, true, answered);
            });
            return;
        }
        break;
    case NlmStatus::FAILED:
    case NlmStatus::DENIED_GRACE_PERIOD:
        Later([this, request, block, answered] { SendLock(request, block, answered); });
        return;
    case NlmStatus::GRANTED:
        Hold(request);
        break;
    default:
        break;
    }
    if (block)
    {
        m_waiting.erase(waits);
    }
    if (answered)
    {
        answered(status);
    }
}

void
NlmClient::Unlock(const NlmRequest& request, Answered answered)
{
    const auto isIt = [&request](const NlmRequest& other) { return IsSameLock(other, request); };
    m_held.erase(std::remove_if(m_held.begin(), m_held.end(), isIt), m_held.end());
    m_reclaim.erase(std::remove_if(m_reclaim.begin(), m_reclaim.end(), isIt), m_reclaim.end());
    CallServer<NlmUnlock, Nlm1Unlock>(
        {TakeCookie(), MakeLock(request)},
        [self = Ptr<NlmClient>(this), request, answered](const RpcRecord& record,
                                                         const NlmRes& results) {
            const NlmStatus status = self->GetStatus(record, results.status);
            if (self->m_closed)
            {
                return;
            }
            if (status == NlmStatus::FAILED || status == NlmStatus::DENIED_GRACE_PERIOD)
            {
                self->Later([self, request, answered] { self->Unlock(request, answered); });
            }
            else if (answered)
            {
                answered(status);
            }
        });
}

void
NlmClient::Cancel(const NlmRequest& request, Answered answered)
{
    const auto waits = FindWaiting(request);
    if (waits != m_waiting.end())
    {
        waits->poll.Cancel();
        const Answered denied = waits->answered;
        m_waiting.erase(waits);
        if (denied)
        {
            denied(NlmStatus::DENIED);
        }
    }
    CallServer<NlmCancel, Nlm1Cancel>(
        {TakeCookie(), true, request.exclusive, MakeLock(request)},
        [self = Ptr<NlmClient>(this), answered](const RpcRecord& record, const NlmRes& results) {
            const auto status = self->GetStatus(record, results.status);
            if (answered && !self->m_closed)
            {
                answered(status);
            }
        });
}

void
NlmClient::Test(const NlmRequest& request,
                std::function<void(NlmStatus status, const NlmHolder& holder)> tested)
{
    CallServer<NlmTest, Nlm1Test>(
        {TakeCookie(), request.exclusive, MakeLock(request)},
        [self = Ptr<NlmClient>(this),
         request,
         tested = std::move(tested)](const RpcRecord& record, const NlmTestRes& results) {
            const NlmStatus status = self->GetStatus(record, results.status);
            if (self->m_closed)
            {
                return;
            }
            if (status == NlmStatus::FAILED || status == NlmStatus::DENIED_GRACE_PERIOD)
            {
                self->Later([self, request, tested] { self->Test(request, tested); });
                return;
            }
            tested(status, results.holder);
        });
}

void
NlmClient::Reclaim()
{
    ++m_serverRestarts;
    m_peer->Disconnect();
    m_reclaim.insert(m_reclaim.end(), m_held.rbegin(), m_held.rend());
    m_held.clear();
    if (!m_reclaiming)
    {
        m_reclaiming = true;
        ReclaimNext();
    }
}

void
NlmClient::ReclaimNext()
{
    if (m_reclaim.empty())
    {
        m_reclaiming = false;
        // The server has forgotten who waits (reclaimer()).
        for (const Waiting& waiting : std::list<Waiting>(m_waiting))
        {
            if (IsPending(waiting.poll))
            {
                FindWaiting(waiting.request)->poll.Cancel();
                SendLock(waiting.request, true, waiting.answered);
            }
        }
        return;
    }
    const NlmRequest request = m_reclaim.back();
    m_reclaim.pop_back();
    CallLock(request, false, true, [this, request, restarts = m_serverRestarts](NlmStatus status) {
        if (restarts != m_serverRestarts)
        {
            m_reclaim.push_back(request); // It has restarted again.
        }
        else
        {
            m_reclaimedTrace(request, status);
            if (status == NlmStatus::GRANTED)
            {
                Hold(request);
            }
        }
        ReclaimNext();
    });
}

void
NlmClient::Disconnect()
{
    m_closed = true;
    for (Waiting& waiting : m_waiting)
    {
        waiting.poll.Cancel();
    }
    m_waiting.clear();
    m_peer->Disconnect();
}

uint32_t
NlmClient::GetProgram() const
{
    return NLM_PROGRAM;
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
        done(ServeTest<NlmGranted, Nlm1Granted>(*call, [this](const NlmTestArgs& args) {
            return NlmRes{args.cookie, TakeGranted(args)};
        }));
        return;
    case NlmProcedure::GRANTED_MSG:
        done(ServeTest<NlmGrantedMsg, Nlm1GrantedMsg>(*call, [this](const NlmTestArgs& args) {
            AnswerGranted(args.cookie, TakeGranted(args));
            return XdrVoid();
        }));
        return;
    case NlmProcedure::TEST_RES:
    case NlmProcedure::LOCK_RES:
    case NlmProcedure::CANCEL_RES:
    case NlmProcedure::UNLOCK_RES:
        done(EncodeStubReply(XdrVoid()));
        return;
    default:
        done(RefuseStubCall(RpcAcceptStatus::PROC_UNAVAIL));
        return;
    }
}

NlmStatus
NlmClient::TakeGranted(const NlmTestArgs& args)
{
    const NlmRequest request{args.lock.file,
                             args.lock.svid,
                             args.lock.offset,
                             args.lock.length,
                             args.exclusive};
    const auto waits = FindWaiting(request);
    if (waits == m_waiting.end())
    {
        return IsHeld(request) ? NlmStatus::GRANTED : NlmStatus::DENIED;
    }
    waits->poll.Cancel();
    const Answered answered = waits->answered;
    m_waiting.erase(waits);
    Hold(request);
    if (answered)
    {
        Simulator::ScheduleNow([answered] { answered(NlmStatus::GRANTED); });
    }
    return NlmStatus::GRANTED;
}

void
NlmClient::AnswerGranted(const ByteVector& cookie, NlmStatus status)
{
    m_peer->Call<NlmGrantedRes>(
        {cookie, status},
        [self = Ptr<NlmClient>(this)](const RpcRecord& record, const XdrVoid&) {
            (void)self->GetStatus(record, NlmStatus::GRANTED);
        });
}

} // namespace ns3::nfsrdma
