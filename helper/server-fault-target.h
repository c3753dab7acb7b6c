/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_SERVER_FAULT_TARGET_H
#define NFSRDMA_HELPER_SERVER_FAULT_TARGET_H

#include "helper/host-fault-actions.h"
#include "helper/nfs-rdma-server-helper.h"

namespace ns3::nfsrdma
{

/**
 * \brief An NFS/RDMA server as a fault plan sees it: what HostFaultActions does, and
 *
 * - crash: no FIN, no RST, no answer. Gone are connections, calls, duplicate request cache, GSS
 *   contexts, opens, locks, sessions, and data that are in the page cache only (ServerStorage).
 *   When it is back, TCP answers segments of old connections with RST, nfsd listens, the write
 *   verifier is another, the grace period of NFSv4 begins; lockd has forgotten its locks, and statd
 *   tells the clients that had some (NfsDaemons::Restart()).
 * - restart: connections are closed in order, calls that are being carried out have no reply. nfsd
 *   listens again after the duration, as after a crash; page cache and lockd are what they were.
 * - thread-stall: see RpcThreadPool::SetStalled().
 * - storage-stall: the device answers nothing (StorageModel::Stall()); what is in memory is there.
 * - memory-pressure: of the page cache, too.
 * - answer: see RpcServer::OrderAnswer().
 */
class ServerFaultTarget : public HostFaultActions
{
  public:
    /// \param peers the clients
    ServerFaultTarget(const NfsRdmaServer& server, Peers peers);

  protected:
    void Act(const HostFault& fault) override;
    void SetPressure(std::optional<uint64_t> pages) override;

  private:
    void Crash(Time duration);
    void Boot();
    void Restart(Time duration);
    void EndRestart();
    void ForgetService();
    void Serve();
    void StallThreads(const HostFault& fault);
    void SetStalled(uint64_t threads);

    NfsRdmaServer m_server;
    uint32_t m_crashes{0};  ///< That it is down for.
    uint32_t m_restarts{0}; ///< That nfsd is stopped for.
    uint64_t m_stalled{0};  ///< Threads.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_SERVER_FAULT_TARGET_H
