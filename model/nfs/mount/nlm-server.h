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
 * and, with an NlmNarrowServer, in versions 1 and 3. The locks of all exclude each other.
 *
 * The procedures are those of lockd (fs/lockd/svcproc.c and svc4proc.c). A _MSG is answered by a
 * call of the _RES that goes with it. SHARE and UNSHARE wait for the end of the grace period, but
 * for a SHARE that reclaims; deny modes are held against other SHAREs alone, not against READs,
 * WRITEs or locks. SM_NOTIFY is taken from this host alone: others get SYSTEM_ERR.
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

    /// \return lock managers of clients that it has called, or is to call.
    [[nodiscard]] std::size_t GetPeerCount() const
    {
        return m_peers.size();
    }

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
    [[nodiscard]] RpcServerReply ServeNotify(const RpcServerCall& call);
    /// Serves the procedures that version 1 does not have.
    [[nodiscard]] RpcServerReply ServeFromVersion3(const RpcServerCall& call);
    /// Serves a call of any version; \p serve takes and gives what version 4 has.
    template <typename Procedure, typename Narrow, typename Handler>
    [[nodiscard]] RpcServerReply ServeEither(const RpcServerCall& call, Handler serve) const;
    /// Serves a _MSG, and calls its _RES with what \p serve gives.
    template <typename Message, typename Result, typename NarrowResult, typename Handler>
    [[nodiscard]] RpcServerReply ServeMessage(const RpcServerCall& call, Handler serve);
    /// \return the handle that the store has for one of NFSv2.
    [[nodiscard]] NfsFh3 FromNarrow(const NfsFh3& file) const;
    template <typename Arguments>
    [[nodiscard]] Arguments FromNarrow(const NlmNarrow<Arguments>& narrow, uint32_t version) const;
    [[nodiscard]] NlmTestRes Test(const NlmTestArgs& args) const;
    /// GRANTED also where nobody waits for the lock; DENIED where it has been granted, and the
    /// waiter has not said yet that it knows: it is not told again (nlmsvc_cancel_blocked()).
    [[nodiscard]] NlmRes Cancel(const NlmCancelArgs& args);
    [[nodiscard]] NlmRes Unlock(const NlmUnlockArgs& args);
    /// \param isMade SHARE; otherwise UNSHARE
    [[nodiscard]] NlmShareRes Share(NlmShareArgs args, const RpcServerCall& call, bool isMade);
    /// \return the lock manager of a client.
    [[nodiscard]] Ptr<RpcPeer> GetPeer(const IpAddress& source, uint32_t version);
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
 * \brief Version 1 or 3 of the lock manager, for clients of NFSv2: hands its calls to an NlmServer.
 */
class NlmNarrowServer : public RpcProgram
{
  public:
    static TypeId GetTypeId();

    /// \param version NLM_V1 or NLM_V3
    NlmNarrowServer(Ptr<NlmServer> server, uint32_t version);

    [[nodiscard]] uint32_t GetProgram() const override;

    [[nodiscard]] uint32_t GetVersion() const override
    {
        return m_version;
    }

    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override
    {
        m_server->Dispatch(std::move(call), std::move(done));
    }

  private:
    void DoDispose() override;

    Ptr<NlmServer> m_server;
    uint32_t m_version;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_NLM_SERVER_H
