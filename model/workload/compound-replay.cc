/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/compound-replay.h"

#include "nfs/nfs3-status.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{
namespace
{

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

CompoundReplay::CompoundReplay(const Ptr<RpcClient>& rpc, const Ptr<HostMemory>& memory)
    : m_rpc(rpc),
      m_memory(memory)
{
    m_rpc->SetProgram(NFS_PROGRAM, NFS_V4);
}

void
CompoundReplay::Add(RecordedCompound&& recorded)
{
    m_recorded.push_back(std::move(recorded));
}

void
CompoundReplay::SetHook(Hook hook)
{
    m_hook = std::move(hook);
}

void
CompoundReplay::Start(std::function<void()> done)
{
    m_done = std::move(done);
    Next();
}

void
CompoundReplay::Next()
{
    if (m_next == m_recorded.size())
    {
        m_done();
        return;
    }
    const std::size_t index = m_next++;
    if (m_hook)
    {
        m_hook(index, [this, index] { Make(index); });
        return;
    }
    Make(index);
}

void
CompoundReplay::Make(std::size_t index)
{
    const RecordedCompound& recorded = m_recorded[index];
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
        Nfs4ReplyLimits limits;
        limits.guess.aclOctets = recorded.aclOctets;
        estimate = EstimateNfs4Reply(args, limits);
        AddPlaces(estimate);
        arguments = MakeArguments(std::move(args));
    }
    m_rpc->Call(
        recorded.procedure,
        std::move(arguments),
        std::move(estimate),
        [this, index](RpcRecord& record, const RpcReceivedMessage& message, XdrReader& reader) {
            Take(m_recorded[index], record, message, reader);
            Next();
        });
}

void
CompoundReplay::AddPlaces(RpcReplyEstimate& estimate) const
{
    for (RpcReplyItem& item : estimate.items)
    {
        item.owner = std::make_shared<HostBuffer>(m_memory, std::max(item.maximum, 1U));
        item.address = item.owner->GetAddress();
    }
}

RpcArguments
CompoundReplay::MakeArguments(Compound4Args args) const
{
    RpcArguments arguments;
    for (Nfs4ArgOp& op : args.ops)
    {
        Nfs3Data* const data = TakeData(op);
        if (data == nullptr)
        {
            continue;
        }
        RpcDataItem& item = arguments.items.emplace_back();
        item.length = data->length;
        item.ddpEligible = true;
        item.owner = std::make_shared<HostBuffer>(m_memory, std::max(item.length, 1U));
        item.address = item.owner->GetAddress();
        if (!data->octets.empty())
        {
            item.owner->Write(0, data->octets);
        }
        *data = Nfs3Data::Reduced(item.length);
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
        RpcDataItem& item = arguments.items.emplace_back();
        item.length = setattr->attributes.GetValuesSize();
        item.offset = static_cast<uint32_t>(arguments.octets.size()) - item.length;
        item.owner = std::make_shared<HostBuffer>(m_memory, item.length);
        item.address = item.owner->GetAddress();
        item.owner->Write(0, ByteSpan(arguments.octets).subspan(item.offset));
        arguments.octets.resize(item.offset);
    }
    return arguments;
}

void
CompoundReplay::Take(const RecordedCompound& recorded,
                     const RpcRecord& record,
                     const RpcReceivedMessage& message,
                     XdrReader& reader)
{
    if (record.outcome != RpcOutcome::SUCCESS)
    {
        m_mismatches.push_back(recorded.name + ": " + ToString(record.outcome));
        return;
    }
    if (recorded.procedure == NFSPROC4_NULL)
    {
        return;
    }
    auto items = Nfs4DataItems::OfReply(message);
    const auto own = Compound4Res::Decode(reader, &items);
    if (!own)
    {
        m_mismatches.push_back(recorded.name + ": results that are none");
    }
    else if (recorded.reply)
    {
        Compare(recorded, *own);
        m_identifiers.Learn(*recorded.reply, *own);
    }
}

void
CompoundReplay::Compare(const RecordedCompound& recorded, const Compound4Res& own)
{
    const auto& expected = recorded.reply->ops;
    for (std::size_t i = 0; i < std::max(expected.size(), own.ops.size()); ++i)
    {
        ++m_compared;
        const auto describe = [i](const std::vector<Nfs4ResOp>& ops) {
            return i < ops.size()
                       ? std::string(ToString(GetOp(ops[i]))) + " " + ToString(GetStatus(ops[i]))
                       : std::string("nothing");
        };
        const std::string real = describe(expected);
        const std::string mine = describe(own.ops);
        if (real != mine)
        {
            m_mismatches.push_back(
                std::string(recorded.name).append(": ").append(mine).append(" for ").append(real));
        }
    }
}

CompoundIdentifiers&
CompoundReplay::GetIdentifiers()
{
    return m_identifiers;
}

std::size_t
CompoundReplay::GetCompleted() const
{
    return m_next;
}

uint64_t
CompoundReplay::GetCompared() const
{
    return m_compared;
}

const std::vector<std::string>&
CompoundReplay::GetMismatches() const
{
    return m_mismatches;
}

} // namespace ns3::nfsrdma
