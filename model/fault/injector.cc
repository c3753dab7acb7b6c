/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/injector.h"

#include "link/frame-head.h"
#include "link/segment-run.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(FaultInjector);

namespace
{

const char* const BY_TIME = "time";

ByteVector
GetOctets(const Packet& packet)
{
    ByteVector octets(packet.GetSize());
    packet.CopyData(octets.data(), packet.GetSize());
    return octets;
}

Ptr<Packet>
MakePacket(const ByteVector& octets)
{
    return Create<Packet>(octets.data(), static_cast<uint32_t>(octets.size()));
}

/// \return the words of WHAT.
std::string
GetDeed(const FaultSpec& spec)
{
    const auto colon = spec.sentence.find(':');
    const auto begin = spec.sentence.find_first_not_of(' ', colon + 1);
    return begin == std::string::npos ? std::string() : spec.sentence.substr(begin);
}

} // namespace

TypeId
FaultInjector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::FaultInjector")
                            .SetParent<Object>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<FaultInjector>()
                            .AddTraceSource("Fired",
                                            "A fault of the plan has happened.",
                                            MakeTraceSourceAccessor(&FaultInjector::m_fired),
                                            "ns3::nfsrdma::FaultInjector::FiredTracedCallback");
    return tid;
}

FaultInjector::FaultInjector()
    : m_held([this](std::size_t host, const Ptr<Packet>& frame) {
          m_ports[host]->Carry(frame, Time(0));
      })
{
}

FaultInjector::~FaultInjector() = default;

void
FaultInjector::DoDispose()
{
    Stop();
    for (auto& port : m_ports)
    {
        port->Leave();
    }
    m_connections.Clear();
    Object::DoDispose();
}

void
FaultInjector::AddHost(const std::string& name,
                       std::vector<Ptr<EthernetNetDevice>> ports,
                       const std::vector<IpAddress>& addresses,
                       HostFaultTarget* inside)
{
    for (const auto& address : addresses)
    {
        m_hostsByAddress[address] = m_ports.size();
    }
    const std::size_t host = m_ports.size();
    m_ports.push_back(std::make_unique<FaultPort>(
        name,
        std::move(ports),
        inside,
        [this, host](const Ptr<Packet>& frame, Time lastOctet) { Leave(host, frame, lastOctet); }));
}

void
FaultInjector::SetPlan(const std::vector<FaultSpec>& plan,
                       const FaultScene& scene,
                       std::set<uint16_t> nfsPorts)
{
    m_nfsPorts = std::move(nfsPorts);
    for (const auto& spec : plan)
    {
        m_faults.emplace_back(spec, scene);
        m_names = m_names || !spec.when.event.program.empty() ||
                  spec.when.event.kind >= FaultEventKind::RPC_CALL;
    }
}

std::string
FaultInjector::Refuse(std::size_t index) const
{
    const auto& fault = m_faults.at(index);
    if (fault.GetSpec().what.GetPlace() != FaultPlace::HOST)
    {
        return {};
    }
    auto* const inside = m_ports.at(fault.GetHost())->GetInside();
    return inside == nullptr ? "this host has no such faults"
                             : inside->Refuse(fault.GetSpec().what.host);
}

int64_t
FaultInjector::AssignStreams(int64_t stream)
{
    int64_t used = 0;
    for (auto& fault : m_faults)
    {
        used += fault.AssignStreams(stream + used);
    }
    return used;
}

void
FaultInjector::Start()
{
    m_running = true;
    m_timed.resize(m_faults.size());
    for (std::size_t index = 0; index < m_faults.size(); ++index)
    {
        const auto& when = m_faults[index].GetSpec().when;
        if (when.mode == FaultWhen::Mode::AT)
        {
            m_timed[index] = Simulator::Schedule(when.at, &FaultInjector::FireTimed, this, index);
        }
    }
    UpdateWatch();
}

