/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-fixture.h"

#include "mpa/tcp-preset.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

template <typename Result, typename Item, typename Function>
std::vector<Result>
Map(const std::vector<Item>& items, Function function)
{
    std::vector<Result> results;
    std::transform(items.begin(), items.end(), std::back_inserter(results), function);
    return results;
}

} // namespace

std::vector<WorkCompletionStatus>
RnicHost::SentStatuses() const
{
    return Map<WorkCompletionStatus>(sent, [](const auto& item) { return item.status; });
}

std::vector<WorkCompletionStatus>
RnicHost::ReceivedStatuses() const
{
    return Map<WorkCompletionStatus>(received, [](const auto& item) { return item.status; });
}

std::vector<uint64_t>
RnicHost::SentIds() const
{
    return Map<uint64_t>(sent, [](const auto& item) { return item.id; });
}

std::vector<uint64_t>
RnicHost::ReceivedIds() const
{
    return Map<uint64_t>(received, [](const auto& item) { return item.id; });
}

std::vector<CmEventType>
RnicHost::EventTypes() const
{
    return Map<CmEventType>(events, [](const auto& item) { return item.type; });
}

HostBuffer
RnicHost::Fill(const ByteVector& octets) const
{
    HostBuffer buffer(memory, std::max<std::size_t>(octets.size(), 1));
    buffer.Write(0, octets);
    return buffer;
}

HostBuffer
RnicHost::Room(uint64_t length) const
{
    return HostBuffer(memory, length);
}

ByteVector
RnicHost::Octets(const HostBuffer& buffer) const
{
    ByteVector octets(buffer.GetLength());
    buffer.Read(0, octets);
    return octets;
}

void
RnicTest::SetUp()
{
    DataCenterTcpPreset().Apply(GetMtu());
    const auto channel = CreateObject<EthernetChannel>();
    BuildHost(m_client, 1, channel);
    BuildHost(m_server, 2, channel);
    BuildVerbs(m_client);
    BuildVerbs(m_server);
}

void
RnicTest::TearDown()
{
    Simulator::Destroy();
}

void
RnicTest::BuildHost(RnicHost& host, uint32_t number, Ptr<EthernetChannel> channel)
{
    host.node = MakeIpNode(IsOverIpv6());
    host.port = AddEthernetPort(host.node, GetMtu(), QueueSize("16MB"));
    host.port->Attach(channel);
    host.address = AddIpv4Address(host.node, host.port, number);
    if (IsOverIpv6())
    {
        host.ipv6Address = AddIpv6Address(host.node, host.port, static_cast<uint8_t>(number));
    }
    host.device = CreateObject<RnicDevice>();
    ConfigureDevice(host);
    host.Install(host.device);
}

void
RnicTest::BuildVerbs(RnicHost& host)
{
    host.domain = host.device->AllocateProtectionDomain().value();
    host.sendCompletions = host.device->CreateCompletionQueue(GetCompletionDepth()).value();
    host.receiveCompletions = host.device->CreateCompletionQueue(GetCompletionDepth()).value();
    for (const auto& queue : {host.sendCompletions, host.receiveCompletions})
    {
        queue->SetNotifyCallback(MakeCallback(&RnicTest::HandleCompletions, this));
        queue->RequestNotify();
    }
    host.pair = host.device
                    ->CreateQueuePair(host.domain,
                                      host.sendCompletions,
                                      host.receiveCompletions,
                                      GetCapabilities(host))
                    .value();
    host.pair->TraceConnectWithoutContext(
        "State",
        Callback<void, QueuePairState, QueuePairState>(
            [&host](QueuePairState, QueuePairState after) { host.states.push_back(after); }));
    host.pair->TraceConnectWithoutContext(
        "TerminateSent",
        Callback<void, const TerminateMessage&>([&host](const TerminateMessage& message) {
            host.terminatesSent.push_back(message.reason.ToString());
        }));
    host.pair->TraceConnectWithoutContext(
        "TerminateReceived",
        Callback<void, const TerminateMessage&>([&host](const TerminateMessage& message) {
            host.terminatesReceived.push_back(message.reason.ToString());
        }));
    host.pair->TraceConnectWithoutContext(
        "AsyncEvent",
        Callback<void, AsyncEventType, uint32_t>(
            [&host](AsyncEventType type, uint32_t) { host.asyncEvents.push_back(type); }));
}

