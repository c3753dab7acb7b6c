/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/host-fault-actions.h"

#include "link/ethernet-channel.h"
#include "link/ethernet-net-device.h"
#include "mpa/connection.h"
#include "mpa/internet-address.h"
#include "rnic/connect/cm-id.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

/// \return whether an end of the connection of \p pair is one of \p clientEnds.
bool
IsOneOf(QueuePair& pair, const std::vector<std::pair<IpAddress, uint16_t>>& clientEnds)
{
    const auto isEnd = [&clientEnds](const Address& address) {
        const std::pair end(GetHostOf(address), GetPortOf(address));
        return std::find(clientEnds.begin(), clientEnds.end(), end) != clientEnds.end();
    };
    return isEnd(pair.GetConnection().GetLocalAddress()) ||
           isEnd(pair.GetConnection().GetPeerAddress());
}

/// \return the queue pairs of the connections that \p fault names by number.
std::vector<Ptr<QueuePair>>
FindPairs(const RnicDevice& device, const HostFault& fault)
{
    std::vector<Ptr<QueuePair>> pairs;
    for (const auto& id : device.ListIds())
    {
        const auto pair = id->GetQueuePair();
        if (pair && id->IsConnected() && pair->HasConnection() && IsOneOf(*pair, fault.clientEnds))
        {
            pairs.push_back(pair);
        }
    }
    return pairs;
}

void
Fail(QueuePair& pair)
{
    if (!pair.Modify(QueuePairState::TERMINATE))
    {
        pair.MoveToError();
    }
}

/// Between two looks at whether a device that is being removed still has queue pairs.
const Time REMOVAL_POLL = MicroSeconds(10);
/// After which the device goes although it has some.
const Time REMOVAL_LIMIT = Seconds(1);
/// What the driver needs after the last queue pair; TCP still sends meanwhile.
const Time DRIVER_REMOVAL = MilliSeconds(1);

void
Overrun(QueuePair& pair)
{
    if (const auto queue = pair.GetReceiveCompletions())
    {
        queue->Overrun();
    }
}

} // namespace

HostFaultActions::HostFaultActions(Ptr<Node> node, Ptr<RnicDevice> device, Peers peers)
    : m_node(node),
      m_device(device),
      m_peers(std::move(peers)),
      m_alive(std::make_shared<bool>(true))
{
}

HostFaultActions::~HostFaultActions() = default;

std::string
HostFaultActions::Refuse(const HostFault& fault) const
{
    if (auto refusal = RefuseKind(fault.kind); !refusal.empty())
    {
        return refusal;
    }
    if (auto flaw = FindFlaw(fault); !flaw.empty())
    {
        return flaw;
    }
    if (!fault.peer.empty() && m_peers.count(fault.peer) == 0)
    {
        return "it has no connection with " + fault.peer;
    }
    return "";
}

void
HostFaultActions::Inject(const HostFault& fault)
{
    After(Time(0), [this, fault] {
        ++m_injected;
        Act(fault);
    });
}

bool
HostFaultActions::HasObject(const HostFault& fault) const
{
    return fault.connection == 0 || !FindPairs(*m_device, fault).empty();
}

uint64_t
HostFaultActions::GetInjected() const
{
    return m_injected;
}

void
HostFaultActions::After(Time delay, std::function<void()> action)
{
    Simulator::ScheduleWithContext(
        m_node->GetId(),
        delay,
        [alive = std::weak_ptr<bool>(m_alive), action = std::move(action)] {
            if (!alive.expired())
            {
                action();
            }
        });
}

RnicFaults::Peer
HostFaultActions::FindPeer(const HostFault& fault) const
{
    if (fault.peer.empty())
    {
        return std::nullopt;
    }
    return m_peers.at(fault.peer);
}

void
HostFaultActions::Act(const HostFault& fault)
{
    RnicFaults& faults = m_device->GetFaults();
    const Time end = fault.duration.IsZero() ? Time::Max() : Simulator::Now() + fault.duration;
    switch (fault.kind)
    {
    case HostFaultKind::RNIC_RESET:
        ResetDevice(fault.duration);
        break;
    case HostFaultKind::RNIC_REMOVE:
        RemoveDevice(fault.duration);
        break;
    case HostFaultKind::QP_ERROR:
        if (fault.connection == 0)
        {
            faults.FailQueuePairs(FindPeer(fault));
        }
        for (const auto& pair : FindPairs(*m_device, fault))
        {
            Fail(*pair);
        }
        break;
    case HostFaultKind::REGISTRATION_FAILURE:
        faults.FailRegistrations(fault.amount, end);
        break;
    case HostFaultKind::REGION_SHORTAGE:
        faults.RefuseRegions(fault.amount, end);
        break;
    case HostFaultKind::CQ_OVERFLOW:
        if (fault.connection == 0)
        {
            faults.OverrunQueues(FindPeer(fault));
        }
        for (const auto& pair : FindPairs(*m_device, fault))
        {
            Overrun(*pair);
        }
        break;
    case HostFaultKind::SLOW_RECEIVER:
        SlowReceives(fault);
        break;
    case HostFaultKind::MEMORY_PRESSURE:
        Press(fault);
        break;
    case HostFaultKind::PORT_DOWN:
        TakePortDown(fault);
        break;
    case HostFaultKind::PORT_DEAF:
    case HostFaultKind::PORT_MUTE:
        BreakOneWay(fault);
        break;
    default:
        break;
    }
}

