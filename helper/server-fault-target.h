/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_SERVER_FAULT_TARGET_H
#define NFSRDMA_HELPER_SERVER_FAULT_TARGET_H

#include "helper/host-fault-actions.h"
#include "helper/nfs-rdma-server-helper.h"

#include <optional>
#include <vector>

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
 * - slot-shrink: see Nfs4Server::ReduceSlots().
 * - answer: see RpcServer::OrderAnswer().
 */
class ServerFaultTarget : public HostFaultActions
{
  public:
    /// \param servers those of the host, which may be several
    /// \param peers the clients
    ServerFaultTarget(std::vector<NfsRdmaServer> servers, Peers peers);

  protected:
    void Act(const HostFault& fault) override;
    void SetPressure(std::optional<uint64_t> pages) override;

  private:
    /// A server, and what has happened to it.
    struct Service
    {
        NfsRdmaServer server;
        uint32_t restarts{0}; ///< That nfsd is stopped for.
        uint64_t stalled{0};  ///< Threads.
    };

    /// \return those that \p fault is about: one, or all of the host.
    [[nodiscard]] std::vector<Service*> Choose(const HostFault& fault);
    void Crash(Time duration);
    void Boot();
    void Restart(Service& service, Time duration);
    void EndRestart(Service& service);
    static void ForgetService(const NfsRdmaServer& server);
    static void Serve(const NfsRdmaServer& server);
    void StallThreads(Service& service, const HostFault& fault);
    static void SetStalled(Service& service, uint64_t threads);

    std::vector<Service> m_services;
    uint32_t m_crashes{0}; ///< That the host is down for.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_SERVER_FAULT_TARGET_H
