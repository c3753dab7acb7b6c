/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_FAULT_FOLLOWED_STREAM_H
#define NFSRDMA_TEST_FAULT_FOLLOWED_STREAM_H

#include "fault/connection-follower.h"

namespace ns3::nfsrdma::test
{

/// A connection that a test makes, and its follower. Side 0 is the initiator.
class FollowedStream
{
  public:
    /// \param framing of side 0's FPDUs
    /// \param preamble what each side says before its startup frame
    /// \param rejections how often side 1 rejects before it accepts
    explicit FollowedStream(FpduFraming framing,
                            const ByteVector& preamble = {},
                            uint32_t rejections = 0);

    /// \return the segment of \p side that has \p octets next.
    TcpSegment MakeSegment(std::size_t side, ByteSpan octets);
    /// \return an RDMA Write of \p size octets of payload, \p last of its message, framed.
    ByteVector MakeWrite(std::size_t size, bool last);
    /// \return names of the events of \p segment.
    std::vector<std::string> Take(std::size_t side, const TcpSegment& segment);

    ConnectionFollower follower{true};
    FollowedFrame frame; ///< Of the last Take().

  private:
    FpduFraming m_framing;
    uint32_t m_next[2]{1000, 4294967000U};
    uint64_t m_position{0};
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_FAULT_FOLLOWED_STREAM_H
