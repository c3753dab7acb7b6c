/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_SERIALIZER_CLOCK_H
#define NFSRDMA_LINK_SERIALIZER_CLOCK_H

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief When octets leave a port, in whole nanoseconds without drift.
 *
 * At 100 Gbit/s an octet takes 0.08 ns. Rounding each frame would make a saturated link too fast or
 * too slow; the fraction left over is carried to the next frame of a back-to-back run instead.
 */
class SerializerClock
{
  public:
    /// \param bitsPerSecond above zero
    void SetRate(uint64_t bitsPerSecond)
    {
        m_rate = bitsPerSecond;
        m_fraction = 0;
    }

    /// Starts a run after idle time: nothing is left over.
    void StartRun()
    {
        m_fraction = 0;
    }

    /// \return nanoseconds from the start of a frame until \p octets of it have left.
    [[nodiscard]] int64_t Peek(uint64_t octets) const
    {
        return static_cast<int64_t>((m_fraction + octets * BIT_NANOSECONDS) / m_rate);
    }

    /// \return as Peek(); the fraction is carried over.
    int64_t Advance(uint64_t octets)
    {
        const uint64_t total = m_fraction + octets * BIT_NANOSECONDS;
        m_fraction = total % m_rate;
        return static_cast<int64_t>(total / m_rate);
    }

  private:
    static constexpr uint64_t BIT_NANOSECONDS = 8'000'000'000ULL;

    uint64_t m_rate{1};
    uint64_t m_fraction{0}; ///< Bit-nanoseconds times 10^9 below one nanosecond.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_SERIALIZER_CLOCK_H
