/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_FAILED_CALLS_H
#define NFSRDMA_RPCRDMA_SERVER_FAILED_CALLS_H

#include "wire/ip-address.h"

#include <cstdint>
#include <deque>
#include <utility>

namespace ns3::nfsrdma
{

/**
 * \brief The Calls whose RDMA operations were under way when their connection was lost by an error.
 *
 * A chunk that cannot be read or written ends the connection, and the requester sends the same Call
 * again on a new one, and so on for ever. RFC 8166 section 4.5.3: the responder should then answer
 * ERR_CHUNK. The requester's Terminate names the STag at fault: the Calls that offered it are
 * remembered, or, when it names none, the last ones with chunks; each until it comes again, the
 * oldest forgotten first.
 */
class SvcRdmaFailedCalls
{
  public:
    /// \param capacity Calls remembered at most; 0: none
    explicit SvcRdmaFailedCalls(uint32_t capacity);

    [[nodiscard]] uint32_t GetCapacity() const
    {
        return m_capacity;
    }

    [[nodiscard]] bool IsEmpty() const
    {
        return m_calls.empty();
    }

    /// \param client address of the requester, without its port
    void Add(const IpAddress& client, uint32_t xid);
    /// Forgets that Call. \return whether it was remembered.
    bool Take(const IpAddress& client, uint32_t xid);

  private:
    uint32_t m_capacity;
    std::deque<std::pair<IpAddress, uint32_t>> m_calls;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_FAILED_CALLS_H