void
FaultInjector::Stop()
{
    m_running = false;
    m_watching = false;
    for (auto& event : m_timed)
    {
        event.Cancel();
    }
    m_partings.clear();
    m_doomed.Clear();
    for (auto& port : m_ports)
    {
        port->GetLink().Heal();
    }
    m_held.ReleaseAll();
}

std::vector<FaultOutcome>
FaultInjector::GetOutcomes() const
{
    std::vector<FaultOutcome> outcomes;
    for (const auto& fault : m_faults)
    {
        outcomes.push_back({fault.GetSpec().name,
                            fault.GetSpec().sentence,
                            fault.GetTrigger().GetOccurrences(),
                            fault.GetTrigger().GetFirings()});
    }
    return outcomes;
}

uint64_t
FaultInjector::GetStopped() const
{
    return std::accumulate(m_ports.begin(),
                           m_ports.end(),
                           uint64_t{0},
                           [](uint64_t sum, const auto& port) { return sum + port->GetStopped(); });
}

void
FaultInjector::UpdateWatch()
{
    m_watching =
        m_running &&
        (!m_doomed.IsEmpty() || !m_held.IsEmpty() ||
         std::any_of(m_faults.begin(), m_faults.end(), [](const PlannedFault& fault) {
             const auto& spec = fault.GetSpec();
             return (spec.when.mode != FaultWhen::Mode::AT || spec.what.host.connection != 0) &&
                    !fault.GetTrigger().IsOver(Simulator::Now());
         }));
}

void
FaultInjector::Leave(std::size_t host, const Ptr<Packet>& frame, Time lastOctet)
{
    if (IsParted(host, frame))
    {
        m_ports[host]->CountStopped();
    }
    else if (m_watching)
    {
        Inspect(host, frame, lastOctet);
    }
    else
    {
        m_ports[host]->Carry(frame, lastOctet);
    }
}

bool
FaultInjector::IsParted(std::size_t host, const Ptr<Packet>& frame) const
{
    if (m_partings.empty())
    {
        return false;
    }
    std::array<uint8_t, FrameHead::SIZE> octets{};
    const ByteSpan head(octets.data(), frame->CopyData(octets.data(), FrameHead::SIZE));
    const auto address = FrameHead::GetIpDestination(head);
    const auto to = address ? m_hostsByAddress.find(*address) : m_hostsByAddress.end();
    return to != m_hostsByAddress.end() &&
           std::any_of(m_partings.begin(), m_partings.end(), [&](std::size_t parting) {
               return m_faults[parting].Parts(host, to->second);
           });
}

void
FaultInjector::Inspect(std::size_t host, const Ptr<Packet>& frame, Time lastOctet)
{
    auto segment = TcpSegment::Decode(GetOctets(*frame));
    const auto to = segment ? m_hostsByAddress.find(segment->destination) : m_hostsByAddress.end();
    if (to == m_hostsByAddress.end())
    {
        m_ports[host]->Carry(frame, lastOctet);
        return;
    }
    FramePath path{host, to->second, 0, segment->source};
    const auto [connection, side, isNew] = m_connections.Find(*segment, [this] {
        return Connection{std::make_unique<ConnectionFollower>(m_names)};
    });
    if (isNew)
    {
        connection.number = NumberConnection(path, *segment);
    }
    path.connection = connection.number;
    const auto followed = connection.follower->Take(side, *segment);
    const auto verdict = Judge(path, followed, *segment);
    if (!m_doomed.Take(*segment))
    {
        CarryOut(host, verdict, *segment, frame, lastOctet);
    }
    m_held.Pass(segment->GetFlow());
    UpdateWatch();
}

uint64_t
FaultInjector::NumberConnection(const FramePath& path, const TcpSegment& segment)
{
    const bool opens = (segment.flags & (TcpSegment::SYN | TcpSegment::ACK)) == TcpSegment::SYN;
    if (!opens || m_nfsPorts.count(segment.destinationPort) == 0)
    {
        return 0;
    }
    auto& opened = m_opened[{std::min(path.from, path.to), std::max(path.from, path.to)}];
    opened.emplace_back(segment.source, segment.sourcePort);
    return opened.size();
}

