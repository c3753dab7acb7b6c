/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_RECEIVED_RANGES_H
#define NFSRDMA_TOE_RECEIVED_RANGES_H

#include "toe/sequence-space.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/// Places from begin up to before end.
struct SequenceRange
{
    Position begin{0};
    Position end{0};
};

/**
 * \brief Which octets of a stream have arrived: all up to one place, and ranges behind gaps.
 */
class ReceivedRanges
{
  public:
    /// What a segment has changed.
    struct Change
    {
        std::vector<SequenceRange> added;       ///< What was not there; ascending.
        std::optional<SequenceRange> duplicate; ///< The first that was there already.
        bool advanced{false};                   ///< GetNext() has changed.
    };

    /// The octets from \p begin up to before \p end, one or more, have arrived.
    Change Add(Position begin, Position end);

    /// \return place of the next octet that is missing.
    [[nodiscard]] Position GetNext() const
    {
        return m_next;
    }

    /// \return the ranges behind gaps, that of the latest segment first (RFC 2018 section 4).
    [[nodiscard]] const std::vector<SequenceRange>& GetRanges() const
    {
        return m_ranges;
    }

    /// \return octets that have arrived behind gaps.
    [[nodiscard]] uint64_t GetOctets() const;

  private:
    Position m_next{FIRST_OCTET};
    std::vector<SequenceRange> m_ranges; ///< They neither overlap nor touch.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_RECEIVED_RANGES_H
