/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/compound-processor.h"

#include "nfs/types/xdr-text.h"
#include "nfs/v4/protocol/operation-rules.h"
#include "nfs/v4/server/attribute-operations.h"
#include "nfs/v4/server/client-id-operations.h"
#include "nfs/v4/server/copy-operations.h"
#include "nfs/v4/server/data-operations.h"
#include "nfs/v4/server/handle-operations.h"
#include "nfs/v4/server/layout-operations.h"
#include "nfs/v4/server/lock-operations.h"
#include "nfs/v4/server/name-operations.h"
#include "nfs/v4/server/open-operations.h"
#include "nfs/v4/server/session-operations.h"
#include "nfs/v4/server/stateid-operations.h"
#include "nfs/v4/server/xattr-operations.h"

#include "ns3/log.h"

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaNfs4Compound");

namespace
{

#define NFS4_OPERATION(number, NAME, Type, since, Group, ...)                                      \
    Type##Res4 RunInGroup(Nfs4CompoundState& compound, const Type##Args4& args)                    \
    {                                                                                              \
        return Nfs4##Group##Operations(compound).Run(args);                                        \
    }
#include "nfs/v4/protocol/operations.def"

/// \return whether \p op of NFSv4.0 has the seqid of an owner (RFC 7530 section 9.1.7).
bool
HasOwnerSeqid(Nfs4Op op)
{
    switch (op)
    {
    case Nfs4Op::OPEN:
    case Nfs4Op::OPEN_CONFIRM:
    case Nfs4Op::OPEN_DOWNGRADE:
    case Nfs4Op::CLOSE:
    case Nfs4Op::LOCK:
    case Nfs4Op::LOCKU:
        return true;
    default:
        return false;
    }
}

template <typename Result>
const Result&
Pad(const Result& result)
{
    return result;
}

/// The bitmap has three words with any status (nfsd4_encode_setattr()).
SetattrRes4
Pad(const SetattrRes4& result)
{
    constexpr uint32_t WORDS = 3;
    SetattrRes4 padded = result;
    padded.attrsSet.SetWords(WORDS);
    return padded;
}

} // namespace

Nfs4CompoundProcessor::Nfs4CompoundProcessor(Nfs4ServerState& state,
                                             const RpcServerCall& call,
                                             Ptr<HostMemory> memory,
                                             Time now)
    : m_compound(state, call, memory, now)
{
}

Nfs4CompoundProcessor::Outcome
Nfs4CompoundProcessor::Process(const Compound4Args& args)
{
    m_compound.minorVersion = args.minorVersion;
    m_compound.operations = args.opCount;
    m_compound.reply.Begin(args.tag);

    if (args.minorVersion > NFS4_LAST_MINOR_VERSION)
    {
        m_status = Nfs4Status::MINOR_VERS_MISMATCH;
    }
    else if (args.opCount > MAX_OPERATIONS)
    {
        m_status = Nfs4Status::RESOURCE;
    }
    else
    {
        ProcessAll(args);
    }
    return Conclude();
}

Nfs4CompoundProcessor::Outcome
Nfs4CompoundProcessor::Conclude()
{
    if (IsWaiting())
    {
        return {};
    }
    Outcome outcome;
    outcome.status = m_status;
    outcome.operations = m_compound.reply.GetOperations();
    outcome.work = std::move(m_compound.work);
    outcome.results = m_compound.reply.Finish(m_status);
    if (m_compound.session && m_compound.replay == nullptr)
    {
        outcome.release = MakeRelease(outcome.results);
    }
    return outcome;
}

std::function<void()>
Nfs4CompoundProcessor::MakeRelease(const RpcPayload& whole) const
{
    const bool keeps = m_compound.cacheThis || m_compound.operations == 1;
    return [session = m_compound.session,
            slot = m_compound.slot,
            status = m_status,
            count = static_cast<uint32_t>(m_compound.reply.GetOperations().size()),
            kept = keeps ? m_compound.reply.MakeKept(whole) : RpcPayload()] {
        session->slots.End(slot, status, count, kept);
    };
}

Nfs4CompoundProcessor::Outcome
Nfs4CompoundProcessor::Resume(const Compound4Args& args, Time now)
{
    m_compound.now = now;
    m_compound.awaited.clear();
    m_compound.hasWaited = true;
    ProcessRest(args);
    return Conclude();
}

