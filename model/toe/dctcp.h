/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_DCTCP_H
#define NFSRDMA_TOE_DCTCP_H

#include "toe/new-reno.h"

namespace ns3::nfsrdma
{

/// RFC 8257: as NewReno, but a mark takes as much of the window as half the share of octets that
/// have been marked of late.
class Dctcp : public NewReno
{
  public:
    [[nodiscard]] std::string_view GetName() const override
    {
        return "dctcp";
    }

    [[nodiscard]] bool CountsMarks() const override
    {
        return true;
    }

    [[nodiscard]] uint64_t ReduceForMark(const CongestionWindow& window, Time now) override;
    void Observe(Position acknowledged, Position sentEnd, uint64_t octets, bool echo) override;

    /// \return DCTCP.Alpha of RFC 8257 section 3.3, in parts of MOST_ALPHA.
    [[nodiscard]] uint32_t GetAlpha() const
    {
        return m_alpha;
    }

    static constexpr uint32_t MOST_ALPHA = 1024; ///< Linux's unit.

  private:
    uint32_t m_alpha{MOST_ALPHA};
    uint64_t m_octets{0};
    uint64_t m_marked{0};
    Position m_windowEnd{0}; ///< Of the round trip that is observed.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_DCTCP_H
