/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/stream-traffic.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

namespace
{

/// Set in the id of a work request that carries credit.
constexpr uint64_t CREDIT = uint64_t{1} << 32;
/// Parts of the receives after each of which credit is given.
constexpr uint32_t CREDIT_PARTS = 3;

} // namespace

StreamTraffic::StreamTraffic(DataPath& path, TestVerb verb, bool client, const StreamShape& shape)
    : Traffic(path, verb),
      m_client(client),
      m_sends(client || shape.bidirectional),
      m_receives(verb == TestVerb::SEND && (!client || shape.bidirectional)),
      m_shape(shape),
      m_lanes(path.GetPairCount())
{
    if (m_sends && verb == TestVerb::SEND)
    {
        for (uint32_t pair = 0; pair < m_lanes.size(); pair++)
        {
            m_lanes[pair].watch = path.GetDevice()->GetPlacementWatch().Add(
                path.ToAddress(path.GetCreditOffset(pair)),
                [this, pair] { CreditArrived(pair); });
        }
    }
}

StreamTraffic::~StreamTraffic()
{
    for (const Lane& lane : m_lanes)
    {
        m_path.GetDevice()->GetPlacementWatch().Remove(lane.watch);
    }
}

void
StreamTraffic::SetSignalEvery(uint32_t count)
{
    m_signalEvery = count;
}

void
StreamTraffic::Prepare(uint32_t size, uint64_t iterations)
{
    const uint64_t warmUp =
        std::min<uint64_t>(WARM_UP_MESSAGES, (WARM_UP_OCTETS + size - 1) / size);
    m_size = size;
    m_iterations = warmUp + iterations;
    m_times = {};
    m_times.warmUp = warmUp * m_lanes.size();
    for (uint32_t pair = 0; pair < m_lanes.size(); pair++)
    {
        const uint32_t watch = m_lanes[pair].watch;
        m_lanes[pair] = {};
        m_lanes[pair].watch = watch;
        if (m_receives)
        {
            for (uint64_t i = 0; i < std::min<uint64_t>(m_iterations, m_shape.receiveDepth); i++)
            {
                PostReceive(pair, size);
                m_lanes[pair].receivesPosted++;
            }
        }
    }
}

void
StreamTraffic::Run(DoneCallback done)
{
    m_done = std::move(done);
    Pump();
    FinishIfDone();
}

void
StreamTraffic::Pump()
{
    // On MPA the server speaks only after the client.
    const bool held = m_verb == TestVerb::SEND && !m_client &&
                      std::all_of(m_lanes.begin(), m_lanes.end(), [](const Lane& lane) {
                          return lane.received == 0;
                      });
    if (!m_sends || !m_done || held)
    {
        return;
    }
    for (uint32_t pair = 0; pair < m_lanes.size(); pair++)
    {
        Lane& lane = m_lanes[pair];
        while (lane.posted < m_iterations)
        {
            const uint64_t count = std::min<uint64_t>(m_shape.postList, m_iterations - lane.posted);
            if (!HasRoom(lane, count))
            {
                break;
            }
            PostChain(pair, count);
        }
    }
}

bool
StreamTraffic::HasRoom(const Lane& lane, uint64_t count) const
{
    if (lane.posted + count - lane.completed > m_shape.sendDepth)
    {
        return false;
    }
    return m_verb != TestVerb::SEND || lane.posted + count - lane.credit <= m_shape.receiveDepth;
}

void
StreamTraffic::PostChain(uint32_t pair, uint64_t count)
{
    Lane& lane = m_lanes[pair];
    std::vector<SendWorkRequest> chain;
    chain.reserve(count);
    while (chain.size() < count)
    {
        SendWorkRequest& request = chain.emplace_back(MakeRequest(pair, m_size));
        lane.posted++;
        request.signaled = lane.posted % m_signalEvery == 0 || lane.posted == m_iterations;
        m_times.posts.push_back(Simulator::Now());
    }
    Post(pair, chain);
}

void
StreamTraffic::Sent(const WorkCompletion& completion)
{
    if ((completion.id & CREDIT) != 0)
    {
        m_creditsUnderWay--;
    }
    else
    {
        Lane& lane = m_lanes[completion.id];
        const uint64_t count =
            std::min(m_signalEvery - lane.completed % m_signalEvery, m_iterations - lane.completed);
        lane.completed += count;
        m_times.completions.push_back({count, Simulator::Now()});
    }
    Pump();
    FinishIfDone();
}

void
StreamTraffic::Received(const WorkCompletion& completion)
{
    const auto pair = static_cast<uint32_t>(completion.id);
    Lane& lane = m_lanes[pair];
    lane.received++;
    if (lane.receivesPosted < m_iterations)
    {
        PostReceive(pair, m_size);
        lane.receivesPosted++;
    }
    const uint32_t part = std::max(1U, m_shape.receiveDepth / CREDIT_PARTS);
    if (lane.received % part == 0 && lane.received < m_iterations)
    {
        GiveCredit(pair);
    }
    if (lane.received == 1)
    {
        Pump();
    }
    FinishIfDone();
}

void
StreamTraffic::GiveCredit(uint32_t pair)
{
    std::array<uint8_t, DataPath::WORD> word{};
    boost::endian::store_big_u64(word.data(), m_lanes[pair].received);
    m_path.GetBuffer().Write(m_path.GetGrantOffset(pair), word);
    SendWorkRequest request;
    request.id = pair | CREDIT;
    request.opcode = WorkRequestOpcode::RDMA_WRITE;
    request.elements = {
        {m_path.ToAddress(m_path.GetGrantOffset(pair)), DataPath::WORD, m_path.GetKey()}};
    request.remoteStag = m_path.GetRemote(pair).key;
    request.remoteOffset = m_path.GetRemote(pair).address;
    m_creditsUnderWay++;
    Post(pair, {request});
}

void
StreamTraffic::CreditArrived(uint32_t pair)
{
    std::array<uint8_t, DataPath::WORD> word{};
    m_path.GetBuffer().Read(m_path.GetCreditOffset(pair), word);
    m_lanes[pair].credit = std::min(boost::endian::load_big_u64(word.data()), m_lanes[pair].posted);
    Pump();
}

void
StreamTraffic::FinishIfDone()
{
    const bool done = std::all_of(m_lanes.begin(), m_lanes.end(), [this](const Lane& lane) {
        return (!m_sends || lane.completed == m_iterations) &&
               (!m_receives || lane.received == m_iterations);
    });
    if (done && m_creditsUnderWay == 0)
    {
        Finish();
    }
}

const StreamTimes&
StreamTraffic::GetTimes() const
{
    return m_times;
}

} // namespace ns3::nfsrdma
