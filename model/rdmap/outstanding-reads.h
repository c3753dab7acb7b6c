/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RDMAP_OUTSTANDING_READS_H
#define NFSRDMA_RDMAP_OUTSTANDING_READS_H

#include "rdmap/read-request.h"
#include "rdmap/terminate-message.h"

#include <deque>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/**
 * \brief The RDMA Reads this side has requested and that are not all answered, oldest first.
 *
 * Read Responses come in the order of the requests (RFC 5040 section 5.5), so each segment must
 * continue the answer to the oldest.
 */
class OutstandingReads
{
  public:
    /// A Read Request has been emitted.
    void Add(const RdmaReadRequest& request);

    /**
     * \brief Checks a Read Response segment against the oldest Read and counts its payload.
     * \return 0/2/06 when no Read is outstanding, 1/1/00 for another STag than the sink's, 1/1/01
     * for a TO that is not the next, for octets beyond the length asked for, and for a last segment
     * before all of them
     */
    [[nodiscard]] tl::expected<void, TerminateReason> Accept(const DdpTaggedHeader& header,
                                                             uint32_t payloadLength);
    /// The oldest Read is answered.
    void Complete();

    [[nodiscard]] uint32_t GetCount() const;

  private:
    std::deque<RdmaReadRequest> m_requests;
    uint32_t m_received{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RDMAP_OUTSTANDING_READS_H
