/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_DDP_SEGMENT_HEADER_H
#define NFSRDMA_DDP_SEGMENT_HEADER_H

#include "wire/byte-reader.h"
#include "wire/byte-writer.h"
#include "wire/decode-error.h"

#include <cstdint>
#include <variant>

namespace ns3::nfsrdma
{

/// An RNIC-wide name of memory: 24 bits of index, 8 bits of key (RFC 5040 section 1.1).
using Stag = uint32_t;

/// DDP version in the DV field: that of RFC 5041.
inline constexpr uint8_t DDP_VERSION = 1;
/// DDP version of the RDMA Consortium's specification, RFC 5044 appendix C.
inline constexpr uint8_t DDP_VERSION_RDMAC = 0;

/**
 * \brief Header of a tagged DDP segment, RFC 5041 section 4.2: 14 octets.
 *
 *     | control 1 (T=1 L 0000 DV 2) | RsvdULP 1 | STag 4 | TO 8 |
 */
struct DdpTaggedHeader
{
    static constexpr uint32_t SIZE = 14;

    bool last{false};
    uint8_t rsvdUlp{0}; ///< The RDMAP control octet.
    Stag stag{0};
    uint64_t taggedOffset{0};
    uint8_t version{DDP_VERSION}; ///< DV, 0 to 3.

    void Encode(ByteWriter& writer) const;
};

/**
 * \brief Header of an untagged DDP segment, RFC 5041 section 4.3: 18 octets.
 *
 *     | control 1 (T=0 L 0000 DV 2) | RsvdULP 5 | QN 4 | MSN 4 | MO 4 |
 */
struct DdpUntaggedHeader
{
    static constexpr uint32_t SIZE = 18;

    bool last{false};
    uint8_t rsvdUlp{0};      ///< First octet of RsvdULP: the RDMAP control octet.
    uint32_t rsvdUlpWord{0}; ///< Other four: the STag to invalidate, or zero.
    uint32_t queueNumber{0};
    uint32_t messageSequenceNumber{0};
    uint32_t messageOffset{0};
    uint8_t version{DDP_VERSION}; ///< DV, 0 to 3.

    void Encode(ByteWriter& writer) const;
};

using DdpHeader = std::variant<DdpTaggedHeader, DdpUntaggedHeader>;

/// \return the octets of \p header on the wire.
[[nodiscard]] inline uint32_t
GetDdpHeaderSize(const DdpHeader& header)
{
    return std::holds_alternative<DdpTaggedHeader>(header) ? DdpTaggedHeader::SIZE
                                                           : DdpUntaggedHeader::SIZE;
}

/// \return the header at the reader; TRUNCATED, or BAD_VERSION when DV is not \p version. Reserved
/// bits are ignored.
[[nodiscard]] Decoded<DdpHeader> DecodeDdpHeader(ByteReader& reader, uint8_t version = DDP_VERSION);
/// \return the header at the reader whatever its DV, as a Terminate may hold a copy of it;
/// TRUNCATED.
[[nodiscard]] Decoded<DdpHeader> DecodeAnyDdpHeader(ByteReader& reader);
/// \return whether \p segment, with a header, is the last of its message (L).
[[nodiscard]] bool IsLastSegment(ByteSpan segment);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_DDP_SEGMENT_HEADER_H
