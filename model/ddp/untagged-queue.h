/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_DDP_UNTAGGED_QUEUE_H
#define NFSRDMA_DDP_UNTAGGED_QUEUE_H

#include "ddp/buffer-error.h"
#include "ddp/segment-header.h"

#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/// Untagged queues, RFC 5040 section 4.2; ATOMIC_RESPONSE is of RFC 7306.
enum class DdpQueue : uint32_t
{
    SEND = 0,
    READ_REQUEST = 1,
    TERMINATE = 2,
    ATOMIC_RESPONSE = 3,
};

/**
 * \brief Checks that the segments of one untagged queue come in order, RFC 5041 sections 5.2 and 6.
 *
 * For a receiver below which order is kept: one message at a time, MSN from 1 and up by one a
 * message modulo 2^32, MO without gap or overlap.
 */
class DdpUntaggedQueue
{
  public:
    static constexpr uint32_t FIRST_MSN = 1;
    /// Octets of the longest untagged message.
    static constexpr uint32_t MAX_MESSAGE = 0xffffffff;

    /// \param firstMsn number of the first message
    explicit DdpUntaggedQueue(uint32_t firstMsn = FIRST_MSN);

    /**
     * \brief Takes the next segment.
     * \return UNTAGGED_MSN_RANGE when it is not of the message expected, UNTAGGED_INVALID_MO when
     * it does not begin where the last ended, UNTAGGED_TOO_LONG when it passes MAX_MESSAGE
     */
    [[nodiscard]] tl::expected<void, DdpError> Accept(const DdpUntaggedHeader& header,
                                                      uint32_t payloadLength);

    /// \return true when the segment has not come yet: it goes on with the message under way, at or
    /// beyond the offset expected, or is of one of the 2^31 - 1 messages that follow. Its message
    /// stays within MAX_MESSAGE.
    [[nodiscard]] bool IsAhead(const DdpUntaggedHeader& header, uint32_t payloadLength) const;

    /// \return number of the message under way, or of the next when none is.
    [[nodiscard]] uint32_t GetMsn() const
    {
        return m_msn;
    }

  private:
    uint32_t m_msn;
    uint32_t m_messageOffset{0};
};

/// \return TAGGED_WRAP when \p length octets from \p header's TO on pass 2^64, RFC 5041
/// section 7.1.
[[nodiscard]] tl::expected<void, DdpError> CheckTaggedRange(const DdpTaggedHeader& header,
                                                            uint32_t length);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_DDP_UNTAGGED_QUEUE_H
