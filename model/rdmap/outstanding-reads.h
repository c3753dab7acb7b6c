/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RDMAP_OUTSTANDING_READS_H
#define NFSRDMA_RDMAP_OUTSTANDING_READS_H

#include "rdmap/read-request.h"
#include "rdmap/terminate-message.h"
#include "wire/ring.h"

#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/**
 * \brief The RDMA Reads and atomic operations this side has requested and that are not all
 * answered, oldest first.
 *
 * Responses come in the order of the requests (RFC 5040 section 5.5), so each must continue the
 * answer to the oldest.
 */
class OutstandingReads
{
  public:
    /// A Read Request has been emitted.
    void Add(const RdmaReadRequest& request)
    {
        m_requests.push_back({Kind::READ, request, 0});
    }

    /// An Atomic Request has been emitted.
    void AddAtomic(uint32_t identifier)
    {
        m_requests.push_back({Kind::ATOMIC, {}, identifier});
    }

    /// MPA has sent the Read Request that told the responder to go ahead (RFC 6581), before all
    /// others.
    void AddReadyToReceive()
    {
        m_requests.push_back({Kind::READY_TO_RECEIVE, {}, 0});
    }

    /**
     * \brief Checks a Read Response segment against the oldest Read and counts its payload.
     *
     * The answer to a Read of length zero names any STag and TO (RFC 5041 section 5.2).
     * \return 0/2/06 when no Read is the oldest request, 1/1/00 for another STag than the sink's,
     * 1/1/01 for a TO that is not the next, for octets beyond the length asked for, and for a last
     * segment before all of them
     */
    [[nodiscard]] tl::expected<void, TerminateReason> Accept(const DdpTaggedHeader& header,
                                                             uint32_t payloadLength);
    /// Checks an Atomic Response. \return 0/2/06 when no Atomic Request is the oldest request,
    /// 0/2/ff for another identifier
    [[nodiscard]] tl::expected<void, TerminateReason> AcceptAtomic(uint32_t identifier) const;
    /// \return true when a Read Response segment may be placed ahead of its turn: it lies in what
    /// is still to come of one Read's sink, and touches no other's.
    [[nodiscard]] bool Covers(const DdpTaggedHeader& header, uint32_t payloadLength) const;
    /// The oldest request is answered.
    void Complete();

    [[nodiscard]] uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_requests.size());
    }

    /// \return true until the request of AddReadyToReceive() is answered.
    [[nodiscard]] bool AwaitsReadyToReceive() const
    {
        return !m_requests.empty() && m_requests.front().kind == Kind::READY_TO_RECEIVE;
    }

  private:
    enum class Kind
    {
        READ,
        ATOMIC,
        READY_TO_RECEIVE
    };

    struct Request
    {
        Kind kind{Kind::READ};
        RdmaReadRequest read;   ///< Of length zero for READY_TO_RECEIVE.
        uint32_t identifier{0}; ///< Of an ATOMIC.
    };

    Ring<Request> m_requests;
    uint32_t m_received{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RDMAP_OUTSTANDING_READS_H
