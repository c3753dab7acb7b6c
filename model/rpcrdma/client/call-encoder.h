/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_CALL_ENCODER_H
#define NFSRDMA_RPCRDMA_CLIENT_CALL_ENCODER_H

#include "rpcrdma/client/inline-limits.h"
#include "rpcrdma/client/request.h"
#include "rpcrdma/client/xprt-statistics.h"
#include "rpcrdma/policy/call-form.h"
#include "rpcrdma/policy/reply-mechanism.h"

#include <optional>
#include <string>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/// What Read chunks carry of the XDR pads of the items they reduce (RFC 8166 section 3.4.5). The
/// pad is always zeros of the transport's own, never what lies behind the item in memory; a chunk
/// that would have too many segments goes without.
enum ReadPad
{
    READ_PAD_NONE,    ///< Nothing, as the RFC recommends.
    READ_PAD_SEGMENT, ///< The pad, in a segment of its own.
    /// The pad, in the last segment, which has the item's octets behind the last multiple of 4:
    /// they are copied. With a strategy that copies items, behind all of the item.
    READ_PAD_LAST_SEGMENT
};

/// What a connection's calls are encoded with.
struct CallEncoderSettings
{
    InlineLimits limits;
    uint32_t credits{1};           ///< Requested in every call.
    uint32_t elements{1};          ///< Scatter/gather elements of a Send, at most.
    uint32_t bufferSize{0};        ///< Octets for a message in a new slot's buffers.
    uint32_t maxReadChunks{1};     ///< At other Positions than zero.
    uint32_t maxWriteChunks{1};    ///< Empty ones included.
    uint32_t maxChunkSegments{16}; ///< Of any chunk.
    ReadPad readPad{READ_PAD_NONE};
    /// A call is measured with the transport header that its chunks take, not with the largest one.
    bool exactHeader{false};
    bool peerGivesReadChunks{false}; ///< The responder may send replies by Read chunk.
    uint32_t replyMessages{1};       ///< Sends that a reply may take.
    /// Registered memory of all calls for the pads of Write chunks.
    std::optional<RpcRdmaSegment> writePad;
    /// Pads of Write chunks have memory of their call's own: the responder may invalidate any STag
    /// of a call.
    bool ownWritePads{false};
    HostMemoryAccount account{0}; ///< Of the host's memory, charged for buffers of slots.
};

/**
 * \brief Turns a call into work requests: chooses its form, registers its chunks, fills the slot's
 * send buffer.
 *
 * The form of the call and what is offered for the reply are chosen by policies. A call that would
 * pass the threshold with all its chunk lists is sent in a Position-Zero Read chunk after all.
 * Items that stay inline are copied into the send buffer when the whole inline message is smaller
 * than that buffer, else they are sent from where they are. The buffer grows to what its slot's
 * calls have ever needed (RpcPayload::room, as rl_sendbuf in xprt_rdma_allocate).
 *
 *     sendBuffer:  | header area: header right-aligned | message without what is mapped |
 *     padBuffer:   | end and pad of the items in Read chunks | pads of Write chunks |, 4 octets
 * each
 *
 * A header that is longer than its area goes into a buffer of its own. What bounds it is the inline
 * threshold: header and inline message go in one Send.
 */
class RpcRdmaCallEncoder
{
  public:
    enum class Failure
    {
        NO_REGIONS, ///< No memory region is free: try again when there are more.
        TOO_LONG ///< The transport header, with what must be inline, does not fit into a Send, or
                 ///< a chunk has too many segments.
    };

    RpcRdmaCallEncoder(Ptr<HostMemory> memory,
                       ChunkRegistrar& registrar,
                       const CallFormPolicy& callForms,
                       const ReplyMechanismPolicy& replyMechanisms,
                       XprtRdmaStatistics& statistics,
                       const CallEncoderSettings& settings);

    /**
     * \return registrations and, last, the Send: signaled when it takes octets from the program's
     * memory, else not. On failure the slot holds no registration.
     */
    tl::expected<std::vector<SendWorkRequest>, Failure> Encode(RpcRdmaRequest& request);

    /// \return which bound the latest call passed that was TOO_LONG.
    [[nodiscard]] const std::string& DescribeRefusal() const
    {
        return m_refusal;
    }

    /// \return octets at most of a Reply chunk for \p reply, when its tail grows: as many segments
    /// as a chunk may have, none of them larger than a registration; 0: none can be made.
    [[nodiscard]] uint64_t GetLargestRoom(const RpcReplyEstimate& reply) const;

  private:
    struct Piece
    {
        uint64_t address{0};
        uint32_t length{0};
    };

    using Chain = std::vector<SendWorkRequest>;
    template <typename T>
    using Result = tl::expected<T, Failure>;

