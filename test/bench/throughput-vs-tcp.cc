/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The same octets over the same network in one process: by ns-3's own BulkSend over bare TCP, and
 * by NFS READs through the whole stack, over ns-3's TCP and over the adapter's TCP engine. Prints
 * what each costs and the ratio, in time of the processor, which other programs beside it change
 * little. With an argument: only rows whose name contains it, the first of which is the measure of
 * the others; with a second one: only this MTU.
 */
#include "bench/read-stream.h"
#include "bench/write-stream.h"
#include "helper/ethernet-network-helper.h"
#include "helper/nfs-rdma-server-helper.h"
#include "helper/rnic-helper.h"
#include "mpa/internet-address.h"
#include "mpa/tcp-preset.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/global-value.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::nfsrdma;

namespace
{

constexpr uint64_t TOTAL = 256ULL << 20;
constexpr uint32_t READ_SIZE = 256U << 10;
constexpr uint32_t READ_DEPTH = 8;
constexpr uint32_t WRITE_SIZE = 1U << 20;
constexpr uint32_t WRITE_DEPTH = 4;
constexpr int REPETITIONS = 5;

struct Cost
{
    double cpuSeconds{0};
    double simulatedSeconds{0};
    uint64_t events{0};
};

EthernetNetwork
BuildNetwork(NodeContainer& hosts, uint16_t mtu)
{
    DataCenterTcpPreset tcp;
    tcp.Apply(mtu);
    EthernetNetworkHelper network;
    network.SetDeviceAttribute("DataRate", DataRateValue(DataRate("100Gbps")));
    network.SetDeviceAttribute("Mtu", UintegerValue(mtu));
    network.SetQueueSizes(16U << 20, 16U << 20);
    hosts.Create(2);
    return network.Install(hosts);
}

Cost
Measure(const std::function<void()>& run)
{
    Cost cost;
    const std::clock_t begin = std::clock();
    run();
    cost.cpuSeconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    cost.events = Simulator::GetEventCount();
    return cost;
}

Cost
RunBareTcp(uint16_t mtu)
{
    NodeContainer hosts;
    const auto star = BuildNetwork(hosts, mtu);
    const Address sinkAddress = MakeSocketAddress(star.addresses[1], 9);
    PacketSinkHelper sinkHelper("ns3::TcpSocketFactory", sinkAddress);
    const auto sink = DynamicCast<PacketSink>(sinkHelper.Install(hosts.Get(1)).Get(0));
    BulkSendHelper sender("ns3::TcpSocketFactory", sinkAddress);
    sender.SetAttribute("MaxBytes", UintegerValue(TOTAL));
    sender.SetAttribute("SendSize", UintegerValue(64U << 10));
    sender.Install(hosts.Get(0));

    Time end;
    sink->TraceConnectWithoutContext(
        "Rx",
        Callback<void, Ptr<const Packet>, const Address&>(
            [&end](Ptr<const Packet>, const Address&) { end = Simulator::Now(); }));
    Cost cost = Measure([] { Simulator::Run(); });
    NS_ABORT_MSG_UNLESS(sink->GetTotalRx() == TOTAL, "TCP lost octets");
    cost.simulatedSeconds = end.GetSeconds();
    Simulator::Destroy();
    return cost;
}

Cost
RunNfsRead(uint16_t mtu, bool offload)
{
    Config::SetDefault("ns3::nfsrdma::MpaTransport::Tcp", StringValue(offload ? "offload" : "ns3"));
    NodeContainer hosts;
    const auto star = BuildNetwork(hosts, mtu);
    NfsRdmaServerHelper serverHelper;
    serverHelper.GetAttributes().Set("StorageModel",
                                     "Bandwidth",
                                     DataRateValue(DataRate("400Gbps")));
    const auto server = serverHelper.Install(hosts.Get(0));
    const auto root = server.store->CreateExport("export");
    const auto file =
        server.store->AddFile(root, "file", TOTAL, {}, [](uint64_t, MutableByteSpan out) {
            std::memset(out.data(), 0x5a, out.size());
        });
    const auto client = NfsRdmaClientHelper().Install(
        hosts.Get(1),
        MakeSocketAddress(star.addresses[0], RpcRdmaServer::NFS_RDMA_PORT),
        AuthSysCredential{});
    ReadStream stream(client, server.store->GetHandle(file), TOTAL, READ_SIZE, READ_DEPTH);
    stream.Start();
    Cost cost = Measure([] { Simulator::Run(); });
    NS_ABORT_MSG_UNLESS(stream.GetOctets() == TOTAL, "NFS lost octets");
    cost.simulatedSeconds = stream.GetEnd().GetSeconds();
    Simulator::Destroy();
    return cost;
}

Cost
RunWrites(uint16_t mtu)
{
    Config::SetDefault("ns3::nfsrdma::MpaTransport::Tcp", StringValue("offload"));
    NodeContainer hosts;
    const auto star = BuildNetwork(hosts, mtu);
    const auto devices = RnicHelper().Install(hosts);
    WriteStream stream(devices[0], devices[1], star.addresses[1], {TOTAL, WRITE_SIZE, WRITE_DEPTH});
    stream.Start();
    Cost cost = Measure([] { Simulator::Run(); });
    NS_ABORT_MSG_UNLESS(stream.GetOctets() == TOTAL, "Writes lost octets");
    cost.simulatedSeconds = stream.GetEnd().GetSeconds();
    Simulator::Destroy();
    return cost;
}

/// What is measured, the measure of the others first.
struct Row
{
    const char* name;
    Cost (*run)(uint16_t mtu);
};

constexpr Row ROWS[] = {
    {"bare TCP", RunBareTcp},
    {"NFS, ns-3 TCP", [](uint16_t mtu) { return RunNfsRead(mtu, false); }},
    {"NFS, engine", [](uint16_t mtu) { return RunNfsRead(mtu, true); }},
    {"Writes, engine", RunWrites},
};

/// \return for each of \p rows the run with the median time of the processor. The rows take turns,
/// so that a machine that gets slower meanwhile does so for all.
std::vector<Cost>
MeasureInTurn(const std::vector<Row>& rows, uint16_t mtu)
{
    std::vector<std::vector<Cost>> costs(rows.size());
    for (int i = 0; i < REPETITIONS; ++i)
    {
        for (std::size_t row = 0; row < rows.size(); ++row)
        {
            costs[row].push_back(rows[row].run(mtu));
        }
    }
    std::vector<Cost> medians;
    for (auto& runs : costs)
    {
        const auto middle = runs.begin() + runs.size() / 2;
        std::nth_element(runs.begin(), middle, runs.end(), [](const Cost& left, const Cost& right) {
            return left.cpuSeconds < right.cpuSeconds;
        });
        medians.push_back(*middle);
    }
    return medians;
}

} // namespace

