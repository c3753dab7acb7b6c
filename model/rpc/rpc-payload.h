/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_RPC_PAYLOAD_H
#define NFSRDMA_RPC_RPC_PAYLOAD_H

#include "rnic/host-memory.h"
#include "wire/bytes.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief A bulk data item of an RPC message that stays in host memory: the octets of an XDR opaque,
 * without its length word and without its pad.
 */
struct RpcDataItem
{
    uint64_t address{0};     ///< Host address of the first octet.
    uint32_t length{0};      ///< Octets, unpadded.
    bool ddpEligible{false}; ///< The Upper-Layer Binding lets a chunk carry it (RFC 8267).
};

/**
 * \brief An RPC message to be sent, in the shape of Linux's xdr_buf.
 *
 *     head | item (host memory) | pad of the item | tail
 *
 * head ends with the item's length word. The pad belongs to neither: the transport adds it wherever
 * the item travels inline or in a Position-Zero or Reply chunk, and leaves it out of chunks that
 * reduce the item.
 */
struct RpcPayload
{
    ByteVector head;
    std::optional<RpcDataItem> item;
    ByteVector tail;
    /// Keeps the item's memory until the message has been sent (replies of a server).
    std::shared_ptr<HostBuffer> itemOwner;

    /// \return octets of the whole un-reduced message.
    [[nodiscard]] uint32_t GetLength() const
    {
        return head.size() + (item ? RoundUp4(item->length) : 0) + tail.size();
    }
};

/**
 * \brief A received RPC message.
 *
 * octets is the message as XDR stream. When an item was reduced into a chunk, its data (and pad)
 * are missing from octets: they belong at itemPosition, right after the length word, and are in
 * host memory.
 */
struct RpcReceivedMessage
{
    ByteVector octets;
    bool reduced{false};
    uint32_t itemPosition{0}; ///< Meaningful for Calls; a Reply's is known by its program.
    uint64_t itemAddress{0};
    uint32_t itemLength{0}; ///< Octets in memory (for a Call: chunk length; may include the pad).
    /// Owns the item's memory (Calls: the server's pull buffer; Replies: null, the caller's own).
    std::shared_ptr<HostBuffer> itemOwner;
};

/**
 * \brief Where a client wants a reply, and how large it can be: maxima computed from XDR.
 *
 *     head (up to and with the item's length word) | item | tail (pad and what follows)
 */
struct RpcReplyEstimate
{
    uint32_t head{0};            ///< Octets at most, RPC reply header included.
    uint32_t item{0};            ///< Octets at most of the bulk part; 0 when the reply has none.
    uint32_t tail{0};            ///< Octets at most after the bulk part, its pad included.
    uint64_t itemAddress{0};     ///< Host memory of at least item octets, when item is not 0.
    bool itemDdpEligible{false}; ///< A Write chunk may carry the item.

    [[nodiscard]] uint32_t GetTotal() const
    {
        return head + item + tail;
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_RPC_PAYLOAD_H