    /// As EncodeAs(); whoever has the broker's turn and finds too few regions does without pads,
    /// which nothing depends on, and has the Reply chunk in one piece, from which is copied.
    Result<Chain> EncodeInTurn(RpcRdmaRequest& request, const CallForm& form);
    Result<Chain> EncodeAs(RpcRdmaRequest& request, const CallForm& form);
    void PrepareBuffers(RpcRdmaRequest& request);
    void LayOut(RpcRdmaRequest& request, const CallForm& form);
    Result<void> EncodeReadList(RpcRdmaRequest& request, const CallForm& form, Chain& chain);
    /// \return what goes into the Read chunk that is the \p number-th beside Position Zero.
    [[nodiscard]] std::vector<Piece> GetReadPieces(RpcRdmaRequest& request,
                                                   const RpcDataItem& item,
                                                   std::size_t number) const;
    Result<void> RegisterItem(RpcRdmaRequest& request,
                              const RpcDataItem& item,
                              uint32_t position,
                              std::size_t number,
                              Chain& chain);
    Result<void> RegisterReadChunk(RpcRdmaRequest& request,
                                   uint32_t position,
                                   const std::vector<Piece>& pieces,
                                   Chain& chain);
    /// \return what the form of the call is chosen from.
    [[nodiscard]] CallFormChoice MakeFormChoice(RpcRdmaRequest& request) const;
    [[nodiscard]] ReplyChoice MakeReplyChoice(const RpcTransportCall& call) const;
    /// \return what is offered for the reply.
    [[nodiscard]] ReplyOffer ChooseOffer(const RpcTransportCall& call) const;
    /// \return octets of a transport header with the chunks of \p offer and no Read list.
    [[nodiscard]] uint32_t GetOfferHeaderSize(RpcRdmaRequest& request,
                                              const ReplyOffer& offer) const;
    Result<void> EncodeReplyPath(RpcRdmaRequest& request, Chain& chain);
    /// \return octets of a reply that those chunks have room for: RpcRecord::replyRoom.
    [[nodiscard]] uint64_t GetReplyRoom(const RpcRdmaChunkLists& chunks) const;
    [[nodiscard]] uint32_t CountExtents(const Piece& piece) const;

    [[nodiscard]] uint32_t CountSegments(const RpcReplyItem& item) const
    {
        return CountExtents({item.address, item.maximum}) + (NeedsPadSegment(item) ? 1 : 0);
    }

    [[nodiscard]] bool NeedsPadSegment(const RpcReplyItem& item) const;
    Result<void> EncodeWriteList(RpcRdmaRequest& request,
                                 const std::vector<std::size_t>& reduced,
                                 Chain& chain);
    Result<void> AppendWritePad(RpcRdmaRequest& request,
                                std::size_t number,
                                Chain& chain,
                                RpcRdmaWriteChunk& segments);
    /// \return the address of the \p number-th pad in the request's padBuffer.
    uint64_t GetPadAddress(RpcRdmaRequest& request, std::size_t number) const;
    /// \return what the Reply chunk consists of.
    [[nodiscard]] std::vector<Piece> GetReplyPieces(RpcRdmaRequest& request,
                                                    const std::vector<std::size_t>& reduced) const;
    Result<void> EncodeReplyChunk(RpcRdmaRequest& request,
                                  const std::vector<std::size_t>& reduced,
                                  Chain& chain);
    Result<void> RegisterPiece(RpcRdmaRequest& request,
                               Piece piece,
                               uint32_t access,
                               Chain& chain,
                               RpcRdmaWriteChunk& segments);
    /// Maps what the Send of \p request takes from the program's memory, if there is an IOMMU.
    void MapPieces(RpcRdmaRequest& request);
    /// Encodes the header where it, and the message that is copied, are sent from.
    ScatterGatherElement PlaceHeader(RpcRdmaRequest& request, uint32_t length);
    Result<void> EncodeSend(RpcRdmaRequest& request, const CallForm& form, Chain& chain);
    void Abandon(RpcRdmaRequest& request, Failure failure);
    Failure Refuse(const std::string& reason);
    /// As Linux, also what was registered before there were too few memory regions.
    void CountChunks(const RpcRdmaChunkLists& chunks);
    void Count(RpcRdmaRequest& request, const CallForm& form);

    Ptr<HostMemory> m_memory;
    ChunkRegistrar& m_registrar;
    const CallFormPolicy& m_callForms;
    const ReplyMechanismPolicy& m_replyMechanisms;
    XprtRdmaStatistics& m_statistics;
    CallEncoderSettings m_settings;
    ByteVector m_scratch;        ///< What goes into the send buffer.
    std::vector<Piece> m_pieces; ///< The message, without what is reduced, where it is in memory.
    std::string m_refusal;       ///< Of the latest call that was too long.
    bool m_pulledUp{false};      ///< Items are among what goes into the send buffer.
    bool m_mayHaveFewer{false};  ///< The latest call wants more regions than it has to have.
    bool m_savesRegions{false};  ///< It has none that it does not have to have.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_CALL_ENCODER_H
