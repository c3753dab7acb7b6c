/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/messages2.h"

#include "nfs/types/xdr-size.h"

namespace ns3::nfsrdma
{

uint32_t
Symlink2Args::GetPathOffset() const
{
    return GetXdrSize(where) + XDR_WORD;
}

} // namespace ns3::nfsrdma
