/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/open-files.h"

#include "nfs/types/verifier-number.h"
#include "nfs/v4/client/masks.h"

#include "ns3/assert.h"

#include <utility>

namespace ns3::nfsrdma
{

namespace
{

uint32_t
GetAccess(const FileOpenHow& how)
{
    const uint32_t access =
        (how.read ? OPEN4_SHARE_ACCESS_READ : 0) | (how.write ? OPEN4_SHARE_ACCESS_WRITE : 0);
    return access == 0 ? OPEN4_SHARE_ACCESS_READ : access;
}

} // namespace

/// An Open() under way.
struct Nfs4OpenFiles::Opening
{
    Nfs4Name name;
    FileOpenHow how;
    uint32_t access{0};
    Done<FileOpenReply> done;
    Nfs4HeldState::OpenPtr open; ///< Once it is known.
};

Nfs4OpenFiles::Nfs4OpenFiles(Nfs4OperationRunner& runner, Nfs4LockCalls& locks)
    : m_runner(runner),
      m_locks(locks)
{
}

void
Nfs4OpenFiles::Open(const FileOpen& request, Done<FileOpenReply> done)
{
    const FileOpenHow& how = request.how;
    const auto opening = std::make_shared<Opening>();
    opening->name = {MakeFh(request.where.dir), request.where.name};
    opening->how = how;
    opening->access = GetAccess(how);
    opening->done = std::move(done);
    const auto& client = m_runner.GetClient();
    const auto delegation = client->GetHeld().FindByName(opening->name, OPEN4_SHARE_ACCESS_READ);
    if (!delegation || delegation->returning)
    {
        Send(opening);
        return;
    }
    if (!delegation->Covers(opening->access) || how.create)
    {
        client->GetDelegations().Return(delegation, [this, opening] { Send(opening); });
        return;
    }
    opening->open = client->GetHeld().GetOpen(delegation->file);
    opening->open->name = opening->name;
    ++opening->open->users[opening->access];
    FileOpenReply reply;
    reply.object = MakeRef(delegation->file);
    reply.file = std::make_shared<Nfs4OpenFile>(opening->open, opening->access, how.direct);
    m_runner.EndSoon<FileOpenReply>(reply, opening->done);
}

void
Nfs4OpenFiles::Send(const OpeningPtr& opening)
{
    const auto& client = m_runner.GetClient();
    const auto task = std::make_shared<Nfs4Task>();
    task->cacheThis = true;
    task->owner = client->GetOwners().GetOpenOwner();
    task->build = [this, opening](Compound4Args& compound) {
        const FileOpenHow& how = opening->how;
        OpenArgs4 args = m_runner.GetClient()->GetOwners().MakeOpen(opening->access);
        if (how.direct && m_runner.GetClient()->HasSessions())
        {
            args.shareAccess |= OPEN4_SHARE_ACCESS_WANT_NO_DELEG;
        }
        if (how.create)
        {
            args.create = MakeCreateHow(how);
        }
        args.claim.file = opening->name.second;
        compound.Add(PutfhArgs4{opening->name.first}, std::move(args), GetfhArgs4());
        // After an exclusive create no right is there yet.
        if (!how.create || how.mode != CreateMode3::EXCLUSIVE)
        {
            compound.Add(AccessArgs4{OPEN_ACCESS});
        }
        compound.Add(GetattrArgs4{MakeObjectMask()});
    };
    task->done = [this, opening](const Nfs4TaskReply& result) { Take(opening, result); };
    client->GetTasks().Submit(task);
}

CreateHow4
Nfs4OpenFiles::MakeCreateHow(const FileOpenHow& how) const
{
    CreateHow4 made;
    made.attributes = MakeSetAttributes(how.attributes);
    switch (how.mode)
    {
    case CreateMode3::UNCHECKED:
        made.mode = CreateMode4::UNCHECKED;
        break;
    case CreateMode3::GUARDED:
        made.mode = CreateMode4::GUARDED;
        break;
    case CreateMode3::EXCLUSIVE:
        made.mode = m_runner.GetClient()->HasSessions() ? CreateMode4::EXCLUSIVE4_1
                                                        : CreateMode4::EXCLUSIVE;
        made.verifier = ToVerifier(how.verifier);
        // Times carry the verifier; SETATTR sets them.
        made.attributes.timeAccessSet.reset();
        made.attributes.timeModifySet.reset();
        break;
    }
    return made;
}

void
Nfs4OpenFiles::Take(const OpeningPtr& opening, const Nfs4TaskReply& result)
{
    auto reply = Nfs4OperationRunner::MakeReply<FileOpenReply>(result);
    const auto* opened = result.Find<OpenRes4>();
    if (opened == nullptr || opened->status != Nfs4Status::OK)
    {
        if (reply.IsOk())
        {
            reply.outcome = RpcOutcome::BAD_REPLY;
        }
        opening->done(reply);
        return;
    }
    const auto* handle = result.Find<GetfhRes4>();
    if (handle == nullptr || handle->status != Nfs4Status::OK)
    {
        opening->done(reply);
        return;
    }
    const auto& client = m_runner.GetClient();
    auto& held = client->GetHeld();
    opening->open = held.GetOpen(handle->object);
    const auto& open = opening->open;
    const bool same = open->stateid && open->stateid->other == opened->stateid.other;
    ++open->users[opening->access];
    open->direct = opening->how.direct;
    open->name = opening->name;
    client->GetDelegations().TakeOpen(open, *opened, (same ? open->access : 0) | opening->access);
    if (const auto delegation = held.FindDelegation(open->file))
    {
        delegation->names.insert(opening->name);
    }
    // An error of ACCESS or GETATTR does not make the file any less open.
    reply.status = 0;
    reply.object = MakeRef(open->file);
    if (const auto* got = result.Find<GetattrRes4>(); got != nullptr && result.IsOk())
    {
        reply.attributes = MakeFileAttributes(got->attributes);
        AddNews(reply, reply.object, got->attributes);
    }
    if (opening->how.create)
    {
        AddNews(reply, MakeRef(opening->name.first), opened->changeInfo);
    }
    client->GetOwners().ConfirmOpen(open, *opened, [this, opening, reply] {
        Finish(opening, reply);
    });
}

void
Nfs4OpenFiles::Finish(const OpeningPtr& opening, FileOpenReply reply)
{
    const FileOpenHow& how = opening->how;
    reply.file = std::make_shared<Nfs4OpenFile>(opening->open, opening->access, how.direct);
    Sattr3 left = how.attributes;
    if (m_runner.GetClient()->HasSessions())
    {
        left.mode.reset();
        left.uid.reset();
        left.gid.reset();
        left.size.reset();
    }
    if (!how.create || how.mode != CreateMode3::EXCLUSIVE || left.IsEmpty())
    {
        opening->done(reply);
        return;
    }
    m_runner.GetFiles().Run(FileSetAttributes{reply.object, reply.file, left},
                            [opening, reply](const FileReply& set) mutable {
                                reply.outcome = set.outcome;
                                reply.status = set.status;
                                opening->done(reply);
                            });
}

void
Nfs4OpenFiles::Close(const std::shared_ptr<OpenFile>& file, Done<FileReply> done)
{
    const auto opened = Nfs4OpenFile::Of(file);
    const auto& open = opened->open;
    uint32_t& users = open->users.at(opened->access);
    NS_ASSERT_MSG(users != 0, "the file is closed already");
    --users;
    const uint32_t needed = open->GetNeeded();
    if (!open->stateid || needed == open->access)
    {
        m_runner.GetClient()->GetHeld().DropIfUnused(open);
        m_runner.EndSoon<FileReply>(FileReply(), std::move(done));
        return;
    }
    if (needed != 0)
    {
        SendDowngrade(open, std::move(done));
        return;
    }
    const auto doubt = std::exchange(open->lockInDoubt, std::nullopt);
    if (doubt && !open->lockStateid)
    {
        // Made again it has an answer, and so the stateid that unlocking takes.
        m_locks.Lock(
            file,
            doubt->type,
            doubt->offset,
            doubt->length,
            [this, opened, done](const FileReply& /* reply */) { CloseUnlocked(opened, done); });
        return;
    }
    if (doubt)
    {
        open->locks.push_back(*doubt);
    }
    CloseUnlocked(opened, std::move(done));
}

void
Nfs4OpenFiles::CloseUnlocked(const std::shared_ptr<Nfs4OpenFile>& file, Done<FileReply> done)
{
    const auto& open = file->open;
    open->lockInDoubt.reset();
    if (open->locks.empty())
    {
        m_locks.GiveUpOwner(open);
        SendClose(open, std::move(done));
        return;
    }
    m_locks.Unlock(file, 0, NFS4_UINT64_MAX, [this, open, done](const FileReply& /* reply */) {
        open->locks.clear();
        m_locks.GiveUpOwner(open);
        SendClose(open, done);
    });
}

std::shared_ptr<Nfs4Task>
Nfs4OpenFiles::MakeFinalTask(const Nfs4HeldState::OpenPtr& open) const
{
    auto task = std::make_shared<Nfs4Task>();
    task->cacheThis = true;
    task->final = true;
    task->owner = m_runner.GetClient()->GetOwners().GetOpenOwner();
    task->stateidOf = open;
    return task;
}

void
Nfs4OpenFiles::SendClose(const Nfs4HeldState::OpenPtr& open, Done<FileReply> done)
{
    const auto task = MakeFinalTask(open);
    task->build = [this, open, closing = &task->stateid](Compound4Args& compound) {
        *closing = *open->stateid;
        compound.Add(PutfhArgs4{open->file});
        if (!m_runner.GetClient()->GetHeld().FindDelegation(open->file))
        {
            compound.Add(GetattrArgs4{MakeWrittenMask()});
        }
        const auto& owner = m_runner.GetClient()->GetOwners().GetOpenOwner();
        compound.Add(CloseArgs4{owner ? owner->GetSeqid() : 0, *closing});
    };
    // Opened again meanwhile: the stateid is that of the new open too.
    task->obsolete = [open] { return open->GetNeeded() != 0 || !open->stateid; };
    task->done = [this, open, closing = &task->stateid, done = std::move(done)](
                     const Nfs4TaskReply& result) {
        const auto* closed = result.Find<CloseRes4>();
        if (closed != nullptr && open->stateid && open->stateid->other == closing->other &&
            open->stateid->seqid == closing->seqid)
        {
            open->stateid.reset();
            open->access = 0;
            open->lost = false;
        }
        m_runner.GetClient()->GetHeld().DropIfUnused(open);
        auto reply = Nfs4OperationRunner::MakeReply<FileReply>(result);
        if (const auto* got = result.Find<GetattrRes4>(); got != nullptr && result.IsOk())
        {
            AddNews(reply, MakeRef(open->file), got->attributes);
        }
        if (result.outcome == RpcOutcome::SUCCESS && closed != nullptr)
        {
            // A stateid that the server does not know is closed.
            reply.status = 0;
        }
        done(reply);
    };
    m_runner.GetClient()->GetTasks().Submit(task);
}

void
Nfs4OpenFiles::SendDowngrade(const Nfs4HeldState::OpenPtr& open, Done<FileReply> done)
{
    const auto task = MakeFinalTask(open);
    task->build = [this, open, sent = &task->stateid](Compound4Args& compound) {
        const auto& owner = m_runner.GetClient()->GetOwners().GetOpenOwner();
        OpenDowngradeArgs4 args;
        *sent = *open->stateid;
        args.openStateid = *sent;
        args.seqid = owner ? owner->GetSeqid() : 0;
        args.shareAccess = open->GetNeeded();
        compound.Add(PutfhArgs4{open->file}, args);
    };
    task->obsolete = [open] {
        return !open->stateid || open->GetNeeded() == 0 || open->GetNeeded() == open->access;
    };
    task->done =
        [open, needed = open->GetNeeded(), done = std::move(done)](const Nfs4TaskReply& result) {
            const auto* got = result.Find<OpenDowngradeRes4>();
            if (got != nullptr && got->status == Nfs4Status::OK)
            {
                open->TakeStateId(got->openStateid, needed);
            }
            FileReply reply;
            reply.outcome = result.outcome;
            done(reply);
        };
    m_runner.GetClient()->GetTasks().Submit(task);
}

} // namespace ns3::nfsrdma
