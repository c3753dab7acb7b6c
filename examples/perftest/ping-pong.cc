/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/ping-pong.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

PingPong::PingPong(DataPath& path, TestVerb verb, bool client)
    : Traffic(path, verb),
      m_client(client)
{
}

PingPong::~PingPong()
{
    m_path.GetDevice()->GetPlacementWatch().Remove(m_watch);
}

void
PingPong::Prepare(uint32_t size, uint64_t iterations)
{
    m_size = size;
    m_iterations = iterations;
    m_posted = 0;
    m_completed = 0;
    m_arrived = 0;
    m_intervals.clear();
    m_intervals.reserve(iterations);
    if (m_verb == TestVerb::SEND)
    {
        PostReceive(0, size);
    }
    else if (m_verb == TestVerb::WRITE)
    {
        PlacementWatch& watch = m_path.GetDevice()->GetPlacementWatch();
        watch.Remove(m_watch);
        m_watch = watch.Add(m_path.ToAddress(m_path.GetReceiveOffset(0) + size - 1),
                            [this] { WriteArrived(); });
    }
}

void
PingPong::Run(DoneCallback done)
{
    m_done = std::move(done);
    if (m_client)
    {
        PostNext();
    }
    else if (m_verb == TestVerb::READ)
    {
        Finish();
    }
    else
    {
        Step();
    }
}

void
PingPong::PostNext()
{
    const Time now = Simulator::Now();
    if (m_posted > 0)
    {
        m_intervals.push_back(now - m_latestPost);
    }
    m_latestPost = now;
    m_posted++;
    const SendWorkRequest request = MakeRequest(0, m_size);
    if (m_verb == TestVerb::WRITE)
    {
        const auto mark = static_cast<uint8_t>(m_posted);
        HostBuffer& buffer = m_path.GetBuffer();
        const uint64_t offset = request.elements.front().address - buffer.GetAddress();
        buffer.Write(offset + m_size - 1, {&mark, 1});
    }
    Post(0, {request});
}

void
PingPong::WriteArrived()
{
    uint8_t mark = 0;
    m_path.GetBuffer().Read(m_path.GetReceiveOffset(0) + m_size - 1, {&mark, 1});
    if (mark == static_cast<uint8_t>(m_arrived + 1))
    {
        m_arrived++;
        Step();
    }
}

void
PingPong::Received(const WorkCompletion& /* completion */)
{
    m_arrived++;
    if (m_arrived < m_iterations)
    {
        PostReceive(0, m_size);
    }
    Step();
}

void
PingPong::Sent(const WorkCompletion& /* completion */)
{
    m_completed++;
    Step();
}

void
PingPong::Step()
{
    if (!m_done || m_completed < m_posted)
    {
        return;
    }
    const uint64_t arrived = m_verb == TestVerb::READ ? m_posted : m_arrived;
    if (m_posted == m_iterations && arrived == m_iterations)
    {
        Finish();
    }
    else if (m_client ? arrived == m_posted : arrived > m_posted)
    {
        PostNext();
    }
}

const std::vector<Time>&
PingPong::GetIntervals() const
{
    return m_intervals;
}

} // namespace ns3::nfsrdma
