/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/compound-processor.h"

#include "nfs/v4/protocol/operation-rules.h"
#include "rpc/absent-item.h"

namespace ns3::nfsrdma
{

namespace
{

/// Words of the bitmap of SETATTR, with any status (nfsd4_encode_setattr()).
constexpr uint32_t SETATTR_WORDS = 3;

} // namespace

Nfs4CompoundProcessor::Nfs4CompoundProcessor(Nfs4ServerState& state,
                                             const RpcServerCall& call,
                                             Ptr<HostMemory> memory,
                                             Time now)
    : m_state(state),
      m_call(call),
      m_memory(memory),
      m_now(now),
      m_principal(Nfs4Principal::FromCall(call.header)),
      m_room(state.settings.session.maxMessage - RpcReplyHeader::ACCEPTED_SIZE)
{
}

Nfs4CompoundProcessor::Outcome
Nfs4CompoundProcessor::Process(const Compound4Args& args)
{
    m_minorVersion = args.minorVersion;
    m_operations = args.opCount;
    m_writer.WriteU32(0);
    m_writer.WriteOpaque(args.tag);
    m_countAt = static_cast<uint32_t>(m_writer.GetSize());
    m_writer.WriteU32(0);

    if (args.minorVersion > NFS4_LAST_MINOR_VERSION)
    {
        m_outcome.status = Nfs4Status::MINOR_VERS_MISMATCH;
    }
    else if (args.opCount > MAX_OPERATIONS)
    {
        m_outcome.status = Nfs4Status::RESOURCE;
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
    Finish(static_cast<uint32_t>(m_outcome.operations.size()));
    return std::move(m_outcome);
}

bool
Nfs4CompoundProcessor::IsWaiting() const
{
    return !m_awaited.empty();
}

const std::vector<InodeNumber>&
Nfs4CompoundProcessor::GetAwaited() const
{
    return m_awaited;
}

Nfs4CompoundProcessor::Outcome
Nfs4CompoundProcessor::Resume(const Compound4Args& args, Time now)
{
    m_now = now;
    m_awaited.clear();
    m_hasWaited = true;
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
        m_outcome.status = Emit(MakeResult(first, order), true);
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
        m_outcome.status = Execute(args.ops[m_next], last);
        if (IsWaiting())
        {
            return;
        }
        m_hasWaited = false;
        if (m_replay != nullptr)
        {
            const Nfs4Op next = args.ops.size() > 1 ? GetOp(args.ops[1]) : Nfs4Op::ILLEGAL;
            EmitReplay(*m_replay,
                       args.error && args.ops.size() == 1 ? static_cast<Nfs4Op>(args.error->op)
                                                          : next);
            return;
        }
        if (m_outcome.status != Nfs4Status::OK)
        {
            return;
        }
    }
    if (args.error)
    {
        const bool legal = args.error->status != Nfs4Status::OP_ILLEGAL;
        const auto op = legal ? static_cast<Nfs4Op>(args.error->op) : Nfs4Op::ILLEGAL;
        m_outcome.status = Emit(MakeResult(op, args.error->status), true);
    }
}

Nfs4Status
Nfs4CompoundProcessor::CheckBefore(Nfs4Op op, bool last) const
{
    if (!m_current && !MayLackHandle(op))
    {
        return Nfs4Status::NOFILEHANDLE;
    }
    if (ModifiesSomething(op))
    {
        return CheckRoom(GetGreatestResult(op) + (last ? 0 : ERROR_SLACK));
    }
    return Nfs4Status::OK;
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
    const Nfs3Data* data = GetItem(operation);
    if (data != nullptr && data->reduced)
    {
        m_received = &m_call.message.items.at(m_nextReceived++);
    }
    return std::visit([this, last](const auto& args) { return ExecuteAs(args, last); }, operation);
}

template <typename Args>
Nfs4Status
Nfs4CompoundProcessor::ExecuteAs(const Args& args, bool last)
{
    m_ordered = {};
    m_op = Args::OP;
    m_item.reset();
    const uint32_t start = GetSize();
    const std::size_t work = m_outcome.work.size();
    const auto results = Run(args);
    if (IsWaiting())
    {
        m_outcome.work.resize(work);
        return results.status;
    }
    if (m_ordered.replay)
    {
        return AnswerAgain(Args::OP, last);
    }
    const Nfs4Status status = EmitAs(Args::OP, results, last);
    if (m_ordered.owner && !HasSession())
    {
        KeepReply(status, start);
    }
    return status;
}

void
Nfs4CompoundProcessor::KeepReply(Nfs4Status status, uint32_t start)
{
    const ByteVector& octets = m_cut.empty() ? m_writer.GetOctets() : m_cut;
    Nfs4Owner::Reply reply;
    reply.op = static_cast<uint32_t>(m_op);
    reply.results.assign(octets.begin() + start + sizeof(uint32_t), octets.end());
    if (m_current && m_state.store->Has(*m_current))
    {
        reply.current = m_state.GetKey(*m_current);
    }
    if (m_hasCurrentStateid)
    {
        reply.stateid = m_currentStateid;
    }
    m_ordered.owner->Finish(status, std::move(reply));
}

Nfs4Status
Nfs4CompoundProcessor::AnswerAgain(Nfs4Op op, bool last)
{
    const Nfs4Owner::Reply& reply = m_ordered.owner->lastReply;
    XdrReader reader(reply.results);
    const auto status = static_cast<Nfs4Status>(reader.ReadU32());
    if (status == Nfs4Status::OK && reply.current)
    {
        const auto& [number, generation] = *reply.current;
        if (!m_state.store->Has(number) || m_state.GetKey(number).second != generation)
        {
            return Emit(MakeResult(op, Nfs4Status::STALE), last);
        }
        SetCurrent(number);
    }
    if (status == Nfs4Status::OK)
    {
        m_hasCurrentStateid = reply.stateid.has_value();
        m_currentStateid = reply.stateid.value_or(Nfs4StateId());
    }
    m_outcome.operations.push_back(op);
    m_writer.WriteU32(static_cast<uint32_t>(op));
    m_writer.WriteFixedOpaque(reply.results);
    return status;
}

Nfs4Status
Nfs4CompoundProcessor::Emit(const Nfs4ResOp& result, bool last)
{
    m_item.reset();
    return std::visit(
        [this, &result, last](const auto& r) { return EmitAs(GetOp(result), r, last); },
        result);
}

template <typename Result>
Nfs4Status
Nfs4CompoundProcessor::EmitAs(Nfs4Op op, const Result& result, bool last)
{
    const auto start = static_cast<uint32_t>(m_writer.GetSize());
    const std::size_t items = m_items.size();
    const uint32_t itemOctets = m_itemOctets;
    std::vector<uint32_t> reducedAt;
    m_outcome.operations.push_back(op);
    m_writer.WriteU32(static_cast<uint32_t>(op));
    Nfs4Encoder encoder(m_writer, &reducedAt);
    if constexpr (std::is_same_v<Result, SetattrRes4>)
    {
        SetattrRes4 padded = result;
        padded.attrsSet.SetWords(SETATTR_WORDS);
        encoder(padded);
    }
    else
    {
        encoder(result);
    }
    if (GivesItem(op))
    {
        EmitItem(reducedAt);
    }
    if (result.status != Nfs4Status::OK)
    {
        return result.status;
    }
    const Nfs4Status room = CheckRoom(last ? 0 : ERROR_SLACK);
    if (room == Nfs4Status::OK)
    {
        return result.status;
    }
    m_items.resize(items);
    m_itemOctets = itemOctets;
    XdrWriter cut;
    cut.WriteU32(static_cast<uint32_t>(op));
    cut.WriteU32(static_cast<uint32_t>(room));
    m_cut = m_writer.Take();
    m_cut.resize(start);
    m_cut.insert(m_cut.end(), cut.GetOctets().begin(), cut.GetOctets().end());
    if (GivesItem(op))
    {
        EmitItem({});
    }
    return room;
}

void
Nfs4CompoundProcessor::EmitItem(const std::vector<uint32_t>& reducedAt)
{
    if (reducedAt.empty() && m_state.settings.emptyWriteChunks)
    {
        m_items.push_back(MakeAbsentItem(GetSize()));
        return;
    }
    RpcDataItem item;
    item.ddpEligible = true;
    item.offset = reducedAt.empty() ? GetSize() : reducedAt.front();
    if (!reducedAt.empty() && m_item)
    {
        item.address = m_item->GetAddress();
        item.length = static_cast<uint32_t>(m_item->GetLength());
        item.owner = m_item;
    }
    m_itemOctets += RoundUp4(item.length);
    m_items.push_back(std::move(item));
}

void
Nfs4CompoundProcessor::EmitReplay(const Nfs4CachedReply& reply, Nfs4Op next)
{
    if (!reply.kept)
    {
        m_outcome.operations.push_back(next);
        m_writer.WriteU32(static_cast<uint32_t>(next));
        m_writer.WriteU32(static_cast<uint32_t>(Nfs4Status::RETRY_UNCACHED_REP));
        m_outcome.status = Nfs4Status::RETRY_UNCACHED_REP;
        return;
    }
    const auto base = static_cast<uint32_t>(m_writer.GetSize());
    m_writer.WriteFixedOpaque(reply.results.octets);
    for (RpcDataItem item : reply.results.items)
    {
        item.offset += base;
        m_items.push_back(std::move(item));
    }
    m_outcome.operations.resize(reply.operations, Nfs4Op::SEQUENCE);
    m_outcome.status = reply.status;
}

uint32_t
Nfs4CompoundProcessor::GetSize() const
{
    return static_cast<uint32_t>(m_cut.empty() ? m_writer.GetSize() : m_cut.size());
}

uint32_t
Nfs4CompoundProcessor::GetRoom() const
{
    const uint32_t used = GetSize() + m_itemOctets;
    return used < m_room ? m_room - used : 0;
}

Nfs4Status
Nfs4CompoundProcessor::CheckRoom(uint32_t octets) const
{
    if (GetSize() + m_itemOctets + octets <= m_room)
    {
        return Nfs4Status::OK;
    }
    if (!HasSession())
    {
        return Nfs4Status::RESOURCE;
    }
    return m_cacheThis ? Nfs4Status::REP_TOO_BIG_TO_CACHE : Nfs4Status::REP_TOO_BIG;
}

void
Nfs4CompoundProcessor::Finish(uint32_t count)
{
    ByteVector octets = m_cut.empty() ? m_writer.Take() : std::move(m_cut);
    XdrWriter words;
    words.WriteU32(static_cast<uint32_t>(m_outcome.status));
    words.WriteU32(count);
    const ByteVector& patch = words.GetOctets();
    std::copy(patch.begin(), patch.begin() + sizeof(uint32_t), octets.begin());
    std::copy(patch.begin() + sizeof(uint32_t), patch.end(), octets.begin() + m_countAt);
    m_outcome.results.octets = std::move(octets);
    m_outcome.results.items = std::move(m_items);

    if (!m_session || m_replay != nullptr)
    {
        return;
    }
    RpcPayload kept;
    if (m_cacheThis || m_operations == 1)
    {
        const ByteVector& all = m_outcome.results.octets;
        kept.octets.assign(all.begin() + m_tailAt, all.end());
        kept.items = m_outcome.results.items;
        for (RpcDataItem& item : kept.items)
        {
            item.offset -= m_tailAt;
        }
    }
    m_outcome.release = [session = m_session,
                         slot = m_slot,
                         status = m_outcome.status,
                         count,
                         kept = std::move(kept)] { session->slots.End(slot, status, count, kept); };
}

bool
Nfs4CompoundProcessor::HasSession() const
{
    return m_session != nullptr;
}

Nfs4ClientId
Nfs4CompoundProcessor::GetCaller() const
{
    return m_client != nullptr ? m_client->id : 0;
}

const Inode&
Nfs4CompoundProcessor::GetCurrent() const
{
    return m_state.store->Get(*m_current);
}

Nfs4Status
Nfs4CompoundProcessor::CheckRegular(InodeNumber number) const
{
    if (number == Nfs4Namespace::PSEUDO_ROOT)
    {
        return Nfs4Status::ISDIR;
    }
    switch (m_state.store->Get(number).attributes.type)
    {
    case Ftype3::REG:
        return Nfs4Status::OK;
    case Ftype3::DIR:
        return Nfs4Status::ISDIR;
    case Ftype3::LNK:
        return Nfs4Status::SYMLINK;
    default:
        return Nfs4Status::INVAL;
    }
}

Nfs4Status
Nfs4CompoundProcessor::CheckDirectory(InodeNumber number) const
{
    if (number == Nfs4Namespace::PSEUDO_ROOT)
    {
        return Nfs4Status::OK;
    }
    switch (m_state.store->Get(number).attributes.type)
    {
    case Ftype3::DIR:
        return Nfs4Status::OK;
    case Ftype3::LNK:
        return Nfs4Status::SYMLINK;
    default:
        return Nfs4Status::NOTDIR;
    }
}

Nfs4Status
Nfs4CompoundProcessor::CheckNotPseudo() const
{
    return *m_current == Nfs4Namespace::PSEUDO_ROOT ? Nfs4Status::ROFS : Nfs4Status::OK;
}

Nfs4AttributeReader
Nfs4CompoundProcessor::MakeReader() const
{
    return {*m_state.store, m_state.names, m_state.settings.attributes, m_minorVersion};
}

Nfs4ChangeInfo
Nfs4CompoundProcessor::Begin(InodeNumber dir) const
{
    Nfs4ChangeInfo info;
    info.atomic = true;
    info.before = MakeReader().GetChange(dir);
    info.after = info.before;
    return info;
}

void
Nfs4CompoundProcessor::End(InodeNumber dir, Nfs4ChangeInfo& info) const
{
    info.after = MakeReader().GetChange(dir);
}

void
Nfs4CompoundProcessor::SetCurrent(InodeNumber number)
{
    m_current = number;
    m_hasCurrentStateid = false;
}

void
Nfs4CompoundProcessor::Charge(StorageWork work, uint64_t offset, uint64_t octets)
{
    m_outcome.work.push_back({work, *m_current, offset, octets});
}

Nfs4Status
Nfs4CompoundProcessor::BreakDelegations(InodeNumber number, bool wait)
{
    if (!m_state.BreakDelegations(number, GetCaller(), m_now))
    {
        return Nfs4Status::OK;
    }
    if (wait && !m_hasWaited && m_state.settings.returnWait.IsStrictlyPositive())
    {
        m_awaited.push_back(number);
    }
    return Nfs4Status::DELAY;
}

Nfs4Status
Nfs4CompoundProcessor::BreakNamed(InodeNumber dir, const std::string& name)
{
    const Inode& inode = m_state.store->Get(dir);
    const auto found = inode.directory ? inode.directory->Find(name) : std::nullopt;
    return found ? BreakDelegations(*found, true) : Nfs4Status::OK;
}

} // namespace ns3::nfsrdma
