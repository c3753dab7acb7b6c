/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_MTU_SEARCH_H
#define NFSRDMA_TOE_MTU_SEARCH_H

#include "toe/engine-settings.h"
#include "toe/sequence-space.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief The search for the largest segment that a path carries, without help of its routers: RFC
 * 4821 section 7, as Linux has it (tcp_mtu_probe() of net/ipv4/tcp_output.c).
 *
 * Between what is known to pass and what is known not to, or is more than the ends take, the middle
 * is tried, one probe at a time, until less than probeThreshold lies between; after probeInterval
 * all up to the ceiling is tried anew. Sizes are octets of payload.
 */
class MtuSearch
{
  public:
    explicit MtuSearch(const TcpEngineSettings& settings)
        : m_settings(settings)
    {
    }

    /// Segments of \p low octets pass; the ends take \p ceiling.
    void Begin(uint32_t low, uint32_t ceiling, Time now);

    [[nodiscard]] bool IsOn() const
    {
        return m_ceiling > 0;
    }

    /// Nothing above \p most passes: a router says so. \return what is known to pass
    uint32_t Limit(uint32_t most);

    /// \return octets of the probe that is to be sent at \p now; 0: none.
    [[nodiscard]] uint32_t Next(Time now);
    /// The probe is on its way.
    void Send(Position begin, Position end);

    [[nodiscard]] bool IsUnderWay() const
    {
        return m_end > m_begin;
    }

    [[nodiscard]] Position GetBegin() const
    {
        return m_begin;
    }

    [[nodiscard]] Position GetEnd() const
    {
        return m_end;
    }

    /// The probe has arrived. \return what is known to pass
    uint32_t Succeed();
    /// The probe is lost, and nothing else.
    void Fail();
    /// Whatever becomes of the probe tells nothing.
    void Cancel();

  private:
    const TcpEngineSettings& m_settings;
    uint32_t m_low{0};
    uint32_t m_high{0};
    uint32_t m_ceiling{0}; ///< 0: off.
    Time m_since;
    Position m_begin{0}; ///< Of the probe.
    Position m_end{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_MTU_SEARCH_H