FrameVerdict
FaultInjector::Judge(const FramePath& path, const FollowedFrame& followed, TcpSegment& segment)
{
    FrameVerdict verdict;
    for (const auto& event : followed.events)
    {
        for (auto& fault : m_faults)
        {
            if (fault.IsAbout(path) && fault.GetTrigger().Take(event, Simulator::Now()))
            {
                const auto what = Decide(fault, path, event, followed, segment, verdict);
                Record(fault, m_ports[GetHitHost(fault, path)]->GetName(), event.ToText(), what);
            }
        }
    }
    return verdict;
}

std::size_t
FaultInjector::GetHitHost(const PlannedFault& fault, const FramePath& path)
{
    const auto& what = fault.GetSpec().what;
    switch (what.GetPlace())
    {
    case FaultPlace::LINK:
        return fault.GetHost();
    case FaultPlace::HOST:
        return what.host.kind == HostFaultKind::ANSWER ? path.to : fault.GetHost();
    default:
        return path.from;
    }
}

void
FaultInjector::OrderAnswer(const PlannedFault& fault,
                           const FramePath& path,
                           const FaultEvent& event)
{
    auto& port = *m_ports[path.to];
    auto answer = fault.GetSpec().what.host;
    if (port.GetInside() == nullptr || !event.xid)
    {
        return;
    }
    const auto& procedure = fault.GetSpec().when.event.procedure;
    answer.call = {path.source, *event.xid, procedure == "COMPOUND" ? std::string() : procedure};
    Simulator::ScheduleWithContext(port.GetDevice()->GetNode()->GetId(),
                                   Time(0),
                                   &HostFaultTarget::Inject,
                                   port.GetInside(),
                                   answer);
}

std::string
FaultInjector::Decide(PlannedFault& fault,
                      const FramePath& path,
                      const FaultEvent& event,
                      const FollowedFrame& followed,
                      TcpSegment& segment,
                      FrameVerdict& verdict)
{
    const auto& what = fault.GetSpec().what;
    auto deed = GetDeed(fault.GetSpec());
    verdict.isMet = true;
    if (what.GetPlace() == FaultPlace::FRAME)
    {
        const auto* const fpdu = event.fpdu ? &followed.fpdus.at(*event.fpdu) : nullptr;
        MetFrame frame{segment, fpdu, fault.GetDraw(), verdict};
        what.action->meet(what, frame);
        return frame.isAsItWas ? deed + " (nothing to change in this frame)" : deed;
    }
    if (what.GetPlace() == FaultPlace::HOST && what.host.kind == HostFaultKind::ANSWER)
    {
        OrderAnswer(fault, path, event);
        return deed;
    }
    deed += DescribeLack(fault);
    Simulator::ScheduleNow(&FaultInjector::Act,
                           this,
                           static_cast<std::size_t>(&fault - m_faults.data()));
    return deed;
}

void
FaultInjector::CarryOut(std::size_t host,
                        const FrameVerdict& verdict,
                        const TcpSegment& segment,
                        const Ptr<Packet>& frame,
                        Time lastOctet)
{
    if (!verdict.isMet)
    {
        m_ports[host]->Carry(frame, lastOctet);
        return;
    }
    if (verdict.drops > 0)
    {
        if (verdict.drops > 1 && !segment.payload.empty())
        {
            m_doomed.Add(segment, verdict.drops - 1);
        }
        return;
    }
    std::vector<Ptr<Packet>> frames;
    if (verdict.segmentSize > 0 && segment.IsPlainData() &&
        segment.payload.size() > verdict.segmentSize)
    {
        const auto size = [&verdict] { return verdict.segmentSize; };
        for (const auto& piece : SegmentRun::Split(segment, size))
        {
            frames.push_back(MakePacket(piece.Encode(Node::ChecksumEnabled())));
        }
    }
    else
    {
        frames.push_back(verdict.isChanged ? MakePacket(segment.Encode(Node::ChecksumEnabled()))
                                           : frame);
    }
    const std::size_t originals = frames.size();
    for (uint64_t copy = 0; copy < verdict.copies; ++copy)
    {
        for (std::size_t i = 0; i < originals; ++i)
        {
            frames.push_back(frames[i]->Copy());
        }
    }
    if (verdict.behind > 0)
    {
        // The segment itself passes those held, this one included, when it has left.
        m_held.Hold(host, segment.GetFlow(), std::move(frames), verdict.behind + 1, verdict.delay);
        return;
    }
    for (const auto& one : frames)
    {
        if (verdict.delay.IsZero())
        {
            m_ports[host]->Carry(one, lastOctet);
        }
        else
        {
            Simulator::Schedule(verdict.delay,
                                &FaultPort::Carry,
                                m_ports[host].get(),
                                one,
                                lastOctet);
        }
    }
}

