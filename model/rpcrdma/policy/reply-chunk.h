/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_POLICY_REPLY_CHUNK_H
#define NFSRDMA_RPCRDMA_POLICY_REPLY_CHUNK_H

#include "rpcrdma/policy/read-chunk.h"
#include "settings/named.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Whether a responder uses the Reply chunk that a Call offers; RFC 8166 leaves it the choice
 * when the reply fits inline. Policies, by name:
 * - "linux": always;
 * - "when-needed": when the reply does not fit inline; else it is returned unused.
 */
class ReplyChunkPolicy : public Named<ReplyChunkPolicy>
{
  public:
    virtual ~ReplyChunkPolicy() = default;

    [[nodiscard]] virtual bool IsUsed(const ReplyRoom& room) const = 0;

    [[nodiscard]] static Registry<ReplyChunkPolicy>& GetKinds();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_POLICY_REPLY_CHUNK_H
