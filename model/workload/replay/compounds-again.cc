/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/compounds-again.h"

#include "nfs/v4/protocol/linux-call-size.h"
#include "nfs/v4/protocol/reply-size.h"
#include "workload/check/compound-content.h"
#include "workload/replay/compound-comparison.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{
namespace
{

/// Slots of the back channel that Linux's client has, less one.
constexpr uint32_t HIGHEST_CALLBACK_SLOT = 15;

/// \return whether \p args has WRITE's data or link data; then they are no longer in its octets.
Nfs3Data*
TakeData(Nfs4ArgOp& args)
{
    if (auto* write = std::get_if<WriteArgs4>(&args))
    {
        return &write->data;
    }
    auto* create = std::get_if<CreateArgs4>(&args);
    return create != nullptr && create->type == Ftype4::LNK ? &create->link : nullptr;
}

} // namespace

/// A call from Issue() to its end.
struct CompoundReplay::Call
{
    std::shared_ptr<const RecordedCompound> recorded;
    Done done;
    std::optional<Nfs4SlotUse> slot;
    std::optional<Nfs4SessionId> session; ///< The recorded one, with a slot.
    std::unique_ptr<CompoundContent> content;
    std::vector<RpcReplyItem> places;
};

CompoundReplay::CompoundReplay(const Ptr<RpcClient>& rpc, const Ptr<HostMemory>& memory)
    : m_rpc(rpc),
      m_memory(memory),
      m_alive(std::make_shared<CompoundReplay*>(this))
{
    m_rpc->SetProgram(NFS_PROGRAM, NFS_V4);
}

CompoundReplay::~CompoundReplay() = default;

bool
CompoundReplay::HasHandles(const RecordedCompound& recorded) const
{
    return std::all_of(recorded.call.ops.begin(), recorded.call.ops.end(), [this](const auto& op) {
        const auto* put = std::get_if<PutfhArgs4>(&op);
        return put == nullptr || m_identifiers.FindHandle(put->object);
    });
}

void
CompoundReplay::Issue(std::shared_ptr<const RecordedCompound> recorded, Done done)
{
    auto call = std::make_shared<Call>();
    call->recorded = std::move(recorded);
    call->done = std::move(done);
    m_waiting.push_back(std::move(call));
    Pump();
}

void
CompoundReplay::Pump()
{
    while (!m_waiting.empty())
    {
        const CallPtr call = m_waiting.front();
        const auto& ops = call->recorded->call.ops;
        const auto* sequence = ops.empty() ? nullptr : std::get_if<SequenceArgs4>(&ops.front());
        const auto slots = sequence != nullptr ? m_slots.find(sequence->sessionId) : m_slots.end();
        if (slots != m_slots.end())
        {
            call->slot = slots->second.Allocate();
            if (!call->slot)
            {
                return;
            }
            call->session = sequence->sessionId;
        }
        m_waiting.pop_front();
        Send(call);
    }
}

void
CompoundReplay::Send(const CallPtr& call)
{
    const RecordedCompound& recorded = *call->recorded;
    RpcArguments arguments;
    RpcReplyEstimate estimate;
    if (recorded.procedure == NFSPROC4_NULL)
    {
        estimate.head = RpcReplyHeader::ACCEPTED_SIZE;
        estimate.minimum = estimate.head;
    }
    else
    {
        Compound4Args args = recorded.call;
        m_identifiers.Apply(args);
        Adapt(args, recorded);
        if (call->slot)
        {
            auto& sequence = std::get<SequenceArgs4>(args.ops.front());
            sequence.slotId = call->slot->slot;
            sequence.sequenceId = call->slot->sequence;
            sequence.highestSlotId = call->slot->highestUsed;
        }
        if (m_content)
        {
            call->content = std::make_unique<CompoundContent>(m_content, args);
        }
        Nfs4ReplyLimits limits;
        limits.reduceReadlink = m_identity.reduceReadlink;
        if (recorded.aclOctets != 0)
        {
            limits.guess.aclOctets = recorded.aclOctets;
        }
        estimate = EstimateNfs4Reply(args, limits);
        AddPlaces(estimate.items);
        call->places = estimate.items;
        arguments = MakeArguments(std::move(args), *call);
    }
    m_rpc->Call(recorded.procedure,
                std::move(arguments),
                std::move(estimate),
                [alive = std::weak_ptr<CompoundReplay*>(m_alive),
                 call](RpcRecord& record, const RpcReceivedMessage& message, XdrReader& reader) {
                    if (const auto replay = alive.lock())
                    {
                        (*replay)->Take(*call, record, message, reader);
                    }
                });
}