Nfs4Status
Nfs4CompoundProcessor::CheckOrder(const Compound4Args& args) const
{
    if (args.minorVersion == 0)
    {
        return Nfs4Status::OK;
    }
    const Nfs4Op first =
        args.ops.empty() ? static_cast<Nfs4Op>(args.error->op) : GetOp(args.ops.front());
    if (args.ops.empty() && args.error->status == Nfs4Status::OP_ILLEGAL)
    {
        return Nfs4Status::OK;
    }
    if (!MayBeFirst(first))
    {
        return Nfs4Status::OP_NOT_IN_SESSION;
    }
    return first == Nfs4Op::SEQUENCE || args.opCount == 1 ? Nfs4Status::OK
                                                          : Nfs4Status::NOT_ONLY_OP;
}

void
Nfs4CompoundProcessor::ProcessAll(const Compound4Args& args)
{
    if (args.opCount == 0)
    {
        return;
    }
    const Nfs4Status order = CheckOrder(args);
    if (order != Nfs4Status::OK)
    {
        const Nfs4Op first =
            args.ops.empty() ? static_cast<Nfs4Op>(args.error->op) : GetOp(args.ops.front());
        m_status = Emit(MakeResult(first, order), true);
        return;
    }
    ProcessRest(args);
}

void
Nfs4CompoundProcessor::ProcessRest(const Compound4Args& args)
{
    for (; m_next < args.ops.size(); ++m_next)
    {
        const bool last = m_next + 1 == args.opCount;
        m_status = Execute(args.ops[m_next], last);
        if (IsWaiting())
        {
            return;
        }
        m_compound.hasWaited = false;
        if (m_compound.replay != nullptr)
        {
            const Nfs4Op next = args.ops.size() > 1 ? GetOp(args.ops[1]) : Nfs4Op::ILLEGAL;
            EmitReplay(*m_compound.replay,
                       args.error && args.ops.size() == 1 ? static_cast<Nfs4Op>(args.error->op)
                                                          : next);
            return;
        }
        if (m_status != Nfs4Status::OK)
        {
            return;
        }
    }
    if (args.error)
    {
        const bool legal = args.error->status != Nfs4Status::OP_ILLEGAL;
        const auto op = legal ? static_cast<Nfs4Op>(args.error->op) : Nfs4Op::ILLEGAL;
        m_status = Emit(MakeResult(op, args.error->status), true);
    }
}

Nfs4Status
Nfs4CompoundProcessor::CheckBefore(Nfs4Op op, bool last) const
{
    if (!m_compound.current && !MayLackHandle(op))
    {
        return Nfs4Status::NOFILEHANDLE;
    }
    if (ModifiesSomething(op))
    {
        const Nfs4Status room =
            m_compound.CheckRoom(GetGreatestResult(op) + (last ? 0 : ERROR_SLACK));
        if (room != Nfs4Status::OK)
        {
            return room;
        }
    }
    return !m_compound.saved && NeedsSavedHandle(op) ? Nfs4Status::NOFILEHANDLE : Nfs4Status::OK;
}

bool
Nfs4CompoundProcessor::VerifiesHandle(Nfs4Op op)
{
    switch (op)
    {
    case Nfs4Op::PUTFH:
        return true;
    case Nfs4Op::GETFH:
    case Nfs4Op::SAVEFH:
    case Nfs4Op::RESTOREFH:
        return false;
    default:
        return !MayLackHandle(op);
    }
}

std::optional<Nfs4Status>
Nfs4CompoundProcessor::TakeRefusal(Nfs4Op op)
{
    const auto& ordered = m_compound.call.ordered;
    const auto isMeant = [&] {
        if (ordered->ofHandles)
        {
            return VerifiesHandle(op);
        }
        return ordered->operation.empty() ? op != Nfs4Op::SEQUENCE
                                          : ordered->operation == ToString(op);
    };
    if (!ordered || m_hasRefused || !isMeant())
    {
        return std::nullopt;
    }
    m_hasRefused = true;
    return static_cast<Nfs4Status>(ordered->programStatus);
}

