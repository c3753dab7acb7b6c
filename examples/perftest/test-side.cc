/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/test-side.h"

#include "mpa/internet-address.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

// Messages of the control connection, octets.
constexpr std::size_t VERSION_MESSAGE = 16;
constexpr std::size_t SYSTEM_MESSAGE = 4;
constexpr std::size_t MTU_MESSAGE = 2;

/// Receives and sends of the receiver's credits besides those of the test.
constexpr uint32_t CREDIT_SENDS = 8;

// What perftest sends inline by itself, if the device can, octets.
constexpr uint32_t INLINE_SEND = 236;
constexpr uint32_t INLINE_WRITE = 220;

} // namespace

TestSide::TestSide(const Testbed& testbed,
                   Testbed::Host host,
                   const TestProgram& program,
                   const TestOptions& options)
    : m_testbed(testbed),
      m_host(host),
      m_program(program),
      m_options(options),
      m_control(testbed.GetDevice(host), host == Testbed::CLIENT),
      m_path(testbed.GetDevice(host), MakeSizes()),
      m_traffic(MakeTraffic())
{
    m_traffic->SetFailedCallback([this](const std::string& what) { Fail(what); });
    m_path.Start([this](const auto& completion) { m_traffic->HandleSent(completion); },
                 [this](const auto& completion) { m_traffic->HandleReceived(completion); });
    Plan();
}

TestSide::~TestSide() = default;

bool
TestSide::IsClient() const
{
    return m_host == Testbed::CLIENT;
}

DataPathSizes
TestSide::MakeSizes() const
{
    const auto sizes = m_options.GetSizes();
    const bool sends = m_program.verb == TestVerb::SEND;
    const bool stream = m_program.metric == TestMetric::BANDWIDTH;
    DataPathSizes result;
    result.pairs = m_options.queuePairs;
    result.sendDepth = m_options.txDepth + (sends && stream ? CREDIT_SENDS : 0);
    result.receiveDepth = sends ? m_options.rxDepth : 1;
    result.maxMessage = *std::max_element(sizes.begin(), sizes.end());
    result.maxInline = GetInlineSize();
    result.window = m_options.window;
    return result;
}

uint32_t
TestSide::GetInlineSize() const
{
    if (m_program.verb == TestVerb::READ)
    {
        return 0;
    }
    if (m_options.inlineSize)
    {
        return *m_options.inlineSize;
    }
    const uint32_t usual = m_program.verb == TestVerb::SEND ? INLINE_SEND : INLINE_WRITE;
    return m_program.metric == TestMetric::LATENCY
               ? std::min(usual, m_testbed.GetDevice(m_host)->GetSettings().maxInline)
               : 0;
}

std::unique_ptr<Traffic>
TestSide::MakeTraffic()
{
    if (m_program.metric == TestMetric::LATENCY)
    {
        return std::make_unique<PingPong>(m_path, m_program.verb, IsClient());
    }
    StreamShape shape;
    shape.sendDepth = m_options.txDepth;
    shape.receiveDepth = m_options.rxDepth;
    shape.postList = m_options.postList;
    shape.bidirectional = m_options.bidirectional;
    return std::make_unique<StreamTraffic>(m_path, m_program.verb, IsClient(), shape);
}

void
TestSide::SetRunCallback(RunCallback callback)
{
    m_runCallback = std::move(callback);
}

void
TestSide::SetReadyCallback(std::function<void()> callback)
{
    m_readyCallback = std::move(callback);
}

void
TestSide::SetFailedCallback(Traffic::FailedCallback callback)
{
    m_failedCallback = std::move(callback);
}

void
TestSide::WatchStages(StageTable& table) const
{
    for (uint32_t pair = 0; pair < m_path.GetPairCount(); pair++)
    {
        table.Watch(m_host == Testbed::SERVER ? "server" : "client", m_path.GetPair(pair));
    }
}

bool
TestSide::IsFinished() const
{
    return m_finished;
}

void
TestSide::Plan()
{
    const auto destinations = [this] {
        for (uint32_t pair = 0; pair < m_options.queuePairs; pair++)
        {
            m_steps.emplace_back([this, pair] { ExchangeDestination(pair); });
        }
    };
    for (const std::size_t octets :
         {VERSION_MESSAGE, SYSTEM_MESSAGE, SYSTEM_MESSAGE, MTU_MESSAGE, DataPathDestination::SIZE})
    {
        m_steps.emplace_back([this, octets] { Exchange(octets); });
    }
    m_steps.emplace_back([this] { ConnectData(); });
    m_steps.emplace_back([this] { Exchange(DataPathDestination::SIZE); });
    destinations();
    m_steps.emplace_back([this] { Exchange(DataPathDestination::SIZE); });
    destinations();
    m_steps.emplace_back([this] {
        if (m_readyCallback)
        {
            m_readyCallback();
        }
        Next();
    });
    for (const uint32_t size : m_options.GetSizes())
    {
        PlanRun(size);
    }
    m_steps.emplace_back([this] { Exchange(DataPathDestination::SIZE); });
    m_steps.emplace_back([this] { Close(); });
}

