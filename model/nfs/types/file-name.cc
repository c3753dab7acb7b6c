/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/types/file-name.h"

#include "nfs/v3/fattr.h"

namespace ns3::nfsrdma
{

bool
IsDotName(const std::string& name)
{
    return name == "." || name == "..";
}

Nfs3Status
CheckFileName(const std::string& name)
{
    if (name.empty())
    {
        return Nfs3Status::ACCES;
    }
    if (name.size() > NFS3_MAXNAMLEN)
    {
        return Nfs3Status::NAMETOOLONG;
    }
    const bool sound = name.find('/') == std::string::npos && name.find('\0') == std::string::npos;
    return sound ? Nfs3Status::OK : Nfs3Status::INVAL;
}

} // namespace ns3::nfsrdma
