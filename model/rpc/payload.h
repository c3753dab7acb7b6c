/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_PAYLOAD_H
#define NFSRDMA_RPC_PAYLOAD_H

#include "host/memory.h"
#include "wire/bytes.h"

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

struct RpcServiceTimes;

/**
 * \brief A bulk data item of an RPC message that stays in host memory: the octets of an XDR opaque,
 * without its length word and without its pad.
 */
struct RpcDataItem
{
    uint64_t address{0};     ///< Host address of the first octet.
    uint32_t length{0};      ///< Octets, unpadded.
    bool ddpEligible{false}; ///< The Upper-Layer Binding lets a chunk carry it (RFC 8267).
    uint32_t offset{0};      ///< Where it belongs in RpcPayload::octets.
    /// Keeps the memory until the message has been sent; null when the sender keeps it.
    std::shared_ptr<HostBuffer> owner;
};

/**
 * \brief An RPC message to be sent: an XDR stream, and data items that belong into it.
 *
 *     octets[0, offset 0) | item 0 | pad | octets[offset 0, offset 1) | item 1 | pad | ...
 *
 * Octets before an item end with its length word. The pads belong to neither: the transport adds
 * one wherever an item travels inline or in a Position-Zero or Reply chunk.
 */
struct RpcPayload
{
    ByteVector octets;              ///< The XDR stream without the items and their pads.
    std::vector<RpcDataItem> items; ///< By ascending offset.
    /// Octets that a buffer for the message must have, items excluded: the largest
    /// message of the procedure, as Linux's rq_callsize. 0: what this message needs.
    uint32_t room{0};
    /// Of a reply, kept by the transport until its Send has completed: its thread waits. Null when
    /// none does.
    std::shared_ptr<void> sending;

    /// \return octets of all items, without pads.
    [[nodiscard]] uint64_t GetItemsTotal() const
    {
        uint64_t total = 0;
        for (const RpcDataItem& item : items)
        {
            total += item.length;
        }
        return total;
    }

    /// \return octets of the whole un-reduced message.
    [[nodiscard]] uint32_t GetLength() const
    {
        return GetPosition(items.size()) + static_cast<uint32_t>(octets.size()) -
               (items.empty() ? 0 : items.back().offset);
    }

    /// \return where item \p item starts in the un-reduced message; with the number of items, where
    /// the last item and its pad end.
    [[nodiscard]] uint32_t GetPosition(std::size_t item) const
    {
        uint32_t position = 0;
        for (std::size_t i = 0; i < item; ++i)
        {
            position += RoundUp4(items[i].length);
        }
        if (items.empty())
        {
            return position;
        }
        return position + (item < items.size() ? items[item] : items.back()).offset;
    }
};

/// An item of a received message that a chunk has carried.
struct RpcReceivedItem
{
    uint32_t position{0}; ///< In the un-reduced stream. Calls only: a Reply's program knows it.
    uint64_t address{0};
    uint32_t length{0}; ///< Octets in memory (for a Call: chunk length; may include the pad).
    /// Owns the memory (Calls: the server's pull buffer; Replies: null, the caller's own).
    std::shared_ptr<HostBuffer> owner;
};

/**
 * \brief A received RPC message.
 *
 * octets is the message as XDR stream. The data (and pads) of items that were reduced into chunks
 * are missing from it, right after their length words, and are in host memory.
 */
struct RpcReceivedMessage
{
    ByteVector octets;
    /// Calls: what was reduced, by ascending position. Replies: one for each Write chunk of the
    /// call, in order, with length 0 when it was not used.
    std::vector<RpcReceivedItem> items;
    /// Calls: where their server notes when it did what; null: nobody wants to know.
    std::shared_ptr<RpcServiceTimes> times{};
    /// Calls: what the thread that takes it needs a core for to read it off its socket.
    Time readCost{};
    /// Calls: called when that is done; null: nobody waits for it.
    std::function<void()> read{};

    /// \return octets of all items.
    [[nodiscard]] uint64_t GetItemsTotal() const
    {
        uint64_t total = 0;
        for (const RpcReceivedItem& item : items)
        {
            total += item.length;
        }
        return total;
    }

    /// \return whether a chunk has carried the item of Write chunk \p chunk (Replies).
    [[nodiscard]] bool IsReduced(std::size_t chunk) const
    {
        return chunk < items.size() && items[chunk].length > 0;
    }
};

/// A bulk item that a reply may have.
struct RpcReplyItem
{
    uint32_t maximum{0};     ///< Octets at most, unpadded.
    uint64_t address{0};     ///< Host memory of at least that many octets.
    bool ddpEligible{false}; ///< A Write chunk may carry it.
    /// Keeps the memory as long as the server may write to it; null when the caller keeps it until
    /// the RPC has ended.
    std::shared_ptr<HostBuffer> owner{};
};

/**
 * \brief Where a client wants a reply, and how large it can be: maxima computed from XDR.
 */
struct RpcReplyEstimate
{
    uint32_t head{0};                ///< Octets at most before the first item, RPC header included.
    std::vector<RpcReplyItem> items; ///< In the order of the reply.
    uint32_t tail{0};                ///< All other octets at most, the items' pads included.
    uint32_t minimum{0};             ///< Octets at least of a successful reply, un-reduced.
    bool bounded{true};              ///< false: the maximum is a guess.
    /// What tells replies of one procedure apart that differ in size (the operations of a
    /// COMPOUND), as a number of the program's own, for those who learn from sizes; 0: the
    /// procedure does.
    uint64_t kind{0};
    /// Octets that an earlier try had room for, in vain: this one is to have more. 0: none was.
    uint64_t outgrown{0};

    /// \return octets at most of all items, without pads.
    [[nodiscard]] uint32_t GetItemsTotal() const
    {
        uint32_t total = 0;
        for (const RpcReplyItem& item : items)
        {
            total += item.maximum;
        }
        return total;
    }

    /// \return octets at most of what no Write chunk may carry.
    [[nodiscard]] uint64_t GetIrreducible() const
    {
        uint64_t total = uint64_t{head} + tail;
        for (const RpcReplyItem& item : items)
        {
            total += item.ddpEligible ? 0 : item.maximum;
        }
        return total;
    }

    /// \return octets at most of the whole un-reduced reply.
    [[nodiscard]] uint32_t GetTotal() const
    {
        return head + GetItemsTotal() + tail;
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_PAYLOAD_H
