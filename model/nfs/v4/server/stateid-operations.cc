/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/stateid-operations.h"

#include <algorithm>

namespace ns3::nfsrdma
{

FreeStateidRes4
Nfs4StateidOperations::Run(const FreeStateidArgs4& args)
{
    FreeStateidRes4 results;
    const auto state = m_finder.FindState(args.stateid, true);
    if (!state)
    {
        results.status = state.error();
        return results;
    }
    const bool held =
        (*state)->kind == Nfs4State::Kind::OPEN || (*state)->kind == Nfs4State::Kind::DELEGATION ||
        ((*state)->kind == Nfs4State::Kind::LOCK && m_server.states.HasLocks(**state));
    if (held)
    {
        results.status = Nfs4Status::LOCKS_HELD;
    }
    else if ((*state)->kind == Nfs4State::Kind::LAYOUT)
    {
        results.status = Nfs4Status::BAD_STATEID;
    }
    else
    {
        m_server.states.Free(*state);
    }
    return results;
}

Nfs4Status
Nfs4StateidOperations::Test(const Nfs4StateId& id) const
{
    const auto known = m_server.states.GetOf(m_compound.client->id);
    const bool mine = std::any_of(known.begin(), known.end(), [&id](const Nfs4StatePtr& state) {
        return state->id.other == id.other;
    });
    if (!mine)
    {
        return Nfs4Status::BAD_STATEID;
    }
    const auto state = m_server.states.Find(id, {true, false});
    return state ? Nfs4Status::OK : state.error();
}

TestStateidRes4
Nfs4StateidOperations::Run(const TestStateidArgs4& args)
{
    TestStateidRes4 results;
    for (const Nfs4StateId& id : args.stateids)
    {
        results.statusCodes.push_back(Test(id));
    }
    return results;
}

} // namespace ns3::nfsrdma
