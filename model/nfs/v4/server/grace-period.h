/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_GRACE_PERIOD_H
#define NFSRDMA_NFS_V4_SERVER_GRACE_PERIOD_H

#include "wire/bytes.h"

#include "ns3/nstime.h"

#include <set>

namespace ns3::nfsrdma
{

/**
 * \brief The grace period after a server's start, and the records of clients in stable storage that
 * tell who may reclaim, RFC 8881 section 8.4.2.1.
 *
 * As nfsd: with no client on record there is no grace period; it ends early when every client on
 * record has reclaimed completely, and the records of those that have not come back go then.
 */
class Nfs4GracePeriod
{
  public:
    /// Starts the server: clients on record now may reclaim until \p length has passed.
    void Start(Time now, Time length);

    [[nodiscard]] bool IsActive(Time now) const
    {
        return now < m_end && !m_reclaiming.empty();
    }

    /// \return whether \p client was on record when the server started, and may reclaim still.
    [[nodiscard]] bool MayReclaim(const ByteVector& client) const
    {
        return m_reclaiming.count(client) > 0;
    }

    /// A client has reclaimed all it wants.
    void Complete(const ByteVector& client)
    {
        m_reclaiming.erase(client);
    }

    /// Puts a client on record, for the next start.
    void Record(const ByteVector& client)
    {
        m_recorded.insert(client);
    }

    /// Takes a client off the record.
    void Remove(const ByteVector& client)
    {
        m_recorded.erase(client);
    }

    [[nodiscard]] std::size_t GetRecords() const
    {
        return m_recorded.size();
    }

  private:
    std::set<ByteVector> m_recorded;
    std::set<ByteVector> m_reclaiming; ///< On record at the start, and not complete.
    Time m_end;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_GRACE_PERIOD_H
