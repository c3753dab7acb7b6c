/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/nfs-status.h"

#include "nfs/v2/types2.h"
#include "nfs/v3/status3.h"
#include "nfs/v4/protocol/status.h"

#include <string>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::string_view V2_PREFIX = "NFSERR_";
constexpr std::string_view V3_PREFIX = "NFS3ERR_";

/// Version 2 has the numbers of version 3, and fewer.
std::optional<uint32_t>
FindNfs2Error(std::string_view name)
{
    if (name.substr(0, V2_PREFIX.size()) != V2_PREFIX)
    {
        return std::nullopt;
    }
    const auto same =
        ParseNfs3Status(std::string(V3_PREFIX) + std::string(name.substr(V2_PREFIX.size())));
    const bool has =
        same && static_cast<uint32_t>(ToNfs2Status(*same)) == static_cast<uint32_t>(*same);
    return has ? std::make_optional(static_cast<uint32_t>(*same)) : std::nullopt;
}

} // namespace

std::optional<uint32_t>
FindNfsError(std::string_view name, std::string_view nfsVersion)
{
    std::optional<uint32_t> number;
    if (nfsVersion == "2")
    {
        number = FindNfs2Error(name);
    }
    else if (nfsVersion == "3")
    {
        if (const auto status = ParseNfs3Status(name))
        {
            number = static_cast<uint32_t>(*status);
        }
    }
    else if (const auto status = ParseNfs4Status(name))
    {
        number = static_cast<uint32_t>(*status);
    }
    return number == 0 ? std::nullopt : number;
}

std::string_view
GetNfsErrorExample(std::string_view nfsVersion)
{
    if (nfsVersion == "2")
    {
        return "NFSERR_STALE";
    }
    return nfsVersion == "3" ? "NFS3ERR_JUKEBOX" : "NFS4ERR_DELAY";
}

} // namespace ns3::nfsrdma
