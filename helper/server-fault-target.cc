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

ServerFaultTarget::ServerFaultTarget(std::vector<NfsRdmaServer> servers, Peers peers)
    : HostFaultActions(servers.front().node, servers.front().device, std::move(peers))
{
    for (auto& server : servers)
    {
        m_services.push_back({std::move(server)});
    }
}

std::vector<ServerFaultTarget::Service*>
ServerFaultTarget::Choose(const HostFault& fault)
{
    if (fault.server)
    {
        return {&m_services.at(*fault.server)};
    }
    std::vector<Service*> all;
    for (auto& service : m_services)
    {
        all.push_back(&service);
    }
    return all;
}

void
ServerFaultTarget::Act(const HostFault& fault)
{
    switch (fault.kind)
    {
    case HostFaultKind::CRASH:
        Crash(fault.duration);
        return;
    case HostFaultKind::RESTART:
    case HostFaultKind::THREAD_STALL:
    case HostFaultKind::STORAGE_STALL:
    case HostFaultKind::ANSWER:
    case HostFaultKind::SLOT_SHRINK:
        break;
    default:
        HostFaultActions::Act(fault);
        return;
    }
    for (Service* const service : Choose(fault))
    {
        if (fault.kind == HostFaultKind::RESTART)
        {
            Restart(*service, fault.duration);
        }
        else if (fault.kind == HostFaultKind::THREAD_STALL)
        {
            StallThreads(*service, fault);
        }
        else if (fault.kind == HostFaultKind::STORAGE_STALL)
        {
            service->server.storage->Stall();
            After(fault.duration, [service] { service->server.storage->Resume(); });
        }
        else if (fault.kind == HostFaultKind::SLOT_SHRINK)
        {
            service->server.nfs4->ReduceSlots(
                static_cast<uint32_t>(std::clamp<uint64_t>(fault.amount, 1, ALL_THREADS)));
        }
        else
        {
            service->server.rpc->OrderAnswer(fault.call.client,
                                             fault.call.xid,
                                             {fault.call.operation, fault.statusNumber});
        }
    }
}

void
ServerFaultTarget::ForgetService(const NfsRdmaServer& server)
{
    server.nfs4->Stop();
    server.rpc->Restart();
    server.gss->Forget();
}

void
ServerFaultTarget::Crash(Time duration)
{
    TakeOffNetwork();
    if (m_crashes++ == 0)
    {
        for (const auto& service : m_services)
        {
            service.server.Crash();
            ForgetService(service.server);
            service.server.pageCache->Restart();
        }
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
    for (const auto& service : m_services)
    {
        if (service.server.daemons)
        {
            service.server.daemons->Restart();
        }
        if (service.restarts == 0)
        {
            Serve(service.server);
        }
    }
}

void
ServerFaultTarget::Restart(Service& service, Time duration)
{
    if (service.restarts++ == 0 && m_crashes == 0)
    {
        service.server.Stop();
        ForgetService(service.server);
    }
    if (duration.IsZero())
    {
        EndRestart(service);
        return;
    }
    After(duration, [this, &service] { EndRestart(service); });
}

void
ServerFaultTarget::EndRestart(Service& service)
{
    if (--service.restarts == 0 && m_crashes == 0)
    {
        Serve(service.server);
    }
}

void
ServerFaultTarget::Serve(const NfsRdmaServer& server)
{
    server.nfs->SetBootVerifier(server.nfs->GetBootVerifier() + 1);
    server.nfs4->Restart();
    NS_ABORT_MSG_UNLESS(server.Listen(),
                        "port " << server.port << " or " << server.tcpPort << " is taken");
}

void
ServerFaultTarget::StallThreads(Service& service, const HostFault& fault)
{
    const uint64_t threads = fault.amount == 0 ? ALL_THREADS : fault.amount;
    SetStalled(service, service.stalled + threads);
    After(fault.duration, [&service, threads] { SetStalled(service, service.stalled - threads); });
}

void
ServerFaultTarget::SetStalled(Service& service, uint64_t threads)
{
    service.stalled = threads;
    service.server.rpc->SetStalledThreads(static_cast<uint32_t>(std::min(threads, ALL_THREADS)));
}

void
ServerFaultTarget::SetPressure(std::optional<uint64_t> pages)
{
    HostFaultActions::SetPressure(pages);
    for (const auto& service : m_services)
    {
        service.server.pageCache->SetPressure(pages);
    }
}

} // namespace ns3::nfsrdma