Nfs4Status
Nfs4CompoundProcessor::Execute(const Nfs4ArgOp& operation, bool last)
{
    const Nfs4Op op = GetOp(operation);
    const Nfs4Status before = CheckBefore(op, last);
    if (before != Nfs4Status::OK)
    {
        return Emit(MakeResult(op, before), last);
    }
    m_compound.refusal = TakeRefusal(op);
    if (m_compound.refusal && (m_compound.HasSession() || !HasOwnerSeqid(op)))
    {
        return Emit(MakeResult(op, *m_compound.refusal), last);
    }
    const Nfs3Data* data = GetItem(operation);
    if (data != nullptr && data->reduced)
    {
        m_compound.received = &m_compound.call.message.items.at(m_nextReceived++);
    }
    return std::visit([this, last](const auto& args) { return ExecuteAs(args, last); }, operation);
}

template <typename Args>
Nfs4Status
Nfs4CompoundProcessor::ExecuteAs(const Args& args, bool last)
{
    m_compound.ordered = {};
    m_compound.op = Nfs4OpOf<Args>::OP;
    m_compound.reply.DropItem();
    const uint32_t start = m_compound.reply.GetSize();
    const std::size_t work = m_compound.work.size();
    const auto results = RunInGroup(m_compound, args);
    NS_LOG_LOGIC(ToString(m_compound.op) << " " << ToText(args) << " -> " << ToText(results));
    if (IsWaiting())
    {
        m_compound.work.resize(work);
        return results.status;
    }
    if (m_compound.ordered.replay)
    {
        return AnswerAgain(Nfs4OpOf<Args>::OP, last);
    }
    const Nfs4Status status = EmitAs(Nfs4OpOf<Args>::OP, results, last);
    if (m_compound.ordered.owner && !m_compound.HasSession())
    {
        KeepReply(status, start);
    }
    return status;
}

void
Nfs4CompoundProcessor::KeepReply(Nfs4Status status, uint32_t start)
{
    const ByteVector& octets = m_compound.reply.GetOctets();
    Nfs4Owner::Reply reply;
    reply.op = static_cast<uint32_t>(m_compound.op);
    reply.results.assign(octets.begin() + start + sizeof(uint32_t), octets.end());
    const auto& current = m_compound.current;
    if (current && m_compound.server.store->Has(*current))
    {
        reply.current = m_compound.server.GetKey(*current);
    }
    reply.stateid = m_compound.currentStateid;
    m_compound.ordered.owner->Finish(status, std::move(reply));
}

Nfs4Status
Nfs4CompoundProcessor::AnswerAgain(Nfs4Op op, bool last)
{
    const Nfs4Owner::Reply& reply = m_compound.ordered.owner->lastReply;
    XdrReader reader(reply.results);
    const auto status = static_cast<Nfs4Status>(reader.ReadU32());
    if (status == Nfs4Status::OK && reply.current)
    {
        const auto& [number, generation] = *reply.current;
        const Nfs4ServerState& server = m_compound.server;
        if (!server.store->Has(number) || server.GetKey(number).second != generation)
        {
            return Emit(MakeResult(op, Nfs4Status::STALE), last);
        }
        m_compound.SetCurrent(number);
    }
    if (status == Nfs4Status::OK)
    {
        m_compound.currentStateid = reply.stateid;
    }
    m_compound.reply.AddEncoded(op, reply.results);
    return status;
}

Nfs4Status
Nfs4CompoundProcessor::Emit(const Nfs4ResOp& result, bool last)
{
    m_compound.reply.DropItem();
    return std::visit(
        [this, &result, last](const auto& r) { return EmitAs(GetOp(result), r, last); },
        result);
}

template <typename Result>
Nfs4Status
Nfs4CompoundProcessor::EmitAs(Nfs4Op op, const Result& result, bool last)
{
    m_compound.reply.Add(op, Pad(result));
    if (result.status != Nfs4Status::OK)
    {
        return result.status;
    }
    const Nfs4Status room = m_compound.CheckRoom(last ? 0 : ERROR_SLACK);
    if (room != Nfs4Status::OK)
    {
        m_compound.reply.CutLast(op, room);
    }
    return room;
}

void
Nfs4CompoundProcessor::EmitReplay(const Nfs4CachedReply& reply, Nfs4Op next)
{
    if (reply.kept)
    {
        m_compound.reply.AddKept(reply);
        m_status = reply.status;
        return;
    }
    m_status = Nfs4Status::RETRY_UNCACHED_REP;
    XdrWriter status;
    status.WriteU32(static_cast<uint32_t>(m_status));
    m_compound.reply.AddEncoded(next, status.GetOctets());
}

} // namespace ns3::nfsrdma
