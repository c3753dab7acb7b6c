/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "bench/read-stream.h"
#include "helper/ethernet-network-helper.h"
#include "helper/nfs-rdma-server-helper.h"
#include "mpa/internet-address.h"
#include "mpa/tcp-preset.h"

#include "ns3/abort.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/global-value.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <benchmark/benchmark.h>
#include <ctime>

using namespace ns3;
using namespace ns3::nfsrdma;

namespace
{

constexpr uint16_t MTU = 9000;

/// A client and a server at one switch, and a file of \p octets.
struct Hosts
{
    Hosts(bool offload, uint64_t octets)
    {
        Config::SetDefault("ns3::nfsrdma::MpaTransport::Tcp",
                           StringValue(offload ? "offload" : "ns3"));
        GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
        DataCenterTcpPreset().Apply(MTU);
        NodeContainer hosts;
        hosts.Create(2);
        EthernetNetworkHelper network;
        network.SetDeviceAttribute("DataRate", DataRateValue(DataRate("100Gbps")));
        network.SetDeviceAttribute("Mtu", UintegerValue(MTU));
        const auto star = network.Install(hosts);
        server = NfsRdmaServerHelper().Install(hosts.Get(0));
        const auto root = server.store->CreateExport("export");
        file = server.store->GetHandle(server.store->AddFile(root, "file", octets));
        client = NfsRdmaClientHelper().Install(
            hosts.Get(1),
            MakeSocketAddress(star.addresses[0], RpcRdmaServer::NFS_RDMA_PORT),
            AuthSysCredential{});
    }

    NfsRdmaServer server;
    NfsRdmaClient client;
    NfsFh3 file;
};

/// So many GETATTRs, some at a time.
class GetattrStream
{
  public:
    GetattrStream(const Hosts& hosts, uint64_t total)
        : m_client(hosts.client),
          m_file(hosts.file),
          m_left(total),
          m_outstanding(total)
    {
    }

    void Start(uint32_t depth)
    {
        m_client.transport->Connect();
        for (uint32_t i = 0; i < depth; ++i)
        {
            CallNext();
        }
    }

  private:
    void CallNext()
    {
        if (m_left == 0)
        {
            return;
        }
        --m_left;
        m_client.nfs->Call(Getattr3Args{m_file}, [this](RpcRecord&, const Getattr3Res& result) {
            NS_ABORT_MSG_UNLESS(result.status == Nfs3Status::OK, "GETATTR failed");
            if (--m_outstanding == 0)
            {
                m_client.transport->Disconnect();
            }
            CallNext();
        });
    }

    NfsRdmaClient m_client;
    NfsFh3 m_file;
    uint64_t m_left;
    uint64_t m_outstanding;
};

/// An event that schedules the next one, some time later.
void
ScheduleNext(uint64_t* left)
{
    if (*left > 0)
    {
        --*left;
        Simulator::Schedule(NanoSeconds(100 + *left % 7), &ScheduleNext, left);
    }
}

/// \return events in a second of processor time, of events that do nothing, a hundred of which
/// wait.
double
MeasureBareEvents()
{
    constexpr uint64_t EVENTS = 2'000'000;
    constexpr int WAITING = 100;
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    uint64_t left = EVENTS;
    for (int i = 0; i < WAITING; ++i)
    {
        Simulator::Schedule(NanoSeconds(i), &ScheduleNext, &left);
    }
    const std::clock_t begin = std::clock();
    Simulator::Run();
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    Simulator::Destroy();
    return EVENTS / seconds;
}

/// READs of one size from one client, over ns-3's TCP or the adapter's engine: events and
/// wall-clock time for each RPC.
void
BenchNfsRead(benchmark::State& state)
{
    constexpr uint64_t READS = 2000;
    const auto size = static_cast<uint32_t>(state.range(0));
    uint64_t events = 0;
    uint64_t reads = 0;
    for (auto _ : state)
    {
        state.PauseTiming();
        const Hosts hosts(state.range(1) != 0, READS * size);
        ReadStream stream(hosts.client, hosts.file, READS * size, size, 16);
        stream.Start();
        state.ResumeTiming();
        Simulator::Run();
        state.PauseTiming();
        events += Simulator::GetEventCount();
        reads += stream.GetReads();
        Simulator::Destroy();
        state.ResumeTiming();
    }
    state.SetItemsProcessed(reads);
    state.counters["events/RPC"] = static_cast<double>(events) / static_cast<double>(reads);
}

BENCHMARK(BenchNfsRead)
    ->ArgNames({"size", "engine"})
    ->ArgsProduct({{1024, 4096, 65536}, {0, 1}})
    ->Unit(benchmark::kMillisecond);

/// GETATTRs of one client: events and processor time for each, and how many there are in the time
/// of 1,000 events of ns-3 that do nothing.
void
BenchNfsGetattr(benchmark::State& state)
{
    constexpr uint64_t CALLS = 20000;
    static const double BARE_EVENTS = MeasureBareEvents();
    uint64_t events = 0;
    uint64_t calls = 0;
    double seconds = 0;
    for (auto _ : state)
    {
        const Hosts hosts(state.range(1) != 0, 1);
        GetattrStream stream(hosts, CALLS);
        stream.Start(static_cast<uint32_t>(state.range(0)));
        const std::clock_t begin = std::clock();
        Simulator::Run();
        const double taken = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        state.SetIterationTime(taken);
        seconds += taken;
        events += Simulator::GetEventCount();
        calls += CALLS;
        Simulator::Destroy();
    }
    state.SetItemsProcessed(static_cast<int64_t>(calls));
    state.counters["events/RPC"] = static_cast<double>(events) / static_cast<double>(calls);
    state.counters["RPCs/1000 bare events"] =
        static_cast<double>(calls) / seconds / (BARE_EVENTS / 1000);
}

BENCHMARK(BenchNfsGetattr)
    ->ArgNames({"depth", "engine"})
    ->ArgsProduct({{1, 16}, {0, 1}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

} // namespace
