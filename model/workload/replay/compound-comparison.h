/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_COMPOUND_COMPARISON_H
#define NFSRDMA_WORKLOAD_REPLAY_COMPOUND_COMPARISON_H

#include "nfs/v4/protocol/compound.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \return a line for each difference between the results of a COMPOUND and the recorded ones, as
 * "OPEN NFS4ERR_NOENT, recorded OPEN NFS4_OK": operations and their status; octets and eof of READ,
 * octets of WRITE, entries and eof of READDIR, ACLs.
 */
[[nodiscard]] std::vector<std::string> CompareCompounds(const Compound4Res& recorded,
                                                        const Compound4Res& own);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_COMPOUND_COMPARISON_H
