/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/acl-messages2.h"

namespace ns3::nfsrdma
{

const char*
ToString(NfsAcl2Procedure procedure)
{
    switch (procedure)
    {
    case NfsAcl2Procedure::NULLPROC:
        return "NULL";
    case NfsAcl2Procedure::GETACL:
        return "GETACL";
    case NfsAcl2Procedure::SETACL:
        return "SETACL";
    case NfsAcl2Procedure::GETATTR:
        return "GETATTR";
    case NfsAcl2Procedure::ACCESS:
        return "ACCESS";
    }
    return "unknown";
}

} // namespace ns3::nfsrdma
