/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RDMAP_ATOMIC_MESSAGE_H
#define NFSRDMA_RDMAP_ATOMIC_MESSAGE_H

#include "ddp/segment-header.h"

namespace ns3::nfsrdma
{

/// Atomic operation codes, RFC 7306 section 5.2.1. A Swap is a CMP_SWAP whose compare mask is zero.
enum class AtomicOpcode : uint8_t
{
    FETCH_ADD = 0,
    CMP_SWAP = 2,
};

/**
 * \brief Atomic Request header, RFC 7306 section 5.2.1: 52 octets after the DDP header.
 *
 *     | reserved 28 bits, operation 4 bits | request identifier 4 | remote STag 4 | remote TO 8 |
 *     | add or swap data 8 | add or swap mask 8 | compare data 8 | compare mask 8 |
 */
struct AtomicRequest
{
    static constexpr uint32_t SIZE = 52;
    /// Octets of the operand in remote memory; its TO is a multiple of it.
    static constexpr uint32_t OPERAND_SIZE = 8;

    AtomicOpcode operation{AtomicOpcode::FETCH_ADD};
    uint32_t identifier{0}; ///< Comes back in the response.
    Stag remoteStag{0};
    uint64_t remoteOffset{0};
    uint64_t data{0}; ///< What to add, or to swap in.
    uint64_t mask{0}; ///< FETCH_ADD: most significant bits of fields; CMP_SWAP: bits to swap.
    uint64_t compareData{0}; ///< CMP_SWAP.
    uint64_t compareMask{0}; ///< CMP_SWAP: bits to compare.

    void Encode(ByteWriter& writer) const;
    /// \return the request; TRUNCATED, or BAD_VALUE for an operation not listed. Reserved bits are
    /// ignored.
    [[nodiscard]] static Decoded<AtomicRequest> Decode(ByteReader& reader);

    /**
     * \brief The operation itself, on \p value.
     *
     * FETCH_ADD: each bit set in mask is the most significant of a field; fields are added apart,
     * without carry between them. CMP_SWAP: when value and compareData agree in the bits of
     * compareMask, the bits of mask are taken from data.
     * \return what remote memory then holds
     */
    [[nodiscard]] uint64_t Apply(uint64_t value) const;
};

/**
 * \brief Atomic Response header, RFC 7306 section 5.2.2: 12 octets after the DDP header.
 *
 *     | original request identifier 4 | original remote data value 8 |
 */
struct AtomicResponse
{
    static constexpr uint32_t SIZE = 12;

    uint32_t identifier{0};
    uint64_t value{0}; ///< What remote memory held before.

    void Encode(ByteWriter& writer) const;
    [[nodiscard]] static Decoded<AtomicResponse> Decode(ByteReader& reader);
};

/// Immediate Data, RFC 7306 section 6.2: 8 octets after the DDP header, whatever they mean.
struct ImmediateData
{
    static constexpr uint32_t SIZE = 8;

    uint64_t value{0};

    void Encode(ByteWriter& writer) const
    {
        writer.WriteU64(value);
    }

    [[nodiscard]] static Decoded<ImmediateData> Decode(ByteReader& reader);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RDMAP_ATOMIC_MESSAGE_H
