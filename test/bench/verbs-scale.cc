/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * How much memory and time verbs objects take when there are very many of them: 10,000 queue pairs
 * of a device, each connected over the simulated network; 1,000,000 fast registrations, 1,000,000
 * regular ones, and 1,000,000 regions alive at once. Exit status 1 when one of them takes more than
 * its bound, or memory grows while the same is done again and again.
 */
#include "helper/ethernet-network-helper.h"
#include "helper/rnic-helper.h"
#include "mpa/internet-address.h"
#include "mpa/tcp-preset.h"
#include "rnic/connect/cm-id.h"
#include "rnic/hardware/device.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <malloc.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::nfsrdma;

namespace
{

constexpr uint16_t MTU = 9000;
constexpr uint16_t PORT = 20049;
constexpr uint32_t DEPTH = 16;

// Octets of heap. Measured on x86-64 with glibc 2.36, plus a fifth.
constexpr double MOST_PER_PAIR = 6000;
constexpr double MOST_PER_CONNECTED_PAIR = 36000;
constexpr double MOST_PER_REGION = 400;
/// What repeating may cost in all, octets: less than one octet per repetition.
constexpr double MOST_GROWTH = 262144;

bool g_failed = false;

/// \return octets of heap in use.
double
GetHeap()
{
    const auto info = mallinfo2();
    return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

void
Expect(double value, double most, const char* what)
{
    if (value > most)
    {
        std::printf("FAILED: %s: %.0f, at most %.0f\n", what, value, most);
        g_failed = true;
    }
}

/// Time that the processor has worked for this process since it was made.
class StopWatch
{
  public:
    /// \return microseconds for each of \p count.
    [[nodiscard]] double GetPer(uint64_t count) const
    {
        return static_cast<double>(std::clock() - m_start) * 1e6 / CLOCKS_PER_SEC /
               static_cast<double>(count);
    }

  private:
    std::clock_t m_start{std::clock()};
};

struct Host
{
    Ptr<Node> node;
    IpAddress address;
    Ptr<RnicDevice> device;
    Ptr<ProtectionDomain> domain;
    Ptr<CompletionQueue> completions;
    std::vector<Ptr<QueuePair>> pairs;
    std::vector<Ptr<CmId>> ids;
};

std::vector<Host>
BuildHosts()
{
    EthernetNetworkHelper cable;
    cable.SetDeviceAttribute("Mtu", UintegerValue(MTU));
    const NodeContainer nodes(2);
    const auto star = cable.InstallBackToBack(nodes);
    const auto devices = RnicHelper().Install(nodes);
    std::vector<Host> hosts(devices.size());
    for (std::size_t i = 0; i < hosts.size(); i++)
    {
        Host& host = hosts[i];
        host.node = nodes.Get(i);
        host.address = star.addresses[i];
        host.device = devices[i];
        host.domain = host.device->AllocateProtectionDomain().value();
        host.completions = host.device->CreateCompletionQueue(1U << 20).value();
    }
    return hosts;
}

uint64_t
Drain(const Host& host)
{
    uint64_t polled = 0;
    while (const auto completion = host.completions->Poll())
    {
        polled += completion->status == WorkCompletionStatus::SUCCESS ? 1 : 0;
    }
    return polled;
}

void
CreatePairs(Host& host, uint32_t count)
{
    QueuePairCapabilities sizes;
    sizes.sendDepth = DEPTH;
    sizes.receiveDepth = DEPTH;
    for (uint32_t i = 0; i < count; i++)
    {
        host.pairs.push_back(
            host.device->CreateQueuePair(host.domain, host.completions, host.completions, sizes)
                .value());
    }
}

/// Connects each pair of \p client with one of \p server, a few at a time.
void
ConnectPairs(Host& client, Host& server)
{
    constexpr std::size_t AT_A_TIME = 50;
    std::size_t accepted = 0;
    const auto listener = CmId::Create(server.device);
    listener->SetEventCallback(
        Callback<void, Ptr<CmId>, const CmEvent&>([&](const Ptr<CmId>&, const CmEvent& event) {
            if (event.type == CmEventType::CONNECT_REQUEST)
            {
                event.newId->Accept(server.pairs.at(accepted++), {{}, 4, 4});
                server.ids.push_back(event.newId);
            }
        }));
    if (!listener->Listen(PORT))
    {
        std::abort();
    }
    for (std::size_t i = 0; i < client.pairs.size(); i++)
    {
        client.ids.push_back(CmId::Create(client.device));
        client.ids.back()->Connect(client.pairs[i],
                                   MakeSocketAddress(server.address, PORT),
                                   {{}, 4, 4});
        if (i % AT_A_TIME == AT_A_TIME - 1)
        {
            Simulator::Run();
        }
    }
    Simulator::Run();
    listener->Disconnect();
}

/// An empty message on every connection.
void
SendOnAll(Host& client, Host& server)
{
    for (std::size_t i = 0; i < client.pairs.size(); i++)
    {
        const bool posted = server.pairs[i]->PostReceive({}).has_value() &&
                            client.pairs[i]->PostSend(SendWorkRequest()).has_value();
        Expect(posted ? 0 : 1, 0, "posts refused");
    }
    Simulator::Run();
    Expect(static_cast<double>(client.pairs.size() - Drain(client)), 0, "Sends not completed");
    Expect(static_cast<double>(server.pairs.size() - Drain(server)), 0, "receives not completed");
}

void
MeasurePairs(Host& client, Host& server, uint32_t count)
{
    double heap = GetHeap();
    StopWatch creating;
    CreatePairs(client, count);
    double used = (GetHeap() - heap) / count;
    std::printf("queue pair of depth %u, not connected: %.0f octets, sizeof %zu, %.1f us\n",
                DEPTH,
                used,
                sizeof(QueuePair),
                creating.GetPer(count));
    Expect(used, MOST_PER_PAIR, "octets of a queue pair");

    heap = GetHeap();
    CreatePairs(server, count);
    StopWatch connecting;
    ConnectPairs(client, server);
    const double time = connecting.GetPer(count);
    SendOnAll(client, server);
    used = used / 2 + (GetHeap() - heap) / (2 * count);
    std::printf("queue pair connected, MPA and TCP included: %.0f octets, %.1f us\n", used, time);
    Expect(used, MOST_PER_CONNECTED_PAIR, "octets of a connected queue pair");
    Expect(count - client.device->GetCensus().connections, 0, "connections missing");

    constexpr int ROUNDS = 5;
    heap = GetHeap();
    StopWatch sending;
    for (int i = 0; i < ROUNDS; i++)
    {
        SendOnAll(client, server);
    }
    const double growth = GetHeap() - heap;
    std::printf("%d Sends on each connection: growth %.0f octets, %.2f us each\n",
                ROUNDS,
                growth,
                sending.GetPer(uint64_t{count} * ROUNDS));
    Expect(growth, MOST_GROWTH, "octets of growth by Sends");
}

void
DestroyPairs(Host& client, Host& server)
{
    for (const auto& id : client.ids)
    {
        id->Disconnect();
    }
    Simulator::Run();
    for (Host* host : {&client, &server})
    {
        for (const auto& pair : host->pairs)
        {
            Expect(host->device->Destroy(pair) ? 0 : 1, 0, "queue pairs not destroyed");
        }
        host->pairs.clear();
        host->ids.clear();
        Drain(*host);
        Expect(host->device->GetCensus().connections, 0, "connections left");
        Expect(host->device->GetCensus().queuePairs, 0, "queue pairs left");
    }
}

void
MeasureFastRegistrations(Host& client, Host& server, uint32_t count)
{
    constexpr uint32_t REGIONS = 64;
    CreatePairs(client, 1);
    CreatePairs(server, 1);
    ConnectPairs(client, server);
    const HostBuffer buffer(client.device->GetHostMemory(), 65536);
    std::vector<Ptr<MemoryRegion>> regions;
    for (uint32_t i = 0; i < REGIONS; i++)
    {
        regions.push_back(client.device->AllocateMemoryRegion(client.domain, 16).value());
    }
    double heap = 0;
    StopWatch registering;
    for (uint32_t i = 0; i < count; i++)
    {
        const Ptr<MemoryRegion>& region = regions[i % REGIONS];
        SendWorkRequest request;
        request.opcode = WorkRequestOpcode::REGISTER_MR;
        request.signaled = false;
        request.region = region;
        request.registration.key = static_cast<uint8_t>(i / REGIONS);
        request.registration.address = buffer.GetAddress();
        request.registration.length = 65536;
        request.registration.access = ACCESS_REMOTE_READ;
        SendWorkRequest invalidation;
        invalidation.opcode = WorkRequestOpcode::LOCAL_INVALIDATE;
        invalidation.invalidateStag = region->MakeStag(request.registration.key);
        const bool posted = client.pairs[0]
                                ->PostSend(std::vector<SendWorkRequest>{request, invalidation})
                                .has_value();
        Simulator::Run();
        Expect(posted && Drain(client) == 1 ? 0 : 1, 0, "fast registrations that failed");
        if (i == count / 100)
        {
            heap = GetHeap();
        }
    }
    const double growth = GetHeap() - heap;
    std::printf("%u fast registrations and invalidations: growth %.0f octets, %.2f us a pair\n",
                count,
                growth,
                registering.GetPer(count));
    Expect(growth, MOST_GROWTH, "octets of growth by fast registrations");
    Expect(client.device->GetCensus().validMemoryRegions, 0, "regions left valid");
    for (const auto& region : regions)
    {
        Expect(client.device->Destroy(region) ? 0 : 1, 0, "regions not destroyed");
    }
    DestroyPairs(client, server);
}

Ptr<MemoryRegion>
Register(Host& host, const HostBuffer& buffer)
{
    return host.device
        ->RegisterMemory(host.domain,
                         buffer.GetAddress(),
                         buffer.GetLength(),
                         ACCESS_REMOTE_READ,
                         buffer.GetAddress())
        .value();
}

void
MeasureRegularRegistrations(Host& host, uint32_t count)
{
    const uint32_t alive = std::min(1000U, count / 10);
    const HostBuffer buffer(host.device->GetHostMemory(), 4096);
    std::vector<Ptr<MemoryRegion>> regions(alive);
    double heap = 0;
    StopWatch registering;
    for (uint32_t i = 0; i < count; i++)
    {
        Ptr<MemoryRegion>& region = regions[i % alive];
        if (region)
        {
            Expect(host.device->Destroy(region) ? 0 : 1, 0, "regions not destroyed");
        }
        region = Register(host, buffer);
        if (i == std::max(count / 100, 2 * alive))
        {
            heap = GetHeap();
        }
    }
    const double growth = GetHeap() - heap;
    std::printf("%u regular registrations, %u alive: growth %.0f octets, %.2f us each\n",
                count,
                alive,
                growth,
                registering.GetPer(count));
    Expect(growth, MOST_GROWTH, "octets of growth by regular registrations");
    for (const auto& region : regions)
    {
        Expect(host.device->Destroy(region) ? 0 : 1, 0, "regions not destroyed");
    }
}

void
MeasureRegions(Host& host, uint32_t count)
{
    const HostBuffer buffer(host.device->GetHostMemory(), 4096);
    std::vector<Ptr<MemoryRegion>> regions;
    regions.reserve(count);
    const double heap = GetHeap();
    StopWatch registering;
    for (uint32_t i = 0; i < count; i++)
    {
        regions.push_back(Register(host, buffer));
    }
    const double used = (GetHeap() - heap) / count;
    std::printf("region, %u alive: %.0f octets, sizeof %zu, %.2f us\n",
                count,
                used,
                sizeof(MemoryRegion),
                registering.GetPer(count));
    Expect(used, MOST_PER_REGION, "octets of a region");
    Expect(count - host.device->GetCensus().validMemoryRegions, 0, "regions missing");
    for (const auto& region : regions)
    {
        Expect(host.device->Destroy(region) ? 0 : 1, 0, "regions not destroyed");
    }
    Expect(static_cast<double>(host.device->GetHostMemory()->GetPinnedPages()),
           0,
           "pages left pinned");
}

} // namespace

int
main(int argc, char* argv[])
{
    const auto read = [&](int position, uint32_t otherwise) {
        return argc > position ? static_cast<uint32_t>(std::strtoul(argv[position], nullptr, 10))
                               : otherwise;
    };
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const uint32_t pairs = read(1, 10000);
    const uint32_t registrations = read(2, 1000000);

    DataCenterTcpPreset().Apply(MTU);
    std::vector<Host> hosts = BuildHosts();
    Host& client = hosts[0];
    Host& server = hosts[1];
    MeasurePairs(client, server, pairs);
    DestroyPairs(client, server);
    MeasureFastRegistrations(client, server, registrations);
    MeasureRegularRegistrations(client, registrations);
    MeasureRegions(client, registrations);
    Simulator::Destroy();
    return g_failed ? 1 : 0;
}
