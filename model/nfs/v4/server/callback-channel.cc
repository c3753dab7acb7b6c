/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/callback-channel.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// Status, tag, count; CB_SEQUENCE; CB_RECALL.
constexpr uint32_t REPLY_OCTETS = 12 + 44 + 8;
/// As RpcClient's CallCost, which the worker has instead.
const Time CALL_COST = MicroSeconds(5);

} // namespace

Nfs4CallbackChannel::Nfs4CallbackChannel(const Service& service, std::function<void(Outcome)> ended)
    : m_service(service),
      m_ended(std::move(ended)),
      m_client(CreateObject<RpcClient>()),
      m_slots(std::max(service.slots, 1U)),
      m_target(static_cast<uint32_t>(m_slots.size()))
{
    m_client->SetTransport(service.transport);
    if (service.cpu)
    {
        m_client->SetHostCpu(service.cpu);
    }
    m_client->SetProgram(service.program, NFS4_CALLBACK_VERSION);
    AuthSysCredential credential;
    credential.machineName = service.machineName;
    m_client->SetCredential(credential);
    if (service.worker)
    {
        m_client->SetAttribute("CallCost", TimeValue(Time(0)));
    }
}

Nfs4CallbackChannel::~Nfs4CallbackChannel()
{
    Close();
}

void
Nfs4CallbackChannel::Close()
{
    for (Slot& slot : m_slots)
    {
        slot.retry.Cancel();
        slot.call.reset();
    }
    m_queue.clear();
    m_ended = nullptr;
    const bool isOwn = !m_service.session;
    if (const auto transport = std::exchange(m_service.transport, nullptr); transport && isOwn)
    {
        transport->Dispose();
    }
}

uint64_t
Nfs4CallbackChannel::GetSent(Nfs4CbOp op) const
{
    const auto found = m_sent.find(op);
    return found == m_sent.end() ? 0 : found->second;
}

RpcReplyEstimate
Nfs4CallbackChannel::MakeEstimate() const
{
    RpcReplyEstimate estimate;
    estimate.head = RpcReplyHeader::ACCEPTED_SIZE + REPLY_OCTETS;
    estimate.minimum = RpcReplyHeader::ACCEPTED_SIZE;
    return estimate;
}

std::size_t
Nfs4CallbackChannel::GetOutstanding() const
{
    return static_cast<std::size_t>(
        std::count_if(m_slots.begin(), m_slots.end(), [](const Slot& slot) {
            return slot.call.has_value();
        }));
}

void
Nfs4CallbackChannel::InTurn(const std::function<void(Nfs4CallbackChannel&)>& call)
{
    if (!m_service.worker)
    {
        call(*this);
        return;
    }
    const Ptr<HostCpu> cpu = m_client->GetHostCpu();
    Simulator::Schedule(cpu->Run(*m_service.worker, CALL_COST) - Simulator::Now(),
                        [self = weak_from_this(), call] {
                            const auto channel = self.lock();
                            if (channel && channel->m_ended)
                            {
                                call(*channel);
                            }
                        });
}

void
Nfs4CallbackChannel::Probe()
{
    InTurn([](Nfs4CallbackChannel& channel) { channel.SendProbe(); });
}

void
Nfs4CallbackChannel::SendProbe()
{
    m_client->Call(CB_NULL,
                   RpcArguments(),
                   MakeEstimate(),
                   [self = weak_from_this()](RpcRecord& record,
                                             const RpcReceivedMessage& /* message */,
                                             XdrReader& /* reader */) {
                       const auto channel = self.lock();
                       if (channel && channel->m_ended)
                       {
                           channel->m_ended(record.outcome == RpcOutcome::SUCCESS ? Outcome::DONE
                                                                                  : Outcome::DOWN);
                       }
                   });
}

void
Nfs4CallbackChannel::Recall(const Nfs4StatePtr& delegation)
{
    Add({[delegation] { return CbRecallArgs4{delegation->id, false, delegation->handle}; }, 1});
}

void
Nfs4CallbackChannel::Add(Pending pending)
{
    m_queue.push_back(std::move(pending));
    SendNext();
}

void
Nfs4CallbackChannel::SendNext()
{
    for (uint32_t number = 0; number < m_target && !m_queue.empty(); ++number)
    {
        if (!m_slots[number].call)
        {
            m_slots[number].call = std::move(m_queue.front());
            m_queue.pop_front();
            InTurn([number](Nfs4CallbackChannel& channel) { channel.Send(number); });
        }
    }
}

