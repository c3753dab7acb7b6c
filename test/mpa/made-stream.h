/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_MPA_MADE_STREAM_H
#define NFSRDMA_TEST_MPA_MADE_STREAM_H

#include "mpa/fpdu-transmitter.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace ns3::nfsrdma
{

/// The octets of one direction in full operation, made by a FpduTransmitter, and what is in them.
class MadeStream
{
  public:
    explicit MadeStream(FpduFraming framing)
    {
        m_transmitter.StartFullOperation(framing);
    }

    void Add(ByteSpan ulpdu)
    {
        const auto lent = m_transmitter.Begin(static_cast<uint32_t>(ulpdu.size()));
        std::copy(ulpdu.begin(), ulpdu.end(), lent.begin());
        const ByteSpan fpdu = m_transmitter.Seal();
        starts.push_back(octets.size());
        ulpdus.emplace_back(ulpdu.begin(), ulpdu.end());
        octets.insert(octets.end(), fpdu.begin(), fpdu.end());
        m_transmitter.Advance(fpdu.size());
    }

    /// Adds a ULPDU of \p length octets that begin with \p first and count up.
    void AddPattern(std::size_t length, uint8_t first)
    {
        ByteVector ulpdu(length);
        std::iota(ulpdu.begin(), ulpdu.end(), first);
        Add(ulpdu);
    }

    [[nodiscard]] uint64_t EndOf(std::size_t fpdu) const
    {
        return fpdu + 1 < starts.size() ? starts[fpdu + 1] : octets.size();
    }

    [[nodiscard]] ByteSpan Cut(uint64_t begin, uint64_t end) const
    {
        return ByteSpan(octets).subspan(begin, end - begin);
    }

    ByteVector octets;
    std::vector<uint64_t> starts; ///< Of FPDUs, a marker before ULPDU_Length included.
    std::vector<ByteVector> ulpdus;

  private:
    FpduTransmitter m_transmitter;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_MPA_MADE_STREAM_H
