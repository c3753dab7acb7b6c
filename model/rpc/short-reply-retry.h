/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_SHORT_REPLY_RETRY_H
#define NFSRDMA_RPC_SHORT_REPLY_RETRY_H

#include "rpc/rpc-message.h"
#include "rpc/rpc-payload.h"
#include "rpc/rpc-record.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief Short Reply chunk retry, RFC 8267 section 3.1, for one call: when a call whose reply has
 * no known maximum fails as it does when there was no room for the reply, it is made again, as
 * another RPC, with room for a larger one.
 *
 * Such failures are RDMA_ERROR, and GARBAGE_ARGS or SYSTEM_ERR by the RPC layer of the server. As
 * they have other reasons too, the attempts are bounded.
 */
class ShortReplyRetry
{
  public:
    /// \param attempts RPCs for the call at most, the first included
    /// \param growth how many times larger the reply may be at each further attempt
    ShortReplyRetry(const RpcPayload& arguments,
                    const RpcReplyEstimate& reply,
                    uint32_t attempts,
                    uint32_t growth);

    /// \return whether calls with such a reply are made again at all.
    static bool IsEligible(const RpcReplyEstimate& reply);

    /**
     * \brief The last attempt has ended.
     * \param refusal the status of a reply that was accepted without SUCCESS
     * \return true when there is to be another: GetReply() is larger
     */
    bool Next(RpcOutcome outcome, std::optional<RpcAcceptStatus> refusal);

    [[nodiscard]] const RpcPayload& GetArguments() const;
    [[nodiscard]] const RpcReplyEstimate& GetReply() const;
    /// \return attempts made, the one under way included.
    [[nodiscard]] uint32_t GetAttempts() const;

  private:
    RpcPayload m_arguments;
    RpcReplyEstimate m_reply;
    uint32_t m_limit;
    uint32_t m_growth;
    uint32_t m_attempts{1};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_SHORT_REPLY_RETRY_H