void
CompoundReplay::Adapt(Compound4Args& args, const RecordedCompound& recorded) const
{
    for (Nfs4ArgOp& op : args.ops)
    {
        if (auto* exchange = std::get_if<ExchangeIdArgs4>(&op))
        {
            RenameOwner(exchange->ownerId);
        }
        else if (auto* client = std::get_if<SetclientidArgs4>(&op))
        {
            RenameOwner(client->id);
            client->cbLocation = m_identity.callbackAddress.value_or(client->cbLocation);
        }
        else if (auto* session = std::get_if<CreateSessionArgs4>(&op))
        {
            const RpcReverseLimits limits = m_rpc->GetTransport()->GetReverseLimits();
            ChannelAttrs4& back = session->back;
            back.maxRequestSize = std::min(back.maxRequestSize, limits.message);
            back.maxResponseSize = std::min(back.maxResponseSize, limits.message);
            back.maxRequests = std::min(back.maxRequests, limits.calls);
        }
        else if (auto* lookup = std::get_if<LookupArgs4>(&op);
                 lookup != nullptr && recorded.findsRoot && !m_identity.exportName.empty())
        {
            lookup->name = m_identity.exportName;
        }
    }
}

void
CompoundReplay::RenameOwner(ByteVector& owner) const
{
    if (m_identity.copy == 0)
    {
        return;
    }
    const std::string number = "#" + std::to_string(m_identity.copy);
    owner.resize(std::max(owner.size(), number.size()));
    std::copy(number.begin(),
              number.end(),
              owner.end() - static_cast<std::ptrdiff_t>(number.size()));
}

void
CompoundReplay::AddPlaces(std::vector<RpcReplyItem>& items) const
{
    for (RpcReplyItem& item : items)
    {
        item.owner = std::make_shared<HostBuffer>(m_memory, std::max(item.maximum, 1U));
        item.address = item.owner->GetAddress();
    }
}

RpcDataItem
CompoundReplay::MakeItem(uint32_t length, ByteSpan octets) const
{
    RpcDataItem item;
    item.length = length;
    item.owner = std::make_shared<HostBuffer>(m_memory, std::max(length, 1U));
    item.address = item.owner->GetAddress();
    if (!octets.empty())
    {
        item.owner->Write(0, octets);
    }
    return item;
}

RpcArguments
CompoundReplay::MakeArguments(Compound4Args args, const Call& call) const
{
    RpcArguments arguments;
    arguments.room = GetNfs4LinuxCallSize(FindNfs4ClientProcedure(args));
    for (std::size_t i = 0; i < args.ops.size(); ++i)
    {
        Nfs3Data* const data = TakeData(args.ops[i]);
        if (data == nullptr)
        {
            continue;
        }
        RpcDataItem item = MakeItem(data->length, data->octets);
        item.ddpEligible = true;
        if (call.content && std::holds_alternative<WriteArgs4>(args.ops[i]))
        {
            call.content->FillWrite(i, *item.owner);
        }
        arguments.items.push_back(std::move(item));
        *data = Nfs3Data::Reduced(data->length);
    }
    XdrWriter writer;
    std::vector<uint32_t> reducedAt;
    args.Encode(writer, &reducedAt);
    arguments.octets = writer.Take();
    for (std::size_t i = 0; i < reducedAt.size(); ++i)
    {
        arguments.items[i].offset = reducedAt[i];
    }
    // Linux's client has an ACL in pages of its own, behind all else.
    const auto* setattr = args.ops.empty() ? nullptr : std::get_if<SetattrArgs4>(&args.ops.back());
    if (setattr != nullptr && setattr->attributes.acl)
    {
        const uint32_t length = setattr->attributes.GetValuesSize();
        const uint32_t offset = static_cast<uint32_t>(arguments.octets.size()) - length;
        RpcDataItem item = MakeItem(length, ByteSpan(arguments.octets).subspan(offset));
        item.offset = offset;
        arguments.items.push_back(std::move(item));
        arguments.octets.resize(offset);
    }
    return arguments;
}

