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
#include "nfs/v4/server/client-callbacks.h"
#include "nfs/v4/server/client-table.h"
#include "nfs/v4/server/grace-period.h"
#include "nfs/v4/server/namespace.h"
#include "nfs/v4/server/state-table.h"
#include "settings/setting.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// How an NFSv4 server is set up: service.def has the fields, and those of its parts.
struct Nfs4ServerSettings
{
#define SETTING(type, name, ...) type name{};
#define SETTING_PART(part, name, ...)
#include "nfs/v4/server/service.def"
#undef SETTING_PART
#undef SETTING

    Nfs4AttributeLimits attributes;
    Nfs4SessionLimits session;
    NetAddr4 dataServer{"rdma", {}}; ///< Where layouts point.
    Nfs4Verifier writeVerifier{};

    [[nodiscard]] static const std::vector<Setting<Nfs4ServerSettings>>& GetRows();
};

/// What a server's COMPOUNDs may have done elsewhere.
struct Nfs4ServerActions
{
    /// A delegation is being recalled.
    std::function<void(const Nfs4StatePtr& delegation)> recalled;
    /// A delegation has been granted.
    std::function<void(const Nfs4StatePtr& delegation)> delegated;
    /// A COPY is to go on after its reply.
    std::function<void(const Nfs4AsyncCopyPtr& copy)> copy;
};

/**
 * \brief All that one instance of an NFSv4 server remembers. A restart makes a new one.
 */
class Nfs4ServerState
{
  public:
    /// \p settings and \p routes outlive this.
    /// \param boot seconds since 1970
    /// \param firstClient number of the first client
    Nfs4ServerState(Ptr<FileStore> store,
                    const Nfs4ServerSettings& settings,
                    const Nfs4CallbackRoutes& routes,
                    Nfs4ServerActions actions,
                    uint32_t boot,
                    uint32_t firstClient);

    [[nodiscard]] Nfs4FileKey GetKey(InodeNumber number) const
    {
        return {number, store->Get(number).generation};
    }

    /**
     * \brief Recalls the delegations that are in the way of a change of \p number.
     * \param by the client that makes the change, whose own are not; 0: none
     * \return whether there are any
     */
    bool BreakDelegations(InodeNumber number, Nfs4ClientId by, Time now);
    /// Expires the courtesy clients that have state on a file. \return whether there were any.
    bool ExpireCourtesy(const Nfs4FileKey& file);
    [[nodiscard]] Time GetLease() const;
    /// Revokes delegations that have not come back for the time of a lease, expires leases, when
    /// any of them may have run out (laundromat_main() of fs/nfsd/nfs4state.c).
    void Launder(Time now);
    /// Tells those who wait for locks that have become free.
    void NotifyLocks(Time now);

    Ptr<FileStore> store;
    Nfs4Namespace names;
    const Nfs4ServerSettings& settings;
    Nfs4ServerActions actions;
    std::function<bool()> isMemoryShort; ///< Null: it never is.
    Nfs4SessionTable sessions;
    Nfs4StateTable states;
    Nfs4ClientTable clients;
    Nfs4ClientCallbacks callbacks;
    Nfs4GracePeriod grace;
    Nfs4AsyncCopies copies;
    Nfs4BlockedLocks blockedLocks;

  private:
    Time m_nextLaunder;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_SERVICE_STATE_H
