/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_RPCRDMA_CONVERSATION_H
#define NFSRDMA_HELPER_CAPTURE_RPCRDMA_CONVERSATION_H

#include "helper/capture/mpa-conversation.h"
#include "rpcrdma/message/transport-header.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// One RPC-over-RDMA message of a capture: one Send.
struct CapturedRpcRdma
{
    std::size_t side{0};       ///< That sent it.
    std::size_t event{0};      ///< Index in TcpConversation::GetEvents() of its last octet's.
    bool fromRequester{false}; ///< Of the forward direction: the initiator.
    RdmapOpcode opcode{RdmapOpcode::SEND};
    std::optional<Stag> invalidated; ///< By the Send.
    ByteVector octets;
    std::optional<RpcRdmaFixedHeader> fixed; ///< When there are octets for one.
    tl::expected<RpcRdmaHeader, WireError> header = tl::unexpected(WireError::TRUNCATED);
    std::size_t headerLength{0}; ///< When decoded.
    bool sameHeader{false};      ///< The transport header comes out the same when encoded again.
    bool hasRpc{false};          ///< An RPC header follows: RDMA_MSG that was decoded.
    bool sameRpc{false};         ///< It comes out the same.

    /// \return what follows the transport header.
    [[nodiscard]] ByteSpan GetPayload() const;
    /// \return for example "XID 0x00001001 RDMA_MSG".
    [[nodiscard]] std::string ToString() const;
};

/**
 * \brief The RPC-over-RDMA messages of one MPA connection, in the order in which they ended: each
 * transport header, and each RPC header that follows one, decoded and encoded again.
 */
class RpcRdmaConversation
{
  public:
    /// NFS over RDMA (RFC 8267 section 9).
    static constexpr uint16_t PORT = 20049;

    /// \return whether the connection came to full operation and its responder has port PORT.
    [[nodiscard]] static bool IsRpcRdma(const MpaConversation& conversation);

    explicit RpcRdmaConversation(const MpaConversation& conversation);

    [[nodiscard]] const std::vector<CapturedRpcRdma>& GetMessages() const
    {
        return m_messages;
    }

    /// \return the first message of the other side after \p index with its XID; null when there is
    /// none.
    [[nodiscard]] const CapturedRpcRdma* FindAnswer(std::size_t index) const;

  private:
    void AddDirection(const MpaConversation& conversation, std::size_t side);

    std::vector<CapturedRpcRdma> m_messages;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_RPCRDMA_CONVERSATION_H
