/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_MOUNT_NLM_SERVER_H
#define NFSRDMA_NFS_MOUNT_NLM_SERVER_H

#include "nfs/mount/nlm-lock-table.h"
#include "nfs/mount/nsm-server.h"
#include "nfs/mount/rpc-peer.h"
#include "nfs/store/files.h"

#include "ns3/event-id.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <map>
#include <set>
#include <string>
#include <utility>

namespace ns3::nfsrdma
{

/**
 * \brief Program 100021 on a server (lockd): locks and shares of the files of a store, in version 4
 * and, with an NlmServerV1, in version 1. The locks of both exclude each other.
 *
 * A LOCK that must wait is answered with BLOCKED; when it can be had, the client's own lock manager
 * is called over TCP, its port asked of the client's port mapper: GRANTED_MSG, which the client
 * answers by a call of its own, GRANTED_RES (nlmsvc_grant_blocked()). Without that answer the call
 * is made again. After Restart() the locks are gone and for GracePeriod only reclaims are taken.
 *
 * Attributes: GracePeriod, GrantRetry, GrantTimeout (Time).
 */
class NlmServer : public RpcProgram
{
  public:
    static TypeId GetTypeId();

    explicit NlmServer(Ptr<Node> node);

    void SetFileStore(Ptr<FileStore> store)
    {
        m_store = store;
    }

    /// Has clients with locks monitored, and their locks freed when they have restarted.
    void SetMonitor(Ptr<NsmServer> monitor);

    /// Forgets everything, as a server that boots, and starts the grace period.
    void Restart();
    /// Closes the connections to clients' lock managers; who waits is called no more.
    void Disconnect();
    [[nodiscard]] bool IsInGrace() const;

    [[nodiscard]] const NlmLockTable& GetTable() const
    {
        return m_table;
    }

    [[nodiscard]] uint32_t GetProgram() const override;
    [[nodiscard]] uint32_t GetVersion() const override;
    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override;

    /// Trace source "Granted": a lock that was waited for can be had.
    typedef void (*GrantedTracedCallback)(const NlmWaiter& waiter);

  private:
    void DoDispose() override;

    [[nodiscard]] RpcServerReply Serve(const RpcServerCall& call);
    /// Serves a call of either version; \p serve takes and gives what version 4 has.
    template <typename Procedure, typename Narrow, typename Handler>
    [[nodiscard]] RpcServerReply ServeEither(const RpcServerCall& call, Handler serve) const;
    /// \return a lock of version 1 with the handle that the store has.
    [[nodiscard]] NlmLock FromVersion1(const NlmLock& lock) const;
    void GrantedMsgSent(const Ptr<RpcPeer>& peer, uint32_t cookie, RpcOutcome outcome);
    /// \return why no lock or share can be had now; GRANTED: nothing is in the way.
    [[nodiscard]] NlmStatus CheckGrace(bool reclaim) const;
    [[nodiscard]] NlmStatus Lock(const NlmLockArgs& args, const IpAddress& source, bool monitored);
    void FreeHost(const std::string& host);
    void GrantWaiters();
    void SendGranted(uint32_t cookie);
    void SendGrantedAfter(Time delay, uint32_t cookie);
    void TakeGrantedRes(const NlmRes& results);
    void ForgetGranting();

    Ptr<Node> m_node;
    Ptr<FileStore> m_store;
    Ptr<NsmServer> m_monitor;
    NlmLockTable m_table;
    Time m_gracePeriod;
    Time m_graceEnd;
    Time m_grantRetry;
    Time m_grantTimeout;
    uint32_t m_nextCookie{1};
    std::map<uint32_t, NlmWaiter> m_granting; ///< By cookie: not yet answered.
    std::map<uint32_t, EventId> m_again;      ///< By cookie: the next GRANTED_MSG.
    std::map<std::pair<IpAddress, uint32_t>, Ptr<RpcPeer>> m_peers; ///< By address and version.
    std::map<std::string, std::set<std::string>> m_callers; ///< Names that a host's locks have.
    TracedCallback<const NlmWaiter&> m_grantedTrace;
};

/**
 * \brief Version 1 of the lock manager, for clients of NFSv2: hands its calls to an NlmServer.
 */
class NlmServerV1 : public RpcProgram
{
  public:
    static TypeId GetTypeId();

    explicit NlmServerV1(Ptr<NlmServer> server);

    [[nodiscard]] uint32_t GetProgram() const override;
    [[nodiscard]] uint32_t GetVersion() const override;

    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override
    {
        m_server->Dispatch(std::move(call), std::move(done));
    }

  private:
    void DoDispose() override;

    Ptr<NlmServer> m_server;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_NLM_SERVER_H
