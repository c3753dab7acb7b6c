/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/offload-table.h"

#include <utility>

namespace ns3::nfsrdma
{

void
Nfs4OffloadTable::Expect(const Nfs4StateId& id, Done done)
{
    const auto early = m_early.find(id);
    if (early == m_early.end())
    {
        m_expected[id] = std::move(done);
        return;
    }
    const CbOffloadArgs4 result = std::move(early->second);
    m_early.erase(early);
    done(&result);
}

void
Nfs4OffloadTable::Forget(const Nfs4StateId& id)
{
    m_expected.erase(id);
    m_known.insert(id);
}

void
Nfs4OffloadTable::Arrive(const CbOffloadArgs4& result)
{
    if (m_known.erase(result.stateid) != 0)
    {
        return;
    }
    const auto found = m_expected.find(result.stateid);
    if (found == m_expected.end())
    {
        m_early[result.stateid] = result;
        return;
    }
    const Done done = std::move(found->second);
    m_expected.erase(found);
    done(&result);
}

void
Nfs4OffloadTable::LoseAll()
{
    m_early.clear();
    m_known.clear();
    for (const auto& [id, done] : std::exchange(m_expected, {}))
    {
        done(nullptr);
    }
}

void
Nfs4OffloadTable::Clear()
{
    m_early.clear();
    m_known.clear();
    m_expected.clear();
}

} // namespace ns3::nfsrdma
