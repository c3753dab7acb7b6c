/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_MESSAGE_PULL_NOTICE_LIST_H
#define NFSRDMA_RPCRDMA_MESSAGE_PULL_NOTICE_LIST_H

#include "rpcrdma/message/transport-header.h"

#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Notices of pull completion that ride on a Call, where the ReadChunkExtension's piggyback
 * was agreed (version 1 of the protocol has no room for them).
 *
 *     | xid | vers | credit | proc with 0x80000000 | count | xid ... | chunk lists and the rest |
 *
 * A Call without notices is the plain message of RFC 8166. A receiver without the extension takes
 * rdma_proc as unknown.
 */
struct PullNoticeList
{
    static constexpr uint32_t PROC_FLAG = 0x80000000;
    /// Notices that one Call carries at most.
    static constexpr uint32_t MAXIMUM = 16;

    std::vector<uint32_t> xids; ///< 1 to MAXIMUM.

    /// \return octets that the list adds to a message.
    static uint32_t GetEncodedSize(std::size_t count);

    /// \return the fixed header of \p call with the flag, and the list.
    [[nodiscard]] ByteVector Encode(const RpcRdmaFixedHeader& call) const;

    /// \return true when \p message says that it has a list.
    static bool IsIn(ByteSpan message);

    /**
     * \brief Takes the list out of \p message, which is a plain one afterwards.
     *
     * TRUNCATED when the message ends inside the list; BAD_VALUE when the count is not 1 to
     * MAXIMUM. \p message is unchanged then.
     */
    [[nodiscard]] static Decoded<PullNoticeList> TakeFrom(ByteVector& message);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_MESSAGE_PULL_NOTICE_LIST_H
