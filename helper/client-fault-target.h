/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CLIENT_FAULT_TARGET_H
#define NFSRDMA_HELPER_CLIENT_FAULT_TARGET_H

#include "helper/host-fault-actions.h"
#include "helper/nfs-rdma-client-helper.h"

namespace ns3::nfsrdma
{

/**
 * \brief An NFS/RDMA client as a fault plan sees it: what HostFaultActions does.
 *
 * It does not crash: the programs that use its mount would be gone with it.
 */
class ClientFaultTarget : public HostFaultActions
{
  public:
    /// \param peers the servers
    ClientFaultTarget(const NfsRdmaClient& client, Peers peers);

  protected:
    [[nodiscard]] std::string RefuseKind(HostFaultKind kind) const override;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CLIENT_FAULT_TARGET_H
