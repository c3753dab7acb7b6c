/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/resource-watch.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

ResourceMeter*
ResourceWatch::Add(const std::string& host, const std::string& name, uint32_t places)
{
    m_resources.push_back({host, name, std::make_unique<ResourceMeter>(places)});
    return m_resources.back().meter.get();
}

void
ResourceWatch::WatchNumber(const Ptr<Object>& object, const char* source, ResourceMeter* meter)
{
    object->TraceConnectWithoutContext(
        source,
        Callback<void, uint32_t, uint32_t>([meter](uint32_t /* before */, uint32_t now) {
            meter->SetNumber(Simulator::Now(), now);
        }));
}

void
ResourceWatch::AddServer(const std::string& host, const NfsRdmaServer& server)
{
    const auto pool = server.rpc->GetThreadPool();
    ResourceMeter* threads = Add(host, "threads", pool->GetSize());
    ResourceMeter* waiting = Add(host, "thread-queue", 0);
    WatchNumber(pool, "Busy", threads);
    WatchNumber(pool, "Queued", waiting);
    pool->TraceConnectWithoutContext("Arrived", Callback<void, uint32_t>([waiting](uint32_t) {
                                         waiting->Arrive();
                                     }));
    pool->TraceConnectWithoutContext(
        "Taken",
        Callback<void, uint64_t, Time>([threads, waiting](uint64_t, Time waited) {
            threads->Arrive();
            waiting->Depart(Simulator::Now(), waited);
        }));
    pool->TraceConnectWithoutContext("Released",
                                     Callback<void, uint64_t, Time>([threads](uint64_t, Time held) {
                                         threads->Depart(Simulator::Now(), held);
                                     }));

    ResourceMeter* places =
        Add(host, "storage", static_cast<uint32_t>(server.storage->CountPlaces()));
    WatchNumber(server.storage, "InService", places);
    server.storage->TraceConnectWithoutContext(
        "DeviceTaken",
        Callback<void, StorageWork, Time>([places](StorageWork, Time) { places->Arrive(); }));
    server.storage->TraceConnectWithoutContext(
        "DeviceServed",
        Callback<void, StorageWork, Time>(
            [places](StorageWork, Time held) { places->Depart(Simulator::Now(), held); }));
}

void
ResourceWatch::AddClient(const std::string& host, const NfsRdmaClient& client)
{
    UintegerValue slots;
    if (client.transport)
    {
        client.transport->GetAttribute("Slots", slots);
    }
    for (std::size_t i = 0; i < client.transports.size(); ++i)
    {
        const auto& transport = client.transports[i];
        ResourceMeter* credits = Add(host,
                                     i == 0 ? "credits" : "credits-" + std::to_string(i),
                                     static_cast<uint32_t>(slots.Get()));
        WatchNumber(transport, "Outstanding", credits);
        transport->TraceConnectWithoutContext(
            "CallSent",
            Callback<void, const RpcRecord&>([credits](const RpcRecord&) { credits->Arrive(); }));
        transport->TraceConnectWithoutContext("CreditEnd",
                                              Callback<void, Time>([credits](Time held) {
                                                  credits->Depart(Simulator::Now(), held);
                                              }));
    }
}

void
ResourceWatch::Restart()
{
    for (const auto& resource : m_resources)
    {
        resource.meter->Restart(Simulator::Now());
    }
}

const std::vector<ResourceWatch::Resource>&
ResourceWatch::GetResources() const
{
    return m_resources;
}

} // namespace ns3::nfsrdma
