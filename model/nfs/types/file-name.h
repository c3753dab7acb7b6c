/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_FILE_NAME_H
#define NFSRDMA_NFS_TYPES_FILE_NAME_H

#include "nfs/v3/status3.h"

#include <string>

namespace ns3::nfsrdma
{

/// \return true for "." and "..".
[[nodiscard]] bool IsDotName(const std::string& name);

/// \return OK when a directory entry may be called \p name; ACCES when it is empty, NAMETOOLONG, or
/// INVAL for "/" and NUL within.
[[nodiscard]] Nfs3Status CheckFileName(const std::string& name);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_FILE_NAME_H
