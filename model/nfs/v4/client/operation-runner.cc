/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/operation-runner.h"

namespace ns3::nfsrdma
{

namespace
{

void
AfterReturn(const Ptr<Nfs4CompoundClient>& client,
            const Nfs4HeldState::DelegationPtr& delegation,
            std::function<void()> next)
{
    if (!delegation)
    {
        next();
        return;
    }
    client->GetDelegations().Return(delegation, std::move(next));
}

} // namespace

Nfs4OperationRunner::Nfs4OperationRunner(FileClient& files)
    : m_files(files)
{
}

void
Nfs4OperationRunner::WithoutDelegation(const Nfs4Fh& file, std::function<void()> next)
{
    AfterReturn(m_client, m_client->GetHeld().FindDelegation(file), std::move(next));
}

void
Nfs4OperationRunner::WithoutDelegation(const Nfs4Name& name, std::function<void()> next)
{
    AfterReturn(m_client, m_client->GetHeld().FindByName(name, 0), std::move(next));
}

} // namespace ns3::nfsrdma
