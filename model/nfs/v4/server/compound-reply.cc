/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/compound-reply.h"

#include "rpc/absent-item.h"

#include <algorithm>

namespace ns3::nfsrdma
{

Nfs4CompoundReply::Nfs4CompoundReply(uint32_t room, bool emptyWriteChunks)
    : m_room(room),
      m_emptyWriteChunks(emptyWriteChunks)
{
}

void
Nfs4CompoundReply::Begin(const ByteVector& tag)
{
    m_writer.WriteU32(0);
    m_writer.WriteOpaque(tag);
    m_countAt = static_cast<uint32_t>(m_writer.GetSize());
    m_writer.WriteU32(0);
}

XdrWriter&
Nfs4CompoundReply::BeginResult(Nfs4Op op)
{
    m_lastAt = static_cast<uint32_t>(m_writer.GetSize());
    m_itemsBefore = m_items.size();
    m_itemOctetsBefore = m_itemOctets;
    m_reducedAt.clear();
    m_operations.push_back(op);
    m_writer.WriteU32(static_cast<uint32_t>(op));
    return m_writer;
}

void
Nfs4CompoundReply::EndResult(Nfs4Op op)
{
    if (GivesItem(op))
    {
        AddItem();
    }
}

void
Nfs4CompoundReply::AddItem()
{
    if (m_reducedAt.empty() && m_emptyWriteChunks)
    {
        m_items.push_back(MakeAbsentItem(GetSize()));
        return;
    }
    RpcDataItem item;
    item.ddpEligible = true;
    item.offset = m_reducedAt.empty() ? GetSize() : m_reducedAt.front();
    if (!m_reducedAt.empty() && m_item)
    {
        item.address = m_item->GetAddress();
        item.length = static_cast<uint32_t>(m_item->GetLength());
        item.owner = m_item;
    }
    m_itemOctets += RoundUp4(item.length);
    m_items.push_back(std::move(item));
}

void
Nfs4CompoundReply::AddEncoded(Nfs4Op op, const ByteVector& octets)
{
    m_operations.push_back(op);
    m_writer.WriteU32(static_cast<uint32_t>(op));
    m_writer.WriteFixedOpaque(octets);
}

void
Nfs4CompoundReply::CutLast(Nfs4Op op, Nfs4Status status)
{
    m_items.resize(m_itemsBefore);
    m_itemOctets = m_itemOctetsBefore;
    m_reducedAt.clear();
    XdrWriter failure;
    failure.WriteU32(static_cast<uint32_t>(op));
    failure.WriteU32(static_cast<uint32_t>(status));
    m_cut = m_writer.Take();
    m_cut.resize(m_lastAt);
    m_cut.insert(m_cut.end(), failure.GetOctets().begin(), failure.GetOctets().end());
    if (GivesItem(op))
    {
        AddItem();
    }
}

void
Nfs4CompoundReply::AddKept(const Nfs4CachedReply& kept)
{
    const auto base = static_cast<uint32_t>(m_writer.GetSize());
    m_writer.WriteFixedOpaque(kept.results.octets);
    for (RpcDataItem item : kept.results.items)
    {
        item.offset += base;
        m_items.push_back(std::move(item));
    }
    m_operations.resize(kept.operations, Nfs4Op::SEQUENCE);
}

HostBuffer*
Nfs4CompoundReply::HoldItem(Ptr<HostMemory> memory, uint32_t length)
{
    m_item = length == 0 ? nullptr
                         : std::make_shared<HostBuffer>(memory, length, HostMemoryUse::REPLY_PAGES);
    return m_item.get();
}

uint32_t
Nfs4CompoundReply::GetRoom(uint32_t others) const
{
    const uint32_t used = GetSize() + m_itemOctets + others;
    return used < m_room ? m_room - used : 0;
}

RpcPayload
Nfs4CompoundReply::Finish(Nfs4Status status)
{
    RpcPayload whole;
    whole.octets = m_cut.empty() ? m_writer.Take() : std::move(m_cut);
    whole.items = std::move(m_items);
    XdrWriter words;
    words.WriteU32(static_cast<uint32_t>(status));
    words.WriteU32(static_cast<uint32_t>(m_operations.size()));
    const ByteVector& patch = words.GetOctets();
    std::copy(patch.begin(), patch.begin() + sizeof(uint32_t), whole.octets.begin());
    std::copy(patch.begin() + sizeof(uint32_t), patch.end(), whole.octets.begin() + m_countAt);
    return whole;
}

RpcPayload
Nfs4CompoundReply::MakeKept(const RpcPayload& whole) const
{
    RpcPayload kept;
    kept.octets.assign(whole.octets.begin() + m_keptAt, whole.octets.end());
    kept.items = whole.items;
    for (RpcDataItem& item : kept.items)
    {
        item.offset -= m_keptAt;
    }
    return kept;
}

} // namespace ns3::nfsrdma
