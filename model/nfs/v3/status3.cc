/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/status3.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

namespace
{

struct StatusName
{
    Nfs3Status status;
    const char* name;
};

constexpr std::array<StatusName, 29> NFS3_STATUS_NAMES{{
    {Nfs3Status::OK, "NFS3_OK"},
    {Nfs3Status::PERM, "NFS3ERR_PERM"},
    {Nfs3Status::NOENT, "NFS3ERR_NOENT"},
    {Nfs3Status::IO, "NFS3ERR_IO"},
    {Nfs3Status::NXIO, "NFS3ERR_NXIO"},
    {Nfs3Status::ACCES, "NFS3ERR_ACCES"},
    {Nfs3Status::EXIST, "NFS3ERR_EXIST"},
    {Nfs3Status::XDEV, "NFS3ERR_XDEV"},
    {Nfs3Status::NODEV, "NFS3ERR_NODEV"},
    {Nfs3Status::NOTDIR, "NFS3ERR_NOTDIR"},
    {Nfs3Status::ISDIR, "NFS3ERR_ISDIR"},
    {Nfs3Status::INVAL, "NFS3ERR_INVAL"},
    {Nfs3Status::FBIG, "NFS3ERR_FBIG"},
    {Nfs3Status::NOSPC, "NFS3ERR_NOSPC"},
    {Nfs3Status::ROFS, "NFS3ERR_ROFS"},
    {Nfs3Status::MLINK, "NFS3ERR_MLINK"},
    {Nfs3Status::NAMETOOLONG, "NFS3ERR_NAMETOOLONG"},
    {Nfs3Status::NOTEMPTY, "NFS3ERR_NOTEMPTY"},
    {Nfs3Status::DQUOT, "NFS3ERR_DQUOT"},
    {Nfs3Status::STALE, "NFS3ERR_STALE"},
    {Nfs3Status::REMOTE, "NFS3ERR_REMOTE"},
    {Nfs3Status::BADHANDLE, "NFS3ERR_BADHANDLE"},
    {Nfs3Status::NOT_SYNC, "NFS3ERR_NOT_SYNC"},
    {Nfs3Status::BAD_COOKIE, "NFS3ERR_BAD_COOKIE"},
    {Nfs3Status::NOTSUPP, "NFS3ERR_NOTSUPP"},
    {Nfs3Status::TOOSMALL, "NFS3ERR_TOOSMALL"},
    {Nfs3Status::SERVERFAULT, "NFS3ERR_SERVERFAULT"},
    {Nfs3Status::BADTYPE, "NFS3ERR_BADTYPE"},
    {Nfs3Status::JUKEBOX, "NFS3ERR_JUKEBOX"},
}};

constexpr std::array<const char*, NFS3_PROCEDURES> PROCEDURE_NAMES{
    "NULL",    "GETATTR",     "SETATTR", "LOOKUP", "ACCESS",   "READLINK", "READ",   "WRITE",
    "CREATE",  "MKDIR",       "SYMLINK", "MKNOD",  "REMOVE",   "RMDIR",    "RENAME", "LINK",
    "READDIR", "READDIRPLUS", "FSSTAT",  "FSINFO", "PATHCONF", "COMMIT"};

} // namespace

const char*
ToString(Nfs3Status status)
{
    const auto it = std::find_if(NFS3_STATUS_NAMES.begin(),
                                 NFS3_STATUS_NAMES.end(),
                                 [status](const auto& s) { return s.status == status; });
    return it == NFS3_STATUS_NAMES.end() ? "NFS3ERR_UNKNOWN" : it->name;
}

std::optional<Nfs3Status>
ParseNfs3Status(std::string_view name)
{
    const auto it = std::find_if(NFS3_STATUS_NAMES.begin(),
                                 NFS3_STATUS_NAMES.end(),
                                 [name](const auto& s) { return name == s.name; });
    return it == NFS3_STATUS_NAMES.end() ? std::nullopt : std::make_optional(it->status);
}

const char*
ToString(Nfs3Procedure procedure)
{
    const auto number = static_cast<uint32_t>(procedure);
    return number < NFS3_PROCEDURES ? PROCEDURE_NAMES.at(number) : "UNKNOWN";
}

std::optional<Nfs3Procedure>
ParseNfs3Procedure(std::string_view name)
{
    const auto it = std::find(PROCEDURE_NAMES.begin(), PROCEDURE_NAMES.end(), name);
    if (it == PROCEDURE_NAMES.end())
    {
        return std::nullopt;
    }
    return static_cast<Nfs3Procedure>(it - PROCEDURE_NAMES.begin());
}

} // namespace ns3::nfsrdma
