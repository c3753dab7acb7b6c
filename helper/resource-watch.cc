/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/resource-watch.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

namespace
{

bool
HasReadChunks(const ObjectBase& transport)
{
    BooleanValue has;
    transport.GetAttribute("ReadChunkExtension", has);
    return has.Get();
}

} // namespace

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
    if (server.transport && HasReadChunks(*server.transport))
    {
        WatchExposure(host, server.transport);
    }
}

void
ResourceWatch::WatchExposure(const std::string& host, const Ptr<RpcRdmaServer>& server)
{
    ResourceMeter* exposed = Add(host, "exposed", 0);
    server->TraceConnectWithoutContext(
        "ReadChunkExposed",
        Callback<void, uint32_t, uint32_t, uint64_t>([exposed](uint32_t, uint32_t, uint64_t) {
            exposed->Arrive();
            exposed->SetNumber(Simulator::Now(), exposed->GetNumber() + 1);
        }));
    server->TraceConnectWithoutContext("ReadChunkReleased",
                                       Callback<void, uint32_t, ReadChunkRelease, Time>(
                                           [exposed](uint32_t, ReadChunkRelease, Time waited) {
                                               exposed->SetNumber(Simulator::Now(),
                                                                  exposed->GetNumber() - 1);
                                               exposed->Depart(Simulator::Now(), waited);
                                           }));
}

void
ResourceWatch::WatchNotices(const std::string& host,
                            const std::string& name,
                            const Ptr<RpcRdmaClient>& client)
{
    ResourceMeter* notices = Add(host, name, 0);
    client->TraceConnectWithoutContext(
        "DoneSent",
        Callback<void, uint32_t, bool>([notices](uint32_t, bool onCall) {
            if (!onCall)
            {
                notices->Arrive();
                notices->SetNumber(Simulator::Now(), notices->GetNumber() + 1);
            }
        }));
    client->TraceConnectWithoutContext("DoneEnd", Callback<void, Time>([notices](Time held) {
                                           notices->SetNumber(Simulator::Now(),
                                                              notices->GetNumber() - 1);
                                           notices->Depart(Simulator::Now(), held);
                                       }));
    client->TraceConnectWithoutContext(
        "ConnectionEnded",
        Callback<void, const std::string&>([notices](const std::string& /* reason */) {
            notices->SetNumber(Simulator::Now(), 0);
        }));
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
        if (HasReadChunks(*transport))
        {
            WatchNotices(host, i == 0 ? "notices" : "notices-" + std::to_string(i), transport);
        }
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
