/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// An RNIC on each of two ordinary ns-3 nodes, and a Send from one to the
// other.

#include "helper/rnic-helper.h"
#include "mpa/tcp-preset.h"
#include "rnic/connect/cm-id.h"

#include "ns3/command-line.h"
#include "ns3/data-rate.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/nstime.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"

#include <iostream>

using namespace ns3;
using namespace ns3::nfsrdma;

int
main(int argc, char* argv[])
{
    DataRate rate("100Gbps");
    Time delay;
    std::string text = "Hello, iWARP";
    CommandLine command(__FILE__);
    command.AddValue("rate", "Rate of the link", rate);
    command.AddValue("delay", "Delay of the link", delay);
    command.AddValue("text", "What is sent", text);
    command.Parse(argc, argv);
    if (rate.GetBitRate() == 0)
    {
        std::cerr << "two-rnics: --rate=0bps: expected a rate above 0\n";
        return 2;
    }
    if (delay.IsStrictlyNegative())
    {
        std::cerr << "two-rnics: --delay=" << delay.As(Time::NS) << ": expected 0 or more\n";
        return 2;
    }

    DataCenterTcpPreset().Apply(1500);
    NodeContainer nodes(2);
    InternetStackHelper().Install(nodes);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", DataRateValue(rate));
    link.SetChannelAttribute("Delay", TimeValue(delay));
    Ipv4AddressHelper("10.1.1.0", "255.255.255.0").Assign(link.Install(nodes));

    const auto octets = static_cast<uint32_t>(text.size());
    std::vector<Ptr<CompletionQueue>> queues;
    std::vector<Ptr<QueuePair>> pairs;
    std::vector<Ptr<CmId>> ids;
    std::vector<HostBuffer> buffers;
    for (const auto& rnic : RnicHelper().Install(nodes))
    {
        const auto domain = *rnic->AllocateProtectionDomain();
        queues.push_back(*rnic->CreateCompletionQueue(16));
        pairs.push_back(*rnic->CreateQueuePair(domain, queues.back(), queues.back(), {}));
        ids.push_back(CmId::Create(rnic));
        buffers.emplace_back(rnic->GetHostMemory(), octets);
    }

    pairs[0]->PostReceive({1, {{buffers[0].GetAddress(), octets}}});
    queues[0]->SetNotifyCallback(CompletionQueue::NotifyCallback([&](Ptr<CompletionQueue> queue) {
        const WorkCompletion completion = *queue->Poll();
        ByteVector received(completion.length);
        buffers[0].Read(0, received);
        std::cout << Simulator::Now().As(Time::US) << " " << ToString(completion.status) << ": "
                  << std::string(received.begin(), received.end()) << "\n";
        ids[1]->Disconnect();
    }));
    queues[0]->RequestNotify();
    ids[0]->SetEventCallback(CmId::EventCallback([&](Ptr<CmId>, const CmEvent& event) {
        if (event.type == CmEventType::CONNECT_REQUEST)
        {
            event.newId->Accept(pairs[0], {});
            ids[0]->Disconnect(); // Listens no more.
        }
    }));
    ids[0]->Listen(4791);

    ids[1]->SetEventCallback(CmId::EventCallback([&](Ptr<CmId>, const CmEvent& event) {
        if (event.type == CmEventType::ESTABLISHED)
        {
            buffers[1].Write(0, ByteVector(text.begin(), text.end()));
            SendWorkRequest send;
            send.elements = {{buffers[1].GetAddress(), octets}};
            pairs[1]->PostSend(send);
        }
    }));
    Simulator::ScheduleWithContext(1, Seconds(0), [&] {
        ids[1]->Connect(pairs[1], InetSocketAddress("10.1.1.1", 4791), {});
    });
    Simulator::Run();
    Simulator::Destroy();
}
