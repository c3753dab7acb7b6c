/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_LEASE_RENEWAL_H
#define NFSRDMA_NFS_V4_CLIENT_LEASE_RENEWAL_H

#include "nfs/v4/client/lease.h"

#include "ns3/event-id.h"

namespace ns3::nfsrdma
{

class Nfs4CompoundClient;

/**
 * \brief Renews a client's lease at two thirds of its time when nothing else has renewed it, with
 * SEQUENCE alone or RENEW.
 */
class Nfs4LeaseRenewal
{
  public:
    /// \param client whose lease it is; owns this
    explicit Nfs4LeaseRenewal(Nfs4CompoundClient& client);

    [[nodiscard]] const Nfs4Lease& GetLease() const
    {
        return m_lease;
    }

    /// The server has said how long the lease is.
    void SetPeriod(Time period);

    [[nodiscard]] bool IsPeriodKnown() const
    {
        return m_known;
    }

    /// A call that was sent then has renewed it.
    void Renewed(Time sent)
    {
        m_lease.Renewed(sent);
    }

    /// Looks at the lease when it may be due, as long as the client is to keep it.
    void Schedule();

    void Cancel()
    {
        m_event.Cancel();
    }

  private:
    void Renew();

    Nfs4CompoundClient& m_client;
    Nfs4Lease m_lease;
    EventId m_event;
    bool m_known{false};
    bool m_renewing{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_LEASE_RENEWAL_H
