/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_CLIENT_CALLBACKS_H
#define NFSRDMA_NFS_V4_SERVER_CLIENT_CALLBACKS_H

#include "host/cpu.h"
#include "nfs/v4/server/callback-channel.h"
#include "nfs/v4/server/channel-bounds.h"
#include "nfs/v4/server/client-table.h"
#include "wire/ip-address.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace ns3::nfsrdma
{

/// Which work queue a server's callbacks are made in, one after the other.
enum class Nfs4CallbackQueue : uint8_t
{
    CLIENT, ///< One for each client.
    SERVER  ///< One for all clients.
};

/// How an NFSv4 server reaches its clients.
struct Nfs4CallbackRoutes
{
    /// The back channel to the host of an address (as RpcServerCall::source); null: there is none.
    /// Of several connections that host has, the numbered one (RpcServerCall::connection) is to
    /// carry it; 0: any.
    std::function<Ptr<RpcClientTransport>(const IpAddress& address, uint64_t connection)> reverse;
    /// A connection to an NFSv4.0 client's callback service.
    std::function<Ptr<RpcClientTransport>(const NetAddr4& address)> connect;
    Ptr<HostCpu> cpu; ///< That callbacks run on. Null: one of each channel's own.
};

/**
 * \brief What one instance of an NFSv4 server calls back: a channel to each client that there is a
 * way to, made when first needed, and what its callbacks say of Nfs4Client::callbackState
 * (fs/nfsd/nfs4callback.c of Linux 6.1).
 *
 * NFSv4.1 goes over the session with a back channel, the newest that has a connection for it;
 * NFSv4.0 to the address of SETCLIENTID.
 */
class Nfs4ClientCallbacks
{
  public:
    /// All outlive this, but \p queue and \p slots.
    /// \param slots of a session's back channel that are used at most
    Nfs4ClientCallbacks(const std::string& machineName,
                        const Nfs4CallbackRoutes& routes,
                        Nfs4ClientTable& clients,
                        const Nfs4SessionTable& sessions,
                        Nfs4CallbackQueue queue = Nfs4CallbackQueue::CLIENT,
                        uint32_t slots = 1);
    ~Nfs4ClientCallbacks();
    Nfs4ClientCallbacks(const Nfs4ClientCallbacks&) = delete;
    Nfs4ClientCallbacks& operator=(const Nfs4ClientCallbacks&) = delete;

    /// A client of NFSv4.0 has said where its callbacks go: CB_NULL, over a new channel.
    void Probe(Nfs4Client& client);
    /// A connection has been bound to a session of \p client, or was and is no more: callbacks go
    /// over one of the back channel from now on, if there is one.
    void ReviewBackChannel(Nfs4Client& client);
    /// CB_RECALL.
    void Recall(const Nfs4StatePtr& delegation);
    /// CB_OFFLOAD. \param answered called when the client has answered
    void Offload(Nfs4ClientId client, CbOffloadArgs4 result, std::function<void()> answered);
    /// CB_NOTIFY_LOCK, if there is a way to the client.
    void NotifyLock(const CbNotifyLockArgs4& lock);
    /// What has not been sent to \p client will not be; the next callback makes a new channel.
    void Drop(Nfs4ClientId client);
    /// Drops all.
    void Close();
    /// \return callbacks of \p op sent over the channel to \p client.
    [[nodiscard]] uint64_t GetSent(Nfs4ClientId client, Nfs4CbOp op) const;

  private:
    using Channel = std::shared_ptr<Nfs4CallbackChannel>;

    /// \return the channel; null when there is no way to the client.
    [[nodiscard]] Channel Find(Nfs4ClientId id);
    [[nodiscard]] Channel Make(const Nfs4Client& client);
    [[nodiscard]] std::shared_ptr<Nfs4Session> FindBackSession(Nfs4ClientId client) const;
    void Note(Nfs4ClientId id, Nfs4CallbackChannel::Outcome outcome);

    const std::string& m_machineName;
    const Nfs4CallbackRoutes& m_routes;
    Nfs4ClientTable& m_clients;
    const Nfs4SessionTable& m_sessions;
    uint32_t m_slots;
    Ptr<HostThread> m_worker; ///< Of all channels; null: each has its own.
    std::map<Nfs4ClientId, Channel> m_channels;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_CLIENT_CALLBACKS_H
