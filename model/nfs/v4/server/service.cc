/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/service.h"

#include "nfs/types/rpc-stub.h"
#include "nfs/v4/protocol/operation-rules.h"
#include "nfs/v4/server/copy-run.h"
#include "rpc/service-times.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <utility>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("Nfs4Server");
NS_OBJECT_ENSURE_REGISTERED(Nfs4Server);

namespace
{

/// As NFSD_MAX_OPS_PER_COMPOUND: more are not decoded.
constexpr uint32_t MAX_OPERATIONS = 50;

} // namespace

TypeId
Nfs4Server::GetTypeId()
{
    static TypeId tid = AddAttributes(
        TypeId("ns3::nfsrdma::Nfs4Server")
            .SetParent<RpcProgram>()
            .SetGroupName("NfsRdma")
            .AddConstructor<Nfs4Server>()
            .AddAttribute("MaxTransferSize",
                          "Octets of data of one READ or WRITE: maxread, maxwrite. Default: "
                          "Linux's nfsd as in the captures.",
                          UintegerValue(262144),
                          MakeUintegerAccessor(&Nfs4Server::SetMaxTransferSize,
                                               &Nfs4Server::GetMaxTransferSize),
                          MakeUintegerChecker<uint32_t>(1024))
            .AddAttribute("LeaseTime",
                          "How long state lives without renewal, and how long a recalled "
                          "delegation may take. Default: Linux's nfsd.",
                          TimeValue(Seconds(90)),
                          MakeTimeAccessor(&Nfs4Server::SetLeaseTime, &Nfs4Server::GetLeaseTime),
                          MakeTimeChecker(Seconds(1)))
            .AddAttribute(
                "BootVerifier",
                "Verifier of WRITE and COMMIT, another one after each start of the server.",
                UintegerValue(1),
                MakeUintegerAccessor(&Nfs4Server::SetBootVerifier, &Nfs4Server::GetBootVerifier),
                MakeUintegerChecker<uint64_t>())
            .AddTraceSource("Served",
                            "A COMPOUND is answered: last operation, status, time since dispatch.",
                            MakeTraceSourceAccessor(&Nfs4Server::m_servedTrace),
                            "ns3::nfsrdma::Nfs4Server::ServedTracedCallback")
            .AddTraceSource("Delegated",
                            "A delegation has been granted: client, file.",
                            MakeTraceSourceAccessor(&Nfs4Server::m_delegatedTrace),
                            "ns3::nfsrdma::Nfs4Server::DelegatedTracedCallback")
            .AddTraceSource("Recalled",
                            "A delegation is to be recalled: client, file.",
                            MakeTraceSourceAccessor(&Nfs4Server::m_recalledTrace),
                            "ns3::nfsrdma::Nfs4Server::RecalledTracedCallback"),
        Nfs4ServerSettings::GetRows(),
        &Nfs4Server::m_settings);
    return tid;
}

void
Nfs4Server::DoDispose()
{
    m_delegationWaiters.Clear();
    m_state.reset();
    m_store = nullptr;
    m_storage = nullptr;
    m_memory = nullptr;
    m_routes = {};
    RpcProgram::DoDispose();
}

uint32_t
Nfs4Server::GetProgram() const
{
    return NFS_PROGRAM;
}

uint32_t
Nfs4Server::GetVersion() const
{
    return NFS_V4;
}

RpcMessageLimits
Nfs4Server::GetMessageLimits() const
{
    const uint64_t octets = m_settings.session.maxMessage;
    return {octets, octets};
}

bool
Nfs4Server::IsIdempotentCall(const RpcCallHeader& header,
                             const RpcReceivedMessage& message,
                             uint32_t argumentsPosition) const
{
    if (header.procedure != NFSPROC4_COMPOUND)
    {
        return true;
    }
    XdrReader peek(ByteSpan(message.octets).subspan(argumentsPosition));
    peek.ReadOpaque(NFS4_OPAQUE_LIMIT);
    if (peek.ReadU32() != 0 || !peek.Ok())
    {
        return true;
    }
    XdrReader reader(ByteSpan(message.octets).subspan(argumentsPosition));
    Nfs4DataItems items = Nfs4DataItems::OfCall(message, argumentsPosition);
    const auto args = Compound4Args::Decode(reader, &items, MAX_OPERATIONS);
    return !args || std::none_of(args->ops.begin(), args->ops.end(), [](const Nfs4ArgOp& op) {
        return IsCachedNfs40(GetOp(op));
    });
}

