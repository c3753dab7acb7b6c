/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/compounds.h"

#include "nfs/v3/status3.h"
#include "nfs/v4/client/callback-program.h"
#include "nfs/v4/protocol/reply-size.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(Nfs4CompoundClient);

namespace
{

/// Stands for the device number of the mount and the time its owner was made, in owners' names.
constexpr uint32_t MOUNT_DEVICE = 0x2b;

} // namespace

TypeId
Nfs4CompoundClient::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::Nfs4CompoundClient")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<Nfs4CompoundClient>()
            .AddAttribute("MinorVersion",
                          "Minor version of NFSv4, 0 to 2. Default: 1, that of the captures of "
                          "Linux 6.1 (a mount without option takes 2).",
                          UintegerValue(1),
                          MakeUintegerAccessor(&Nfs4CompoundClient::m_minorVersion),
                          MakeUintegerChecker<uint32_t>(0, 2))
            .AddAttribute("Slots",
                          "Slots asked for in a session's fore channel, and used at first at most. "
                          "Default: 64, Linux's max_session_slots.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&Nfs4CompoundClient::m_slotsWanted),
                          MakeUintegerChecker<uint32_t>(1, Nfs4ClientSlotTable::MAXIMUM))
            .AddAttribute("RetryDelay",
                          "Time before a call that the server asked to delay is made again; it "
                          "doubles each time. Default: 100 ms, Linux's NFS4_POLL_RETRY_MIN.",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&Nfs4CompoundClient::m_retryDelay),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("RetryDelayMaximum",
                          "Bound of the time before a call is made again. Default: 15 s, Linux's "
                          "NFS4_POLL_RETRY_MAX.",
                          TimeValue(Seconds(15)),
                          MakeTimeAccessor(&Nfs4CompoundClient::m_retryDelayMaximum),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("AclRoom",
                          "Room for an access list that is asked for (octets). Default: 266240, "
                          "what Linux has when an application asks how large the list is and "
                          "rsize is 262144: that and a page.",
                          UintegerValue(Nfs4SizeGuess().aclOctets),
                          MakeUintegerAccessor(&Nfs4CompoundClient::m_aclRoom),
                          MakeUintegerChecker<uint32_t>(1, 1048576))
            .AddAttribute("ReduceReadlink",
                          "Whether READLINK's path may come by Write chunk, as RFC 8267 section "
                          "6.1 allows. Default: no, as Linux's client, which offers a Reply chunk.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Nfs4CompoundClient::m_reduceReadlink),
                          MakeBooleanChecker())
            .AddTraceSource("StepDone",
                            "A step of recovery has ended.",
                            MakeTraceSourceAccessor(&Nfs4CompoundClient::m_stepDoneTrace),
                            "ns3::nfsrdma::Nfs4CompoundClient::StepDoneTracedCallback")
            .AddTraceSource("SlotFailed",
                            "An RPC ended without SEQUENCE's result, or with an error of it.",
                            MakeTraceSourceAccessor(&Nfs4CompoundClient::m_slotFailedTrace),
                            "ns3::nfsrdma::Nfs4CompoundClient::SlotFailedTracedCallback")
            .AddTraceSource("Recalled",
                            "The server wants a delegation back.",
                            MakeTraceSourceAccessor(&Nfs4CompoundClient::m_recalledTrace),
                            "ns3::nfsrdma::Nfs4CompoundClient::RecalledTracedCallback");
    return tid;
}

Nfs4CompoundClient::Nfs4CompoundClient() = default;
Nfs4CompoundClient::~Nfs4CompoundClient() = default;

void
Nfs4CompoundClient::DoDispose()
{
    m_renewal.Cancel();
    m_recovery.Cancel();
    m_started = false;
    m_startDone = nullptr;
    m_stopDone = nullptr;
    m_waiting.clear();
    m_privileged.clear();
    m_held.Clear();
    m_offloads.Clear();
    m_lockNotice = nullptr;
    m_openOwner = nullptr;
    if (m_callback)
    {
        m_callback->SetClient(nullptr);
        m_callback = nullptr;
    }
    m_rpc = nullptr;
    m_memory = nullptr;
    Object::DoDispose();
}

void
Nfs4CompoundClient::SetRpcClient(Ptr<RpcClient> client)
{
    m_rpc = client;
    m_rpc->SetProgram(NFS_PROGRAM, NFS_V4);
}

Ptr<RpcClient>
Nfs4CompoundClient::GetRpcClient() const
{
    return m_rpc;
}

void
Nfs4CompoundClient::SetHostMemory(Ptr<HostMemory> memory)
{
    m_memory = memory;
}

Ptr<HostMemory>
Nfs4CompoundClient::GetHostMemory() const
{
    return m_memory;
}

void
Nfs4CompoundClient::SetNames(const std::string& host, const std::string& server)
{
    m_hostName = host;
    m_serverName = server;
}

void
Nfs4CompoundClient::SetLargestTransfer(uint32_t octets)
{
    m_largestTransfer = octets;
}

void
Nfs4CompoundClient::SetCallbackServer(Ptr<RpcServer> server, const NetAddr4& address)
{
    m_callback = CreateObject<Nfs4CallbackProgram>();
    m_callback->SetClient(this);
    m_callbackAddress = address;
    server->Register(m_callback);
}

