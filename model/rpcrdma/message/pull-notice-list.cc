/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/message/pull-notice-list.h"

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t PROC_OFFSET = 12;

} // namespace

uint32_t
PullNoticeList::GetEncodedSize(std::size_t count)
{
    return XDR_WORD + XDR_WORD * static_cast<uint32_t>(count);
}

ByteVector
PullNoticeList::Encode(const RpcRdmaFixedHeader& call) const
{
    ByteVector octets(RpcRdmaFixedHeader::SIZE + GetEncodedSize(xids.size()));
    ByteWriter writer(octets);
    RpcRdmaFixedHeader flagged = call;
    flagged.proc |= PROC_FLAG;
    flagged.Encode(writer);
    writer.WriteU32(xids.size());
    for (const uint32_t xid : xids)
    {
        writer.WriteU32(xid);
    }
    return octets;
}

bool
PullNoticeList::IsIn(ByteSpan message)
{
    return message.size() >= RpcRdmaFixedHeader::SIZE &&
           (boost::endian::load_big_u32(message.data() + PROC_OFFSET) & PROC_FLAG) != 0;
}

Decoded<PullNoticeList>
PullNoticeList::TakeFrom(ByteVector& message)
{
    ByteReader reader(message);
    auto header = RpcRdmaFixedHeader::Decode(reader);
    const uint32_t count = reader.ReadU32();
    if (!header || !reader.Ok())
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    if (count == 0 || count > MAXIMUM)
    {
        return tl::unexpected(WireError::BAD_VALUE);
    }
    PullNoticeList list;
    for (uint32_t i = 0; i < count; ++i)
    {
        list.xids.push_back(reader.ReadU32());
    }
    if (!reader.Ok())
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    header->proc &= ~PROC_FLAG;
    ByteWriter writer(message);
    header->Encode(writer);
    const auto begin = message.begin() + RpcRdmaFixedHeader::SIZE;
    message.erase(begin, begin + GetEncodedSize(count));
    return list;
}

} // namespace ns3::nfsrdma