void
CompoundReplay::Take(Call& call,
                     RpcRecord& record,
                     const RpcReceivedMessage& message,
                     XdrReader& reader)
{
    const RecordedCompound& recorded = *call.recorded;
    Outcome outcome{record, nullptr, 0, {}};
    if (recorded.procedure != NFSPROC4_NULL)
    {
        record.operation = static_cast<uint32_t>(FindNfs4ClientProcedure(recorded.call));
    }
    std::optional<Compound4Res> results;
    if (record.outcome == RpcOutcome::SUCCESS && recorded.procedure != NFSPROC4_NULL)
    {
        auto items = Nfs4DataItems::OfReply(message);
        auto own = Compound4Res::Decode(reader, &items);
        if (own)
        {
            record.programStatus = static_cast<uint32_t>(own->status);
            results = *std::move(own);
            outcome.results = &*results;
        }
        else
        {
            record.outcome = RpcOutcome::BAD_REPLY;
        }
    }
    if (record.outcome != RpcOutcome::SUCCESS)
    {
        outcome.mismatches.emplace_back(std::string("RPC ") + ToString(record.outcome));
    }
    if (call.content)
    {
        call.content->End(record.outcome, outcome.results, call.places);
        call.content.reset();
    }
    if (results && recorded.reply)
    {
        m_identifiers.Learn(*recorded.reply, *results);
        NoteSession(recorded, *results);
        if (recorded.isJudged)
        {
            outcome.compared = static_cast<uint32_t>(recorded.reply->ops.size());
            outcome.mismatches = CompareCompounds(*recorded.reply, *results);
        }
    }
    FinishSlot(call, outcome.results);
    const Done done = std::move(call.done);
    done(outcome);
}

void
CompoundReplay::NoteSession(const RecordedCompound& recorded, const Compound4Res& results)
{
    const auto* given = recorded.reply->ops.empty()
                            ? nullptr
                            : std::get_if<CreateSessionRes4>(&recorded.reply->ops.front());
    const auto* own =
        results.ops.empty() ? nullptr : std::get_if<CreateSessionRes4>(&results.ops.front());
    if (given != nullptr && own != nullptr && given->status == Nfs4Status::OK &&
        own->status == Nfs4Status::OK)
    {
        m_slots[given->sessionId].Reset(
            std::clamp(own->fore.maxRequests, 1U, Nfs4ClientSlotTable::MAXIMUM));
    }
}

void
CompoundReplay::FinishSlot(const Call& call, const Compound4Res* results)
{
    if (!call.slot)
    {
        return;
    }
    Nfs4SlotReply reply;
    const auto* sequence = results == nullptr || results->ops.empty()
                               ? nullptr
                               : std::get_if<SequenceRes4>(&results->ops.front());
    if (sequence != nullptr)
    {
        reply.status = sequence->status;
        reply.highest = sequence->highestSlotId;
        reply.targetHighest = sequence->targetHighestSlotId;
    }
    Nfs4ClientSlotTable& slots = m_slots.at(*call.session);
    slots.Finish(call.slot->slot, reply, false);
    slots.Release(call.slot->slot);
    Pump();
}

CbCompound4Res
CompoundReplay::Answer(const CbCompound4Args& args) const
{
    CbCompound4Res results;
    results.tag = args.tag;
    for (const Nfs4CbArgOp& op : args.ops)
    {
        results.ops.push_back(MakeResult(GetOp(op), Nfs4Status::OK));
        if (const auto* sequence = std::get_if<CbSequenceArgs4>(&op))
        {
            auto& answer = std::get<CbSequenceRes4>(results.ops.back());
            answer.sessionId = sequence->sessionId;
            answer.sequenceId = sequence->sequenceId;
            answer.slotId = sequence->slotId;
            answer.highestSlotId = HIGHEST_CALLBACK_SLOT;
            answer.targetHighestSlotId = HIGHEST_CALLBACK_SLOT;
        }
    }
    return results;
}

} // namespace ns3::nfsrdma
