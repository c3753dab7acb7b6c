/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/callback-program.h"

#include "nfs/v4/client/compounds.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(Nfs4CallbackProgram);

TypeId
Nfs4CallbackProgram::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::Nfs4CallbackProgram")
                            .SetParent<RpcProgram>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<Nfs4CallbackProgram>();
    return tid;
}

void
Nfs4CallbackProgram::SetClient(Nfs4CompoundClient* client)
{
    m_client = client;
}

void
Nfs4CallbackProgram::ResetSlots(uint32_t slots)
{
    m_slots = std::min(slots, SLOTS);
    m_sequences.fill(0);
}

uint64_t
Nfs4CallbackProgram::GetAnswered(Nfs4CbOp op) const
{
    const auto number = static_cast<std::size_t>(op);
    return number < m_answered.size() ? m_answered[number] : 0;
}

uint32_t
Nfs4CallbackProgram::GetProgram() const
{
    return NFS4_CALLBACK_PROGRAM;
}

uint32_t
Nfs4CallbackProgram::GetVersion() const
{
    return NFS4_CALLBACK_VERSION;
}

void
Nfs4CallbackProgram::Dispatch(std::shared_ptr<RpcServerCall> call, Done done)
{
    RpcServerReply reply;
    if (call->header.procedure == CB_NULL)
    {
        done(std::move(reply));
        return;
    }
    if (call->header.procedure != CB_COMPOUND)
    {
        reply.status = RpcAcceptStatus::PROC_UNAVAIL;
        done(std::move(reply));
        return;
    }
    XdrReader reader(ByteSpan(call->message.octets).subspan(call->argumentsPosition));
    const auto args = CbCompound4Args::Decode(reader);
    if (!args)
    {
        reply.status = RpcAcceptStatus::GARBAGE_ARGS;
        done(std::move(reply));
        return;
    }
    XdrWriter writer;
    (m_responder ? m_responder(*args) : Process(*args)).Encode(writer);
    reply.results.octets = writer.Take();
    done(std::move(reply));
}

CbCompound4Res
Nfs4CallbackProgram::Process(const CbCompound4Args& args)
{
    CbCompound4Res results;
    results.tag = args.tag;
    if (m_client == nullptr || args.minorVersion != m_client->GetMinorVersion())
    {
        results.status = Nfs4Status::MINOR_VERS_MISMATCH;
        return results;
    }
    for (std::size_t i = 0; i < args.ops.size(); ++i)
    {
        const Nfs4CbOp op = GetOp(args.ops[i]);
        const bool isSequence = op == Nfs4CbOp::SEQUENCE;
        if (m_client->HasSessions() && isSequence != (i == 0))
        {
            results.ops.push_back(
                MakeResult(op,
                           isSequence ? Nfs4Status::SEQUENCE_POS : Nfs4Status::OP_NOT_IN_SESSION));
        }
        else
        {
            results.ops.push_back(Run(args.ops[i]));
        }
        results.status = GetStatus(results.ops.back());
        if (results.status != Nfs4Status::OK)
        {
            return results;
        }
        ++m_answered[static_cast<std::size_t>(op) % m_answered.size()];
    }
    if (args.error)
    {
        results.ops.push_back(
            MakeResult(static_cast<Nfs4CbOp>(args.error->op), args.error->status));
        results.status = args.error->status;
    }
    return results;
}

Nfs4CbResOp
Nfs4CallbackProgram::Run(const Nfs4CbArgOp& op)
{
    if (const auto* sequence = std::get_if<CbSequenceArgs4>(&op))
    {
        return RunSequence(*sequence);
    }
    if (const auto* getattr = std::get_if<CbGetattrArgs4>(&op))
    {
        return RunGetattr(*getattr);
    }
    if (const auto* recall = std::get_if<CbRecallArgs4>(&op))
    {
        return CbRecallRes4{m_client->GetDelegations().Recall(recall->fh, recall->stateid)};
    }
    if (const auto* any = std::get_if<CbRecallAnyArgs4>(&op))
    {
        m_client->GetDelegations().RecallAny(any->objectsToKeep);
        return CbRecallAnyRes4{};
    }
    if (const auto* slots = std::get_if<CbRecallSlotArgs4>(&op))
    {
        m_client->RecallSlots(slots->targetHighestSlotId);
        return CbRecallSlotRes4{};
    }
    if (const auto* offload = std::get_if<CbOffloadArgs4>(&op))
    {
        m_client->GetOffloads().Arrive(*offload);
        return CbOffloadRes4{};
    }
    if (const auto* lock = std::get_if<CbNotifyLockArgs4>(&op))
    {
        m_client->NotifyLock(*lock);
        return CbNotifyLockRes4{};
    }
    switch (GetOp(op))
    {
    case Nfs4CbOp::LAYOUTRECALL:
        return CbLayoutrecallRes4{Nfs4Status::NOMATCHING_LAYOUT};
    case Nfs4CbOp::ILLEGAL:
        return CbIllegalRes4{Nfs4Status::OP_ILLEGAL};
    default:
        return MakeResult(GetOp(op), Nfs4Status::NOTSUPP);
    }
}

Nfs4CbResOp
Nfs4CallbackProgram::RunSequence(const CbSequenceArgs4& args)
{
    const auto refuse = [](Nfs4Status status) { return MakeResult(Nfs4CbOp::SEQUENCE, status); };
    if (!m_client->GetSession().IsSession(args.sessionId))
    {
        return refuse(Nfs4Status::BADSESSION);
    }
    if (args.slotId >= m_slots)
    {
        return refuse(Nfs4Status::BADSLOT);
    }
    uint32_t& last = m_sequences[args.slotId];
    if (args.sequenceId == last)
    {
        return refuse(args.cacheThis ? Nfs4Status::SEQ_FALSE_RETRY
                                     : Nfs4Status::RETRY_UNCACHED_REP);
    }
    if (args.sequenceId != last + 1)
    {
        return refuse(Nfs4Status::SEQ_MISORDERED);
    }
    for (const auto& list : args.referringCallLists)
    {
        for (const auto& call : list.calls)
        {
            if (m_client->GetSession().IsSession(list.sessionId) &&
                m_client->GetTasks().IsUnderWay(call.slotId, call.sequenceId))
            {
                return refuse(Nfs4Status::DELAY);
            }
        }
    }
    if (args.cacheThis)
    {
        return refuse(Nfs4Status::REP_TOO_BIG_TO_CACHE);
    }
    last = args.sequenceId;
    CbSequenceRes4 result;
    result.sessionId = args.sessionId;
    result.sequenceId = args.sequenceId;
    result.slotId = args.slotId;
    result.highestSlotId = m_slots - 1;
    result.targetHighestSlotId = m_slots - 1;
    return result;
}

Nfs4CbResOp
Nfs4CallbackProgram::RunGetattr(const CbGetattrArgs4& args) const
{
    CbGetattrRes4 result;
    const auto delegation = m_client->GetHeld().FindDelegation(args.fh);
    if (!delegation || delegation->type != OpenDelegationType4::WRITE)
    {
        result.status = Nfs4Status::BADHANDLE;
        return result;
    }
    if (args.attrRequest.Has(static_cast<uint32_t>(Nfs4Attr::CHANGE)))
    {
        result.attributes.change = delegation->change;
    }
    if (args.attrRequest.Has(static_cast<uint32_t>(Nfs4Attr::SIZE)))
    {
        result.attributes.size = delegation->size;
    }
    return result;
}

} // namespace ns3::nfsrdma
