/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/raw-peer.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

RawPeer::RawPeer(Ptr<RnicDevice> device)
    : m_device(device)
{
}

RawPeer::~RawPeer()
{
    Destroy();
}

void
RawPeer::Prepare()
{
    m_endpoint = VerbsEndpoint::Create(
        m_device,
        QueuePairCapabilities(),
        {},
        [this](const WorkCompletion& completion) { sent.push_back(completion); },
        [this](const WorkCompletion& completion) { HandleReceive(completion); });
    m_endpoint->GetQueuePair()->TraceConnectWithoutContext(
        "TerminateReceived",
        MakeCallback(&RawPeer::HandleTerminate, this));
    m_receives = std::make_unique<ReceiveBuffers>(m_device->GetHostMemory(),
                                                  m_endpoint->GetQueuePair(),
                                                  16384);
    m_receives->Post(RECEIVES);
    RegistrationSettings settings;
    settings.choice = "shared-fifo";
    settings.regionPages = 256;
    m_registrar = ChunkRegistrar::Create(m_device, m_endpoint->GetDomain(), settings);
    m_registrar->Grow(100);
}

void
RawPeer::Connect(const Address& remote,
                 const ByteVector& privateData,
                 uint32_t responderResources,
                 uint32_t initiatorDepth)
{
    Prepare();
    m_cm = CmId::Create(m_device);
    m_cm->SetEventCallback(MakeCallback(&RawPeer::HandleEvent, this));
    m_cm->Connect(m_endpoint->GetQueuePair(),
                  remote,
                  {privateData, responderResources, initiatorDepth});
}

bool
RawPeer::Listen(uint16_t port, const ByteVector& privateData)
{
    m_privateData = privateData;
    m_listener = CmId::Create(m_device);
    m_listener->SetEventCallback(MakeCallback(&RawPeer::HandleEvent, this));
    return m_listener->Listen(port);
}

void
RawPeer::HandleEvent(Ptr<CmId> /* id */, const CmEvent& event)
{
    events.push_back(event.type);
    if (event.type == CmEventType::CONNECT_REQUEST || event.type == CmEventType::ESTABLISHED)
    {
        const auto data = RpcRdmaPrivateData::Decode(event.privateData);
        peer = data.value_or(peer);
        peerData = event.privateData;
        peerIrd = event.ird;
    }
    if (event.type == CmEventType::CONNECT_REQUEST)
    {
        Prepare();
        m_cm = event.newId;
        m_cm->SetEventCallback(MakeCallback(&RawPeer::HandleEvent, this));
        m_cm->Accept(m_endpoint->GetQueuePair(), {m_privateData, event.ird, 16});
    }
}

void
RawPeer::HandleTerminate(const TerminateMessage& message)
{
    if (onTerminate)
    {
        onTerminate(message);
    }
}

void
RawPeer::HandleReceive(const WorkCompletion& completion)
{
    completions.push_back(completion);
    if (completion.status != WorkCompletionStatus::SUCCESS)
    {
        return;
    }
    ByteVector message;
    m_receives->Take(completion, message);
    m_receives->Post(1);
    received.push_back(message);
    if (onMessage)
    {
        onMessage(message);
    }
}

void
RawPeer::Post(SendWorkRequest&& request)
{
    ASSERT_TRUE(m_endpoint->GetQueuePair()->PostSend(request));
}

void
RawPeer::Send(const ByteVector& message)
{
    HostBuffer& buffer = m_sent.emplace_back(m_device->GetHostMemory(), message.size() + 1);
    buffer.Write(0, message);
    SendWorkRequest request;
    request.elements.push_back({buffer.GetAddress(), static_cast<uint32_t>(message.size())});
    Post(std::move(request));
}

void
RawPeer::SendWithInvalidate(const ByteVector& message, Stag stag)
{
    HostBuffer& buffer = m_sent.emplace_back(m_device->GetHostMemory(), message.size() + 1);
    buffer.Write(0, message);
    SendWorkRequest request;
    request.opcode = WorkRequestOpcode::SEND_WITH_INVALIDATE;
    request.invalidateStag = stag;
    request.elements.push_back({buffer.GetAddress(), static_cast<uint32_t>(message.size())});
    Post(std::move(request));
}

RpcRdmaSegment
RawPeer::Register(const HostBuffer& buffer, uint32_t length, uint32_t access)
{
    std::vector<SendWorkRequest> chain;
    const auto registration =
        m_registrar->Register({0, buffer.GetAddress(), length, access, 0x77}, chain);
    EXPECT_TRUE(m_endpoint->GetQueuePair()->PostSend(chain));
    return registration->segment;
}

void
RawPeer::Read(const RpcRdmaSegment& source)
{
    m_read = HostBuffer(m_device->GetHostMemory(), source.length);
    const RpcRdmaSegment sink =
        Register(m_read, source.length, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    SendWorkRequest request;
    request.opcode = WorkRequestOpcode::RDMA_READ;
    request.elements.push_back({sink.offset, source.length, sink.handle});
    request.remoteStag = source.handle;
    request.remoteOffset = source.offset;
    Post(std::move(request));
}

ByteVector
RawPeer::GetRead() const
{
    ByteVector octets(m_read.GetLength());
    m_read.Read(0, octets);
    return octets;
}

void
RawPeer::Disconnect()
{
    m_cm->Disconnect();
}

void
RawPeer::Destroy()
{
    for (const auto& id : {m_cm, m_listener})
    {
        if (id)
        {
            id->SetEventCallback(CmId::EventCallback());
        }
    }
    if (m_listener)
    {
        m_listener->Disconnect();
    }
    m_registrar.reset();
    m_receives.reset();
    m_endpoint.reset();
    m_cm = nullptr;
    m_listener = nullptr;
    m_sent.clear();
    m_read = HostBuffer();
}

} // namespace ns3::nfsrdma
