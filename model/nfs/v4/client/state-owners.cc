/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/state-owners.h"

#include "nfs/v4/client/compounds.h"

#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// Stands for the device number of the mount and the time its owner was made, in owners' names.
constexpr uint32_t MOUNT_DEVICE = 0x2b;

} // namespace

Nfs4StateOwners::Nfs4StateOwners(Nfs4CompoundClient& client)
    : m_client(client)
{
}

void
Nfs4StateOwners::Begin()
{
    m_openOwner = m_client.HasSessions() ? nullptr : std::make_shared<Nfs4SeqidOwner>();
}

void
Nfs4StateOwners::RenewOpenOwner()
{
    ++m_openOwnerNumber;
    if (m_openOwner)
    {
        m_openOwner->Seqid().Restart();
    }
}

Nfs4StateOwner
Nfs4StateOwners::MakeOpenOwner() const
{
    return {m_client.GetSession().GetClientId(),
            Nfs4SeqidOwner::MakeOpenOwner(MOUNT_DEVICE, m_openOwnerNumber, 1)};
}

Nfs4StateOwner
Nfs4StateOwners::MakeLockOwner(uint32_t number) const
{
    return {m_client.GetSession().GetClientId(),
            Nfs4SeqidOwner::MakeLockOwner(MOUNT_DEVICE, number)};
}

void
Nfs4StateOwners::NeedLockOwner(Nfs4OpenState& open)
{
    if (open.lockOwner == 0)
    {
        open.lockOwner = ++m_lockOwners;
    }
}

OpenArgs4
Nfs4StateOwners::MakeOpen(uint32_t access) const
{
    OpenArgs4 args;
    args.seqid = m_openOwner ? m_openOwner->GetSeqid() : 0;
    args.shareAccess = access;
    args.owner = MakeOpenOwner();
    return args;
}

LockArgs4
Nfs4StateOwners::MakeLock(const Nfs4HeldState::OpenPtr& open,
                          const Nfs4HeldLock& lock,
                          bool reclaim)
{
    NeedLockOwner(*open);
    LockArgs4 args;
    args.type = lock.type;
    args.reclaim = reclaim;
    args.offset = lock.offset;
    args.length = lock.length;
    args.newLockOwner = !open->lockStateid;
    const uint32_t lockSeqid = m_client.HasSessions() ? 0 : open->lockSeqid.Get();
    if (args.newLockOwner)
    {
        args.openOwner.openSeqid = m_openOwner ? m_openOwner->GetSeqid() : 0;
        args.openOwner.openStateid = open->stateid.value_or(Nfs4StateId());
        args.openOwner.lockSeqid = lockSeqid;
        args.openOwner.lockOwner = MakeLockOwner(open->lockOwner);
    }
    else
    {
        args.lockOwner.lockStateid = *open->lockStateid;
        args.lockOwner.lockSeqid = lockSeqid;
    }
    return args;
}

void
Nfs4StateOwners::ConfirmOpen(const Nfs4HeldState::OpenPtr& open,
                             const OpenRes4& result,
                             std::function<void()> done)
{
    if ((result.rflags & OPEN4_RESULT_CONFIRM) == 0 || m_client.HasSessions())
    {
        done();
        return;
    }
    auto task = std::make_shared<Nfs4Task>();
    task->privileged = m_client.GetManager().IsRecovering();
    task->next = true;
    task->owner = m_openOwner;
    task->build = [this, open](Compound4Args& compound) {
        compound.Add(
            PutfhArgs4{open->file},
            OpenConfirmArgs4{open->stateid.value_or(Nfs4StateId()), m_openOwner->GetSeqid()});
    };
    task->done = [open, done = std::move(done)](const Nfs4TaskReply& reply) {
        const auto* confirmed = reply.Find<OpenConfirmRes4>();
        if (confirmed != nullptr && confirmed->status == Nfs4Status::OK)
        {
            open->TakeStateId(confirmed->openStateid, open->access);
        }
        done();
    };
    m_client.GetTasks().Submit(task);
}

} // namespace ns3::nfsrdma
