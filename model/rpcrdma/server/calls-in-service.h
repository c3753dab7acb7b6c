/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_CALLS_IN_SERVICE_H
#define NFSRDMA_RPCRDMA_SERVER_CALLS_IN_SERVICE_H

#include "rdmap/terminate-message.h"
#include "rpcrdma/server/responder-settings.h"
#include "wire/ip-address.h"
#include "wire/ring.h"

#include <cstdint>
#include <memory>
#include <set>

namespace ns3::nfsrdma
{

/**
 * \brief Calls of one connection that the responder has taken and not answered, and the last ones
 * with chunks, answered or not: the requester's Terminate may speak of one of them.
 */
class SvcRdmaCallsInService
{
  public:
    /// \param failed calls of all connections
    /// \param discardsDuplicates whether a Call is not served while one of its XID is
    SvcRdmaCallsInService(std::shared_ptr<SvcRdmaFailedCalls> failed, bool discardsDuplicates);

    /// \return DUPLICATE_XID, or FAILED_BEFORE, which is forgotten with that, or NONE.
    [[nodiscard]] CallFault Check(const IpAddress& client, uint32_t xid) const;
    void Add(const std::shared_ptr<const SvcRdmaCall>& call);
    void End(const SvcRdmaCall& call);
    /// The requester's Terminate has come: the calls that it may speak of have failed (RFC 8166
    /// section 4.5.3).
    void HandleTerminate(const TerminateMessage& message);

    [[nodiscard]] uint32_t GetCount() const
    {
        return m_count;
    }

  private:
    std::shared_ptr<SvcRdmaFailedCalls> m_failed;
    bool m_discardsDuplicates;
    uint32_t m_count{0};
    std::set<uint32_t> m_xids;                         ///< When duplicates are discarded.
    Ring<std::shared_ptr<const SvcRdmaCall>> m_recent; ///< With chunks; oldest first.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_CALLS_IN_SERVICE_H