void
Nfs4Server::Start()
{
    const auto boot = m_store->GetFileSystem().GetSettings().epoch +
                      static_cast<uint32_t>(Simulator::Now().GetSeconds()) + m_starts++;
    Nfs4ServerActions actions;
    actions.recalled = [this](const Nfs4StatePtr& delegation) {
        m_recalledTrace(delegation->client, delegation->file.first);
    };
    actions.delegated = [this](const Nfs4StatePtr& delegation) {
        m_delegatedTrace(delegation->client, delegation->file.first);
    };
    actions.copy = [this](const Nfs4AsyncCopyPtr& copy) {
        const auto run = std::make_shared<Nfs4CopyRun>(*m_state, m_storage, copy);
        Simulator::ScheduleNow([run] { run->Start(); });
    };
    m_state = std::make_unique<Nfs4ServerState>(m_store,
                                                m_settings,
                                                m_routes,
                                                std::move(actions),
                                                boot,
                                                m_nextClient);
    m_state->isMemoryShort = [memory = m_memory] { return memory && memory->IsUnderPressure(); };
}

uint32_t
Nfs4Server::ReduceSlots(uint32_t slots)
{
    return m_state && m_settings.session.growth ? m_state->sessions.ReduceSlots(slots) : 0;
}

Nfs4ServerState&
Nfs4Server::GetState()
{
    if (!m_state)
    {
        Start();
    }
    return *m_state;
}

void
Nfs4Server::Stop()
{
    if (m_state)
    {
        m_state->callbacks.Close();
        m_delegationWaiters.WakeAll();
        m_state->copies.RemoveAll();
    }
}

void
Nfs4Server::Restart()
{
    Nfs4GracePeriod grace = GetState().grace;
    Stop();
    m_nextClient += static_cast<uint32_t>(m_state->clients.GetCount()) + 1;
    SetBootVerifier(GetBootVerifier() + 1);
    Start();
    grace.Start(Simulator::Now(), m_settings.graceTime);
    m_state->grace = std::move(grace);
}

void
Nfs4Server::HandleConnectionEnd(uint64_t connection)
{
    if (!m_state)
    {
        return;
    }
    for (const Nfs4ClientId id : m_state->sessions.Unbind(connection))
    {
        if (Nfs4Client* client = m_state->clients.Find(id))
        {
            m_state->callbacks.ReviewBackChannel(*client);
        }
    }
}

bool
Nfs4Server::BreakDelegations(InodeNumber number)
{
    Nfs4ServerState& state = GetState();
    state.Launder(Simulator::Now());
    return state.BreakDelegations(number, 0, Simulator::Now());
}

void
Nfs4Server::AwaitReturn(const std::vector<InodeNumber>& numbers, std::function<void()> then)
{
    std::vector<Nfs4FileKey> files;
    files.reserve(numbers.size());
    for (const InodeNumber number : numbers)
    {
        files.push_back(GetState().GetKey(number));
    }
    m_delegationWaiters.Add(std::move(files), GetReturnWait(), std::move(then));
}

