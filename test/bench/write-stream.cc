/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "bench/write-stream.h"

#include "mpa/internet-address.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint16_t PORT = 20049;

} // namespace

WriteStream::Side::Side(const Ptr<RnicDevice>& rnic, uint64_t octets)
    : device(rnic),
      buffer(rnic->GetHostMemory(), octets),
      domain(rnic->AllocateProtectionDomain().value()),
      completions(rnic->CreateCompletionQueue(1024).value()),
      pair(rnic->CreateQueuePair(domain, completions, completions, {}).value()),
      region(rnic->RegisterMemory(domain,
                                  buffer.GetAddress(),
                                  octets,
                                  ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE,
                                  buffer.GetAddress())
                 .value())
{
}

WriteStream::WriteStream(const Ptr<RnicDevice>& from,
                         const Ptr<RnicDevice>& to,
                         IpAddress address,
                         const Plan& plan)
    : m_plan(plan),
      m_from(from, plan.size),
      m_to(to, plan.size),
      m_address(address),
      m_listener(CmId::Create(to)),
      m_id(CmId::Create(from))
{
}

void
WriteStream::Start()
{
    m_listener->SetEventCallback(MakeCallback(&WriteStream::HandleEvent, this));
    m_id->SetEventCallback(MakeCallback(&WriteStream::HandleEvent, this));
    m_from.completions->SetNotifyCallback(MakeCallback(&WriteStream::HandleCompletions, this));
    m_from.completions->RequestNotify();
    NS_ABORT_MSG_UNLESS(m_listener->Listen(PORT), "the port is taken");
    m_id->Connect(m_from.pair, MakeSocketAddress(m_address, PORT), {});
}

void
WriteStream::HandleEvent(Ptr<CmId> id, const CmEvent& event)
{
    if (event.type == CmEventType::CONNECT_REQUEST)
    {
        event.newId->Accept(m_to.pair, {});
        m_listener->Disconnect();
    }
    else if (event.type == CmEventType::ESTABLISHED && id == m_id)
    {
        for (uint32_t i = 0; i < m_plan.depth; ++i)
        {
            WriteNext();
        }
    }
}

void
WriteStream::HandleCompletions(Ptr<CompletionQueue> queue)
{
    while (const auto completion = queue->Poll())
    {
        NS_ABORT_MSG_UNLESS(completion->status == WorkCompletionStatus::SUCCESS, "a Write failed");
        m_octets += m_plan.size;
        m_end = Simulator::Now();
        WriteNext();
    }
    queue->RequestNotify();
    if (m_octets == m_plan.total)
    {
        m_id->Disconnect();
    }
}

void
WriteStream::WriteNext()
{
    if (m_posted == m_plan.total)
    {
        return;
    }
    m_posted += m_plan.size;
    SendWorkRequest write;
    write.opcode = WorkRequestOpcode::RDMA_WRITE;
    write.elements = {{m_from.buffer.GetAddress(), m_plan.size, m_from.region->GetStag()}};
    write.remoteStag = m_to.region->GetStag();
    write.remoteOffset = m_to.buffer.GetAddress();
    NS_ABORT_MSG_UNLESS(m_from.pair->PostSend(write).has_value(), "the send queue is full");
}

} // namespace ns3::nfsrdma
