/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ipsec/crypto-engine.h"

#include <algorithm>

namespace ns3::nfsrdma
{

#define SETTINGS_OF CryptoEngineSettings
#define SETTINGS_FILE "ipsec/crypto-engine.def"
#include "settings/rows.def"

CryptoEngine::CryptoEngine(const CryptoEngineSettings& settings)
    : m_settings(settings)
{
}

std::optional<Time>
CryptoEngine::Pass(Direction direction, uint64_t association, uint32_t octets, Time now)
{
    auto& pipeline = m_pipelines.at(direction);
    while (!pipeline.waiting.empty() && pipeline.waiting.front().begins <= now)
    {
        pipeline.octets -= pipeline.waiting.front().octets;
        pipeline.waiting.pop_front();
    }
    if (direction == DECRYPT && pipeline.octets + octets > m_settings.ipsecBuffer)
    {
        return std::nullopt;
    }
    const Time begins = std::max(now, pipeline.free);
    if (begins > now)
    {
        pipeline.waiting.push_back({begins, octets});
        pipeline.octets += octets;
    }
    Time taken;
    if (m_settings.ipsecSaCache > 0 &&
        !m_cache.Use(association, {m_settings.ipsecSaCache, 0, CacheReplacement::LRU}))
    {
        ++m_misses;
        taken += m_settings.ipsecSaMiss;
    }
    if (m_settings.ipsecRate.GetBitRate() > 0)
    {
        taken += m_settings.ipsecRate.CalculateBytesTxTime(octets);
    }
    pipeline.free = begins + taken;
    return pipeline.free + m_settings.ipsecLatency;
}

} // namespace ns3::nfsrdma
