/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_MESSAGE_REPLY_HEADER_SIZE_H
#define NFSRDMA_RPCRDMA_MESSAGE_REPLY_HEADER_SIZE_H

#include "rpc/payload.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Solves for the transport header of a reply without the recursion of
 * draft-responder-provided-read-chunks section 3.5: which chunks are needed depends on the size of
 * the header, and that on the chunks.
 *
 * Each mechanism has one header size, known from the segments of its chunks. The mechanisms are
 * tried from the smallest header up; the first whose header and message fit the threshold together
 * is the answer.
 */
class ReplyHeaderSize
{
  public:
    /// \param threshold largest Send from the responder, header included
    explicit ReplyHeaderSize(uint32_t threshold);

    /// \return octets of the header that returns Write chunks of \p writeChunks segments each, and
    /// a Reply chunk of \p replyChunk segments.
    static uint32_t Get(const std::vector<uint32_t>& writeChunks,
                        std::optional<uint32_t> replyChunk);

    /// A Write chunk that can be offered: for the next eligible item of the reply.
    struct Candidate
    {
        uint32_t maximum{0};  ///< Octets that the item takes out of the message.
        uint32_t segments{0}; ///< Of its Write chunk.
    };

    /**
     * \param length octets of the largest reply message, un-reduced
     * \param candidates by position in the reply; those that are not used but stand before one that
     *        is are returned as empty Write chunks
     * \return the candidates to use, ascending, so that the reply fits inline: as few as possible,
     *         and of several that do alone the one with the smallest header; nothing when all of
     *         them are not enough
     */
    [[nodiscard]] std::optional<std::vector<std::size_t>> Solve(
        uint32_t length,
        const std::vector<Candidate>& candidates) const;

  private:
    [[nodiscard]] static uint32_t GetWith(const std::vector<Candidate>& candidates,
                                          const std::vector<bool>& used);

    uint32_t m_threshold;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_MESSAGE_REPLY_HEADER_SIZE_H