Ptr<Nfs4CallbackProgram>
Nfs4CompoundClient::GetCallbackProgram() const
{
    return m_callback;
}

const NetAddr4&
Nfs4CompoundClient::GetCallbackAddress() const
{
    return m_callbackAddress;
}

void
Nfs4CompoundClient::ResetCallbackSlots(uint32_t slots)
{
    m_callback->ResetSlots(slots);
}

Nfs4OffloadTable&
Nfs4CompoundClient::GetOffloads()
{
    return m_offloads;
}

void
Nfs4CompoundClient::SetLockNotice(LockNotice notice)
{
    m_lockNotice = std::move(notice);
}

void
Nfs4CompoundClient::NotifyLock(const CbNotifyLockArgs4& notice)
{
    if (m_lockNotice)
    {
        m_lockNotice(notice);
    }
}

uint32_t
Nfs4CompoundClient::GetMinorVersion() const
{
    return m_minorVersion;
}

bool
Nfs4CompoundClient::HasSessions() const
{
    return m_minorVersion != 0;
}

bool
Nfs4CompoundClient::IsRunning() const
{
    return m_started;
}

Nfs4HeldState&
Nfs4CompoundClient::GetHeld()
{
    return m_held;
}

const std::shared_ptr<Nfs4SeqidOwner>&
Nfs4CompoundClient::GetOpenOwner() const
{
    return m_openOwner;
}

Nfs4StateOwner
Nfs4CompoundClient::MakeOpenOwner() const
{
    return {m_clientId, Nfs4SeqidOwner::MakeOpenOwner(MOUNT_DEVICE, m_openOwnerNumber, 1)};
}

Nfs4StateOwner
Nfs4CompoundClient::MakeLockOwner(uint32_t number) const
{
    return {m_clientId, Nfs4SeqidOwner::MakeLockOwner(MOUNT_DEVICE, number)};
}

uint32_t
Nfs4CompoundClient::TakeLockOwner()
{
    return ++m_lockOwners;
}

OpenArgs4
Nfs4CompoundClient::MakeOpen(uint32_t access) const
{
    OpenArgs4 args;
    args.seqid = m_openOwner ? m_openOwner->GetSeqid() : 0;
    args.shareAccess = access;
    args.owner = MakeOpenOwner();
    return args;
}

LockArgs4
Nfs4CompoundClient::MakeLock(const Nfs4HeldState::OpenPtr& open,
                             const Nfs4HeldLock& lock,
                             bool reclaim)
{
    if (open->lockOwner == 0)
    {
        open->lockOwner = TakeLockOwner();
    }
    LockArgs4 args;
    args.type = lock.type;
    args.reclaim = reclaim;
    args.offset = lock.offset;
    args.length = lock.length;
    args.newLockOwner = !open->lockStateid;
    const uint32_t lockSeqid = HasSessions() ? 0 : open->lockSeqid.Get();
    if (args.newLockOwner)
    {
        args.openOwner.openSeqid = m_openOwner ? m_openOwner->GetSeqid() : 0;
        args.openOwner.openStateid = open->stateid.value_or(Nfs4StateId());
        args.openOwner.lockSeqid = lockSeqid;
        args.openOwner.lockOwner = MakeLockOwner(open->lockOwner);
    }
    else
    {
        args.lockOwner.lockStateid = *open->lockStateid;
        args.lockOwner.lockSeqid = lockSeqid;
    }
    return args;
}

void
Nfs4CompoundClient::TakeOpen(const Nfs4HeldState::OpenPtr& open,
                             const OpenRes4& result,
                             uint32_t access)
{
    open->TakeStateId(result.stateid, access);
    if (result.delegation.type != OpenDelegationType4::READ &&
        result.delegation.type != OpenDelegationType4::WRITE)
    {
        return;
    }
    const auto delegation = m_held.TakeDelegation(open->file, result.delegation);
    if (result.delegation.recall)
    {
        Recall(open->file, delegation->stateid);
    }
}

void
Nfs4CompoundClient::SetLeasePeriod(Time period)
{
    m_leaseKnown = true;
    m_lease.SetPeriod(period);
    if (m_renewal.IsRunning())
    {
        m_renewal.Cancel();
        ScheduleRenewal();
    }
}

const Nfs4Lease&
Nfs4CompoundClient::GetLease() const
{
    return m_lease;
}

bool
Nfs4CompoundClient::IsSession(const Nfs4SessionId& session) const
{
    return m_hasSession && session == m_session;
}

bool
Nfs4CompoundClient::IsUnderWay(uint32_t slot, uint32_t sequence) const
{
    return m_underWay.count({slot, sequence}) != 0;
}

void
Nfs4CompoundClient::RecallSlots(uint32_t target)
{
    m_slots.SetTarget(target);
    auto task = std::make_shared<Nfs4Task>();
    Submit(task);
}

const Nfs4ClientSlotTable&
Nfs4CompoundClient::GetSlots() const
{
    return m_slots;
}

uint64_t
Nfs4CompoundClient::GetRecoveries() const
{
    return m_recoveries;
}

} // namespace ns3::nfsrdma
