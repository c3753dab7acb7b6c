/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_DDP_SEGMENTER_H
#define NFSRDMA_DDP_SEGMENTER_H

#include "ddp/segment-header.h"

namespace ns3::nfsrdma
{

/// One DDP segment of a message: its header, and which octets of the message follow it.
struct DdpSegment
{
    DdpHeader header;
    uint32_t headerSize{0};    ///< 14 or 18.
    uint32_t messageOffset{0}; ///< Offset of the payload in the message.
    uint32_t payloadLength{0};
    bool last{false};

    /// \return octets of the ULPDU.
    [[nodiscard]] uint32_t Size() const
    {
        return headerSize + payloadLength;
    }

    void EncodeHeader(ByteWriter& writer) const;
};

/**
 * \brief Cuts one DDP message into segments, RFC 5041 section 5.
 *
 * Tagged segments carry TO = start + offset, untagged ones MO = offset; only the last has L. The
 * payload of all but the last is a multiple of 4, so that MPA needs no pad there. A message of zero
 * octets is one segment.
 */
class DdpSegmenter
{
  public:
    /// \param version DV of all segments
    explicit DdpSegmenter(uint8_t version = DDP_VERSION);

    /// Begins a tagged message. \param rsvdUlp the RDMAP control octet
    void StartTagged(uint8_t rsvdUlp, Stag stag, uint64_t taggedOffset, uint32_t length);
    /**
     * \brief Begins an untagged message.
     * \param rsvdUlp the RDMAP control octet
     * \param rsvdUlpWord the STag to invalidate, or zero
     * \param msn sequence number in queue \p queueNumber
     */
    void StartUntagged(uint8_t rsvdUlp,
                       uint32_t rsvdUlpWord,
                       uint32_t queueNumber,
                       uint32_t msn,
                       uint32_t length);

    /// \return true while the message begun is not all cut.
    [[nodiscard]] bool IsActive() const
    {
        return m_active;
    }

    /// Drops what is left of the message.
    void Abandon()
    {
        m_active = false;
    }

    /// Cuts the next segment. Requires IsActive(). \param mulpdu its size limit, at least 128
    [[nodiscard]] DdpSegment Next(uint32_t mulpdu);

  private:
    void Start(uint32_t headerSize, uint32_t length);

    uint8_t m_version;
    DdpHeader m_header;
    uint32_t m_headerSize{0};
    uint64_t m_taggedStart{0};
    uint32_t m_length{0};
    uint32_t m_offset{0};
    bool m_active{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_DDP_SEGMENTER_H
