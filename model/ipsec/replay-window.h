/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_IPSEC_REPLAY_WINDOW_H
#define NFSRDMA_IPSEC_REPLAY_WINDOW_H

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Which sequence numbers a receiver of ESP has seen (RFC 4303 section 3.4.3): of the last so
 * many up to the highest, each; all before count as seen.
 *
 *     Check() -> the packet's integrity -> Accept()
 *
 * so that what is not authentic moves nothing. Of extended sequence numbers, 64 bits, the wire has
 * the low half; the other is the one that brings the number nearest to the window (RFC 4303
 * appendix A2.2).
 */
class ReplayWindow
{
  public:
    /// \param size sequence numbers; 0: nothing is a replay \param extended numbers have 64 bits
    ReplayWindow(uint32_t size, bool extended);

    /// \return the whole number that \p low is the low half of; nothing when it is a replay, is
    /// older than the window, or is 0, which no sender uses.
    [[nodiscard]] std::optional<uint64_t> Check(uint32_t low) const;
    /// The packet of \p sequence, as Check() gave it, is authentic.
    void Accept(uint64_t sequence);

    /// \return the highest number accepted; 0: none.
    [[nodiscard]] uint64_t GetHighest() const
    {
        return m_highest;
    }

  private:
    [[nodiscard]] uint64_t Extend(uint32_t low) const;

    uint64_t m_size;
    bool m_isExtended;
    uint64_t m_highest{0};
    std::vector<bool> m_seen; ///< By number modulo the size.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_IPSEC_REPLAY_WINDOW_H