void
RnicTest::ConfigureDevice(RnicHost& /* host */)
{
}

uint16_t
RnicTest::GetMtu()
{
    return 1500;
}

QueuePairCapabilities
RnicTest::GetCapabilities(const RnicHost& /* host */)
{
    return {};
}

uint32_t
RnicTest::GetCompletionDepth()
{
    return 1024;
}

CmConnectionParameters
RnicTest::GetParameters(const RnicHost& /* host */)
{
    return {{}, 16, 16};
}

std::optional<ByteVector>
RnicTest::GetRejection(const CmEvent& /* request */)
{
    return std::nullopt;
}

void
RnicTest::Completed(RnicHost& /* host */, const WorkCompletion& /* completion */)
{
}

bool
RnicTest::IsOverIpv6()
{
    return false;
}

Address
RnicTest::GetServerAddress()
{
    if (IsOverIpv6())
    {
        return Inet6SocketAddress(m_server.ipv6Address, PORT);
    }
    return MakeSocketAddress(m_server.address, PORT);
}

void
RnicTest::Connect()
{
    m_listener = CmId::Create(m_server.device);
    m_listener->SetEventCallback(MakeCallback(&RnicTest::HandleListenerEvent, this));
    ASSERT_TRUE(m_listener->Listen(PORT));
    m_client.id = CmId::Create(m_client.device);
    m_client.id->SetEventCallback(MakeCallback(&RnicTest::HandleClientEvent, this));
    m_client.id->Connect(m_client.pair, GetServerAddress(), GetParameters(m_client));
    Run();
}

void
RnicTest::OpenResponder()
{
    ASSERT_TRUE(m_server.pair->PostReceive({}));
    PostSend(m_client, {});
    Run();
    ASSERT_EQ(m_server.received.size(), 1U);
    m_server.received.clear();
    m_client.sent.clear();
}

const HostBuffer&
RnicTest::Keep(HostBuffer buffer)
{
    return m_kept.emplace_back(std::move(buffer));
}

void
RnicTest::Run()
{
    Simulator::Run();
}

void
RnicTest::HandleListenerEvent(Ptr<CmId> /* id */, const CmEvent& event)
{
    m_requests.push_back(event);
    m_server.id = event.newId;
    m_server.id->SetEventCallback(MakeCallback(&RnicTest::HandleServerEvent, this));
    if (const auto rejection = GetRejection(event))
    {
        m_server.id->Reject(*rejection);
        return;
    }
    m_server.id->Accept(m_server.pair, GetParameters(m_server));
}

void
RnicTest::HandleClientEvent(Ptr<CmId> /* id */, const CmEvent& event)
{
    m_client.events.push_back(event);
}

void
RnicTest::HandleServerEvent(Ptr<CmId> /* id */, const CmEvent& event)
{
    m_server.events.push_back(event);
}

void
RnicTest::HandleCompletions(Ptr<CompletionQueue> queue)
{
    RnicHost& host = queue == m_client.sendCompletions || queue == m_client.receiveCompletions
                         ? m_client
                         : m_server;
    Drain(host, queue);
    queue->RequestNotify();
    Drain(host, queue);
}

void
RnicTest::Drain(RnicHost& host, Ptr<CompletionQueue> queue)
{
    while (const auto completion = queue->Poll())
    {
        (queue == host.sendCompletions ? host.sent : host.received).push_back(*completion);
        Completed(host, *completion);
    }
}

ByteVector
RnicTest::Pattern(std::size_t length, uint8_t seed)
{
    ByteVector octets(length);
    for (std::size_t i = 0; i < length; i++)
    {
        octets[i] = static_cast<uint8_t>(seed + i * 7 + i / 251);
    }
    return octets;
}

ScatterGatherElement
RnicTest::Element(const HostBuffer& buffer)
{
    return {buffer.GetAddress(), static_cast<uint32_t>(buffer.GetLength()), 0};
}

SendWorkRequest
RnicTest::Send(uint64_t id, const HostBuffer& buffer)
{
    SendWorkRequest request;
    request.id = id;
    request.elements = {Element(buffer)};
    return request;
}

SendWorkRequest
RnicTest::Register(uint64_t id,
                   Ptr<MemoryRegion> region,
                   const HostBuffer& buffer,
                   uint8_t key,
                   uint32_t access)
{
    SendWorkRequest request;
    request.id = id;
    request.opcode = WorkRequestOpcode::REGISTER_MR;
    request.region = region;
    request.registration = {key,
                            buffer.GetAddress(),
                            static_cast<uint32_t>(buffer.GetLength()),
                            buffer.GetAddress(),
                            access};
    return request;
}

