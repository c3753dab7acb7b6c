/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_MOUNT_NLM_SERVER_H
#define NFSRDMA_NFS_MOUNT_NLM_SERVER_H

#include "nfs/file-store.h"
#include "nfs/mount/nlm-lock-table.h"
#include "nfs/mount/nsm-server.h"
#include "nfs/mount/rpc-peer.h"

#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <map>
#include <set>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief Program 100021 version 4 on a server (lockd): locks and shares of the files of a store.
 *
 * A LOCK that must wait is answered with BLOCKED; when it can be had, the client's own lock manager
 * is called (GRANTED, over TCP, its port asked of the client's port mapper). After Restart() the
 * locks are gone and for GracePeriod only reclaims are taken.
 */
class NlmServer : public RpcProgram
{
  public:
    static TypeId GetTypeId();

    explicit NlmServer(Ptr<Node> node);
    ~NlmServer() override;

    void SetFileStore(Ptr<FileStore> store);
    /// Has clients with locks monitored, and their locks freed when they have restarted.
    void SetMonitor(Ptr<NsmServer> monitor);

    /// Forgets everything, as a server that boots, and starts the grace period.
    void Restart();
    [[nodiscard]] bool IsInGrace() const;
    [[nodiscard]] const NlmLockTable& GetTable() const;

    [[nodiscard]] uint32_t GetProgram() const override;
    [[nodiscard]] uint32_t GetVersion() const override;
    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override;

    /// Trace source "Granted": a lock that was waited for can be had.
    typedef void (*GrantedTracedCallback)(const NlmWaiter& waiter);

  private:
    void DoDispose() override;

    [[nodiscard]] RpcServerReply Serve(const RpcServerCall& call);
    /// \return why no lock or share can be had now; GRANTED: nothing is in the way.
    [[nodiscard]] NlmStatus CheckGrace(bool reclaim) const;
    [[nodiscard]] NlmStatus Lock(const NlmLockArgs& args, uint64_t source, bool monitored);
    void FreeHost(const std::string& host);
    void GrantWaiters();
    void SendGranted(const NlmWaiter& waiter);

    Ptr<Node> m_node;
    Ptr<FileStore> m_store;
    Ptr<NsmServer> m_monitor;
    NlmLockTable m_table;
    Time m_gracePeriod;
    Time m_graceEnd;
    Time m_grantRetry;
    uint32_t m_nextCookie{1};
    std::map<uint64_t, Ptr<RpcPeer>> m_peers;               ///< By address.
    std::map<std::string, std::set<std::string>> m_callers; ///< Names that a host's locks have.
    TracedCallback<const NlmWaiter&> m_grantedTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_NLM_SERVER_H
