/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_MOUNT_NLM_CLIENT_H
#define NFSRDMA_NFS_MOUNT_NLM_CLIENT_H

#include "nfs/mount/nlm-messages.h"
#include "nfs/mount/nsm-server.h"
#include "nfs/mount/rpc-peer.h"

#include "ns3/event-id.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <list>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A lock as a process asks for it.
struct NlmRequest
{
    NfsFh3 file;
    uint32_t svid{0}; ///< The process.
    uint64_t offset{0};
    uint64_t length{0}; ///< 0: to the end of the file.
    bool exclusive{true};
};

/**
 * \brief The lock manager of a client of one server: makes the calls of program 100021, version 4
 * for NFSv3 and 1 for NFSv2, and serves GRANTED and GRANTED_MSG as that program on its own host.
 *
 * As Linux's lockd (fs/lockd/clntproc.c):
 *
 *     LOCK that must wait    until GRANTED_MSG comes, answered by GRANTED_RES; after PollInterval
 *                            without it LOCK again
 *     the server in grace, or not to be reached   the call again after GraceWait
 *     the server has restarted                    all locks are reclaimed one after the other;
 * other calls of locks wait for that, and those that waited are made again
 *
 * An owner's octets are "svid@host".
 *
 * Attributes: GraceWait, PollInterval (Time).
 */
class NlmClient : public RpcProgram
{
  public:
    static TypeId GetTypeId();

    /// \param node this host
    /// \param name of this host
    /// \param server to lock files of
    /// \param version NLM_V4, NLM_V3 or NLM_V1
    NlmClient(Ptr<Node> node, const std::string& name, IpAddress server, uint32_t version = NLM_V4);

    /// Has the server monitored while there are locks, and locks reclaimed when it has restarted.
    void SetMonitor(Ptr<NsmServer> monitor);

    using Answered = std::function<void(NlmStatus status)>;
    /// \param block wait until the lock can be had; otherwise DENIED
    void Lock(const NlmRequest& request, bool block, Answered answered);
    void Unlock(const NlmRequest& request, Answered answered);
    /// Gives up a Lock() that waits; its Answered is called with DENIED.
    void Cancel(const NlmRequest& request, Answered answered);
    /// \param tested status, and the holder when it is DENIED
    void Test(const NlmRequest& request,
              std::function<void(NlmStatus status, const NlmHolder& holder)> tested);
    /// Asks again for all locks, as those that a restarted server must give back.
    void Reclaim();
    /// Closes the connection to the server; no call may follow, nor be made again.
    void Disconnect();

    /// \return locks that are held.
    [[nodiscard]] std::size_t GetLockCount() const
    {
        return m_held.size();
    }

    [[nodiscard]] uint32_t GetProgram() const override;

    [[nodiscard]] uint32_t GetVersion() const override
    {
        return m_version;
    }

    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override;

    /// Trace source "Reclaimed": a lock asked for after a restart of the server, and the answer.
    typedef void (*ReclaimedTracedCallback)(const NlmRequest& request, NlmStatus status);

  private:
    /// A Lock() that blocks, from its begin to its end.
    struct Waiting
    {
        NlmRequest request;
        Answered answered;
        EventId poll;
    };

    void DoDispose() override;
    /// Calls a procedure in the version of this client.
    template <typename Procedure, typename Narrow>
    void CallServer(const typename Procedure::Arguments& arguments,
                    StubCompletion<typename Procedure::Results> completion);
    [[nodiscard]] NlmLock MakeLock(const NlmRequest& request) const;
    [[nodiscard]] ByteVector TakeCookie();
    void SendLock(const NlmRequest& request, bool block, Answered answered);
    void TakeLockAnswer(const NlmRequest& request,
                        bool block,
                        NlmStatus status,
                        const Answered& answered);
    /// LOCK that need not wait, or is answered at once. \pre no entry in m_waiting is needed
    void CallLock(const NlmRequest& request, bool block, bool reclaim, Answered answered);
    void ReclaimNext();
    /// Calls \p again after GraceWait, or when reclaim is over.
    void Later(std::function<void()> again);
    void Hold(const NlmRequest& request);
    [[nodiscard]] bool IsHeld(const NlmRequest& request) const;
    [[nodiscard]] std::list<Waiting>::iterator FindWaiting(const NlmRequest& request);
    [[nodiscard]] NlmStatus TakeGranted(const NlmTestArgs& args);
    void AnswerGranted(const ByteVector& cookie, NlmStatus status);
    /// \return the status of a reply; FAILED: there was none, and the connection is given up.
    [[nodiscard]] NlmStatus GetStatus(const RpcRecord& record, NlmStatus status);

    Ptr<Node> m_node;
    std::string m_name;
    IpAddress m_server;
    uint32_t m_version;
    Ptr<RpcPeer> m_peer;
    Ptr<NsmServer> m_monitor;
    Time m_graceWait;
    Time m_pollInterval;
    uint32_t m_nextCookie{1};
    std::vector<NlmRequest> m_held;
    std::vector<NlmRequest> m_reclaim; ///< To be asked for again, the next one last.
    bool m_reclaiming{false};
    uint32_t m_serverRestarts{0}; ///< That this host has been told of.
    bool m_closed{false};
    std::list<Waiting> m_waiting;
    TracedCallback<const NlmRequest&, NlmStatus> m_reclaimedTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_NLM_CLIENT_H
