/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_IPSEC_KEY_MATERIAL_H
#define NFSRDMA_IPSEC_KEY_MATERIAL_H

#include "ipsec/aes-gcm.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// One of the security associations that follow each other from one host to another.
struct AssociationName
{
    uint64_t seed{0};       ///< Of the run.
    uint32_t sender{0};     ///< Number of the host.
    uint32_t receiver{0};   ///< Number of the host.
    uint32_t generation{0}; ///< From 0; one more with each rekey.

    /**
     * \return its SPI, which hosts need not agree on by messages:
     *
     *     sender + 1, 16 bits | generation modulo 65536, 16 bits
     *
     * SPIs below 256 are reserved (RFC 4303 section 2.1), and are of none.
     */
    [[nodiscard]] uint32_t GetSpi() const
    {
        constexpr unsigned GENERATION_BITS = 16;
        return (sender + 1U) << GENERATION_BITS | static_cast<uint16_t>(generation);
    }

    /// Hosts that can have numbers.
    static constexpr uint32_t MOST_HOSTS = 65535;
};

/**
 * \brief The keys of an association: the first octets of SHA-512 over a label, its name and the
 * suite.
 *
 * Both hosts know them without IKE, as from the controller of RFC 9061 (its IKE-less case); the
 * scenario's seed stands for what a controller would draw at random.
 */
[[nodiscard]] EspKey DeriveEspKey(const AssociationName& name, EspSuite suite);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_IPSEC_KEY_MATERIAL_H
