/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "bench/read-stream.h"
#include "helper/ethernet-network-helper.h"
#include "helper/nfs-rdma-server-helper.h"
#include "mpa/internet-address.h"
#include "mpa/tcp-preset.h"

#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/global-value.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <benchmark/benchmark.h>

using namespace ns3;
using namespace ns3::nfsrdma;

namespace
{

/// READs of one size from one client, over ns-3's TCP or the adapter's engine: events and
/// wall-clock time for each RPC.
void
BenchNfsRead(benchmark::State& state)
{
    Config::SetDefault("ns3::nfsrdma::MpaTransport::Tcp",
                       StringValue(state.range(1) != 0 ? "offload" : "ns3"));
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    constexpr uint64_t READS = 2000;
    const auto size = static_cast<uint32_t>(state.range(0));
    uint64_t events = 0;
    uint64_t reads = 0;
    for (auto _ : state)
    {
        state.PauseTiming();
        constexpr uint16_t MTU = 9000;
        DataCenterTcpPreset().Apply(MTU);
        NodeContainer hosts;
        hosts.Create(2);
        EthernetNetworkHelper network;
        network.SetDeviceAttribute("DataRate", DataRateValue(DataRate("100Gbps")));
        network.SetDeviceAttribute("Mtu", UintegerValue(MTU));
        const auto star = network.Install(hosts);
        const auto server = NfsRdmaServerHelper().Install(hosts.Get(0));
        const auto root = server.store->CreateExport("export");
        const auto file = server.store->AddFile(root, "file", READS * size);
        const auto client = NfsRdmaClientHelper().Install(
            hosts.Get(1),
            MakeSocketAddress(star.addresses[0], RpcRdmaServer::NFS_RDMA_PORT),
            AuthSysCredential{});
        ReadStream stream(client, server.store->GetHandle(file), READS * size, size, 16);
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

} // namespace
