/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/receive-budget.h"

#include "ns3/assert.h"

#include <algorithm>
#include <limits>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint64_t ANY = std::numeric_limits<uint64_t>::max();

uint64_t
TakeAway(uint64_t from, uint64_t amount)
{
    return from - std::min(from, amount);
}

} // namespace

SvcRdmaReceiveBudget::SvcRdmaReceiveBudget(uint64_t maxReceives, uint64_t maxOctets)
    : m_maxReceives(maxReceives),
      m_maxOctets(maxOctets)
{
}

bool
SvcRdmaReceiveBudget::Take(uint32_t octets)
{
    if (GetRoom(octets) == 0)
    {
        return false;
    }
    ++m_receives;
    m_octets += octets;
    m_peakOctets = std::max(m_peakOctets, m_octets);
    m_peakReceives = std::max(m_peakReceives, m_receives);
    Check();
    return true;
}

void
SvcRdmaReceiveBudget::Give(uint32_t octets)
{
    NS_ASSERT_MSG(m_receives > 0 && octets <= m_octets, "a receive buffer that was not taken");
    --m_receives;
    m_octets -= octets;
    Check();
    if (m_given)
    {
        m_given();
    }
}

void
SvcRdmaReceiveBudget::Check() const
{
    NS_ASSERT_MSG(m_maxReceives == 0 || m_receives <= m_maxReceives, "more receives than shared");
    NS_ASSERT_MSG(m_maxOctets == 0 || m_octets <= m_maxOctets, "receive buffers pass their limit");
    NS_ASSERT_MSG(m_receives > 0 || m_octets == 0, "octets of no receive buffer");
}

uint64_t
SvcRdmaReceiveBudget::GetRoom(uint32_t octets, uint64_t kept, uint32_t keptOctets) const
{
    uint64_t room = ANY;
    if (m_maxReceives != 0)
    {
        room = TakeAway(m_maxReceives - m_receives, kept);
    }
    if (m_maxOctets != 0)
    {
        room = std::min(room, TakeAway(m_maxOctets - m_octets, kept * keptOctets) / octets);
    }
    return room;
}

uint64_t
SvcRdmaReceiveBudget::GetCapacity(uint32_t octets) const
{
    const uint64_t receives = m_maxReceives == 0 ? ANY : m_maxReceives;
    return m_maxOctets == 0 ? receives : std::min(receives, m_maxOctets / octets);
}

} // namespace ns3::nfsrdma
