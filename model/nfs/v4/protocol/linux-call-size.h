/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_LINUX_CALL_SIZE_H
#define NFSRDMA_NFS_V4_PROTOCOL_LINUX_CALL_SIZE_H

#include "nfs/v4/client/procedure.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// \return octets that Linux 6.1's client has ready for the arguments of \p procedure, pages
/// excluded: p_arglen, the sum of the encode_..._maxsz of NFS4_enc_..._sz in fs/nfs/nfs4xdr.c and
/// nfs42xdr.c, with security labels configured. 0 of NONE and OTHER.
[[nodiscard]] uint32_t GetNfs4LinuxCallSize(Nfs4ClientProcedure procedure);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_LINUX_CALL_SIZE_H