void
TestSide::PlanRun(uint32_t size)
{
    const uint64_t iterations = m_options.GetIterations(m_program, size);
    m_steps.emplace_back([this, size, iterations] {
        if (auto* stream = dynamic_cast<StreamTraffic*>(m_traffic.get()))
        {
            stream->SetSignalEvery(m_options.GetSignalEvery(size));
        }
        m_traffic->Prepare(size, iterations);
        Exchange(DataPathDestination::SIZE);
    });
    m_steps.emplace_back([this, size, iterations] { RunOne(size, iterations); });
}

void
TestSide::Next()
{
    if (m_failed || m_steps.empty())
    {
        return;
    }
    const Step step = std::move(m_steps.front());
    m_steps.pop_front();
    step();
}

void
TestSide::Start()
{
    if (IsClient())
    {
        m_control.Connect(MakeSocketAddress(m_testbed.GetAddress(Testbed::SERVER), PORT),
                          [this] { Next(); });
        return;
    }
    m_listener = CmId::Create(m_testbed.GetDevice(m_host));
    m_listener->SetEventCallback(MakeCallback(&TestSide::HandleListener, this));
    m_listener->Listen(PORT);
    Next();
}

void
TestSide::HandleListener(Ptr<CmId> /* id */, const CmEvent& event)
{
    if (!std::exchange(m_controlTaken, true))
    {
        m_control.Accept(event.newId);
        return;
    }
    const auto pair = static_cast<uint32_t>(m_ids.size());
    if (pair == m_options.queuePairs)
    {
        event.newId->Reject({});
        return;
    }
    m_ids.push_back(event.newId);
    event.newId->SetEventCallback(MakeCallback(&TestSide::HandleData, this));
    event.newId->Accept(m_path.GetPair(pair), {{}, event.ird, event.ord});
    DataConnected();
}

void
TestSide::ConnectData()
{
    m_awaitsData = true;
    if (IsClient())
    {
        const Ptr<RnicDevice> device = m_testbed.GetDevice(m_host);
        for (uint32_t pair = 0; pair < m_options.queuePairs; pair++)
        {
            m_ids.push_back(CmId::Create(device));
            m_ids.back()->SetEventCallback(MakeCallback(&TestSide::HandleData, this));
            m_ids.back()->Connect(m_path.GetPair(pair),
                                  MakeSocketAddress(m_testbed.GetAddress(Testbed::SERVER), PORT),
                                  {{}, device->GetSettings().maxIrd, device->GetSettings().maxOrd});
        }
    }
    else if (m_connected == m_options.queuePairs)
    {
        m_awaitsData = false;
        Next();
    }
}

void
TestSide::HandleData(Ptr<CmId> /* id */, const CmEvent& event)
{
    if (event.type == CmEventType::ESTABLISHED)
    {
        if (IsClient())
        {
            DataConnected();
        }
    }
    else if (!m_finished && !m_steps.empty())
    {
        Fail(std::string("data connection: ") + ToString(event.type));
    }
}

void
TestSide::DataConnected()
{
    m_connected++;
    if (m_connected == m_options.queuePairs && std::exchange(m_awaitsData, false))
    {
        Next();
    }
}

void
TestSide::Exchange(std::size_t octets)
{
    m_control.Exchange(ByteVector(octets), [this](const ByteVector&) { Next(); });
}

DataPathDestination
TestSide::GetDestination(uint32_t pair) const
{
    const bool credit =
        m_program.verb == TestVerb::SEND && m_program.metric == TestMetric::BANDWIDTH;
    DataPathDestination destination;
    destination.queuePair = m_path.GetPair(pair)->GetNumber();
    destination.key = m_path.GetKey();
    destination.address =
        m_path.ToAddress(credit ? m_path.GetCreditOffset(pair) : m_path.GetReceiveOffset(pair));
    destination.host = m_testbed.GetAddress(m_host);
    return destination;
}

void
TestSide::ExchangeDestination(uint32_t pair)
{
    m_control.Exchange(GetDestination(pair).Encode(), [this, pair](const ByteVector& theirs) {
        m_path.SetRemote(pair, DataPathDestination::Decode(theirs));
        Next();
    });
}

void
TestSide::RunOne(uint32_t size, uint64_t iterations)
{
    m_traffic->Run([this, size, iterations] {
        if (m_runCallback)
        {
            m_runCallback(size, iterations * m_options.queuePairs, *m_traffic);
        }
        Next();
    });
}

void
TestSide::Close()
{
    m_finished = true;
    if (!IsClient())
    {
        m_listener->Disconnect();
        return;
    }
    for (const auto& id : m_ids)
    {
        id->Disconnect();
    }
    m_control.Disconnect();
}

void
TestSide::Fail(const std::string& what)
{
    if (!m_finished && !std::exchange(m_failed, true) && m_failedCallback)
    {
        m_failedCallback(std::string(IsClient() ? "client: " : "server: ") + what);
    }
}

} // namespace ns3::nfsrdma
