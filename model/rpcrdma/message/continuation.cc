/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/message/continuation.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t PROC_OFFSET = 12;

} // namespace

uint64_t
RpcRdmaContinuation::GetCapacity(uint32_t threshold, uint32_t headerLength, uint32_t messages)
{
    if (messages < 2 || threshold < headerLength + EXTRA || threshold <= HEADER)
    {
        return threshold > headerLength ? threshold - headerLength : 0;
    }
    return threshold - headerLength - EXTRA + uint64_t{messages - 1} * (threshold - HEADER);
}

uint32_t
RpcRdmaContinuation::CountMessages(uint32_t threshold, uint32_t headerLength, uint32_t length)
{
    const uint32_t first = threshold - std::min(threshold, headerLength + EXTRA);
    const uint32_t each = threshold - HEADER;
    return length <= first ? 1 : 1 + (length - first + each - 1) / each;
}

ByteVector
RpcRdmaContinuation::Encode(ByteSpan plain) const
{
    ByteReader reader(plain);
    RpcRdmaFixedHeader fixed = *RpcRdmaFixedHeader::Decode(reader);
    fixed.proc |= PROC_FLAG;
    const std::size_t lists = offset == 0 ? plain.size() - RpcRdmaFixedHeader::SIZE : 0;
    ByteVector octets(HEADER + lists);
    ByteWriter writer(octets);
    fixed.Encode(writer);
    writer.WriteU32(offset);
    writer.WriteU32(total);
    writer.WriteBytes(plain.subspan(RpcRdmaFixedHeader::SIZE, lists));
    return octets;
}

bool
RpcRdmaContinuation::IsIn(ByteSpan message)
{
    return message.size() >= RpcRdmaFixedHeader::SIZE &&
           boost::endian::load_big_u32(message.data() + PROC_OFFSET) ==
               (static_cast<uint32_t>(RpcRdmaProc::MSG) | PROC_FLAG);
}

Decoded<RpcRdmaContinuation>
RpcRdmaContinuation::TakeFrom(ByteVector& message)
{
    ByteReader reader(message);
    auto fixed = RpcRdmaFixedHeader::Decode(reader);
    RpcRdmaContinuation part;
    part.offset = reader.ReadU32();
    part.total = reader.ReadU32();
    if (!fixed || !reader.Ok())
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    fixed->proc &= ~PROC_FLAG;
    ByteWriter writer(message);
    fixed->Encode(writer);
    const auto begin = message.begin() + RpcRdmaFixedHeader::SIZE;
    message.erase(begin, begin + EXTRA);
    return part;
}

RpcRdmaContinuedMessage::State
RpcRdmaContinuedMessage::Take(ByteVector& message)
{
    const auto part = RpcRdmaContinuation::TakeFrom(message);
    if (!part || !(part->offset == 0 ? Begin(*part, message) : Continue(*part, message)))
    {
        Drop();
        return State::BAD;
    }
    ++m_count;
    if (m_taken < m_total)
    {
        return State::PARTIAL;
    }
    m_begun = false;
    std::swap(message, m_whole);
    return State::WHOLE;
}

bool
RpcRdmaContinuedMessage::Begin(const RpcRdmaContinuation& part, ByteVector& plain)
{
    const bool interrupts = m_begun;
    ByteReader reader(plain);
    const auto header = RpcRdmaHeader::Decode(reader);
    if (interrupts || !header || part.total > m_maximum)
    {
        return false;
    }
    const std::size_t octets = plain.size() - reader.Position();
    if (octets >= part.total)
    {
        return false;
    }
    m_begun = true;
    m_xid = header->xid;
    m_total = part.total;
    m_taken = static_cast<uint32_t>(octets);
    m_count = 0;
    std::swap(m_whole, plain);
    return true;
}

bool
RpcRdmaContinuedMessage::Continue(const RpcRdmaContinuation& part, const ByteVector& plain)
{
    const ByteSpan octets = ByteSpan(plain).subspan(RpcRdmaFixedHeader::SIZE);
    if (!m_begun || boost::endian::load_big_u32(plain.data()) != m_xid || part.total != m_total ||
        part.offset != m_taken || octets.empty() || octets.size() > m_total - m_taken)
    {
        return false;
    }
    m_whole.insert(m_whole.end(), octets.begin(), octets.end());
    m_taken += static_cast<uint32_t>(octets.size());
    return true;
}

bool
RpcRdmaContinuedMessage::Drop()
{
    const bool dropped = m_begun;
    m_begun = false;
    m_whole.clear();
    return dropped;
}

} // namespace ns3::nfsrdma
