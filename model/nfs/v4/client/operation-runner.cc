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
Nfs4OperationRunner::SetClient(Ptr<Nfs4CompoundClient> client)
{
    m_client = client;
}

const Ptr<Nfs4CompoundClient>&
Nfs4OperationRunner::GetClient() const
{
    return m_client;
}

FileClient&
Nfs4OperationRunner::GetFiles() const
{
    return m_files;
}

Nfs4StateId
Nfs4OperationRunner::SelectStateId(const Nfs4HeldState::OpenPtr& open, uint32_t access) const
{
    return m_client->GetHeld().SelectStateId(open->file, access, m_client->HasSessions());
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
