/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/flow-fixture.h"

#include "mpa/internet-address.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

void
FlowTest::ConfigureDevice(RnicHost& host)
{
    host.device->SetAttribute("Polling", BooleanValue(true));
}

void
FlowTest::SetUp()
{
    RnicTest::SetUp();
    Connect();
    m_source = MakeRegion(m_client);
    m_target = MakeRegion(m_server);
    m_listener->SetEventCallback(
        Callback<void, Ptr<CmId>, const CmEvent&>([this](const Ptr<CmId>&, const CmEvent& event) {
            if (event.type == CmEventType::CONNECT_REQUEST)
            {
                m_flows.back().serverId = event.newId;
                event.newId->Accept(m_flows.back().server, {{}, 16, 16});
            }
        }));
}

Ptr<MemoryRegion>
FlowTest::MakeRegion(RnicHost& host)
{
    const HostBuffer& buffer = Keep(host.Room(REGION_SIZE));
    return host.device
        ->RegisterMemory(host.domain,
                         buffer.GetAddress(),
                         REGION_SIZE,
                         ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ,
                         0)
        .value();
}

SendWorkRequest
FlowTest::MakeWork(Flow& /* flow */)
{
    return FlowWrite(64);
}

uint32_t
FlowTest::GetReceives(const Flow& /* flow */)
{
    return 0;
}

void
FlowTest::Prepare(Flow& /* flow */)
{
}

SendWorkRequest
FlowTest::FlowWrite(uint32_t length) const
{
    SendWorkRequest request;
    request.opcode = WorkRequestOpcode::RDMA_WRITE;
    request.elements = {{0, length, m_source->GetStag()}};
    request.remoteStag = m_target->GetStag();
    return request;
}

SendWorkRequest
FlowTest::FlowSend(uint32_t length) const
{
    SendWorkRequest request;
    request.elements = {{0, length, m_source->GetStag()}};
    return request;
}

SendWorkRequest
FlowTest::FlowRead(uint32_t length) const
{
    SendWorkRequest request = FlowWrite(length);
    request.opcode = WorkRequestOpcode::RDMA_READ;
    return request;
}

void
FlowTest::SetDevices(const std::string& name, const AttributeValue& value)
{
    m_client.device->SetAttribute(name, value);
    m_server.device->SetAttribute(name, value);
}

void
FlowTest::SetProcessors(const std::string& name, const AttributeValue& value)
{
    m_client.device->GetHostCpu()->SetAttribute(name, value);
    m_server.device->GetHostCpu()->SetAttribute(name, value);
}

void
FlowTest::AddFlows(uint32_t count, uint32_t window, uint32_t signalEvery)
{
    constexpr uint32_t RECEIVE_DEPTH = 256;
    for (uint32_t i = 0; i < count; i++)
    {
        Flow& flow = m_flows.emplace_back();
        flow.index = m_flows.size() - 1;
        flow.window = window;
        flow.signalEvery = signalEvery;
        const auto makePair = [&](RnicHost& host, Ptr<CompletionQueue>& queue) {
            queue = host.device->CreateCompletionQueue(window + RECEIVE_DEPTH).value();
            queue->SetNotifyCallback(MakeCallback(&FlowTest::HandleCompletions, this));
            queue->RequestNotify();
            return host.device->CreateQueuePair(host.domain, queue, queue, {window, RECEIVE_DEPTH})
                .value();
        };
        flow.client = makePair(m_client, flow.clientCompletions);
        flow.server = makePair(m_server, flow.serverCompletions);
        flow.clientId = CmId::Create(m_client.device);
        flow.clientId->Connect(flow.client,
                               MakeSocketAddress(m_server.address, PORT),
                               {{}, 16, 16});
        Run();
        ASSERT_EQ(flow.client->GetState(), QueuePairState::RTS);
        for (uint32_t receive = 0; receive < GetReceives(flow); receive++)
        {
            ASSERT_TRUE(
                flow.server->PostReceive({0, {{0, uint32_t{REGION_SIZE}, m_target->GetStag()}}}));
        }
        Prepare(flow);
    }
    Run();
}

void
FlowTest::Start()
{
    m_running = true;
    for (Flow& flow : m_flows)
    {
        Fill(flow);
    }
}

void
FlowTest::RunFor(Time time)
{
    Simulator::Stop(time);
    Run();
}

void
FlowTest::Finish()
{
    m_running = false;
    Run();
}

void
FlowTest::Fill(Flow& flow)
{
    while (m_running && flow.posted < flow.completed + flow.window)
    {
        SendWorkRequest request = MakeWork(flow);
        flow.posted++;
        request.signaled = flow.posted % flow.signalEvery == 0;
        request.id = flow.posted;
        ASSERT_TRUE(flow.client->PostSend(request));
        flow.lengths.push_back(request.elements.empty() ? 0 : request.elements[0].length);
    }
}

void
FlowTest::HandleCompletions(Ptr<CompletionQueue> queue)
{
    const auto owner = std::find_if(m_flows.begin(), m_flows.end(), [&queue](const Flow& flow) {
        return flow.clientCompletions == queue || flow.serverCompletions == queue;
    });
    Drain(*owner, queue);
    queue->RequestNotify();
    Drain(*owner, queue);
}

void
FlowTest::Drain(Flow& flow, Ptr<CompletionQueue> queue)
{
    while (const auto completion = queue->Poll())
    {
        ASSERT_EQ(completion->status, WorkCompletionStatus::SUCCESS);
        if (completion->opcode == WorkCompletionOpcode::RECEIVE)
        {
            ASSERT_TRUE(
                flow.server->PostReceive({0, {{0, uint32_t{REGION_SIZE}, m_target->GetStag()}}}));
            continue;
        }
        for (; flow.completed < completion->id; flow.completed++)
        {
            flow.octets += flow.lengths.front();
            flow.lengths.pop_front();
        }
        Fill(flow);
    }
}

} // namespace ns3::nfsrdma
