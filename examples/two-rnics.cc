/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// An RNIC on each of two ordinary ns-3 nodes, and a Send from one to the
// other.

#include "helper/rnic-helper.h"
#include "mpa/tcp-preset.h"
#include "rnic/connect/cm-id.h"

#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <iostream>

using namespace ns3;
using namespace ns3::nfsrdma;

int
main()
{
    DataCenterTcpPreset().Apply(1500);
    NodeContainer nodes(2);
    InternetStackHelper().Install(nodes);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("100Gbps"));
    Ipv4AddressHelper("10.1.1.0", "255.255.255.0").Assign(link.Install(nodes));

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
        buffers.emplace_back(rnic->GetHostMemory(), 64);
    }

    pairs[0]->PostReceive({1, {{buffers[0].GetAddress(), 64}}});
    queues[0]->SetNotifyCallback(CompletionQueue::NotifyCallback([&](Ptr<CompletionQueue> queue) {
        const WorkCompletion completion = *queue->Poll();
        ByteVector octets(completion.length);
        buffers[0].Read(0, octets);
        std::cout << Simulator::Now().As(Time::US) << " " << ToString(completion.status) << ": "
                  << std::string(octets.begin(), octets.end()) << "\n";
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
            const std::string text = "Hello, iWARP";
            buffers[1].Write(0, ByteVector(text.begin(), text.end()));
            SendWorkRequest send;
            send.elements = {{buffers[1].GetAddress(), static_cast<uint32_t>(text.size())}};
            pairs[1]->PostSend(send);
        }
    }));
    Simulator::ScheduleWithContext(1, Seconds(0), [&] {
        ids[1]->Connect(pairs[1], InetSocketAddress("10.1.1.1", 4791), {});
    });
    Simulator::Run();
    Simulator::Destroy();
}
