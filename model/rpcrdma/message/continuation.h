/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_MESSAGE_CONTINUATION_H
#define NFSRDMA_RPCRDMA_MESSAGE_CONTINUATION_H

#include "rpcrdma/message/transport-header.h"
#include "wire/bytes.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief One of the Sends that carry a reply together: message continuation, which section 5.5 of
 * draft-responder-provided-read-chunks names as an alternative, and whose octets it does not
 * define. These are an extension of this project, used where both peers have agreed on it
 * (ReadChunkExtension).
 *
 *     first  | xid | vers | credit | RDMA_MSG with 0x40000000 | 0      | total | chunk lists |
 * octets others | xid | vers | credit | RDMA_MSG with 0x40000000 | offset | total | octets
 *
 * \e total is the length of the RPC message without what Write chunks carry; \e offset says where
 * in it the octets of that Send belong. The parts of a message follow each other, with no other
 * message between them, and each but the last fills a Send. A message that fits one Send is the
 * plain one of RFC 8166. A receiver without the extension takes rdma_proc as unknown.
 */
struct RpcRdmaContinuation
{
    static constexpr uint32_t PROC_FLAG = 0x40000000;
    /// Octets that a part has more than a plain message.
    static constexpr uint32_t EXTRA = 8;
    /// Of the header of all parts but the first.
    static constexpr uint32_t HEADER = RpcRdmaFixedHeader::SIZE + EXTRA;
    /// Sends of a message, at most.
    static constexpr uint32_t MAXIMUM = 64;

    uint32_t offset{0};
    uint32_t total{0};

    /// \return octets of an RPC message that \p messages Sends of \p threshold octets carry, when
    /// the plain header has \p headerLength.
    static uint64_t GetCapacity(uint32_t threshold, uint32_t headerLength, uint32_t messages);

    /// \return Sends for \p length octets, of which each carries some; the header fits into one.
    static uint32_t CountMessages(uint32_t threshold, uint32_t headerLength, uint32_t length);

    /// \return the header of this part of the message whose plain header is \p plain: with the
    /// chunk lists where offset is 0.
    [[nodiscard]] ByteVector Encode(ByteSpan plain) const;

    /// \return true when \p message says that it is a part.
    static bool IsIn(ByteSpan message);

    /**
     * \brief Takes what makes \p message a part out of it, which is a plain one afterwards.
     *
     * TRUNCATED when it ends before; \p message is unchanged then.
     */
    [[nodiscard]] static Decoded<RpcRdmaContinuation> TakeFrom(ByteVector& message);
};

/// Puts the parts of a message together, one message at a time.
class RpcRdmaContinuedMessage
{
  public:
    /// What a part has come to.
    enum class State
    {
        PARTIAL, ///< There are more to come.
        WHOLE,   ///< It was the last one: the message is there.
        BAD,     ///< It does not continue what was there, which is dropped.
    };

    /// \param maximum octets of an RPC message that may come in parts
    explicit RpcRdmaContinuedMessage(uint64_t maximum = 0)
        : m_maximum(maximum)
    {
    }

    /// Takes a part. When it is the last, \p message becomes the whole, in the plain form.
    State Take(ByteVector& message);

    /// A message that is no part has come. \return whether one that was begun is dropped.
    bool Drop();

    /// \return Sends taken of a message that is not whole.
    [[nodiscard]] uint32_t GetBegun() const
    {
        return m_begun ? m_count : 0;
    }

    /// \return Sends that the message had, or has so far.
    [[nodiscard]] uint32_t GetCount() const
    {
        return m_count;
    }

  private:
    bool Begin(const RpcRdmaContinuation& part, ByteVector& plain);
    bool Continue(const RpcRdmaContinuation& part, const ByteVector& plain);

    uint64_t m_maximum;
    ByteVector m_whole;
    uint32_t m_xid{0};
    uint32_t m_total{0};
    uint32_t m_taken{0}; ///< Octets of the RPC message.
    uint32_t m_count{0};
    bool m_begun{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_MESSAGE_CONTINUATION_H
