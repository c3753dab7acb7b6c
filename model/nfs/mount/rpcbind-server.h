/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_MOUNT_RPCBIND_SERVER_H
#define NFSRDMA_NFS_MOUNT_RPCBIND_SERVER_H

#include "nfs/mount/rpcbind-table.h"
#include "wire/ip-address.h"

#include <memory>

namespace ns3::nfsrdma
{

/**
 * \brief One version of program 100000 (rpcbind, the port mapper) over a table that the versions of
 * a host share.
 *
 * SET and UNSET from another host are refused (false), as by Linux's rpcbind without -i. The
 * address of version 2's SET is \p host with the port.
 */
class RpcbindServer : public RpcProgram
{
  public:
    static TypeId GetTypeId();

    /// \param version 2, 3 or 4
    /// \param table of the host
    /// \param host its address
    RpcbindServer(uint32_t version, std::shared_ptr<RpcbindTable> table, IpAddress host);

    [[nodiscard]] uint32_t GetProgram() const override;

    [[nodiscard]] uint32_t GetVersion() const override
    {
        return m_version;
    }

    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override;

    /// \return calls answered with SUCCESS.
    [[nodiscard]] uint64_t GetCalls() const
    {
        return m_calls;
    }

  private:
    [[nodiscard]] RpcServerReply ServePortmap(const RpcServerCall& call);
    [[nodiscard]] RpcServerReply ServeRpcbind(const RpcServerCall& call);
    [[nodiscard]] bool MayChange(const RpcServerCall& call) const;
    [[nodiscard]] PortMappingList ListPorts() const;

    uint32_t m_version;
    std::shared_ptr<RpcbindTable> m_table;
    IpAddress m_host;
    bool m_insecure{false};
    uint64_t m_calls{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_RPCBIND_SERVER_H
