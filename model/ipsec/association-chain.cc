/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ipsec/association-chain.h"

#include <utility>

namespace ns3::nfsrdma
{

OutboundChain::OutboundChain(const AssociationName& first,
                             const AssociationTraits& traits,
                             Time rekeyDelay)
    : m_name(first),
      m_traits(traits),
      m_rekeyDelay(rekeyDelay)
{
}

void
OutboundChain::Make(Time now)
{
    m_current = std::make_unique<SecurityAssociation>(m_name.GetSpi(),
                                                      DeriveEspKey(m_name, m_traits.suite),
                                                      m_traits,
                                                      now);
}

SecurityAssociation&
OutboundChain::GetCurrent(Time now)
{
    if (!m_current)
    {
        Make(now);
    }
    if (!m_switches && m_current->IsSoftExpired(now))
    {
        m_switches = now + m_rekeyDelay;
    }
    if (m_switches && *m_switches <= now)
    {
        m_switches.reset();
        ++m_name.generation;
        Make(now);
    }
    return *m_current;
}

InboundChain::InboundChain(const AssociationName& first,
                           const AssociationTraits& traits,
                           Time overlap)
    : m_name(first),
      m_traits(traits),
      m_overlap(overlap)
{
}

std::unique_ptr<SecurityAssociation>
InboundChain::Make(uint32_t generation, Time now) const
{
    AssociationName name = m_name;
    name.generation = generation;
    return std::make_unique<SecurityAssociation>(name.GetSpi(),
                                                 DeriveEspKey(name, m_traits.suite),
                                                 m_traits,
                                                 now);
}

SecurityAssociation*
InboundChain::Find(uint32_t spi, Time now)
{
    if (!m_current)
    {
        m_current = Make(m_name.generation, now);
        m_nextGeneration = m_name.generation + 1;
        m_next = Make(m_nextGeneration, now);
    }
    constexpr uint16_t MOST_AHEAD = 0x7fff; // The generations in an SPI are modulo 65536.
    const auto ahead = static_cast<uint16_t>(spi - m_current->GetSpi());
    if (ahead > 0 && ahead <= MOST_AHEAD && m_next->GetSpi() != spi)
    {
        m_nextGeneration = m_name.generation + ahead;
        m_next = Make(m_nextGeneration, now);
    }
    if (m_previous && m_previousEnds <= now)
    {
        m_previous.reset();
    }
    for (const auto* each : {&m_current, &m_next, &m_previous})
    {
        if (*each && (*each)->GetSpi() == spi)
        {
            return each->get();
        }
    }
    return nullptr;
}

void
InboundChain::Used(const SecurityAssociation& association, Time now)
{
    if (&association != m_next.get())
    {
        return;
    }
    m_name.generation = m_nextGeneration;
    m_previous = std::exchange(m_current, std::move(m_next));
    m_previousEnds = now + m_overlap;
    ++m_nextGeneration;
    m_next = Make(m_nextGeneration, now);
}

} // namespace ns3::nfsrdma
