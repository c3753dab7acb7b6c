/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/rpc-message-size.h"

#include "wire/bytes.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t FIXED_AND_EMPTY_LISTS = 28;
constexpr uint64_t READ_SEGMENT = 24;
constexpr uint64_t CHUNK_HEAD = 8;
constexpr uint64_t REPLY_CHUNK_HEAD = 4;
constexpr uint64_t PLAIN_SEGMENT = 16;
constexpr uint32_t RDMA_NOMSG = 1;

uint64_t
GetWriteListSize(const RpcRecord& record)
{
    return record.writeChunks * CHUNK_HEAD + record.writeSegments * PLAIN_SEGMENT;
}

uint64_t
GetReplyChunkSize(const RpcRecord& record)
{
    return record.replySegments == 0 ? 0 : REPLY_CHUNK_HEAD + record.replySegments * PLAIN_SEGMENT;
}

} // namespace

uint64_t
GetCallMessageSize(const RpcRecord& record)
{
    const uint64_t header = FIXED_AND_EMPTY_LISTS + record.readSegments * READ_SEGMENT +
                            GetWriteListSize(record) + GetReplyChunkSize(record);
    if (record.callInlineBytes < header)
    {
        return 0;
    }
    return record.callInlineBytes - header + RoundUp4(static_cast<uint32_t>(record.readChunkBytes));
}

uint64_t
GetReplyMessageSize(const RpcRecord& record)
{
    const uint64_t header = FIXED_AND_EMPTY_LISTS + GetWriteListSize(record) +
                            (record.replyType == RDMA_NOMSG ? GetReplyChunkSize(record) : 0) +
                            record.replyReadSegments * READ_SEGMENT;
    if (record.replyInlineBytes < header)
    {
        return 0;
    }
    return record.replyInlineBytes - header +
           RoundUp4(static_cast<uint32_t>(record.writeChunkBytes)) + record.replyChunkBytes +
           record.replyReadBytes;
}

} // namespace ns3::nfsrdma
