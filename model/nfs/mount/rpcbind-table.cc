/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/rpcbind-table.h"

#include "nfs/mount/universal-address.h"

#include <algorithm>

namespace ns3::nfsrdma
{

bool
RpcbindTable::Set(const RpcbindMapping& mapping)
{
    if (!ParseUniversalAddress(mapping.address) ||
        !FindAddress(mapping.program, mapping.version, mapping.netid, true).empty())
    {
        return false;
    }
    m_mappings.push_back(mapping);
    return true;
}

bool
RpcbindTable::Unset(uint32_t program, uint32_t version, const std::string& netid)
{
    const auto end =
        std::remove_if(m_mappings.begin(), m_mappings.end(), [&](const RpcbindMapping& mapping) {
            return mapping.program == program && mapping.version == version &&
                   (netid.empty() || mapping.netid == netid);
        });
    const bool found = end != m_mappings.end();
    m_mappings.erase(end, m_mappings.end());
    return found;
}

std::string
RpcbindTable::FindAddress(uint32_t program,
                          uint32_t version,
                          const std::string& netid,
                          bool exact) const
{
    std::string other;
    for (const RpcbindMapping& mapping : m_mappings)
    {
        if (mapping.program != program || mapping.netid != netid)
        {
            continue;
        }
        if (mapping.version == version)
        {
            return mapping.address;
        }
        other = mapping.address;
    }
    return exact ? std::string() : other;
}

uint16_t
RpcbindTable::FindPort(uint32_t program, uint32_t version, const std::string& netid) const
{
    const auto address = ParseUniversalAddress(FindAddress(program, version, netid, false));
    return address ? GetPortOf(*address) : 0;
}

std::optional<std::string>
RpcbindTable::GetNetid(uint32_t protocol)
{
    switch (protocol)
    {
    case PORTMAP_TCP:
        return NETID_TCP;
    case PORTMAP_UDP:
        return "udp";
    default:
        return std::nullopt;
    }
}

} // namespace ns3::nfsrdma
