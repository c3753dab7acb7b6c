/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-net-device.h"

#include "link/ethernet-channel.h"
#include "wire/ns3-version.h"
#include "wire/simulation-clock.h"

#include "ns3/enum.h"
#include "ns3/error-model.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaEthernetNetDevice");
NS_OBJECT_ENSURE_REGISTERED(EthernetNetDevice);

TypeId
EthernetNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::EthernetNetDevice")
            .SetParent<EthernetInterface>()
            .SetGroupName("NfsRdma")
            .AddConstructor<EthernetNetDevice>()
            .AddAttribute(
                "Mtu",
                "Largest payload of a frame (octets). Default: IEEE 802.3.",
                UintegerValue(1500),
                MakeUintegerAccessor(&EthernetInterface::SetMtu, &EthernetInterface::GetMtu),
                MakeUintegerChecker<uint16_t>(68))
            .AddAttribute("Address",
                          "The MAC address of this device.",
                          Mac48AddressValue(Mac48Address("ff:ff:ff:ff:ff:ff")),
                          MakeMac48AddressAccessor(&EthernetInterface::SetMacAddress,
                                                   &EthernetInterface::GetMacAddress),
                          MakeMac48AddressChecker())
            .AddAttribute("DataRate",
                          "Rate of the link in each direction (bit/s). Default: 100GBASE-R.",
                          DataRateValue(DataRate("100Gbps")),
                          MakeDataRateAccessor(&EthernetNetDevice::SetDataRate,
                                               &EthernetNetDevice::GetDataRate),
                          MakeDataRateChecker())
            .AddAttribute("InterframeGap",
                          "Octet times between two frames. Default: IEEE 802.3.",
                          UintegerValue(12),
                          MakeUintegerAccessor(&EthernetNetDevice::m_gap),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ReceiveErrorModel",
                          "Decides which received frames are damaged and thus dropped.",
                          PointerValue(),
                          MakePointerAccessor(&EthernetNetDevice::m_receiveErrorModel),
                          MakePointerChecker<ErrorModel>())
            .AddAttribute("QueueSize",
                          "What may wait to be sent (octets or frames). Default: ns-3's queues.",
                          QueueSizeValue(QueueSize("100p")),
                          MakeQueueSizeAccessor(&EthernetNetDevice::SetQueueSize,
                                                &EthernetNetDevice::GetQueueSize),
                          MakeQueueSizeChecker())
            .AddAttribute("FlowControl",
                          "Whether the port obeys the other end and can ask it to pause: none, "
                          "pause (IEEE 802.3 Annex 31B) or pfc (802.1Qbb, priority 0). Default: "
                          "none, as switches are mostly delivered.",
                          ToEnumValue(static_cast<int>(FlowControl::NONE)),
                          MakeEnumFieldAccessor(&EthernetNetDevice::m_flowControl),
                          MakeEnumChecker(static_cast<int>(FlowControl::NONE),
                                          "none",
                                          static_cast<int>(FlowControl::PAUSE),
                                          "pause",
                                          static_cast<int>(FlowControl::PFC),
                                          "pfc"))
            .AddTraceSource("PauseTx",
                            "The other end is asked to pause: for how many quanta.",
                            MakeTraceSourceAccessor(&EthernetNetDevice::m_pauseTx),
                            "ns3::nfsrdma::EthernetNetDevice::PauseTracedCallback")
            .AddTraceSource("PauseRx",
                            "The other end asks to pause: for how many quanta.",
                            MakeTraceSourceAccessor(&EthernetNetDevice::m_pauseRx),
                            "ns3::nfsrdma::EthernetNetDevice::PauseTracedCallback")
            .AddTraceSource("QueueOctets",
                            "The octets that wait to be sent have changed: before, after.",
                            MakeTraceSourceAccessor(&EthernetNetDevice::m_queueOctets),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("MacTx",
                            "A frame has been handed over for transmission.",
                            MakeTraceSourceAccessor(&EthernetNetDevice::m_macTx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "A frame was not sent: too long, link down, or queue full.",
                            MakeTraceSourceAccessor(&EthernetNetDevice::m_macTxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacPromiscRx",
                            "A frame has been received, for whichever destination.",
                            MakeTraceSourceAccessor(&EthernetNetDevice::m_macPromiscRx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A frame for this node has been received.",
                            MakeTraceSourceAccessor(&EthernetNetDevice::m_macRx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxBegin",
                            "The first octet of a frame leaves.",
                            MakeTraceSourceAccessor(&EthernetNetDevice::m_phyTxBegin),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxEnd",
                            "The last octet of a frame has left.",
                            MakeTraceSourceAccessor(&EthernetNetDevice::m_phyTxEnd),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxEnd",
                            "The last octet of an undamaged frame has arrived.",
                            MakeTraceSourceAccessor(&EthernetNetDevice::m_phyRxEnd),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxDrop",
                            "The error model has damaged a frame.",
                            MakeTraceSourceAccessor(&EthernetNetDevice::m_phyRxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Sniffer",
                            "A frame sent, or received for this node, as a host's capture sees it.",
                            MakeTraceSourceAccessor(&EthernetNetDevice::m_sniffer),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PromiscSniffer",
                            "A frame sent or received, as a promiscuous capture sees it.",
                            MakeTraceSourceAccessor(&EthernetNetDevice::m_promiscSniffer),
                            "ns3::Packet::TracedCallback");
    return tid;
}

EthernetNetDevice::EthernetNetDevice()
{
    SimulationClock::Start();
}

EthernetNetDevice::~EthernetNetDevice() = default;

void
EthernetNetDevice::DoDispose()
{
    m_next.Cancel();
    m_planned.clear();
    m_takenBack.clear();
    m_departure = DepartureCallback();
    m_channel = nullptr;
    m_receiveErrorModel = nullptr;
    m_frameCallback = FrameCallback();
    m_bondCallback = FrameCallback();
    m_carrierCallback = CarrierCallback();
    m_leaving = LeavingCallback();
    m_arriving = ArrivingCallback();
    EthernetInterface::DoDispose();
}

void
EthernetNetDevice::Attach(Ptr<EthernetChannel> channel)
{
    m_channel = channel;
    m_channel->Attach(this);
    TellLinkChange();
    m_hadCarrier = HasCarrier();
    if (const auto& peer = m_channel->GetPeer(*this))
    {
        peer->TellCarrier();
    }
}

bool
EthernetNetDevice::HasCarrier() const
{
    return IsLinkUp() && !m_dead && !m_channel->GetPeer(*this)->m_dead;
}

void
EthernetNetDevice::TellCarrier()
{
    const bool has = HasCarrier();
    if (has != m_hadCarrier)
    {
        m_hadCarrier = has;
        if (!m_carrierCallback.IsNull())
        {
            m_carrierCallback(has);
        }
    }
}

void
EthernetNetDevice::SetDataRate(DataRate rate)
{
    NS_ABORT_MSG_IF(rate.GetBitRate() == 0, "the data rate of an Ethernet port is above zero");
    m_rate = rate;
    m_calendar.SetRate(rate.GetBitRate());
}

void
EthernetNetDevice::SetReceiveErrorModel(Ptr<ErrorModel> errorModel)
{
    m_receiveErrorModel = errorModel;
}

void
EthernetNetDevice::SetDead(bool dead)
{
    m_dead = dead;
    if (dead)
    {
        LoseWaiting();
    }
    if (IsLinkUp())
    {
        const auto peer = m_channel->GetPeer(*this);
        TellCarrier();
        peer->TellCarrier();
    }
}

void
EthernetNetDevice::LoseWaiting()
{
    Account();
    Ring<Planned> lost;
    lost.swap(m_planned);
    m_heldOctets = 0;
    for (const auto& planned : lost)
    {
        if (StartsByEvent())
        {
            Drop(planned.frame, SimulationClock::Now());
            TellDeparture(planned.octets);
            continue;
        }
        m_takenBack.push_back(planned.frame);
        if (planned.isOnChannel)
        {
            m_channel->TakeBack(*this, planned.octets);
        }
        Drop(planned.frame, SimulationClock::Now());
    }
    if (StartsByEvent())
    {
        PlanAgain(m_sending);
    }
    else
    {
        m_calendar.Cut(SimulationClock::Now());
    }
    ShowQueue();
}

bool
EthernetNetDevice::TakeBack(const Ptr<Packet>& frame)
{
    const auto found = std::find(m_takenBack.begin(), m_takenBack.end(), frame);
    if (found == m_takenBack.end())
    {
        return false;
    }
    m_takenBack.erase(found);
    return true;
}

bool
EthernetNetDevice::SendBeneath(Ptr<Packet> frame, Time given)
{
    Account();
    const Time arrives = std::max(given, m_latestArrival);
    m_latestArrival = arrives;
    const Time now = SimulationClock::Now();
    const uint32_t octets = frame->GetSize();
    ++m_counters.framesGiven;
    m_counters.octetsGiven += octets;
    if (arrives > now && !m_macTx.IsEmpty())
    {
        Simulator::Schedule(arrives - now, &EthernetNetDevice::ShowGiven, this, frame);
    }
    else
    {
        m_macTx(frame);
    }
    if (m_dead || !IsLinkUp() || octets > HEADER_SIZE + GetWireMtu())
    {
        Drop(frame, arrives);
        return false;
    }
    const auto slot = m_calendar.Reserve(arrives, octets, WireOctets(octets), m_gap);
    if (!slot)
    {
        Drop(frame, arrives);
        return false;
    }
    if (StartsByEvent())
    {
        m_planned.push_back({arrives, *slot, frame, octets, false});
        m_heldOctets += octets;
        if (!m_queueOctets.IsEmpty() && slot->waits)
        {
            Simulator::Schedule(arrives - now, &EthernetNetDevice::ShowQueue, this);
        }
        StartDue();
        return true;
    }
    if (slot->starts > now)
    {
        m_planned.push_back({arrives, *slot, frame, octets, m_leaving.IsNull()});
        m_heldOctets += octets;
    }
    else
    {
        CountStarted(slot->busy, octets, m_leaving.IsNull());
    }
    ShowLeaving(frame, arrives, *slot);
    if (m_leaving.IsNull())
    {
        m_channel->Transmit(*this, frame, slot->starts - now + slot->lastOctet);
    }
    else if (slot->starts > now)
    {
        Simulator::Schedule(slot->starts - now,
                            &EthernetNetDevice::Leave,
                            this,
                            frame,
                            slot->lastOctet);
    }
    else
    {
        m_leaving(frame, slot->lastOctet);
    }
    return true;
}

void
EthernetNetDevice::PutLeaving(const Ptr<Packet>& frame, Time lastOctet)
{
    if (m_leaving.IsNull())
    {
        m_channel->Transmit(*this, frame, lastOctet);
    }
    else
    {
        m_leaving(frame, lastOctet);
    }
}

void
EthernetNetDevice::StartDue()
{
    const Time now = SimulationClock::Now();
    while (!m_planned.empty() && m_planned.front().slot.starts <= now)
    {
        const Planned due = m_planned.front();
        m_planned.pop_front();
        m_heldOctets -= due.octets;
        m_sending = now + due.slot.busy;
        CountStarted(due.slot.busy, due.octets, m_leaving.IsNull());
        ShowLeaving(due.frame, now, due.slot);
        PutLeaving(due.frame, due.slot.lastOctet);
        TellDeparture(due.octets);
    }
    if (!m_planned.empty() && !IsPending(m_next))
    {
        m_next = Simulator::Schedule(m_planned.front().slot.starts - now,
                                     &EthernetNetDevice::StartDue,
                                     this);
    }
}

void
EthernetNetDevice::PlanAgain(Time from)
{
    m_next.Cancel();
    m_calendar.Restart(from);
    for (auto& planned : m_planned)
    {
        planned.slot = m_calendar.ReserveAgain(planned.arrives,
                                               planned.octets,
                                               WireOctets(planned.octets),
                                               m_gap);
    }
    StartDue();
}

Time
EthernetNetDevice::GetPauseTime(uint16_t quanta) const
{
    constexpr uint64_t NANOSECONDS = 1'000'000'000;
    return NanoSeconds(quanta * uint64_t{PauseFrame::QUANTUM_BITS} * NANOSECONDS /
                       m_rate.GetBitRate());
}

Time
EthernetNetDevice::GetPausedTime() const
{
    return m_pausedTime - std::max(Time(0), m_pausedUntil - SimulationClock::Now());
}

void
EthernetNetDevice::SendPause(uint16_t quanta)
{
    NS_ABORT_MSG_UNLESS(HasFlowControl(), "PAUSE of a port without flow control");
    PauseFrame pause;
    pause.kind = GetFlowControl();
    pause.quanta = quanta;
    GetMacAddress().CopyTo(pause.source.data());
    std::array<uint8_t, PauseFrame::SIZE> octets{};
    pause.Encode(octets);
    m_pauseTx(quanta);
    SendControl(Create<Packet>(octets.data(), PauseFrame::SIZE));
}

void
EthernetNetDevice::SendControl(const Ptr<Packet>& frame)
{
    const Time now = SimulationClock::Now();
    const uint32_t octets = frame->GetSize();
    ++m_counters.framesGiven;
    m_counters.octetsGiven += octets;
    if (m_dead || !IsLinkUp())
    {
        Drop(frame, now);
        return;
    }
    const Time starts = std::max(now, m_sending);
    m_calendar.Restart(starts);
    const auto slot = m_calendar.ReserveAgain(starts, octets, WireOctets(octets), m_gap);
    m_sending = starts + slot.busy;
    m_controlOctets += octets;
    if (starts > now)
    {
        Simulator::Schedule(starts - now, &EthernetNetDevice::BeginControl, this, frame, slot);
    }
    else
    {
        BeginControl(frame, slot);
    }
    PlanAgain(std::max(m_sending, m_pausedUntil));
}

void
EthernetNetDevice::BeginControl(Ptr<Packet> frame, PortCalendar::Slot slot)
{
    m_controlOctets -= frame->GetSize();
    if (m_dead || !m_channel)
    {
        Drop(frame, SimulationClock::Now());
        return;
    }
    ++m_counters.pauseSent;
    CountStarted(slot.busy, frame->GetSize(), m_leaving.IsNull());
    ShowLeaving(frame, SimulationClock::Now(), slot);
    PutLeaving(frame, slot.lastOctet);
}

bool
EthernetNetDevice::TakeControl(const Ptr<const Packet>& frame)
{
    std::array<uint8_t, PauseFrame::SIZE> octets{};
    const ByteSpan read(octets.data(), frame->CopyData(octets.data(), PauseFrame::SIZE));
    if (!PauseFrame::IsMacControl(read))
    {
        return false;
    }
    const auto pause = PauseFrame::Decode(read);
    if (!pause || pause->kind != GetFlowControl())
    {
        return true;
    }
    const Time now = SimulationClock::Now();
    ++m_counters.pauseReceived;
    m_pauseRx(pause->quanta);
    m_pausedTime = GetPausedTime();
    m_pausedUntil = now + GetPauseTime(pause->quanta);
    m_pausedTime += m_pausedUntil - now;
    PlanAgain(std::max({now, m_sending, m_pausedUntil}));
    return true;
}

uint64_t
EthernetNetDevice::GetAheadOctets() const
{
    Account();
    uint64_t ahead = 0;
    for (const auto& planned : m_planned)
    {
        ahead += planned.isOnChannel ? planned.octets : 0;
    }
    return ahead;
}

void
EthernetNetDevice::Account() const
{
    if (StartsByEvent())
    {
        return;
    }
    while (!m_planned.empty() && m_planned.front().slot.starts <= SimulationClock::Now())
    {
        const auto& started = m_planned.front();
        CountStarted(started.slot.busy, started.octets, started.isOnChannel);
        m_heldOctets -= started.octets;
        m_planned.pop_front();
    }
}

void
EthernetNetDevice::CountStarted(Time busy, uint32_t octets, bool isOnChannel) const
{
    ++m_counters.framesSent;
    m_counters.octetsSent += octets;
    m_counters.busy += busy;
    if (isOnChannel)
    {
        ++m_counters.framesOnCable;
        m_counters.octetsOnCable += octets;
    }
}

uint64_t
EthernetNetDevice::GetWaitingOctets() const
{
    Account();
    uint64_t waiting = 0;
    for (const auto& planned : m_planned)
    {
        const bool isHere = planned.slot.waits && planned.arrives <= SimulationClock::Now();
        waiting += isHere ? planned.octets : 0;
    }
    return waiting;
}

/// Has trace sources that somebody listens to called when what they tell of happens.
void
EthernetNetDevice::ShowLeaving(const Ptr<Packet>& frame,
                               Time arrives,
                               const PortCalendar::Slot& slot)
{
    const Time now = SimulationClock::Now();
    if (!m_queueOctets.IsEmpty() && slot.waits)
    {
        Simulator::Schedule(arrives - now, &EthernetNetDevice::ShowQueue, this);
        Simulator::Schedule(slot.starts - now, &EthernetNetDevice::ShowQueue, this);
    }
    if (!m_phyTxBegin.IsEmpty() || !m_sniffer.IsEmpty() || !m_promiscSniffer.IsEmpty())
    {
        if (slot.starts > now)
        {
            Simulator::Schedule(slot.starts - now, &EthernetNetDevice::ShowBegin, this, frame);
        }
        else
        {
            ShowBegin(frame);
        }
    }
    if (!m_phyTxEnd.IsEmpty())
    {
        Simulator::Schedule(slot.starts - now + slot.lastOctet,
                            &EthernetNetDevice::TransmitEnded,
                            this,
                            frame->Copy());
    }
}

void
EthernetNetDevice::ShowBegin(Ptr<const Packet> frame)
{
    m_phyTxBegin(frame);
    m_sniffer(frame);
    m_promiscSniffer(frame);
}

void
EthernetNetDevice::ShowQueue()
{
    const auto waiting = static_cast<uint32_t>(GetWaitingOctets());
    if (waiting != m_shownQueue)
    {
        m_queueOctets(m_shownQueue, waiting);
        m_shownQueue = waiting;
    }
}

void
EthernetNetDevice::Leave(Ptr<Packet> frame, Time lastOctet)
{
    Account();
    if (m_takenBack.empty() || !TakeBack(frame))
    {
        m_leaving(frame, lastOctet);
    }
}

void
EthernetNetDevice::SetCableCallbacks(LeavingCallback leaving, ArrivingCallback arriving)
{
    m_leaving = leaving;
    m_arriving = arriving;
}

void
EthernetNetDevice::Drop(const Ptr<const Packet>& frame, Time at)
{
    ++m_counters.framesDropped;
    m_counters.octetsDropped += frame->GetSize();
    if (at > SimulationClock::Now() && !m_macTxDrop.IsEmpty())
    {
        Simulator::Schedule(at - SimulationClock::Now(), &EthernetNetDevice::ShowDrop, this, frame);
    }
    else
    {
        m_macTxDrop(frame);
    }
}

void
EthernetNetDevice::PutOnCable(Ptr<Packet> frame, Time lastOctet)
{
    ++m_counters.framesOnCable;
    m_counters.octetsOnCable += frame->GetSize();
    m_channel->Transmit(*this, frame, lastOctet);
}

void
EthernetNetDevice::Receive(Ptr<Packet> frame)
{
    ++m_counters.framesArrived;
    m_counters.octetsArrived += frame->GetSize();
    if (m_arriving.IsNull())
    {
        TakeFromCable(frame);
    }
    else
    {
        m_arriving(frame);
    }
}

void
EthernetNetDevice::TakeFromCable(Ptr<Packet> frame)
{
    if (m_dead || m_deaf || (m_receiveErrorModel && m_receiveErrorModel->IsCorrupt(frame)))
    {
        ++m_counters.framesDamaged;
        m_counters.octetsDamaged += frame->GetSize();
        m_phyRxDrop(frame);
        return;
    }
    m_phyRxEnd(frame);
    m_promiscSniffer(frame);
    if (HasFlowControl() && TakeControl(frame))
    {
        return;
    }
    if (!m_frameCallback.IsNull())
    {
        m_macPromiscRx(frame);
        m_frameCallback(frame);
        return;
    }
    m_delivering = true;
    DeliverUp(frame);
    m_delivering = false;
}

void
EthernetNetDevice::DeliverUp(Ptr<Packet> frame)
{
    const PacketType type = Classify(frame);
    m_macPromiscRx(frame);
    if (type != PACKET_OTHERHOST)
    {
        m_sniffer(frame);
        m_macRx(frame);
        if (!m_bondCallback.IsNull())
        {
            m_bondCallback(frame);
            return;
        }
    }
    DeliverToHost(frame, type);
}

bool
EthernetNetDevice::IsLinkUp() const
{
    return m_channel && m_channel->IsComplete();
}

Ptr<Channel>
EthernetNetDevice::GetChannel() const
{
    return m_channel;
}

} // namespace ns3::nfsrdma
