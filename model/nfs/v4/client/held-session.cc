/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/held-session.h"

#include "nfs/types/verifier-number.h"
#include "nfs/v4/client/callback-program.h"
#include "nfs/v4/client/channels.h"
#include "nfs/v4/client/compounds.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// nii_domain and nii_name of Linux 6.1 as Debian builds it.
constexpr const char* IMPLEMENTATION_DOMAIN = "kernel.org";
constexpr const char* IMPLEMENTATION_NAME =
    "Linux 6.1.0-56-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.192-2 (2026-11-16) x86_64";

/// channel_dir_from_client4.
constexpr uint32_t BIND_FORE = 1;
constexpr uint32_t BIND_FORE_OR_BOTH = 3;

ByteVector
ToOctets(const std::string& text)
{
    return ByteVector(text.begin(), text.end());
}

} // namespace

Nfs4ClientSession::Nfs4ClientSession(Nfs4CompoundClient& client)
    : m_client(client)
{
}

void
Nfs4ClientSession::Begin()
{
    m_bootVerifier = ToVerifier(static_cast<uint64_t>(Simulator::Now().GetNanoSeconds()) + 1);
}

void
Nfs4ClientSession::Forget()
{
    m_hasSession = false;
    m_hasBackChannel = false;
    m_clientId = 0;
    m_slots = {};
}

void
Nfs4ClientSession::ExchangeId(Done done)
{
    ExchangeIdArgs4 args;
    args.verifier = m_bootVerifier;
    args.ownerId = ToOctets("Linux NFSv4." + std::to_string(m_client.GetMinorVersion()) + " " +
                            m_client.GetIdentity().host);
    args.flags = EXCHGID4_FLAG_SUPP_MOVED_REFER | EXCHGID4_FLAG_BIND_PRINC_STATEID;
    args.clientImplId = NfsImplId4{IMPLEMENTATION_DOMAIN, IMPLEMENTATION_NAME, {}};
    m_client.GetTasks().AskSessionless(MakeNfs4Task(false, std::move(args)),
                                       [this, done = std::move(done)](const Nfs4TaskReply& reply) {
                                           const auto* result = reply.Find<ExchangeIdRes4>();
                                           if (reply.IsOk() && result != nullptr)
                                           {
                                               m_clientId = result->clientId;
                                               m_clientSequence = result->sequenceId;
                                           }
                                           done(reply.outcome, reply.status);
                                       });
}

void
Nfs4ClientSession::Establish(const Done& done)
{
    if (!m_client.HasSessions())
    {
        SetClientId(done);
        return;
    }
    ExchangeId([this, done](RpcOutcome outcome, Nfs4Status status) {
        if (outcome == RpcOutcome::SUCCESS && status == Nfs4Status::OK)
        {
            CreateSession(done, true);
            return;
        }
        done(outcome, status);
    });
}

void
Nfs4ClientSession::CreateSession(Done done, bool newLease)
{
    CreateSessionArgs4 args;
    args.clientId = m_clientId;
    args.sequence = m_clientSequence;
    args.flags = CREATE_SESSION4_FLAG_PERSIST | CREATE_SESSION4_FLAG_CONN_BACK_CHAN;
    const auto channels =
        MakeNfs4ClientChannels(m_client.GetSlotsWanted(),
                               m_client.GetIdentity().largestTransfer,
                               m_client.GetRpcClient()->GetTransport()->GetReverseLimits());
    args.fore = channels.fore;
    args.back = channels.back;
    CallbackSecParms4 security;
    security.sys.machineName = m_client.GetIdentity().host;
    args.secParms.push_back(security);
    m_client.GetTasks().AskSessionless(
        MakeNfs4Task(false, std::move(args)),
        [this, newLease, done = std::move(done)](const Nfs4TaskReply& reply) {
            const auto* result = reply.Find<CreateSessionRes4>();
            if (!reply.IsOk() || result == nullptr)
            {
                done(reply.outcome, reply.status);
                return;
            }
            ++m_clientSequence;
            m_session = result->sessionId;
            m_hasSession = true;
            m_hasBackChannel = (result->flags & CREATE_SESSION4_FLAG_CONN_BACK_CHAN) != 0;
            m_maxResponseSize = result->fore.maxResponseSize;
            m_slots.Reset(std::min(result->fore.maxRequests, m_client.GetSlotsWanted()));
            if (const auto callbacks = m_client.GetCallbackProgram())
            {
                callbacks->ResetSlots(result->back.maxRequests);
            }
            if (newLease && m_client.GetRenewal().IsPeriodKnown())
            {
                GetLeaseTime(done);
                return;
            }
            done(reply.outcome, reply.status);
        });
}

