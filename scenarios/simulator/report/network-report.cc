/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/report/network-report.h"

#include "helper/ethernet-network.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace ns3::nfsrdma
{

double
PortReport::GetMeanQueue() const
{
    const auto frames = counters.frames + counters.dropped;
    return frames == 0 ? 0 : static_cast<double>(counters.queueFound) / static_cast<double>(frames);
}

std::vector<PortReport>
ListPorts(const EthernetNetwork& network)
{
    std::vector<PortReport> ports;
    for (const auto& port : network.ports)
    {
        ports.push_back({network.switchNames[port.ethernetSwitch],
                         port.peer,
                         port.towardsSwitch,
                         network.switches[port.ethernetSwitch]->GetPortCounters(port.port),
                         network.switches[port.ethernetSwitch]->GetPort(port.port)});
    }
    return ports;
}

namespace
{

bool
HasFlowControl(const std::vector<PortReport>& ports)
{
    return std::any_of(ports.begin(), ports.end(), [](const PortReport& port) {
        return port.device->HasFlowControl();
    });
}

} // namespace

nlohmann::ordered_json
DescribeNetwork(const std::vector<PortReport>& ports)
{
    SwitchPort::Counters sum;
    const PortReport* fullest = nullptr;
    for (const auto& port : ports)
    {
        sum.frames += port.counters.frames;
        sum.octets += port.counters.octets;
        sum.marked += port.counters.marked;
        sum.dropped += port.counters.dropped;
        if (fullest == nullptr || port.GetMeanQueue() > fullest->GetMeanQueue())
        {
            fullest = &port;
        }
    }
    nlohmann::ordered_json document{{"ports", ports.size()},
                                    {"frames", sum.frames},
                                    {"octets", sum.octets},
                                    {"frames_marked", sum.marked},
                                    {"frames_dropped", sum.dropped}};
    uint64_t pauses = 0;
    for (const auto& port : ports)
    {
        pauses += port.device->GetCounters().pauseSent;
    }
    if (HasFlowControl(ports))
    {
        document["pause_frames_sent"] = pauses;
    }
    if (fullest != nullptr)
    {
        document["fullest_port"] = fullest->ethernetSwitch + " to " + fullest->peer;
        document["queue_mean_octets"] = fullest->GetMeanQueue();
        document["queue_most_octets"] = fullest->counters.queueMost;
    }
    return document;
}

std::string
MakePortsCsv(const std::vector<PortReport>& ports)
{
    std::ostringstream csv;
    csv << "switch,peer,uplink,frames,octets,marked,dropped,queue_most_octets,queue_mean_octets"
        << (HasFlowControl(ports) ? ",pause_sent,pause_received,paused_us\n" : "\n");
    for (const auto& port : ports)
    {
        const auto& counters = port.counters;
        csv << port.ethernetSwitch << "," << port.peer << "," << (port.towardsSwitch ? 1 : 0) << ","
            << counters.frames << "," << counters.octets << "," << counters.marked << ","
            << counters.dropped << "," << counters.queueMost << "," << std::fixed
            << std::setprecision(1) << port.GetMeanQueue();
        if (HasFlowControl(ports))
        {
            const auto& own = port.device->GetCounters();
            csv << "," << own.pauseSent << "," << own.pauseReceived << ","
                << static_cast<double>(port.device->GetPausedTime().GetNanoSeconds()) / 1000;
        }
        csv << "\n";
    }
    return csv.str();
}

} // namespace ns3::nfsrdma
