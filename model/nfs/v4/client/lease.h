/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_LEASE_H
#define NFSRDMA_NFS_V4_CLIENT_LEASE_H

#include "ns3/nstime.h"

#include <algorithm>

namespace ns3::nfsrdma
{

/**
 * \brief When a client has to renew its lease, as Linux's nfs4_renew_state: two thirds of the
 * lease after a call that renewed it was sent, but not sooner than in 5 s.
 */
class Nfs4Lease
{
  public:
    void SetPeriod(Time period)
    {
        m_period = period;
    }

    [[nodiscard]] Time GetPeriod() const
    {
        return m_period;
    }

    /// A call that the server answered, and that was sent at \p sent, has renewed the lease.
    void Renewed(Time sent)
    {
        m_renewed = std::max(m_renewed, sent);
    }

    [[nodiscard]] Time GetRenewed() const
    {
        return m_renewed;
    }

    /// \return from \p now until the next look at it.
    [[nodiscard]] Time GetDelay(Time now) const
    {
        return std::max(m_period * 2 / 3 + m_renewed - now, Seconds(5));
    }

    /// \return whether it is to be renewed at \p now: it has not been for a third of the period.
    [[nodiscard]] bool IsDue(Time now) const
    {
        return now > m_renewed + m_period / 3;
    }

  private:
    Time m_period{Seconds(60)}; ///< Linux's guess until the server says.
    Time m_renewed;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_LEASE_H
