/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/rogue-connection.h"

#include "rpcrdma/message/private-data.h"
#include "rpcrdma/message/read-chunk-extension.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t SEND_DEPTH = 1024;
constexpr uint32_t RECEIVES = 256;
constexpr uint32_t RECEIVE_SIZE = 4096;
constexpr uint32_t READS = 16;

} // namespace

RogueConnection::RogueConnection(const AdversaryHost& host,
                                 RogueConnectionOwner& owner,
                                 uint32_t number)
    : m_host(host),
      m_owner(&owner),
      m_number(number)
{
}

RogueConnection::~RogueConnection()
{
    TearDown();
}

bool
RogueConnection::Open(bool pulls)
{
    QueuePairCapabilities sizes;
    sizes.sendDepth = SEND_DEPTH;
    sizes.receiveDepth = RECEIVES;
    m_endpoint = VerbsEndpoint::Create(
        m_host.device,
        sizes,
        {},
        [this](const WorkCompletion& completion) { HandleSendCompletion(completion); },
        [this](const WorkCompletion& completion) { HandleReceive(completion); });
    if (!m_endpoint)
    {
        return false;
    }
    m_receives = std::make_unique<ReceiveBuffers>(m_host.device->GetHostMemory(),
                                                  m_endpoint->GetQueuePair(),
                                                  RECEIVE_SIZE);
    m_receives->Post(RECEIVES);
    CmConnectionParameters parameters;
    parameters.privateData = RpcRdmaPrivateData{true, RECEIVE_SIZE, RECEIVE_SIZE}.EncodeWithin(
        m_host.device->GetSettings().maxPrivateData);
    parameters.responderResources = std::min(READS, m_host.device->GetSettings().maxIrd);
    if (pulls)
    {
        ReadChunkExtension extension;
        extension.requester = true;
        const ByteVector octets = extension.Encode();
        parameters.privateData.insert(parameters.privateData.end(), octets.begin(), octets.end());
        parameters.initiatorDepth = std::min(READS, m_host.device->GetSettings().maxOrd);
    }
    m_cm = CmId::Create(m_host.device);
    m_cm->SetEventCallback(MakeCallback(&RogueConnection::HandleEvent, this));
    return m_cm->Connect(m_endpoint->GetQueuePair(), m_host.target, parameters).has_value();
}

void
RogueConnection::Close()
{
    if (m_cm)
    {
        m_cm->Disconnect();
    }
}

void
RogueConnection::Abandon()
{
    m_owner = nullptr;
    TearDown();
}

bool
RogueConnection::Send(const ByteVector& octets)
{
    if (!m_open)
    {
        return false;
    }
    const auto length = static_cast<uint32_t>(octets.size());
    HostBuffer buffer(m_host.device->GetHostMemory(), length);
    buffer.Write(0, octets);
    SendWorkRequest send;
    send.id = m_nextId++;
    send.elements.push_back({buffer.GetAddress(), length});
    if (!m_endpoint->GetQueuePair()->PostSend({send}))
    {
        return false;
    }
    m_sends.emplace(send.id, std::move(buffer));
    return true;
}

bool
RogueConnection::MakeSink()
{
    if (m_sink)
    {
        return true;
    }
    m_sinkMemory = HostBuffer(m_host.device->GetHostMemory(), MAX_READ);
    m_sink = m_host.device
                 ->RegisterMemory(m_endpoint->GetDomain(),
                                  m_sinkMemory.GetAddress(),
                                  MAX_READ,
                                  ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE,
                                  m_sinkMemory.GetAddress())
                 .value_or(nullptr);
    return m_sink != nullptr;
}

bool
RogueConnection::Read(const RpcRdmaSegment& source, uint32_t offset, uint32_t length)
{
    if (!m_open || !MakeSink())
    {
        return false;
    }
    SendWorkRequest read;
    read.opcode = WorkRequestOpcode::RDMA_READ;
    read.id = m_nextId++;
    read.elements.push_back(
        {m_sinkMemory.GetAddress(), std::min(length, MAX_READ), m_sink->GetStag()});
    read.remoteStag = source.handle;
    read.remoteOffset = source.offset + offset;
    return m_endpoint->GetQueuePair()->PostSend({read}).has_value();
}

void
RogueConnection::HandleSendCompletion(const WorkCompletion& completion)
{
    m_sends.erase(completion.id);
    if (m_owner != nullptr && completion.status == WorkCompletionStatus::SUCCESS &&
        completion.opcode == WorkCompletionOpcode::RDMA_READ)
    {
        m_owner->HandleRead(*this);
    }
}

void
RogueConnection::HandleReceive(const WorkCompletion& completion)
{
    if (completion.status != WorkCompletionStatus::SUCCESS)
    {
        return;
    }
    ByteVector message;
    m_receives->Take(completion, message);
    m_receives->Post(1);
    if (m_owner != nullptr)
    {
        m_owner->HandleMessage(*this, message);
    }
}

void
RogueConnection::HandleEvent(Ptr<CmId> /* id */, const CmEvent& event)
{
    if (event.type == CmEventType::ESTABLISHED)
    {
        m_open = true;
        m_serverReceiveSize = DecodePrivateDataOrDefault(event.privateData).receiveSize;
        if (m_owner != nullptr)
        {
            m_owner->HandleOpen(*this);
        }
        return;
    }
    m_open = false;
    Simulator::ScheduleNow([self = Ptr<RogueConnection>(this)] {
        self->TearDown();
        if (self->m_owner != nullptr)
        {
            RogueConnectionOwner* const owner = self->m_owner;
            self->m_owner = nullptr;
            owner->HandleClosed(*self);
        }
    });
}

void
RogueConnection::TearDown()
{
    m_open = false;
    if (m_cm)
    {
        m_cm->SetEventCallback(CmId::EventCallback());
        m_cm->Destroy();
        m_cm = nullptr;
    }
    m_receives.reset();
    if (m_sink)
    {
        (void)m_host.device->Destroy(m_sink);
        m_sink = nullptr;
    }
    m_endpoint.reset();
    m_sends.clear();
    m_sinkMemory = HostBuffer();
}

} // namespace ns3::nfsrdma
