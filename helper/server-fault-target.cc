/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/server-fault-target.h"

#include "ns3/abort.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t ALL_THREADS = std::numeric_limits<uint32_t>::max();

} // namespace

ServerFaultTarget::ServerFaultTarget(const NfsRdmaServer& server, Peers peers)
    : HostFaultActions(server.node, server.device, std::move(peers)),
      m_server(server)
{
}

void
ServerFaultTarget::Act(const HostFault& fault)
{
    switch (fault.kind)
    {
    case HostFaultKind::CRASH:
        Crash(fault.duration);
        break;
    case HostFaultKind::RESTART:
        Restart(fault.duration);
        break;
    case HostFaultKind::THREAD_STALL:
        StallThreads(fault);
        break;
    case HostFaultKind::STORAGE_STALL:
        m_server.storage->Stall();
        After(fault.duration, [this] { m_server.storage->Resume(); });
        break;
    case HostFaultKind::ANSWER:
        m_server.rpc->OrderAnswer(fault.call.client,
                                  fault.call.xid,
                                  {fault.call.operation, fault.statusNumber});
        break;
    default:
        HostFaultActions::Act(fault);
    }
}

void
ServerFaultTarget::ForgetService()
{
    m_server.nfs4->Stop();
    m_server.rpc->Restart();
    m_server.gss->Forget();
}

void
ServerFaultTarget::Crash(Time duration)
{
    TakeOffNetwork();
    if (m_crashes++ == 0)
    {
        m_server.Crash();
        ForgetService();
        m_server.pageCache->Restart();
    }
    After(duration, [this] {
        BringBack();
        Boot();
    });
}

void
ServerFaultTarget::Boot()
{
    if (--m_crashes != 0)
    {
        return;
    }
    if (m_server.daemons)
    {
        m_server.daemons->Restart();
    }
    if (m_restarts == 0)
    {
        Serve();
    }
}

void
ServerFaultTarget::Restart(Time duration)
{
    if (m_restarts++ == 0 && m_crashes == 0)
    {
        m_server.Stop();
        ForgetService();
    }
    if (duration.IsZero())
    {
        EndRestart();
        return;
    }
    After(duration, [this] { EndRestart(); });
}

void
ServerFaultTarget::EndRestart()
{
    if (--m_restarts == 0 && m_crashes == 0)
    {
        Serve();
    }
}

void
ServerFaultTarget::Serve()
{
    m_server.nfs->SetBootVerifier(m_server.nfs->GetBootVerifier() + 1);
    m_server.nfs4->Restart();
    NS_ABORT_MSG_UNLESS(m_server.Listen(), "port " << m_server.port << " is taken");
}

void
ServerFaultTarget::StallThreads(const HostFault& fault)
{
    const uint64_t threads = fault.amount == 0 ? ALL_THREADS : fault.amount;
    SetStalled(m_stalled + threads);
    After(fault.duration, [this, threads] { SetStalled(m_stalled - threads); });
}

void
ServerFaultTarget::SetStalled(uint64_t threads)
{
    m_stalled = threads;
    m_server.rpc->SetStalledThreads(static_cast<uint32_t>(std::min(threads, ALL_THREADS)));
}

void
ServerFaultTarget::SetPressure(std::optional<uint64_t> pages)
{
    HostFaultActions::SetPressure(pages);
    m_server.pageCache->SetPressure(pages);
}

} // namespace ns3::nfsrdma
