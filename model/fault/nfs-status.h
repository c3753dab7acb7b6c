/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_NFS_STATUS_H
#define NFSRDMA_FAULT_NFS_STATUS_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace ns3::nfsrdma
{

/// \return the number of the error that a version of NFS ("2", "3", "4.0", "4.1", "4.2") calls \p
/// name: "NFSERR_STALE", "NFS3ERR_JUKEBOX", "NFS4ERR_DELAY"; none for another word, one of another
/// version, and no error.
[[nodiscard]] std::optional<uint32_t> FindNfsError(std::string_view name,
                                                   std::string_view nfsVersion);

/// \return an example of such a name.
[[nodiscard]] std::string_view GetNfsErrorExample(std::string_view nfsVersion);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_NFS_STATUS_H