void
Nfs4CallbackChannel::Send(uint32_t slot)
{
    const Slot& own = m_slots.at(slot);
    CbCompound4Args compound;
    compound.minorVersion = m_service.minorVersion;
    compound.callbackIdent = m_service.session ? 0 : m_service.callbackIdent;
    if (m_service.session)
    {
        CbSequenceArgs4 sequence;
        sequence.sessionId = *m_service.session;
        sequence.sequenceId = own.sequence;
        sequence.slotId = slot;
        sequence.highestSlotId = std::max(slot, m_target - 1);
        compound.ops.emplace_back(std::move(sequence));
    }
    compound.ops.push_back(own.call->make());
    const Nfs4CbOp op = GetOp(compound.ops.back());
    compound.opCount = static_cast<uint32_t>(compound.ops.size());
    XdrWriter writer;
    compound.Encode(writer);
    // xid to procedure, AUTH_SYS with the machine's name, no verifier.
    AuthSysCredential credential;
    credential.machineName = m_service.machineName;
    const uint32_t header = 24 + credential.EncodedSize() + 8;
    if (header + writer.GetSize() > m_service.maxRequest)
    {
        Drop(slot, Outcome::TOO_LARGE);
        return;
    }
    ++m_sent[op];
    RpcArguments arguments;
    arguments.octets = writer.Take();
    m_client->Call(CB_COMPOUND,
                   std::move(arguments),
                   MakeEstimate(),
                   [self = weak_from_this(), slot](RpcRecord& record,
                                                   const RpcReceivedMessage& /* message */,
                                                   XdrReader& reader) {
                       if (const auto channel = self.lock())
                       {
                           channel->HandleReply(slot, record, reader);
                       }
                   });
}

void
Nfs4CallbackChannel::HandleReply(uint32_t slot, const RpcRecord& record, XdrReader& reader)
{
    if (!m_slots.at(slot).call)
    {
        return;
    }
    if (record.outcome != RpcOutcome::SUCCESS)
    {
        Drop(slot, Outcome::DOWN);
        return;
    }
    const auto results = CbCompound4Res::Decode(reader);
    if (!results || results->ops.empty())
    {
        Drop(slot, Outcome::FAULT);
        return;
    }
    Answer(slot, *results);
}

void
Nfs4CallbackChannel::Answer(uint32_t slot, const CbCompound4Res& results)
{
    Slot& own = m_slots.at(slot);
    if (m_service.session)
    {
        const Nfs4Status status = GetStatus(results.ops.front());
        const auto* sequence = std::get_if<CbSequenceRes4>(&results.ops.front());
        switch (status)
        {
        case Nfs4Status::OK:
            ++own.sequence;
            if (sequence != nullptr)
            {
                const uint32_t last = static_cast<uint32_t>(m_slots.size()) - 1;
                m_target = std::min(sequence->targetHighestSlotId, last) + 1;
            }
            break;
        case Nfs4Status::DELAY:
            Again(slot);
            return;
        case Nfs4Status::SEQ_MISORDERED:
            if (own.sequence != 1)
            {
                own.sequence = 1;
                InTurn([slot](Nfs4CallbackChannel& channel) { channel.Send(slot); });
                return;
            }
            Drop(slot, Outcome::FAULT);
            return;
        default:
            ++own.sequence;
            Drop(slot, Outcome::FAULT);
            return;
        }
    }
    switch (results.status)
    {
    case Nfs4Status::DELAY:
        Again(slot);
        return;
    case Nfs4Status::BADHANDLE:
    case Nfs4Status::BAD_STATEID:
        if (own.call->retries > 0)
        {
            --own.call->retries;
            Again(slot);
            return;
        }
        break;
    default:
        break;
    }
    Drop(slot, Outcome::DONE);
}

void
Nfs4CallbackChannel::Again(uint32_t slot)
{
    m_slots.at(slot).retry =
        Simulator::Schedule(Seconds(RETRY_SECONDS), [self = weak_from_this(), slot] {
            if (const auto channel = self.lock())
            {
                channel->InTurn([slot](Nfs4CallbackChannel& own) { own.Send(slot); });
            }
        });
}

void
Nfs4CallbackChannel::Drop(uint32_t slot, Outcome outcome)
{
    std::optional<Pending>& call = m_slots.at(slot).call;
    const Pending ended = std::move(*call);
    call.reset();
    if (ended.answered && outcome == Outcome::DONE)
    {
        ended.answered();
    }
    if (m_ended)
    {
        m_ended(outcome);
    }
    SendNext();
}

} // namespace ns3::nfsrdma
