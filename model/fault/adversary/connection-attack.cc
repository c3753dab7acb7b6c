/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/connection-attack.h"

#include "mpa/internet-address.h"
#include "wire/ns3-version.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ConnectionAttackRole);

TypeId
ConnectionAttackRole::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::ConnectionAttackRole")
            .SetParent<AdversaryRole>()
            .SetGroupName("NfsRdma")
            .AddAttribute("Connections",
                          "Connections open at once (count). Default: 1.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ConnectionAttackRole::m_connections),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Attempts",
                          "Connections to open in all (count; 0: any number). Default: 0.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ConnectionAttackRole::m_attempts),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Interval",
                          "Time from one new connection to the next (Time). Default: 1 ms, a "
                          "thousand a second.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&ConnectionAttackRole::m_interval),
                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

void
ConnectionAttackRole::DoDispose()
{
    m_tick.Cancel();
    m_forget.Cancel();
    m_streams.clear();
    AdversaryRole::DoDispose();
}

void
ConnectionAttackRole::DoStop()
{
    m_tick.Cancel();
    m_forget.Cancel();
    m_streams.clear();
}

void
ConnectionAttackRole::Tick()
{
    if (m_attempts != 0 && m_made >= m_attempts)
    {
        return;
    }
    if (m_streams.size() < m_connections)
    {
        const uint64_t number = m_made++;
        m_streams.emplace(number, MakeAttempt(number));
    }
    m_tick = Simulator::Schedule(m_interval, &ConnectionAttackRole::Tick, this);
}

void
ConnectionAttackRole::Note(const std::string& what)
{
    NoteBroken(what, GetHostOf(GetHost().target));
}

void
ConnectionAttackRole::Retire()
{
    if (!IsPending(m_forget))
    {
        m_forget = Simulator::ScheduleNow(&ConnectionAttackRole::ForgetOver, this);
    }
}

void
ConnectionAttackRole::ForgetOver()
{
    for (auto stream = m_streams.begin(); stream != m_streams.end();)
    {
        stream = stream->second->IsOver() ? m_streams.erase(stream) : std::next(stream);
    }
}

void
ConnectionAttackRole::Start(RawMpaStream& stream, ByteVector privateData, bool crc) const
{
    const Ptr<RnicDevice> device = GetHost().device;
    MpaStartup::Policy policy = device->GetMpaSettings()->GetValues().policy;
    policy.crc |= crc;
    MpaStartupParameters parameters;
    parameters.ird = static_cast<uint16_t>(device->GetSettings().maxIrd);
    parameters.ord = static_cast<uint16_t>(device->GetSettings().maxOrd);
    parameters.privateData = std::move(privateData);
    stream.Start(*device->GetTransport(), GetHost().target, policy, parameters);
}

} // namespace ns3::nfsrdma
