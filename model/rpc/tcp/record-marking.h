/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_TCP_RECORD_MARKING_H
#define NFSRDMA_RPC_TCP_RECORD_MARKING_H

#include "wire/bytes.h"
#include "wire/decode-error.h"

#include <array>
#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

// Record marking, RFC 5531 section 11: on a byte stream each RPC message is a record, a record is
// one fragment or several, and a fragment is a word (bit 0x80000000: last of its record; the rest:
// its length in octets) and that many octets.

/// The word before a fragment.
struct RpcFragmentHeader
{
    static constexpr uint32_t SIZE = 4;
    static constexpr uint32_t MAX_LENGTH = 0x7fffffff;

    uint32_t length{0}; ///< Octets of the fragment, the header not counted.
    bool last{false};   ///< Of its record.

    [[nodiscard]] std::array<uint8_t, SIZE> Encode() const;
    /// \param octets at least SIZE
    [[nodiscard]] static RpcFragmentHeader Decode(ByteSpan octets);
};

/**
 * \brief A record as it goes on the stream.
 * \param message the octets of an RPC message, at least one
 * \param maxFragment octets of a fragment at most, 1 to RpcFragmentHeader::MAX_LENGTH
 */
[[nodiscard]] ByteVector MarkRecord(ByteSpan message,
                                    uint32_t maxFragment = RpcFragmentHeader::MAX_LENGTH);

/**
 * \brief Takes a stream apart into records, in whatever pieces it comes.
 */
class RecordMarkingDecoder
{
  public:
    /// \param maxRecord octets of a record at most
    explicit RecordMarkingDecoder(uint32_t maxRecord);

    /**
     * \brief Takes octets up to the end of the record under way.
     * \param octets what the stream has delivered; what is taken is cut off in front
     * \return the record when it is complete; nothing when \p octets are used up before; TOO_LONG
     * when the record passes the limit, as soon as a fragment header says so: then the stream is of
     * no use any more, and each further call says the same.
     */
    [[nodiscard]] Decoded<std::optional<ByteVector>> Take(ByteSpan& octets);

    /// \return whether a record is under way.
    [[nodiscard]] bool IsInside() const
    {
        return m_headerOctets > 0 || !m_record.empty();
    }

  private:
    [[nodiscard]] bool TakeHeader(ByteSpan& octets);

    uint32_t m_maxRecord;
    std::array<uint8_t, RpcFragmentHeader::SIZE> m_header{};
    uint32_t m_headerOctets{0}; ///< Of m_header, that have come.
    RpcFragmentHeader m_fragment;
    uint32_t m_left{0}; ///< Octets of the fragment that are still to come.
    ByteVector m_record;
    bool m_tooLong{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_TCP_RECORD_MARKING_H
