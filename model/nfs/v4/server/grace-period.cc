/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/grace-period.h"

namespace ns3::nfsrdma
{

void
Nfs4GracePeriod::Start(Time now, Time length)
{
    m_reclaiming = std::move(m_recorded);
    m_recorded.clear();
    m_end = now + length;
}

bool
Nfs4GracePeriod::IsActive(Time now) const
{
    return now < m_end && !m_reclaiming.empty();
}

bool
Nfs4GracePeriod::MayReclaim(const ByteVector& client) const
{
    return m_reclaiming.count(client) > 0;
}

void
Nfs4GracePeriod::Complete(const ByteVector& client)
{
    m_reclaiming.erase(client);
}

void
Nfs4GracePeriod::Record(const ByteVector& client)
{
    m_recorded.insert(client);
}

void
Nfs4GracePeriod::Remove(const ByteVector& client)
{
    m_recorded.erase(client);
}

std::size_t
Nfs4GracePeriod::GetRecords() const
{
    return m_recorded.size();
}

} // namespace ns3::nfsrdma
