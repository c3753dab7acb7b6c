/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_REQUEST_SLOTS_H
#define NFSRDMA_RPCRDMA_CLIENT_REQUEST_SLOTS_H

#include "rpcrdma/client/request.h"
#include "wire/spare-octets.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/// The slots of a requester, made as they are needed: the one that was given back last is taken
/// first, as its buffers are warm (rb_send_bufs is a stack).
class RpcRdmaRequestSlots
{
  public:
    RpcRdmaRequest& Take()
    {
        if (m_free.empty())
        {
            m_free.push_back(m_requests.size());
            m_requests.push_back(std::make_unique<RpcRdmaRequest>());
            m_requests.back()->slot = m_free.back();
        }
        RpcRdmaRequest& request = *m_requests[m_free.back()];
        m_free.pop_back();
        return request;
    }

    void Release(RpcRdmaRequest& request)
    {
        SpareOctets::Give(std::move(request.reply));
        m_free.push_back(request.slot);
    }

    /// \return slots in use.
    [[nodiscard]] std::size_t CountUsed() const
    {
        return m_requests.size() - m_free.size();
    }

    /// Forgets all slots, in use or not, with their calls.
    void Clear()
    {
        m_requests.clear();
        m_free.clear();
    }

  private:
    std::vector<std::unique_ptr<RpcRdmaRequest>> m_requests;
    std::vector<uint32_t> m_free;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_REQUEST_SLOTS_H
