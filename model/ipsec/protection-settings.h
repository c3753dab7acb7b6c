/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_IPSEC_PROTECTION_SETTINGS_H
#define NFSRDMA_IPSEC_PROTECTION_SETTINGS_H

#include "ipsec/security-association.h"
#include "settings/setting.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/// What IPsec of a host does: protection.def has the fields.
struct IpsecSettings
{
    /// What of a packet is hidden.
    enum Mode
    {
        NONE,
        TRANSPORT,
        TUNNEL
    };

#define SETTING(type, name, ...) type name{};
#include "ipsec/protection.def"
#undef SETTING

    /// \return a row for each field.
    [[nodiscard]] static const std::vector<Setting<IpsecSettings>>& GetRows();

    [[nodiscard]] AssociationTraits GetTraits() const
    {
        return {suite,
                esn,
                replayWindow,
                {rekeyOctets, rekeyPackets, rekeyInterval},
                {hardOctets, hardPackets, hardInterval}};
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_IPSEC_PROTECTION_SETTINGS_H
