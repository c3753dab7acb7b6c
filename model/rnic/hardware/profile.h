/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_PROFILE_H
#define NFSRDMA_RNIC_HARDWARE_PROFILE_H

#include "host/context-cache.h"
#include "rnic/queue/fault-status.h"
#include "settings/setting.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief What the steps of an RNIC cost, what its silicon can hold, and where RNICs and their
 * drivers differ in what a consumer sees: a profile. profile.def has the fields.
 *
 * RnicClocks tells how the costs add up.
 */
struct RnicSettings
{
    /// When the consumer of a responder hears that its connection is established.
    enum Established
    {
        REPLY, ///< Once the Reply has been sent, or the ready-to-receive FPDU agreed on has come.
        FIRST_FPDU ///< Once the first FPDU has come.
    };

#define SETTING(type, name, ...) type name{};
#include "rnic/hardware/profile.def"
#undef SETTING

    [[nodiscard]] static const std::vector<Setting<RnicSettings>>& GetRows();

    /// \return host time of a thread that registers \p pages as a regular region.
    [[nodiscard]] Time GetHostRegistration(uint64_t pages) const
    {
        return hostRegisterBase + hostRegisterPerPage * static_cast<int64_t>(pages);
    }

    /// \return host time of a thread that destroys a regular region of \p pages.
    [[nodiscard]] Time GetHostDeregistration(uint64_t pages) const
    {
        return hostDeregisterBase + hostDeregisterPerPage * static_cast<int64_t>(pages);
    }
};

/**
 * \brief What a device and its consumers do against peers that break rules: how STags are chosen,
 * what a protection domain is for, and what a peer may ask of a listener. defences.def has the
 * fields.
 *
 * RFC 8166 section 8.1 asks for keys that change, and for memory that is open to one connection
 * only; RFC 5044 section 7.1.2 rule 10 for limits to startup.
 */
struct RnicDefences
{
    /// What the key of an STag is at the next registration of its region.
    enum StagKeys
    {
        COUNTER, ///< One more, as Linux's users of fast registration do.
        RANDOM,  ///< Any other.
        FIXED    ///< The same: an STag once seen is good for ever.
    };

    /// In which order STag indices are handed out.
    enum StagIndices
    {
        SEQUENTIAL, ///< Each the one after the last.
        SCATTERED   ///< A random order of all 2^24 - 1 (StagIndexPermutation).
    };

    /// What shares a protection domain.
    enum ProtectionDomains
    {
        CONNECTION, ///< The objects of one connection.
        DEVICE      ///< All connections of a device.
    };

#define SETTING(type, name, ...) type name{};
#include "rnic/hardware/defences.def"
#undef SETTING

    [[nodiscard]] static const std::vector<Setting<RnicDefences>>& GetRows();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_PROFILE_H
