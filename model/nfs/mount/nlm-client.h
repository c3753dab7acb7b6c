/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_MOUNT_NLM_CLIENT_H
#define NFSRDMA_NFS_MOUNT_NLM_CLIENT_H

#include "nfs/mount/nlm-messages.h"
#include "nfs/mount/nsm-server.h"
#include "nfs/mount/rpc-peer.h"

#include "ns3/node.h"
#include "ns3/nstime.h"

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
 * \brief The lock manager of a client of one server: makes the calls of program 100021 version 4,
 * and serves GRANTED as that program on its own host.
 *
 * As Linux's lockd: a LOCK in the server's grace period is asked for again after GraceWait; when
 * the server has restarted, all locks are reclaimed. An owner's octets are "svid@host".
 */
class NlmClient : public RpcProgram
{
  public:
    static TypeId GetTypeId();

    /// \param node this host
    /// \param name of this host
    /// \param server to lock files of
    NlmClient(Ptr<Node> node, const std::string& name, Ipv4Address server);
    ~NlmClient() override;

    /// Has the server monitored while there are locks, and locks reclaimed when it has restarted.
    void SetMonitor(Ptr<NsmServer> monitor);

    /// FAILED: the server was not to be reached.
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

    /// \return locks that are held.
    [[nodiscard]] std::size_t GetLockCount() const;

    [[nodiscard]] uint32_t GetProgram() const override;
    [[nodiscard]] uint32_t GetVersion() const override;
    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override;

  private:
    struct Waiting
    {
        NlmRequest request;
        Answered answered;
    };

    void DoDispose() override;
    [[nodiscard]] NlmLock MakeLock(const NlmRequest& request) const;
    [[nodiscard]] ByteVector TakeCookie();
    void SendLock(const NlmRequest& request, bool block, bool reclaim, Answered answered);
    void Hold(const NlmRequest& request);
    [[nodiscard]] NlmStatus TakeGranted(const NlmTestArgs& args);

    Ptr<Node> m_node;
    std::string m_name;
    Ipv4Address m_server;
    Ptr<RpcPeer> m_peer;
    Ptr<NsmServer> m_monitor;
    Time m_graceWait;
    uint32_t m_nextCookie{1};
    std::vector<NlmRequest> m_held;
    std::list<Waiting> m_waiting; ///< For GRANTED.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_NLM_CLIENT_H