HostFault
FaultInjector::ResolveHostFault(const PlannedFault& fault) const
{
    auto inside = fault.GetSpec().what.host;
    const auto host = fault.GetHost();
    for (const auto& [hosts, ends] : m_opened)
    {
        const auto [server, client] = hosts;
        const auto other = host == server ? client : server;
        const bool isAsked = (host == server || host == client) &&
                             (inside.peer.empty() || m_ports[other]->GetName() == inside.peer);
        if (inside.connection != 0 && isAsked && inside.connection <= ends.size())
        {
            inside.clientEnds.push_back(ends[inside.connection - 1]);
        }
    }
    return inside;
}

std::string
FaultInjector::DescribeLack(const PlannedFault& fault) const
{
    const auto* const inside = fault.GetSpec().what.GetPlace() == FaultPlace::HOST
                                   ? m_ports[fault.GetHost()]->GetInside()
                                   : nullptr;
    return inside == nullptr || inside->HasObject(ResolveHostFault(fault))
               ? ""
               : " (no such connection)";
}

void
FaultInjector::FireTimed(std::size_t index)
{
    auto& fault = m_faults[index];
    const auto again = fault.GetTrigger().TakeTime();
    const bool parts = fault.GetSpec().what.GetPlace() == FaultPlace::NETWORK;
    Record(fault,
           parts ? "-" : m_ports[fault.GetHost()]->GetName(),
           BY_TIME,
           GetDeed(fault.GetSpec()) + DescribeLack(fault));
    Act(index);
    if (again)
    {
        m_timed[index] = Simulator::Schedule(*again, &FaultInjector::FireTimed, this, index);
    }
}

void
FaultInjector::Act(std::size_t index)
{
    if (!m_running)
    {
        return;
    }
    const auto& fault = m_faults[index];
    const auto& what = fault.GetSpec().what;
    auto& port = *m_ports[fault.GetHost()];
    switch (what.GetPlace())
    {
    case FaultPlace::LINK:
        what.action->act(what, port.GetLink(), m_running);
        break;
    case FaultPlace::NETWORK: {
        const auto parting = m_partings.insert(index);
        Simulator::Schedule(what.duration, [this, parting] {
            if (m_running)
            {
                m_partings.erase(parting);
            }
        });
        break;
    }
    case FaultPlace::HOST:
        if (port.GetInside() != nullptr)
        {
            Simulator::ScheduleWithContext(port.GetDevice()->GetNode()->GetId(),
                                           Time(0),
                                           &HostFaultTarget::Inject,
                                           port.GetInside(),
                                           ResolveHostFault(fault));
        }
        break;
    case FaultPlace::FRAME:
        break;
    }
}

void
FaultInjector::Record(const PlannedFault& fault,
                      const std::string& host,
                      const std::string& event,
                      const std::string& what)
{
    const auto now = Simulator::Now();
    const auto& spec = fault.GetSpec();
    m_fired({now, spec.name, host, event, what, now + spec.what.GetDuration()});
}

} // namespace ns3::nfsrdma