SendWorkRequest
RnicTest::Invalidate(uint64_t id, Stag stag)
{
    SendWorkRequest request;
    request.id = id;
    request.opcode = WorkRequestOpcode::LOCAL_INVALIDATE;
    request.invalidateStag = stag;
    return request;
}

SendWorkRequest
RnicTest::Write(uint64_t id, const HostBuffer& source, Stag stag, uint64_t offset)
{
    SendWorkRequest request;
    request.id = id;
    request.opcode = WorkRequestOpcode::RDMA_WRITE;
    request.elements = {Element(source)};
    request.remoteStag = stag;
    request.remoteOffset = offset;
    return request;
}

SendWorkRequest
RnicTest::Read(uint64_t id, const MemoryRegion& sink, uint32_t length, Stag stag, uint64_t offset)
{
    SendWorkRequest request;
    request.id = id;
    request.opcode = WorkRequestOpcode::RDMA_READ;
    request.elements = {{sink.GetRegistration().iova, length, sink.GetStag()}};
    request.remoteStag = stag;
    request.remoteOffset = offset;
    return request;
}

void
RnicTest::PostReceive(RnicHost& host, uint64_t id, const HostBuffer& buffer)
{
    ReceiveWorkRequest request;
    request.id = id;
    request.elements = {Element(buffer)};
    ASSERT_TRUE(host.pair->PostReceive(request));
}

void
RnicTest::PostSend(RnicHost& host, const SendWorkRequest& request)
{
    ASSERT_TRUE(host.pair->PostSend(request));
}

Ptr<MemoryRegion>
RnicTest::RegisterNow(RnicHost& host,
                      const HostBuffer& buffer,
                      uint32_t access,
                      Ptr<ProtectionDomain> domain)
{
    const uint32_t pages = host.device->GetSettings().maxFastRegisterPages;
    const auto region =
        host.device->AllocateMemoryRegion(domain ? domain : host.domain, pages).value();
    PostSend(host, Register(0, region, buffer, host.nextKey++, access));
    Run();
    host.sent.clear();
    EXPECT_TRUE(region->IsValid());
    return region;
}

void
RnicTest::SendInvalidating(Stag stag)
{
    const HostBuffer& message = Keep(m_client.Fill(Pattern(10)));
    PostReceive(m_server, 1, Keep(m_server.Room(10)));
    PostReceive(m_server, 2, Keep(m_server.Room(10)));
    SendWorkRequest request = Send(1, message);
    request.opcode = WorkRequestOpcode::SEND_WITH_INVALIDATE;
    request.invalidateStag = stag;
    PostSend(m_client, request);
    Run();
}

void
RnicTest::SpoilAccess(const std::string& fault, Stag& stag, uint64_t& offset)
{
    if (fault == "index")
    {
        stag += 0x700;
    }
    else if (fault == "key")
    {
        stag ^= 0x55;
    }
    else if (fault == "beyond")
    {
        offset += 1;
    }
    else if (fault == "before")
    {
        offset -= 1;
    }
    else if (fault == "wrap")
    {
        offset = 0xffffffffffffff00;
    }
}

void
RnicTest::DestroyAll(RnicHost& host, const std::vector<Ptr<MemoryRegion>>& regions)
{
    EXPECT_TRUE(host.device->Destroy(host.pair));
    for (const auto& region : regions)
    {
        EXPECT_TRUE(host.device->Destroy(region));
    }
    EXPECT_TRUE(host.device->Destroy(host.sendCompletions));
    EXPECT_TRUE(host.device->Destroy(host.receiveCompletions));
    EXPECT_TRUE(host.device->Destroy(host.domain));
}

bool
RnicTest::IsZero(const RnicCensus& census)
{
    return census.protectionDomains == 0 && census.completionQueues == 0 &&
           census.queuePairs == 0 && census.memoryRegions == 0 && census.validMemoryRegions == 0 &&
           census.memoryWindows == 0 && census.boundMemoryWindows == 0 && census.pinnedPages == 0 &&
           census.outstandingSends == 0 && census.postedReceives == 0 && census.connections == 0;
}

} // namespace ns3::nfsrdma
