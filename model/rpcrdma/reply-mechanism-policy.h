/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_REPLY_MECHANISM_POLICY_H
#define NFSRDMA_RPCRDMA_REPLY_MECHANISM_POLICY_H

#include "rpc/rpc-payload.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// How a requester lets its reply come.
enum class ReplyMechanism
{
    INLINE,      ///< No chunk offered.
    WRITE_CHUNK, ///< A Write chunk for each eligible item.
    REPLY_CHUNK  ///< A Reply chunk for the whole message.
};

/**
 * \brief What a requester offers for the reply, from its largest size. Policies, by name:
 * - "linux": nothing when the maximum fits inline; else Write chunks when items are eligible and
 *   the rest fits inline; else a Reply chunk;
 * - "write-chunk-first": Write chunks for all eligible items when the rest fits inline, however
 *   small they are; else as "linux";
 * - "reply-chunk-always": a Reply chunk in every call.
 */
class ReplyMechanismPolicy
{
  public:
    virtual ~ReplyMechanismPolicy() = default;

    /// \param reduction items may be reduced (the security flavour allows it)
    /// \param maxInline largest inline reply message, transport header not counted
    [[nodiscard]] virtual ReplyMechanism Choose(const RpcReplyEstimate& reply,
                                                bool reduction,
                                                uint32_t maxInline) const = 0;

    /// \return the policy of that name, or null.
    static std::unique_ptr<ReplyMechanismPolicy> Create(const std::string& name);
    static std::vector<std::string> GetNames();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_REPLY_MECHANISM_POLICY_H
