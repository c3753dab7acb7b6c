/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/pull-notifier.h"

#include "rpcrdma/message/pull-notice-list.h"
#include "wire/ns3-version.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

ReadChunkExtension
ReplyPullSettings::MakeExtension() const
{
    const auto policy = PullNoticePolicy::Create(noticePolicy);
    ReadChunkExtension extension;
    extension.requester = true;
    extension.piggyback = policy && policy->RidesOnCalls();
    extension.remoteInvalidation = remoteInvalidation;
    return extension;
}

PullNotifier::PullNotifier(Ptr<HostMemory> memory,
                           SvcRdmaSendQueue& queue,
                           const CreditWindow& window,
                           const ReplyPullSettings& settings,
                           const Limits& limits)
    : m_memory(memory),
      m_queue(queue),
      m_window(window),
      m_settings(settings),
      m_limits(limits),
      m_statistics(*settings.statistics),
      m_policy(PullNoticePolicy::Create(settings.noticePolicy))
{
    NS_ABORT_MSG_UNLESS(m_policy, "no pull notice policy " << settings.noticePolicy);
}

PullNotifier::~PullNotifier()
{
    m_flush.Cancel();
}

NoticeUsage
PullNotifier::GetUsage() const
{
    return {m_window.GetGranted(),
            m_window.GetOutstanding(),
            GetUnconfirmed(),
            std::max(m_limits.agreement.doneReceives, 1U)};
}

uint64_t
PullNotifier::CountBeyond() const
{
    const NoticeUsage usage = GetUsage();
    const uint64_t used = uint64_t{usage.calls} + usage.notices;
    const uint64_t room = uint64_t{usage.granted} + usage.reserved;
    return used > room ? used - room : 0;
}

void
PullNotifier::Notify(const PullNotice& notice)
{
    if (m_stopped || m_waiting.size() >= MAXIMUM_WAITING)
    {
        return;
    }
    m_waiting.push_back(notice);
    if (WaitsForCall() && !IsPending(m_flush))
    {
        m_flush = Simulator::Schedule(m_settings.piggybackDelay, &PullNotifier::Flush, this);
    }
    Pump();
}

void
PullNotifier::Flush()
{
    m_flushing = true;
    Pump();
}

void
PullNotifier::Pump()
{
    if (WaitsForCall())
    {
        return;
    }
    while (!m_waiting.empty() && m_policy->MayNotify(GetUsage()))
    {
        const PullNotice notice = m_waiting.front();
        m_waiting.pop_front();
        SendDone(notice);
    }
    m_flushing = m_flushing && !m_waiting.empty();
}

void
PullNotifier::Stop()
{
    m_stopped = true;
    m_flush.Cancel();
    m_waiting.clear();
}

void
PullNotifier::SendDone(const PullNotice& notice)
{
    RpcRdmaFixedHeader header;
    header.xid = notice.xid;
    header.credit = m_window.GetMaximum();
    header.proc = static_cast<uint32_t>(RpcRdmaProc::DONE);
    ByteVector message(RpcRdmaFixedHeader::SIZE);
    ByteWriter writer(message);
    header.Encode(writer);
    auto buffer = std::make_shared<HostBuffer>(TakeBuffer());
    buffer->Write(0, message);

    SendWorkRequest send;
    send.opcode = WorkRequestOpcode::SEND;
    send.elements.push_back({buffer->GetAddress(), RpcRdmaFixedHeader::SIZE});
    SetInvalidation(notice, send);
    ++m_sent;
    m_unconfirmed.push_back(Simulator::Now());
    ++m_statistics.doneSent;
    std::vector<SendWorkRequest> chain;
    chain.push_back(std::move(send));
    ++m_open;
    m_queue.Post(std::move(chain), [this, buffer] {
        --m_open;
        m_freeBuffers.push_back(std::move(*buffer));
    });
    if (m_settings.doneSent)
    {
        m_settings.doneSent(notice.xid, false);
    }
}

void
PullNotifier::SetInvalidation(const PullNotice& notice, SendWorkRequest& send)
{
    if (m_limits.agreement.remoteInvalidation)
    {
        send.opcode = WorkRequestOpcode::SEND_WITH_INVALIDATE;
        send.invalidateStag = notice.tag;
        ++m_statistics.doneInvalidates;
    }
}

HostBuffer
PullNotifier::TakeBuffer()
{
    if (m_freeBuffers.empty())
    {
        return {m_memory, RpcRdmaFixedHeader::SIZE};
    }
    HostBuffer buffer = std::move(m_freeBuffers.back());
    m_freeBuffers.pop_back();
    return buffer;
}

void
PullNotifier::PrepareCall(RpcRdmaRequest& request, SendWorkRequest& send)
{
    request.noticesBefore = m_sent;
    if (m_waiting.empty() || !m_policy->RidesOnCalls() || !m_limits.agreement.piggyback ||
        send.elements.size() >= m_limits.elements)
    {
        return;
    }
    uint32_t length = 0;
    for (const ScatterGatherElement& element : send.elements)
    {
        length += element.length;
    }
    std::size_t count = std::min<std::size_t>(m_waiting.size(), PullNoticeList::MAXIMUM);
    while (count > 0 && length + PullNoticeList::GetEncodedSize(count) > m_limits.sendSize)
    {
        --count;
    }
    if (count == 0)
    {
        return;
    }
    ScatterGatherElement& first = send.elements.front();
    ByteVector fixed(RpcRdmaFixedHeader::SIZE);
    m_memory->Read(first.address, fixed);
    ByteReader reader(fixed);
    const auto header = RpcRdmaFixedHeader::Decode(reader);
    SetInvalidation(m_waiting.front(), send);
    PullNoticeList list;
    for (std::size_t i = 0; i < count; ++i)
    {
        list.xids.push_back(m_waiting.front().xid);
        m_waiting.pop_front();
    }
    const ByteVector octets = list.Encode(*header);
    if (request.noticeBuffer.IsNull())
    {
        request.noticeBuffer = HostBuffer(
            m_memory,
            RpcRdmaFixedHeader::SIZE + PullNoticeList::GetEncodedSize(PullNoticeList::MAXIMUM));
    }
    request.noticeBuffer.Write(0, octets);
    first.address += RpcRdmaFixedHeader::SIZE;
    first.length -= RpcRdmaFixedHeader::SIZE;
    send.elements.insert(send.elements.begin(),
                         {request.noticeBuffer.GetAddress(), static_cast<uint32_t>(octets.size())});
    request.call->record.callInlineBytes += PullNoticeList::GetEncodedSize(count);
    m_statistics.doneOnCalls += count;
    if (m_waiting.empty())
    {
        m_flush.Cancel();
        m_flushing = false;
    }
    if (m_settings.doneSent)
    {
        for (const uint32_t xid : list.xids)
        {
            m_settings.doneSent(xid, true);
        }
    }
}

void
PullNotifier::Confirm(const RpcRdmaRequest& request)
{
    while (m_confirmed < request.noticesBefore)
    {
        ++m_confirmed;
        const Time held = Simulator::Now() - m_unconfirmed.front();
        m_unconfirmed.pop_front();
        if (m_settings.doneEnded)
        {
            m_settings.doneEnded(held);
        }
    }
}

} // namespace ns3::nfsrdma
