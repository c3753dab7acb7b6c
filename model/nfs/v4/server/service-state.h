/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_SERVICE_STATE_H
#define NFSRDMA_NFS_V4_SERVER_SERVICE_STATE_H

#include "nfs/store/files.h"
#include "nfs/v4/server/async-copies.h"
#include "nfs/v4/server/attribute-reader.h"
#include "nfs/v4/server/blocked-locks.h"
#include "nfs/v4/server/channel-bounds.h"
#include "nfs/v4/server/client-table.h"
#include "nfs/v4/server/grace-period.h"
#include "nfs/v4/server/namespace.h"
#include "nfs/v4/server/state-table.h"

#include <functional>
#include <string>

namespace ns3::nfsrdma
{

/// How an NFSv4 server is set up.
struct Nfs4ServerSettings
{
    Nfs4AttributeLimits attributes;
    Nfs4SessionLimits session;
    std::string name{"server"}; ///< Server owner and scope.
    bool delegations{true};
    Time returnWait;           ///< A thread waits so long for a delegation to come back.
    bool reflinks{false};      ///< CLONE works.
    bool readPlusHoles{false}; ///< READ_PLUS tells holes from data.
    /// A READ or READLINK without data has no item, of which the Write chunk comes back empty.
    bool emptyWriteChunks{false};
    bool recordClients{true}; ///< Clients are put into stable storage.
    NetAddr4 dataServer;      ///< Where layouts point.
    Nfs4Verifier writeVerifier{};
};

/// What a server's COMPOUNDs may have done elsewhere.
struct Nfs4ServerActions
{
    /// A delegation is to be recalled.
    std::function<void(const Nfs4StatePtr& delegation)> recall;
    /// A delegation has been granted.
    std::function<void(const Nfs4StatePtr& delegation)> delegated;
    /// A client of NFSv4.0 has said where its callbacks go.
    std::function<void(Nfs4Client& client)> probe;
    /// A connection of a client has been bound to a session, or was and is no more.
    std::function<void(Nfs4Client& client)> bound;
    /// A session has gone.
    std::function<void(const Nfs4Session& session)> sessionGone;
    /// A COPY is to go on after its reply.
    std::function<void(const Nfs4AsyncCopyPtr& copy)> copy;
};

/**
 * \brief All that one instance of an NFSv4 server remembers. A restart makes a new one.
 */
class Nfs4ServerState
{
  public:
    /// \param boot seconds since 1970
    /// \param firstClient number of the first client
    Nfs4ServerState(Ptr<FileStore> store,
                    const Nfs4ServerSettings& settings,
                    Nfs4ServerActions actions,
                    uint32_t boot,
                    uint32_t firstClient);

    [[nodiscard]] Nfs4FileKey GetKey(InodeNumber number) const;
    /**
     * \brief Recalls the delegations that are in the way of a change of \p number.
     * \param by the client that makes the change, whose own are not; 0: none
     * \return whether there are any
     */
    bool BreakDelegations(InodeNumber number, Nfs4ClientId by, Time now);
    /// Expires the courtesy clients that have state on a file. \return whether there were any.
    bool ExpireCourtesy(const Nfs4FileKey& file);
    /// Revokes delegations that have not come back for \p limit, expires leases.
    /// \return when to look again at the latest
    Time Launder(Time now, Time lease, Time courtesy);

    Ptr<FileStore> store;
    Nfs4Namespace names;
    const Nfs4ServerSettings& settings;
    Nfs4ServerActions actions;
    Nfs4SessionTable sessions;
    Nfs4StateTable states;
    Nfs4ClientTable clients;
    Nfs4GracePeriod grace;
    Nfs4AsyncCopies copies;
    Nfs4BlockedLocks blockedLocks;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_SERVICE_STATE_H
