/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_HELD_SESSION_H
#define NFSRDMA_NFS_V4_CLIENT_HELD_SESSION_H

#include "nfs/v4/client/session-slots.h"
#include "nfs/v4/protocol/types.h"
#include "rpc/client-transport.h"
#include "rpc/record.h"

#include <cstdint>
#include <functional>

namespace ns3::nfsrdma
{

class Nfs4CompoundClient;

/**
 * \brief The client ID of a client and, from NFSv4.1 on, its session: EXCHANGE_ID, CREATE_SESSION,
 * BIND_CONN_TO_SESSION, DESTROY_SESSION, DESTROY_CLIENTID (RFC 8881 section 2.10), or SETCLIENTID
 * (RFC 7530 section 9.1.1), with what Linux 6.1 says in them.
 */
class Nfs4ClientSession
{
  public:
    /// Called once, later, with how the last RPC ended.
    using Done = std::function<void(RpcOutcome outcome, Nfs4Status status)>;

    /// \param client whose session it is; owns this
    explicit Nfs4ClientSession(Nfs4CompoundClient& client);

    /// The client starts, as one that has booted now.
    void Begin();
    /// The host has crashed: there is no session, and no slot is in use.
    void Forget();
    /// Gets a client ID; from NFSv4.1 on EXCHANGE_ID, without a session.
    void ExchangeId(Done done);
    /// Gets a client ID, a session, and the time of the lease when that was known before.
    void Establish(const Done& done);
    /// Gets another session for the client ID.
    void Reset(Done done);
    /// Binds all connections, one after the other.
    void Bind(Done done);
    /// NFSv4.1 and later: destroys session and client ID.
    void Destroy(Done done);

    [[nodiscard]] Nfs4ClientId GetClientId() const
    {
        return m_clientId;
    }

    [[nodiscard]] const Nfs4SessionId& GetSessionId() const
    {
        return m_session;
    }

    [[nodiscard]] bool HasSession() const
    {
        return m_hasSession;
    }

    /// \return whether \p session is the one there is.
    [[nodiscard]] bool IsSession(const Nfs4SessionId& session) const
    {
        return m_hasSession && session == m_session;
    }

    /// \return octets of a reply at most; 0: no bound.
    [[nodiscard]] uint32_t GetMaxResponseSize() const
    {
        return m_maxResponseSize;
    }

    [[nodiscard]] Nfs4ClientSlotTable& GetSlots()
    {
        return m_slots;
    }

  private:
    void CreateSession(Done done, bool newLease);
    void DestroySession(Done done);
    void SetClientId(const Done& done);
    void GetLeaseTime(Done done);
    /// Binds connection \p path and all that follow.
    void BindFrom(RpcPath path, const Done& done);

    Nfs4CompoundClient& m_client;
    Nfs4Verifier m_bootVerifier{};
    Nfs4ClientId m_clientId{0};
    uint32_t m_clientSequence{0}; ///< For CREATE_SESSION.
    Nfs4SessionId m_session{};
    bool m_hasSession{false};
    bool m_hasBackChannel{false}; ///< The server takes the main connection for it.
    uint32_t m_maxResponseSize{0};
    Nfs4ClientSlotTable m_slots;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_HELD_SESSION_H
