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

    /// \param slots of the connection, or requests of its pool if those are fewer, so that some
    /// request is always free to send the signaled work request that ends the wait of the others
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
        m_posted.push_back({&request, send.signaled});
    }

    /// A signaled Send has completed.
    /// \param ended told of each request whose Send is not pending any more, oldest first
    void EndNext(const std::function<void(RpcRdmaRequest&)>& ended)
    {
        bool found = false;
        while (!found && !m_posted.empty())
        {
            found = m_posted.front().signaled;
            EndFirst(ended);
        }
    }

    /// No Send will complete.
    void EndAll(const std::function<void(RpcRdmaRequest&)>& ended)
    {
        while (!m_posted.empty())
        {
            EndFirst(ended);
        }
    }

    /// Whoever owns \p request does not wait for its Send, which is pending.
    void Forget(RpcRdmaRequest& request)
    {
        const auto posted =
            std::find_if(m_posted.begin(), m_posted.end(), [&request](const Posted& one) {
                return one.request == &request;
            });
        posted->request = nullptr;
        request.sendPending = false;
    }

  private:
    struct Posted
    {
        RpcRdmaRequest* request{nullptr}; ///< Null: nobody waits.
        bool signaled{false};
    };

    void EndFirst(const std::function<void(RpcRdmaRequest&)>& ended)
    {
        RpcRdmaRequest* request = m_posted.front().request;
        m_posted.pop_front();
        if (request != nullptr)
        {
            request->sendPending = false;
            ended(*request);
        }
    }

    uint32_t m_batch;
    uint32_t m_left; ///< Work requests before the next signaled one.
    Ring<Posted> m_posted;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_POSTED_SENDS_H
