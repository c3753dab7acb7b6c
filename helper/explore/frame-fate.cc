/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/explore/frame-fate.h"

#include "ns3/packet.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(FrameFate);

TypeId
FrameFate::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::FrameFate")
                            .SetParent<ErrorModel>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<FrameFate>();
    return tid;
}

void
FrameFate::Install(const Ptr<ExploringSimulator>& simulator, const Ptr<EthernetNetDevice>& device)
{
    const auto fate = CreateObject<FrameFate>();
    fate->m_simulator = simulator;
    fate->m_device = PeekPointer(device);
    device->SetReceiveErrorModel(fate);
    device->TraceConnectWithoutContext("PhyRxEnd", MakeCallback(&FrameFate::TakeAgain, fate));
}

bool
FrameFate::DoCorrupt(Ptr<Packet> /* frame */)
{
    return m_simulator->GetFate() == ExploringSimulator::Fate::LOST;
}

void
FrameFate::DoReset()
{
}

void
FrameFate::TakeAgain(Ptr<const Packet> frame)
{
    if (m_simulator->TakeFate() == ExploringSimulator::Fate::DOUBLED)
    {
        m_device->TakeFromCable(frame->Copy());
    }
}

} // namespace ns3::nfsrdma
