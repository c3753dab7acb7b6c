/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-pcap.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(EthernetPcap);

namespace
{

constexpr uint32_t DLT_EN10MB = 1;
constexpr uint32_t SNAP_LENGTH = 65535;

} // namespace

TypeId
EthernetPcap::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::EthernetPcap")
                            .SetParent<Object>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<EthernetPcap>();
    return tid;
}

bool
EthernetPcap::Open(const std::string& file, Ptr<EthernetNetDevice> device)
{
    Close();
    m_file = CreateObjectWithAttributes<PcapFileWrapper>("NanosecMode", BooleanValue(true));
    m_file->Open(file, std::ios::out);
    if (m_file->Fail())
    {
        m_file = nullptr;
        return false;
    }
    m_file->Init(DLT_EN10MB, SNAP_LENGTH);
    return Add(device);
}

bool
EthernetPcap::Add(Ptr<EthernetNetDevice> device)
{
    m_devices.push_back(device);
    return device->TraceConnectWithoutContext("PromiscSniffer",
                                              MakeCallback(&EthernetPcap::Write, this));
}

bool
EthernetPcap::Close()
{
    for (const auto& device : m_devices)
    {
        device->TraceDisconnectWithoutContext("PromiscSniffer",
                                              MakeCallback(&EthernetPcap::Write, this));
    }
    m_devices.clear();
    bool isWhole = true;
    if (m_file)
    {
        m_file->Close();
        isWhole = !m_file->Fail();
        m_file = nullptr;
    }
    return isWhole;
}

void
EthernetPcap::DoDispose()
{
    Close();
    Object::DoDispose();
}

void
EthernetPcap::Write(Ptr<const Packet> frame)
{
    m_file->Write(Simulator::Now(), frame);
}

} // namespace ns3::nfsrdma