void
Nfs4Server::Dispatch(std::shared_ptr<RpcServerCall> call, Done done)
{
    if (call->header.procedure == NFSPROC4_NULL)
    {
        done(RpcServerReply());
        return;
    }
    if (call->header.procedure != NFSPROC4_COMPOUND)
    {
        done(RefuseStubCall(RpcAcceptStatus::PROC_UNAVAIL));
        return;
    }
    XdrReader reader(ByteSpan(call->message.octets).subspan(call->argumentsPosition));
    Nfs4DataItems items = Nfs4DataItems::OfCall(call->message, call->argumentsPosition);
    auto args = Compound4Args::Decode(reader, &items, MAX_OPERATIONS);
    const bool whole = args && !args->error && args->ops.size() == args->opCount;
    const bool cut = args && args->error && args->error->status == Nfs4Status::BADXDR;
    if (!args || ((whole || cut) && !items.AllUsed()))
    {
        NS_LOG_LOGIC("garbage arguments");
        ++m_garbageCalls;
        done(RefuseStubCall(RpcAcceptStatus::GARBAGE_ARGS));
        return;
    }
    Nfs4ServerState& state = GetState();
    state.Launder(Simulator::Now());
    Nfs4CompoundProcessor processor(state, *call, m_memory, Simulator::Now());
    const auto outcome = std::make_shared<Nfs4CompoundProcessor::Outcome>(processor.Process(*args));
    if (processor.IsWaiting())
    {
        Pause(std::move(call), std::move(processor), std::move(*args), std::move(done));
        return;
    }
    Leave(*call, outcome, Simulator::Now(), std::move(done));
}

void
Nfs4Server::Pause(std::shared_ptr<RpcServerCall> call,
                  Nfs4CompoundProcessor&& processor,
                  Compound4Args&& args,
                  Done done)
{
    const auto kept = std::make_shared<Nfs4CompoundProcessor>(std::move(processor));
    const auto sought = std::make_shared<const Compound4Args>(std::move(args));
    AwaitReturn(kept->GetAwaited(),
                [this,
                 call = std::move(call),
                 kept,
                 sought,
                 started = Simulator::Now(),
                 done = std::move(done)]() mutable {
                    auto outcome = kept->Resume(*sought, Simulator::Now());
                    if (kept->IsWaiting())
                    {
                        Pause(std::move(call), std::move(*kept), Compound4Args(*sought), done);
                        return;
                    }
                    Leave(*call,
                          std::make_shared<Nfs4CompoundProcessor::Outcome>(std::move(outcome)),
                          started,
                          std::move(done));
                });
}

void
Nfs4Server::Leave(const RpcServerCall& call, const OutcomePtr& outcome, Time started, Done done)
{
    for (const Nfs4Op op : outcome->operations)
    {
        ++m_operations[op];
    }
    m_delegationWaiters.Check([this](const Nfs4FileKey& file) {
        return m_state->states.GetDelegations(file, 0).empty();
    });
    m_state->NotifyLocks(Simulator::Now());
    auto leave = [self = Ptr<Nfs4Server>(this), outcome, started, done = std::move(done)] {
        if (outcome->release)
        {
            outcome->release();
        }
        const Nfs4Op last =
            outcome->operations.empty() ? Nfs4Op::ILLEGAL : outcome->operations.back();
        self->m_servedTrace(last, outcome->status, Simulator::Now() - started);
        RpcServerReply reply;
        reply.results = std::move(outcome->results);
        reply.operations = static_cast<uint32_t>(outcome->operations.size());
        reply.isOfSession =
            !outcome->operations.empty() && outcome->operations.front() == Nfs4Op::SEQUENCE;
        done(std::move(reply));
    };
    if (!m_storage)
    {
        leave();
        return;
    }
    m_storage->DoAll(std::move(outcome->work),
                     RpcServiceTimes::Around(call.message.times, std::move(leave)));
}

uint64_t
Nfs4Server::GetOperations(Nfs4Op op) const
{
    const auto found = m_operations.find(op);
    return found == m_operations.end() ? 0 : found->second;
}

void
Nfs4Server::SetBootVerifier(uint64_t verifier)
{
    boost::endian::store_big_u64(m_settings.writeVerifier.data(), verifier);
}

uint64_t
Nfs4Server::GetBootVerifier() const
{
    return boost::endian::load_big_u64(m_settings.writeVerifier.data());
}

void
Nfs4Server::SetMaxTransferSize(uint32_t octets)
{
    m_settings.attributes.maxTransfer = octets;
    m_settings.session.maxMessage = octets + HostMemory::PAGE_SIZE;
}

Time
Nfs4Server::GetLeaseTime() const
{
    return Seconds(m_settings.attributes.leaseTime);
}

} // namespace ns3::nfsrdma
