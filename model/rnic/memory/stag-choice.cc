/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory/stag-choice.h"

#include "rnic/memory/stag-index-permutation.h"

#include <limits>

namespace ns3::nfsrdma
{

StagChoice::StagChoice(const RnicDefences& defences, StagTable& table)
    : m_defences(defences),
      m_table(table)
{
}

UniformRandomVariable&
StagChoice::GetRandom()
{
    if (!m_random)
    {
        m_random = CreateObject<UniformRandomVariable>();
    }
    return *m_random;
}

void
StagChoice::OrderIndices()
{
    if (m_defences.stagIndices == RnicDefences::SEQUENTIAL)
    {
        return;
    }
    StagIndexPermutation::Keys keys{};
    for (uint32_t& key : keys)
    {
        key = GetRandom().GetInteger(0, std::numeric_limits<uint32_t>::max());
    }
    m_table.Scatter(StagIndexPermutation(keys));
}

void
StagChoice::AssignStream(int64_t stream)
{
    if (m_defences.stagIndices == RnicDefences::SCATTERED ||
        m_defences.stagKeys == RnicDefences::RANDOM)
    {
        GetRandom().SetStream(stream);
        OrderIndices();
    }
}

uint8_t
StagChoice::ChooseKey(uint8_t previous)
{
    uint32_t step = 1;
    switch (m_defences.stagKeys)
    {
    case RnicDefences::COUNTER:
        break;
    case RnicDefences::RANDOM:
        step = GetRandom().GetInteger(1, std::numeric_limits<uint8_t>::max());
        break;
    case RnicDefences::FIXED:
        step = 0;
        break;
    }
    return static_cast<uint8_t>(previous + step);
}

} // namespace ns3::nfsrdma