int
main(int argc, char** argv)
{
    const std::string only = argc > 1 ? argv[1] : "";
    const std::string onlyMtu = argc > 2 ? argv[2] : "";
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    std::vector<Row> rows;
    std::copy_if(
        std::begin(ROWS),
        std::end(ROWS),
        std::back_inserter(rows),
        [&only](const Row& row) { return std::string(row.name).find(only) != std::string::npos; });
    std::printf("%llu MiB, READs of %u KiB, %u outstanding; median of %d runs\n",
                static_cast<unsigned long long>(TOTAL >> 20),
                READ_SIZE >> 10,
                READ_DEPTH,
                REPETITIONS);
    std::printf("%5s  %-14s %10s %7s %12s %10s %10s %14s\n",
                "MTU",
                "by",
                "MB/CPU-s",
                "ratio",
                "simul. Gb/s",
                "kevents/s",
                "events",
                "events per MiB");
    for (const uint16_t mtu : {uint16_t{1500}, uint16_t{9000}})
    {
        if (!onlyMtu.empty() && onlyMtu != std::to_string(mtu))
        {
            continue;
        }
        const std::vector<Cost> costs = MeasureInTurn(rows, mtu);
        for (std::size_t row = 0; row < rows.size(); ++row)
        {
            const Cost& cost = costs[row];
            std::printf("%5u  %-14s %10.1f %7.2f %12.2f %10.0f %10llu %14.0f\n",
                        mtu,
                        rows[row].name,
                        TOTAL / cost.cpuSeconds / 1e6,
                        costs.front().cpuSeconds / cost.cpuSeconds,
                        TOTAL * 8 / cost.simulatedSeconds / 1e9,
                        cost.events / cost.cpuSeconds / 1e3,
                        static_cast<unsigned long long>(cost.events),
                        static_cast<double>(cost.events) / (TOTAL >> 20));
        }
    }
    return 0;
}
