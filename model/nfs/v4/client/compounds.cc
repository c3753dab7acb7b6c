/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/compounds.h"

#include "nfs/v3/status3.h"
#include "nfs/v4/client/callback-program.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(Nfs4CompoundClient);

#define SETTINGS_OF Nfs4CompoundClient::Settings
#define SETTINGS_FILE "nfs/v4/client/compounds.def"
#include "settings/rows.def"

TypeId
Nfs4CompoundClient::GetTypeId()
{
    static TypeId tid = AddAttributes(
        TypeId("ns3::nfsrdma::Nfs4CompoundClient")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<Nfs4CompoundClient>()
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
                            "ns3::nfsrdma::Nfs4CompoundClient::RecalledTracedCallback"),
        Settings::GetRows(),
        &Nfs4CompoundClient::m_settings);
    return tid;
}

Nfs4CompoundClient::Nfs4CompoundClient() = default;
Nfs4CompoundClient::~Nfs4CompoundClient() = default;

void
Nfs4CompoundClient::DoDispose()
{
    m_renewal.Cancel();
    m_manager.Clear();
    m_tasks.Clear();
    m_held.Clear();
    m_offloads.Clear();
    m_lockNotice = nullptr;
    m_owners.Clear();
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

void
Nfs4CompoundClient::SetNames(const std::string& host, const std::string& server)
{
    m_identity.host = host;
    m_identity.server = server;
}

void
Nfs4CompoundClient::SetCallbackServer(Ptr<RpcServer> server, const NetAddr4& address)
{
    m_callback = CreateObject<Nfs4CallbackProgram>();
    m_callback->SetClient(this);
    m_identity.callbackAddress = address;
    server->Register(m_callback);
}

Nfs4ReplyLimits
Nfs4CompoundClient::GetReplyLimits() const
{
    Nfs4ReplyLimits limits;
    limits.maxResponseSize = m_session.GetMaxResponseSize();
    limits.guess.aclOctets = m_settings.aclRoom;
    limits.reduceReadlink = m_settings.reduceReadlink;
    return limits;
}

Time
Nfs4CompoundClient::GetNextDelay(Time delay) const
{
    return delay.IsZero() ? m_settings.retryDelay
                          : std::min(2 * delay, m_settings.retryDelayMaximum);
}

void
Nfs4CompoundClient::Crash()
{
    m_renewal.Cancel();
    m_manager.Crash();
    m_tasks.Crash();
    m_session.Forget();
    m_offloads.LoseAll();
    m_delegations.Forget();
    m_held.Forget();
}

void
Nfs4CompoundClient::Boot()
{
    m_held.Forget();
    m_manager.Boot();
}

void
Nfs4CompoundClient::NotifyLock(const CbNotifyLockArgs4& notice)
{
    if (m_lockNotice)
    {
        m_lockNotice(notice);
    }
}

void
Nfs4CompoundClient::RecallSlots(uint32_t target)
{
    m_session.GetSlots().SetTarget(target);
    m_tasks.Submit(std::make_shared<Nfs4Task>());
}

std::vector<std::string>
Nfs4CompoundClient::DescribeWaiting() const
{
    std::vector<std::string> lines;
    m_manager.Describe(lines);
    m_tasks.Describe(lines);
    return lines;
}

} // namespace ns3::nfsrdma
