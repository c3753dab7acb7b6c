/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_POLICY_READ_CHUNK_H
#define NFSRDMA_RPCRDMA_POLICY_READ_CHUNK_H

#include "settings/named.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What the Call left for a reply whose size is now known.
struct ReplyRoom
{
    bool inlineFits{false};        ///< The message and its header fit into a Send.
    bool replyChunkOffered{false}; ///< A Reply chunk that is not empty.
    bool replyChunkFits{false};    ///< It has room for the message.
    bool continuationFits{false};  ///< The Sends that the reply may take have room for it.
};

/**
 * \brief When a responder provides a Read chunk for its reply, section 5.3.2 of the draft.
 * Policies, by name:
 * - "never": as Linux, ERR_CHUNK when the reply passes what the Call left;
 * - "announced-only": the responder agrees on Read chunks with its clients and never provides one;
 *   forbidden: a hazard (section 6);
 * - "when-needed": when the reply passes the inline threshold, and the Reply chunk is absent or too
 *   small;
 * - "prefer-over-reply-chunk": whenever the reply passes the inline threshold.
 *
 * Guaranteed of "never" and "announced-only": replies provided as Read chunk = 0.
 */
class ReadChunkPolicy : public Named<ReadChunkPolicy>
{
  public:
    virtual ~ReadChunkPolicy() = default;

    [[nodiscard]] virtual bool Provides(const ReplyRoom& room) const = 0;

    /// \return whether the responder agrees on Read chunks with clients that pull them.
    [[nodiscard]] virtual bool IsEnabled() const
    {
        return true;
    }

    [[nodiscard]] static Registry<ReadChunkPolicy>& GetKinds();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_POLICY_READ_CHUNK_H
