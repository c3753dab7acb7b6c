/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_MOUNT_RPCBIND_TABLE_H
#define NFSRDMA_NFS_MOUNT_RPCBIND_TABLE_H

#include "nfs/mount/rpcbind-messages.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief What is registered with rpcbind on one host, RFC 1833 section 2.1: for each program,
 * version and netid a universal address. In order of registration.
 */
class RpcbindTable
{
  public:
    /// \return false when program, version and netid have an address already, or \p mapping's is
    /// none.
    bool Set(const RpcbindMapping& mapping);
    /// \param netid empty: all of them
    /// \return whether there was one.
    bool Unset(uint32_t program, uint32_t version, const std::string& netid);
    /// \return the universal address; of another version of the program when this one is not
    /// registered and \p exact is false, as Linux's rpcbind does; empty when there is none.
    [[nodiscard]] std::string FindAddress(uint32_t program,
                                          uint32_t version,
                                          const std::string& netid,
                                          bool exact) const;
    /// \return the port of FindAddress(); 0 when there is none.
    [[nodiscard]] uint16_t FindPort(uint32_t program,
                                    uint32_t version,
                                    const std::string& netid) const;

    [[nodiscard]] const std::vector<RpcbindMapping>& GetMappings() const
    {
        return m_mappings;
    }

    /// \return "tcp" or "udp"; nothing for another protocol of the port mapper.
    [[nodiscard]] static std::optional<std::string> GetNetid(uint32_t protocol);

  private:
    std::vector<RpcbindMapping> m_mappings;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_RPCBIND_TABLE_H
