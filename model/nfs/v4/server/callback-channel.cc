/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/callback-channel.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

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
      m_client(CreateObject<RpcClient>())
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
    m_retry.Cancel();
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

void
Nfs4CallbackChannel::InTurn(void (Nfs4CallbackChannel::*call)())
{
    if (!m_service.worker)
    {
        (this->*call)();
        return;
    }
    const Ptr<HostCpu> cpu = m_client->GetHostCpu();
    Simulator::Schedule(cpu->Run(*m_service.worker, CALL_COST) - Simulator::Now(),
                        [self = weak_from_this(), call] {
                            const auto channel = self.lock();
                            if (channel && channel->m_ended)
                            {
                                (channel.get()->*call)();
                            }
                        });
}

void
Nfs4CallbackChannel::Probe()
{
    InTurn(&Nfs4CallbackChannel::SendProbe);
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
    if (!m_busy && !m_queue.empty())
    {
        m_busy = true;
        InTurn(&Nfs4CallbackChannel::Send);
    }
}

void
Nfs4CallbackChannel::Send()
{
    CbCompound4Args compound;
    compound.minorVersion = m_service.minorVersion;
    compound.callbackIdent = m_service.session ? 0 : m_service.callbackIdent;
    if (m_service.session)
    {
        CbSequenceArgs4 sequence;
        sequence.sessionId = *m_service.session;
        sequence.sequenceId = m_sequence;
        compound.ops.emplace_back(std::move(sequence));
    }
    compound.ops.push_back(m_queue.front().make());
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
        m_busy = false;
        Drop(Outcome::TOO_LARGE);
        return;
    }
    ++m_sent[op];
    RpcArguments arguments;
    arguments.octets = writer.Take();
    m_client->Call(CB_COMPOUND,
                   std::move(arguments),
                   MakeEstimate(),
                   [self = weak_from_this()](RpcRecord& record,
                                             const RpcReceivedMessage& /* message */,
                                             XdrReader& reader) {
                       if (const auto channel = self.lock())
                       {
                           channel->HandleReply(record, reader);
                       }
                   });
}

void
Nfs4CallbackChannel::HandleReply(const RpcRecord& record, XdrReader& reader)
{
    m_busy = false;
    if (m_queue.empty())
    {
        return;
    }
    if (record.outcome != RpcOutcome::SUCCESS)
    {
        Drop(Outcome::DOWN);
        return;
    }
    const auto results = CbCompound4Res::Decode(reader);
    if (!results || results->ops.empty())
    {
        Drop(Outcome::FAULT);
        return;
    }
    Answer(*results);
}

void
Nfs4CallbackChannel::Answer(const CbCompound4Res& results)
{
    if (m_service.session)
    {
        const Nfs4Status sequence = GetStatus(results.ops.front());
        switch (sequence)
        {
        case Nfs4Status::OK:
            ++m_sequence;
            break;
        case Nfs4Status::DELAY:
            Again();
            return;
        case Nfs4Status::SEQ_MISORDERED:
            if (m_sequence != 1)
            {
                m_sequence = 1;
                SendNext();
                return;
            }
            Drop(Outcome::FAULT);
            return;
        default:
            ++m_sequence;
            Drop(Outcome::FAULT);
            return;
        }
    }
    switch (results.status)
    {
    case Nfs4Status::DELAY:
        Again();
        return;
    case Nfs4Status::BADHANDLE:
    case Nfs4Status::BAD_STATEID:
        if (m_queue.front().retries > 0)
        {
            --m_queue.front().retries;
            Again();
            return;
        }
        break;
    default:
        break;
    }
    Drop(Outcome::DONE);
}

void
Nfs4CallbackChannel::Again()
{
    m_busy = true;
    m_retry = Simulator::Schedule(Seconds(RETRY_SECONDS), [self = weak_from_this()] {
        if (const auto channel = self.lock())
        {
            channel->m_busy = false;
            channel->SendNext();
        }
    });
}

void
Nfs4CallbackChannel::Drop(Outcome outcome)
{
    const Pending ended = std::move(m_queue.front());
    m_queue.pop_front();
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