std::vector<Ptr<EthernetNetDevice>>
HostFaultActions::ListPorts() const
{
    std::vector<Ptr<EthernetNetDevice>> ports;
    for (uint32_t i = 0; i < m_node->GetNDevices(); ++i)
    {
        if (const auto port = DynamicCast<EthernetNetDevice>(m_node->GetDevice(i)))
        {
            ports.push_back(port);
        }
    }
    return ports;
}

void
HostFaultActions::SetPorts()
{
    const auto ports = ListPorts();
    for (std::size_t port = 0; port < ports.size(); ++port)
    {
        const bool dead = m_outages > 0 || m_portsDown.count(port) > 0;
        if (dead != ports[port]->IsDead())
        {
            ports[port]->SetDead(dead);
        }
    }
}

void
HostFaultActions::TakePortDown(const HostFault& fault)
{
    const std::size_t port = fault.amount == 0 ? 0 : fault.amount - 1;
    m_portsDown.insert(port);
    SetPorts();
    After(fault.duration, [this, port] {
        m_portsDown.erase(m_portsDown.find(port));
        SetPorts();
    });
}

void
HostFaultActions::BreakOneWay(const HostFault& fault)
{
    const std::size_t port = fault.amount == 0 ? 0 : fault.amount - 1;
    const bool isMute = fault.kind == HostFaultKind::PORT_MUTE;
    auto& broken = isMute ? m_portsMute : m_portsDeaf;
    const auto own = ListPorts().at(port);
    const auto channel = DynamicCast<EthernetChannel>(own->GetChannel());
    const auto deaf = isMute ? channel->GetPeer(*own) : own;
    broken.insert(port);
    deaf->SetDeaf(true);
    After(fault.duration, [&broken, port, deaf] {
        broken.erase(broken.find(port));
        deaf->SetDeaf(broken.count(port) > 0);
    });
}

void
HostFaultActions::TakeOffNetwork()
{
    if (m_outages++ == 0)
    {
        SetPorts();
        m_device->GetFaults().Fail();
    }
}

void
HostFaultActions::BringBack()
{
    if (--m_outages == 0)
    {
        m_device->GetFaults().Recover();
        SetPorts();
    }
}

void
HostFaultActions::ResetDevice(Time duration)
{
    TakeOffNetwork();
    // Not before TCP has dropped its connections, which it does in events of its own.
    After(duration, [this] { BringBack(); });
}

void
HostFaultActions::RemoveDevice(Time duration)
{
    m_device->GetFaults().Leave();
    AwaitRelease(Simulator::Now() + REMOVAL_LIMIT, duration);
}

void
HostFaultActions::AwaitRelease(Time latest, Time duration)
{
    const bool isInUse = m_device->GetFaults().IsLeaving() &&
                         m_device->GetCensus().queuePairs != 0 && Simulator::Now() < latest;
    After(isInUse ? REMOVAL_POLL : DRIVER_REMOVAL, [this, latest, duration, isInUse] {
        if (isInUse)
        {
            AwaitRelease(latest, duration);
            return;
        }
        ResetDevice(duration);
    });
}

void
HostFaultActions::SlowReceives(const HostFault& fault)
{
    const uint32_t handle = m_device->GetFaults().BeginSlowReceives(FindPeer(fault), fault.delay);
    After(fault.duration, [this, handle] { m_device->GetFaults().EndSlowReceives(handle); });
}

void
HostFaultActions::Press(const HostFault& fault)
{
    m_pressures.insert(fault.amount);
    SetPressure(*m_pressures.begin());
    After(fault.duration, [this, pages = fault.amount] {
        m_pressures.erase(m_pressures.find(pages));
        SetPressure(m_pressures.empty() ? std::nullopt : std::optional(*m_pressures.begin()));
    });
}

void
HostFaultActions::SetPressure(std::optional<uint64_t> pages)
{
    m_device->GetHostMemory()->SetPressure(pages);
}

} // namespace ns3::nfsrdma
