/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_OPTIONS_H
#define NFSRDMA_TOE_OPTIONS_H

#include "wire/byte-writer.h"
#include "wire/bytes.h"
#include "wire/decode-error.h"

#include <array>
#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/// The timestamps option, RFC 7323 section 3.2.
struct TcpTimestamps
{
    uint32_t value{0}; ///< TSval: the sender's clock.
    uint32_t echo{0};  ///< TSecr: the latest that came from the peer; 0 without ACK.
};

/// A range of sequence numbers that has arrived, RFC 2018 section 3: from begin up to before end.
struct SackRange
{
    uint32_t begin{0};
    uint32_t end{0};
};

/// The blocks of a SACK option, in their order; at most MOST.
class SackRanges
{
  public:
    static constexpr uint32_t MOST = 4; ///< As many as fit 40 octets of options.

    /// Adds \p range unless there are MOST. \return whether it was added
    bool Add(SackRange range)
    {
        if (m_size == MOST)
        {
            return false;
        }
        m_ranges[m_size++] = range;
        return true;
    }

    [[nodiscard]] uint32_t GetSize() const
    {
        return m_size;
    }

    [[nodiscard]] const SackRange* begin() const
    {
        return m_ranges.data();
    }

    [[nodiscard]] const SackRange* end() const
    {
        return m_ranges.data() + m_size;
    }

  private:
    std::array<SackRange, MOST> m_ranges{};
    uint32_t m_size{0};
};

/**
 * \brief The options of a TCP header, RFC 9293 section 3.2.
 *
 *     kind  length  what
 *        0          end of the list
 *        1          nothing, for alignment
 *        2       4  maximum segment size (RFC 9293 section 3.7.1)
 *        3       3  window scale (RFC 7323 section 2.2)
 *        4       2  SACK permitted (RFC 2018 section 2)
 *        5  2 + 8n  SACK, n ranges (RFC 2018 section 3)
 *        8      10  timestamps (RFC 7323 section 3.2)
 *
 * Others are skipped by their length. Encode() lays them out as Linux does (tcp_options_write of
 * net/ipv4/tcp_output.c), each at a multiple of four octets: what Linux sends is decoded and
 * encoded to the same octets.
 */
struct TcpOptions
{
    static constexpr uint32_t MOST_OCTETS = 40;
    static constexpr uint32_t TIMESTAMP_OCTETS = 12; ///< With what aligns it.
    static constexpr uint8_t MOST_WINDOW_SCALE = 14; ///< RFC 7323 section 2.3.

    std::optional<uint16_t> maximumSegmentSize; ///< Octets of payload.
    std::optional<uint8_t> windowScale;         ///< As it came, above 14 too.
    bool sackPermitted{false};
    std::optional<TcpTimestamps> timestamps;
    SackRanges sack;

    /// \return octets that Encode() writes, a multiple of 4.
    [[nodiscard]] uint32_t GetSize() const;
    /// \return how many ranges of SACK fit beside the timestamps, if they are there.
    [[nodiscard]] static uint32_t MostSackRanges(bool timestamps);

    /**
     * \param octets the options of a header, all of them
     * \return TRUNCATED when an option ends behind the header, BAD_VALUE when its length is less
     * than its kind and length take, or not that of its kind. Of one that comes twice the last
     * counts.
     */
    static Decoded<TcpOptions> Decode(ByteSpan octets);
    /// Writes GetSize() octets, which must be MOST_OCTETS or less.
    void Encode(ByteWriter& writer) const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_OPTIONS_H
