/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_POSTED_SENDS_H
#define NFSRDMA_RPCRDMA_CLIENT_POSTED_SENDS_H

#include "rnic/queue/qp.h"
#include "rpcrdma/client/request.h"
#include "wire/ring.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::nfsrdma
{

/// Sends of a connection that are not known to have completed. Most are unsignaled: the completion
/// of a later one tells of them (frwr_send, re_send_count).
class RpcRdmaPostedSends
{
  public:
    /// Slots to a batch of unsignaled work requests (rpcrdma_ep_create).
    static constexpr uint32_t BATCHES = 8;

    explicit RpcRdmaPostedSends(uint32_t slots)
        : m_batch(slots / BATCHES),
          m_left(m_batch)
    {
    }

    /// The Send that \p chain ends with is to be posted. It is signaled when it takes the program's
    /// memory, or when the batch has no room for the chain. The difference is unsigned, so that
    /// room left gives a whole batch.
    void Add(RpcRdmaRequest& request, std::vector<SendWorkRequest>& chain)
    {
        const auto count = static_cast<uint32_t>(chain.size());
        SendWorkRequest& send = chain.back();
        request.sendPending = true;
        request.sendMapped = send.signaled;
        if (send.signaled || count > m_left)
        {
            send.signaled = true;
            m_left = std::min(m_batch, count - m_left);
        }
        else
        {
            m_left -= count;
        }
        m_posted.push_back(&request);
    }

    /// The Send of \p last has completed, or with null none will.
    /// \param ended told of each request whose Send is not pending any more, oldest first
    void End(const RpcRdmaRequest* last, const std::function<void(RpcRdmaRequest&)>& ended)
    {
        bool found = false;
        while (!found && !m_posted.empty())
        {
            RpcRdmaRequest& request = *m_posted.front();
            m_posted.pop_front();
            request.sendPending = false;
            found = &request == last;
            ended(request);
        }
    }

  private:
    uint32_t m_batch;
    uint32_t m_left; ///< Work requests before the next signaled one.
    Ring<RpcRdmaRequest*> m_posted;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_POSTED_SENDS_H