void
Nfs4ClientSession::SetClientId(const Done& done)
{
    SetclientidArgs4 args;
    args.verifier = m_bootVerifier;
    args.id = ToOctets("Linux NFSv4.0 " + m_client.GetIdentity().host + "/" +
                       m_client.GetIdentity().server);
    args.cbProgram = NFS4_CALLBACK_PROGRAM;
    args.cbLocation = m_client.GetIdentity().callbackAddress;
    args.callbackIdent = 1;
    m_client.GetTasks().AskSessionless(
        MakeNfs4Task(false, std::move(args)),
        [this, done](const Nfs4TaskReply& reply) {
            const auto* result = reply.Find<SetclientidRes4>();
            if (!reply.IsOk() || result == nullptr)
            {
                done(reply.outcome, reply.status);
                return;
            }
            m_clientId = result->clientId;
            m_client.GetTasks().AskSessionless(
                MakeNfs4Task(false, SetclientidConfirmArgs4{m_clientId, result->confirm}),
                [this, done](const Nfs4TaskReply& confirmed) {
                    if (confirmed.IsOk() && m_client.GetRenewal().IsPeriodKnown())
                    {
                        GetLeaseTime(done);
                        return;
                    }
                    done(confirmed.outcome, confirmed.status);
                });
        });
}

void
Nfs4ClientSession::GetLeaseTime(Done done)
{
    m_client.GetTasks().Ask(
        MakeNfs4Task(false, PutrootfhArgs4(), GetattrArgs4{MakeAttrMask({Nfs4Attr::LEASE_TIME})}),
        [this, done = std::move(done)](const Nfs4TaskReply& reply) {
            const auto* result = reply.Find<GetattrRes4>();
            if (reply.IsOk() && result != nullptr && result->attributes.leaseTime)
            {
                m_client.GetRenewal().SetPeriod(Seconds(*result->attributes.leaseTime));
            }
            done(reply.outcome, reply.status);
        });
}

void
Nfs4ClientSession::DestroySession(Done done)
{
    m_client.GetTasks().AskSessionless(MakeNfs4Task(false, DestroySessionArgs4{m_session}),
                                       [done = std::move(done)](const Nfs4TaskReply& reply) {
                                           done(reply.outcome, reply.status);
                                       });
}

void
Nfs4ClientSession::Reset(Done done)
{
    DestroySession([this, done = std::move(done)](RpcOutcome outcome, Nfs4Status status) {
        const bool gone = status == Nfs4Status::OK || status == Nfs4Status::BADSESSION ||
                          status == Nfs4Status::DEADSESSION;
        if (outcome != RpcOutcome::SUCCESS || !gone)
        {
            done(outcome, status);
            return;
        }
        m_hasSession = false;
        CreateSession(done, false);
    });
}

void
Nfs4ClientSession::Bind(Done done)
{
    BindFrom(RPC_PATH_MAIN, done);
}

void
Nfs4ClientSession::BindFrom(RpcPath path, const Done& done)
{
    const bool back = path == RPC_PATH_MAIN && m_hasBackChannel;
    const auto task = MakeNfs4Task(
        false,
        BindConnToSessionArgs4{m_session, back ? BIND_FORE_OR_BOTH : BIND_FORE, false});
    task->path = path;
    m_client.GetTasks().AskSessionless(task, [this, path, done](const Nfs4TaskReply& reply) {
        if (reply.IsOk() && path + 1 < m_client.GetRpcClient()->GetTransport()->GetPathCount())
        {
            BindFrom(path + 1, done);
            return;
        }
        done(reply.outcome, reply.status);
    });
}

void
Nfs4ClientSession::Destroy(Done done)
{
    DestroySession([this, done = std::move(done)](RpcOutcome outcome, Nfs4Status status) {
        m_hasSession = false;
        if (outcome != RpcOutcome::SUCCESS)
        {
            done(outcome, status);
            return;
        }
        m_client.GetTasks().AskSessionless(
            MakeNfs4Task(false, DestroyClientidArgs4{m_clientId}),
            [done](const Nfs4TaskReply& reply) { done(reply.outcome, reply.status); });
    });
}

} // namespace ns3::nfsrdma
