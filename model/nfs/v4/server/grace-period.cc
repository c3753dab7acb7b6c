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

} // namespace ns3::nfsrdma
