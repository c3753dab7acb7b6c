/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_SECURITY_GSS_SEQUENCE_WINDOW_H
#define NFSRDMA_RPC_SECURITY_GSS_SEQUENCE_WINDOW_H

#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The acceptor's sequence window, RFC 2203 section 5.3.3.1: each number is taken once, and
 * none that lies a whole window or more below the highest one taken.
 */
class GssSequenceWindow
{
  public:
    /// \param size numbers that the window spans, at least 1
    explicit GssSequenceWindow(uint32_t size)
        : m_seen(size, false)
    {
    }

    /// \return true when \p number was not taken before and is not too old; it is taken then.
    [[nodiscard]] bool Take(uint32_t number)
    {
        const auto size = static_cast<uint32_t>(m_seen.size());
        if (m_empty || number > m_highest)
        {
            const uint32_t steps = m_empty ? size : number - m_highest;
            for (uint32_t step = 0; step < steps && step < size; ++step)
            {
                m_seen[(number - step) % size] = false;
            }
            m_empty = false;
            m_highest = number;
        }
        else if (m_highest - number >= size || m_seen[number % size])
        {
            return false;
        }
        m_seen[number % size] = true;
        return true;
    }

  private:
    std::vector<bool> m_seen; ///< By number modulo the size.
    uint32_t m_highest{0};
    bool m_empty{true};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_SECURITY_GSS_SEQUENCE_WINDOW_H
