/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/control-channel.h"

#include "ns3/abort.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t SLOT = 64;
constexpr uint32_t RECEIVES = 4;

} // namespace

ControlChannel::ControlChannel(Ptr<RnicDevice> device, bool speaksFirst)
    : m_device(device),
      m_speaksFirst(speaksFirst),
      m_domain(device->AllocateProtectionDomain().value()),
      m_sendQueue(device->CreateCompletionQueue(RECEIVES).value()),
      m_receiveQueue(device->CreateCompletionQueue(RECEIVES).value()),
      m_memory(device->GetHostMemory(), uint64_t{SLOT} * (RECEIVES + 1))
{
    QueuePairCapabilities sizes;
    sizes.sendDepth = RECEIVES;
    sizes.receiveDepth = RECEIVES;
    m_pair = device->CreateQueuePair(m_domain, m_sendQueue, m_receiveQueue, sizes).value();
    m_sendPump.Start(m_sendQueue, [this](const auto& completion) { HandleSent(completion); });
    m_receivePump.Start(m_receiveQueue,
                        [this](const auto& completion) { HandleReceived(completion); });
    for (uint64_t slot = 1; slot <= RECEIVES; slot++)
    {
        PostReceive(slot);
    }
}

void
ControlChannel::Connect(const Address& server, ReadyCallback ready)
{
    m_ready = std::move(ready);
    m_id = CmId::Create(m_device);
    m_id->SetEventCallback(MakeCallback(&ControlChannel::HandleEvent, this));
    m_id->Connect(m_pair, server, {});
}

void
ControlChannel::Accept(Ptr<CmId> id)
{
    m_id = id;
    m_id->SetEventCallback(MakeCallback(&ControlChannel::HandleEvent, this));
    m_id->Accept(m_pair, {});
}

void
ControlChannel::HandleEvent(Ptr<CmId> /* id */, const CmEvent& event)
{
    if (event.type == CmEventType::ESTABLISHED && m_ready)
    {
        std::exchange(m_ready, nullptr)();
    }
}

void
ControlChannel::Exchange(const ByteVector& mine, ExchangedCallback done)
{
    NS_ABORT_MSG_IF(mine.size() > SLOT, "a control message of " << mine.size() << " octets");
    m_mine = mine;
    m_exchanged = std::move(done);
    if (m_speaksFirst)
    {
        Send();
    }
    Proceed();
}

void
ControlChannel::Send()
{
    m_memory.Write(0, m_mine);
    SendWorkRequest request;
    request.elements = {{m_memory.GetAddress(), static_cast<uint32_t>(m_mine.size()), 0}};
    const bool posted = m_pair->PostSend(request).has_value();
    NS_ABORT_MSG_UNLESS(posted, "the control connection is gone");
}

void
ControlChannel::PostReceive(uint64_t slot)
{
    ReceiveWorkRequest request;
    request.id = slot;
    request.elements = {{m_memory.GetAddress() + slot * SLOT, SLOT, 0}};
    const bool posted = m_pair->PostReceive(request).has_value();
    NS_ABORT_MSG_UNLESS(posted, "the control connection has no room for a receive");
}

void
ControlChannel::HandleSent(const WorkCompletion& /* completion */)
{
}

void
ControlChannel::HandleReceived(const WorkCompletion& completion)
{
    if (completion.status != WorkCompletionStatus::SUCCESS)
    {
        return;
    }
    ByteVector message(completion.length);
    m_memory.Read(completion.id * SLOT, message);
    m_theirs.push_back(std::move(message));
    PostReceive(completion.id);
    Proceed();
}

void
ControlChannel::Proceed()
{
    if (!m_exchanged || m_theirs.empty())
    {
        return;
    }
    if (!m_speaksFirst)
    {
        Send();
    }
    const ByteVector theirs = std::move(m_theirs.front());
    m_theirs.pop_front();
    std::exchange(m_exchanged, nullptr)(theirs);
}

void
ControlChannel::Disconnect()
{
    if (m_id)
    {
        m_id->Disconnect();
    }
}

} // namespace ns3::nfsrdma
