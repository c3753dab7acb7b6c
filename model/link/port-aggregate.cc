/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/port-aggregate.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

namespace
{

/// Long enough for ports that hear nothing to be sure of it, whatever they ask for.
constexpr double HISTORY_SECONDS = 200;

} // namespace

PortAggregate::PortAggregate(const Settings& settings, SendCallback send, ChangeCallback changed)
    : m_settings(settings),
      m_send(std::move(send)),
      m_changed(std::move(changed))
{
}

PortAggregate::~PortAggregate()
{
    m_timer.Cancel();
}

void
PortAggregate::AddPort(uint16_t number, uint16_t key, Mac48Address address)
{
    LacpPortInfo actor;
    actor.systemPriority = m_settings.systemPriority;
    m_settings.system.CopyTo(actor.system.data());
    actor.key = key;
    actor.portPriority = m_settings.portPriority;
    actor.port = number;
    actor.Set(LacpPortInfo::AGGREGATION, true);
    actor.Set(LacpPortInfo::ACTIVITY, m_settings.active);
    actor.Set(LacpPortInfo::TIMEOUT, m_settings.rate == LacpRate::FAST);
    m_ports.push_back({LacpPort(actor), address});
}

PortAggregate::Candidate
PortAggregate::GetCandidate(std::size_t port) const
{
    const auto& machine = m_ports[port].machine;
    const auto& actor = machine.GetActor();
    const auto& partner = machine.GetPartner();
    const uint16_t alone = machine.IsIndividual() ? actor.port : uint16_t{0};
    return {actor.key, partner.systemPriority, partner.system, partner.key, alone};
}

std::tuple<bool, bool, std::size_t, int, int>
PortAggregate::Rate(const Candidate& candidate) const
{
    std::size_t collecting = 0;
    bool hasPartner = false;
    std::pair<int, int> best{UINT16_MAX, UINT16_MAX};
    for (std::size_t port = 0; port < m_ports.size(); ++port)
    {
        const auto& machine = m_ports[port].machine;
        if (machine.Collects() && GetCandidate(port) == candidate)
        {
            ++collecting;
            hasPartner = hasPartner || !machine.GetActor().Has(LacpPortInfo::DEFAULTED);
            best = std::min(best, {machine.GetActor().portPriority, machine.GetActor().port});
        }
    }
    return {collecting > 0, hasPartner, collecting, -best.first, -best.second};
}

void
PortAggregate::Choose()
{
    using Rank = std::tuple<bool, bool, std::size_t, int, int>;
    std::optional<Candidate> best;
    Rank bestRank;
    for (std::size_t port = 0; port < m_ports.size(); ++port)
    {
        const auto candidate = GetCandidate(port);
        const auto rank = Rate(candidate);
        if (std::get<0>(rank) && (!best || rank > bestRank))
        {
            best = candidate;
            bestRank = rank;
        }
    }
    const auto rank = m_aggregate ? Rate(*m_aggregate) : Rank{};
    const bool stays = std::get<0>(rank) && (std::get<1>(rank) || !std::get<1>(bestRank));
    if (best && !stays)
    {
        m_aggregate = best;
    }
}

std::vector<std::pair<bool, bool>>
PortAggregate::ListUse() const
{
    std::vector<std::pair<bool, bool>> use;
    for (std::size_t port = 0; port < m_ports.size(); ++port)
    {
        use.emplace_back(Collects(port), Distributes(port));
    }
    return use;
}

Time
PortAggregate::GetNext() const
{
    Time next = Time::Max();
    for (const auto& port : m_ports)
    {
        next = std::min(next, port.machine.GetNext());
    }
    return next;
}

template <typename F>
void
PortAggregate::Work(F change)
{
    const auto before = ListUse();
    change();
    Choose();
    if (!m_speaks)
    {
        return;
    }
    SendPdus();
    Schedule();
    if (ListUse() != before)
    {
        m_changed();
    }
}

void
PortAggregate::SetLink(std::size_t port, bool up)
{
    Work([&] { m_ports[port].machine.SetEnabled(up, Simulator::Now()); });
}

void
PortAggregate::Receive(std::size_t port, const Ptr<const Packet>& frame)
{
    std::array<uint8_t, Lacpdu::SIZE> octets{};
    const ByteSpan read(octets.data(), frame->CopyData(octets.data(), Lacpdu::SIZE));
    const auto pdu = Lacpdu::Decode(read);
    if (!pdu)
    {
        ++m_counters.illegal;
        return;
    }
    ++m_counters.received;
    if (!m_stopped)
    {
        Work([&] { m_ports[port].machine.Receive(*pdu, Simulator::Now()); });
    }
}

void
PortAggregate::SendPdus()
{
    for (std::size_t port = 0; port < m_ports.size(); ++port)
    {
        if (auto pdu = m_ports[port].machine.TakePdu(Simulator::Now()); pdu && !m_stopped)
        {
            std::array<uint8_t, Lacpdu::SIZE> octets{};
            m_ports[port].address.CopyTo(pdu->source.data());
            pdu->Encode(octets);
            ++m_counters.sent;
            m_send(port, Create<Packet>(octets.data(), Lacpdu::SIZE));
        }
    }
}

void
PortAggregate::Schedule()
{
    m_timer.Cancel();
    const Time next = GetNext();
    if (!m_stopped && next < Time::Max())
    {
        const Time delay = std::max(next - Simulator::Now(), Time(0));
        m_timer = Simulator::Schedule(delay, &PortAggregate::HandleTimer, this);
    }
}

void
PortAggregate::HandleTimer()
{
    Work([this] {
        for (auto& port : m_ports)
        {
            port.machine.Advance(Simulator::Now());
        }
    });
}

void
PortAggregate::Settle(const std::vector<Cable>& cables)
{
    struct End
    {
        PortAggregate* aggregate;
        std::size_t port;
    };

    std::vector<std::pair<End, End>> ends; // From, to.
    for (const auto& cable : cables)
    {
        ends.push_back({{cable.one, cable.onePort}, {cable.other, cable.otherPort}});
        if (cable.other != nullptr)
        {
            ends.push_back({{cable.other, cable.otherPort}, {cable.one, cable.onePort}});
        }
    }
    Time now = Seconds(-HISTORY_SECONDS);
    for (const auto& [from, to] : ends)
    {
        from.aggregate->m_ports[from.port].machine.SetEnabled(true, now);
    }
    while (!ends.empty())
    {
        bool spoke = true;
        while (spoke)
        {
            spoke = false;
            for (const auto& [from, to] : ends)
            {
                const auto pdu = from.aggregate->m_ports[from.port].machine.TakePdu(now);
                spoke = spoke || pdu;
                if (pdu && to.aggregate != nullptr)
                {
                    to.aggregate->m_ports[to.port].machine.Receive(*pdu, now);
                }
            }
        }
        Time next = Time::Max();
        for (const auto& [from, to] : ends)
        {
            from.aggregate->Choose();
            next = std::min(next, from.aggregate->m_ports[from.port].machine.GetNext());
        }
        if (!next.IsStrictlyNegative())
        {
            return;
        }
        now = next;
        for (const auto& [from, to] : ends)
        {
            from.aggregate->m_ports[from.port].machine.Advance(now);
        }
    }
}

void
PortAggregate::Start()
{
    m_speaks = true;
    HandleTimer();
}

void
PortAggregate::Stop()
{
    m_stopped = true;
    m_timer.Cancel();
}

} // namespace ns3::nfsrdma
