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
 * \brief An NFS/RDMA client as a fault plan sees it: what HostFaultActions does, and
 *
 * - crash: no FIN, no RST, no answer. Gone are connections, caches, dirty pages, opens, locks,
 *   delegations, session and client ID; operations under way fail with CANCELLED. When it is back,
 *   TCP answers segments of old connections with RST, and the client mounts: it connects, in NFSv4
 *   with another boot verifier, and opens again what its programs have open. They go on with what
 *   they were to do next.
 */
class ClientFaultTarget : public HostFaultActions
{
  public:
    /// \param peers the servers
    ClientFaultTarget(const NfsRdmaClient& client, Peers peers);

  protected:
    void Act(const HostFault& fault) override;
    [[nodiscard]] std::string RefuseKind(HostFaultKind kind) const override;

  private:
    void Crash(Time duration);
    void Boot();

    NfsRdmaClient m_client;
    uint32_t m_crashes{0}; ///< That it is down for.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CLIENT_FAULT_TARGET_H
