/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_IPSEC_CRYPTO_ENGINE_H
#define NFSRDMA_IPSEC_CRYPTO_ENGINE_H

#include "host/context-cache.h"
#include "settings/setting.h"
#include "wire/ring.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/// What the crypto engine of an adapter costs: crypto-engine.def has the fields.
struct CryptoEngineSettings
{
#define SETTING(type, name, ...) type name{};
#include "ipsec/crypto-engine.def"
#undef SETTING

    /// \return a row for each field.
    [[nodiscard]] static const std::vector<Setting<CryptoEngineSettings>>& GetRows();
};

/**
 * \brief The time that an adapter's crypto engine takes: one pipeline for each direction, and one
 * cache of security associations for both.
 *
 *     waits -> association fetched, if it is not kept -> octets / rate -> latency -> done
 *
 * A packet begins when the one before it has left the rate behind it, and packets are done in their
 * order. What leaves waits without bound, since TCP's windows bound it; what comes has a buffer.
 */
class CryptoEngine
{
  public:
    enum Direction
    {
        ENCRYPT,
        DECRYPT
    };

    explicit CryptoEngine(const CryptoEngineSettings& settings);

    /// A packet comes at \p now, not before an earlier one of its direction.
    /// \param octets of the IP packet that it gets \param association any number that is of no
    /// other \return when it is done; nothing when the buffer has no room for it
    [[nodiscard]] std::optional<Time> Pass(Direction direction,
                                           uint64_t association,
                                           uint32_t octets,
                                           Time now);

    /// \return how often an association had to be fetched.
    [[nodiscard]] uint64_t GetMisses() const
    {
        return m_misses;
    }

  private:
    struct Waiting
    {
        Time begins;
        uint32_t octets;
    };

    /// One direction.
    struct Pipeline
    {
        Time free;             ///< For the next packet.
        Ring<Waiting> waiting; ///< Until they begin.
        uint64_t octets{0};    ///< Of them.
    };

    const CryptoEngineSettings& m_settings;
    std::array<Pipeline, 2> m_pipelines;
    ContextCache m_cache;
    uint64_t m_misses{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_IPSEC_CRYPTO_ENGINE_H
