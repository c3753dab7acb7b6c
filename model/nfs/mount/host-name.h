/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_MOUNT_HOST_NAME_H
#define NFSRDMA_NFS_MOUNT_HOST_NAME_H

#include <cstdint>
#include <string>

namespace ns3::nfsrdma
{

/// \return the host with address RpcServerCall::source, as dotted numbers: there is no name server.
[[nodiscard]] inline std::string
GetHostName(uint64_t source)
{
    constexpr uint64_t OCTET = 0xff;
    return std::to_string(source >> 24 & OCTET) + "." + std::to_string(source >> 16 & OCTET) + "." +
           std::to_string(source >> 8 & OCTET) + "." + std::to_string(source & OCTET);
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_HOST_NAME_H
