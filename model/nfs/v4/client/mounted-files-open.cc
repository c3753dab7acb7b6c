/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/file-attributes.h"
#include "nfs/v4/client/masks.h"
#include "nfs/v4/client/mounted-files-run.h"

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

Nfs4OpenFile::Nfs4OpenFile(Nfs4HeldState::OpenPtr open, uint32_t access, bool direct)
    : m_object(MakeRef(open->file)),
      m_open(std::move(open)),
      m_access(access),
      m_direct(direct)
{
}

const FileRef&
Nfs4OpenFile::GetObject() const
{
    return m_object;
}

const Nfs4HeldState::OpenPtr&
Nfs4OpenFile::GetOpen() const
{
    return m_open;
}

uint32_t
Nfs4OpenFile::GetAccess() const
{
    return m_access;
}

bool
Nfs4OpenFile::IsDirect() const
{
    return m_direct;
}

/// An Open() under way.
struct Nfs4FileClient::OpenState
{
    Nfs4Name name; ///< Without name: the first is the object itself.
    bool byHandle{false};
    FileOpenHow how;
    uint32_t access{0};
    Done<FileOpenReply> done;
    Nfs4HeldState::OpenPtr open; ///< Once it is known.
};

void
Nfs4FileClient::Open(const FileRef& dir,
                     const std::string& name,
                     const FileOpenHow& how,
                     Done<FileOpenReply> done)
{
    const auto state = std::make_shared<OpenState>();
    state->name = {MakeFh(dir), name};
    state->how = how;
    state->access = GetAccess(how);
    state->done = Track(std::move(done));
    StartOpen(state, m_client->GetHeld().FindByName(state->name, OPEN4_SHARE_ACCESS_READ));
}

void
Nfs4FileClient::OpenObject(const FileRef& object, const FileOpenHow& how, Done<FileOpenReply> done)
{
    NS_ASSERT_MSG(m_client->HasSessions() && !how.create, "NFSv4.0 opens by name");
    const auto state = std::make_shared<OpenState>();
    state->name.first = MakeFh(object);
    state->byHandle = true;
    state->how = how;
    state->access = GetAccess(how);
    state->done = Track(std::move(done));
    StartOpen(state, m_client->GetHeld().FindDelegation(state->name.first));
}

void
Nfs4FileClient::StartOpen(const std::shared_ptr<OpenState>& state,
                          const Nfs4HeldState::DelegationPtr& delegation)
{
    if (!delegation || delegation->returning)
    {
        SendOpen(state);
        return;
    }
    if (!delegation->Covers(state->access) || state->how.create)
    {
        m_client->ReturnDelegation(delegation, [this, state] { SendOpen(state); });
        return;
    }
    state->open = m_client->GetHeld().GetOpen(delegation->file);
    if (!state->byHandle)
    {
        state->open->name = state->name;
    }
    ++state->open->users[state->access];
    FileOpenReply reply;
    reply.object = MakeRef(delegation->file);
    reply.file = std::make_shared<Nfs4OpenFile>(state->open, state->access, state->how.direct);
    EndSoon<FileOpenReply>(reply, state->done);
}

void
Nfs4FileClient::SendOpen(const std::shared_ptr<OpenState>& state)
{
    const auto task = MakeTask(
        [this, state](Compound4Args& compound) {
            OpenArgs4 args = m_client->MakeOpen(state->access);
            if (state->how.direct && m_client->HasSessions())
            {
                args.shareAccess |= OPEN4_SHARE_ACCESS_WANT_NO_DELEG;
            }
            if (state->how.create)
            {
                args.create = MakeCreateHow(state->how);
            }
            if (state->byHandle)
            {
                args.claim.type = OpenClaim4::FH;
            }
            else
            {
                args.claim.file = state->name.second;
            }
            compound.ops.emplace_back(PutfhArgs4{state->name.first});
            compound.ops.emplace_back(std::move(args));
            if (!state->byHandle)
            {
                compound.ops.emplace_back(GetfhArgs4());
            }
            // After an exclusive create no right is there yet.
            if (!state->how.create || state->how.mode != CreateMode3::EXCLUSIVE)
            {
                compound.ops.emplace_back(AccessArgs4{OPEN_ACCESS});
            }
            compound.ops.emplace_back(GetattrArgs4{MakeObjectMask()});
        },
        true);
    task->owner = m_client->GetOpenOwner();
    task->done = [this, state](const Nfs4TaskReply& result) { FinishOpen(state, result); };
    m_client->Submit(task);
}

CreateHow4
Nfs4FileClient::MakeCreateHow(const FileOpenHow& how) const
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
        made.mode = m_client->HasSessions() ? CreateMode4::EXCLUSIVE4_1 : CreateMode4::EXCLUSIVE;
        made.verifier = ToVerifier(how.verifier);
        // Times carry the verifier; SETATTR sets them.
        made.attributes.timeAccessSet.reset();
        made.attributes.timeModifySet.reset();
        break;
    }
    return made;
}

void
Nfs4FileClient::FinishOpen(const std::shared_ptr<OpenState>& state, const Nfs4TaskReply& result)
{
    FileOpenReply reply;
    reply.outcome = result.outcome;
    reply.repeated = result.repeated;
    reply.status = static_cast<uint32_t>(result.status);
    const auto* opened = result.Find<OpenRes4>();
    if (opened == nullptr || opened->status != Nfs4Status::OK)
    {
        if (reply.IsOk())
        {
            reply.outcome = RpcOutcome::BAD_REPLY;
        }
        state->done(reply);
        return;
    }
    const auto* handle = result.Find<GetfhRes4>();
    if (!state->byHandle && (handle == nullptr || handle->status != Nfs4Status::OK))
    {
        state->done(reply);
        return;
    }
    auto& held = m_client->GetHeld();
    state->open = held.GetOpen(state->byHandle ? state->name.first : handle->object);
    const auto& open = state->open;
    const bool same = open->stateid && open->stateid->other == opened->stateid.other;
    ++open->users[state->access];
    open->direct = state->how.direct;
    if (!state->byHandle)
    {
        open->name = state->name;
    }
    m_client->TakeOpen(open, *opened, (same ? open->access : 0) | state->access);
    if (const auto delegation = held.FindDelegation(open->file); delegation && !state->byHandle)
    {
        delegation->names.insert(state->name);
    }
    // An error of ACCESS or GETATTR does not make the file any less open.
    reply.status = 0;
    reply.object = MakeRef(open->file);
    if (const auto* got = result.Find<GetattrRes4>(); got != nullptr && result.IsOk())
    {
        reply.attributes = MakeFileAttributes(got->attributes);
    }
    m_client->ConfirmOpen(open, *opened, [this, state, reply] { EndOpen(state, reply); });
}

void
Nfs4FileClient::EndOpen(const std::shared_ptr<OpenState>& state, FileOpenReply reply)
{
    reply.file = std::make_shared<Nfs4OpenFile>(state->open, state->access, state->how.direct);
    Sattr3 left = state->how.attributes;
    if (m_client->HasSessions())
    {
        left.mode.reset();
        left.uid.reset();
        left.gid.reset();
        left.size.reset();
    }
    if (!state->how.create || state->how.mode != CreateMode3::EXCLUSIVE || left.IsEmpty())
    {
        state->done(reply);
        return;
    }
    SetAttributes(reply.object, reply.file, left, [state, reply](const FileReply& set) mutable {
        reply.outcome = set.outcome;
        reply.status = set.status;
        state->done(reply);
    });
}

void
Nfs4FileClient::Close(const std::shared_ptr<OpenFile>& file, Done<FileReply> done)
{
    const auto opened = ToOpenFile(file);
    const auto& open = opened->GetOpen();
    auto tracked = Track(std::move(done));
    NS_ASSERT_MSG(open->users.at(opened->GetAccess()) != 0, "the file is closed already");
    --open->users.at(opened->GetAccess());
    const uint32_t needed = open->GetNeeded();
    if (!open->stateid || needed == open->access)
    {
        m_client->GetHeld().DropIfUnused(open);
        EndSoon<FileReply>(FileReply(), std::move(tracked));
        return;
    }
    if (needed != 0)
    {
        SendDowngrade(opened, std::move(tracked));
        return;
    }
    const auto doubt = std::exchange(open->lockInDoubt, std::nullopt);
    if (doubt && !open->lockStateid)
    {
        // Made again it has an answer, and so the stateid that unlocking takes.
        Lock(file,
             doubt->type,
             doubt->offset,
             doubt->length,
             [this, opened, tracked](const FileReply& /* reply */) {
                 CloseUnlocked(opened, tracked);
             });
        return;
    }
    if (doubt)
    {
        open->locks.push_back(*doubt);
    }
    CloseUnlocked(opened, std::move(tracked));
}

void
Nfs4FileClient::CloseUnlocked(const std::shared_ptr<Nfs4OpenFile>& file, Done<FileReply> done)
{
    const auto& open = file->GetOpen();
    open->lockInDoubt.reset();
    if (open->locks.empty())
    {
        GiveUpLocks(open);
        SendClose(file, std::move(done));
        return;
    }
    Unlock(file, 0, NFS4_UINT64_MAX, [this, file, done](const FileReply& /* reply */) {
        file->GetOpen()->locks.clear();
        GiveUpLocks(file->GetOpen());
        SendClose(file, done);
    });
}

void
Nfs4FileClient::SendClose(const std::shared_ptr<Nfs4OpenFile>& file, Done<FileReply> done)
{
    const auto open = file->GetOpen();
    const auto closing = std::make_shared<Nfs4StateId>();
    const auto task = MakeTask(
        [this, open, closing](Compound4Args& compound) {
            *closing = *open->stateid;
            compound.ops.emplace_back(PutfhArgs4{open->file});
            if (!m_client->GetHeld().FindDelegation(open->file))
            {
                compound.ops.emplace_back(GetattrArgs4{MakeWrittenMask()});
            }
            const auto& owner = m_client->GetOpenOwner();
            compound.ops.emplace_back(CloseArgs4{owner ? owner->GetSeqid() : 0, *closing});
        },
        true);
    task->final = true;
    task->owner = m_client->GetOpenOwner();
    task->older = MakeOlder(open, closing);
    // Opened again meanwhile: the stateid is that of the new open too.
    task->obsolete = [open] { return open->GetNeeded() != 0 || !open->stateid; };
    task->done = [this, open, closing, done = std::move(done)](const Nfs4TaskReply& result) {
        const auto* closed = result.Find<CloseRes4>();
        const bool unknown = result.outcome == RpcOutcome::SUCCESS && closed != nullptr &&
                             closed->status != Nfs4Status::OK;
        if (closed != nullptr && open->stateid && open->stateid->other == closing->other &&
            open->stateid->seqid == closing->seqid)
        {
            open->stateid.reset();
            open->access = 0;
            open->lost = false;
        }
        m_client->GetHeld().DropIfUnused(open);
        FileReply reply;
        reply.outcome = result.outcome;
        // A stateid that the server does not know is closed.
        reply.status = unknown ? 0 : static_cast<uint32_t>(result.status);
        done(reply);
    };
    m_client->Submit(task);
}

void
Nfs4FileClient::SendDowngrade(const std::shared_ptr<Nfs4OpenFile>& file, Done<FileReply> done)
{
    const auto open = file->GetOpen();
    const auto sent = std::make_shared<Nfs4StateId>();
    const auto task = MakeTask(
        [this, open, sent](Compound4Args& compound) {
            const auto& owner = m_client->GetOpenOwner();
            OpenDowngradeArgs4 args;
            *sent = *open->stateid;
            args.openStateid = *sent;
            args.seqid = owner ? owner->GetSeqid() : 0;
            args.shareAccess = open->GetNeeded();
            compound.ops.emplace_back(PutfhArgs4{open->file});
            compound.ops.emplace_back(args);
        },
        true);
    task->final = true;
    task->owner = m_client->GetOpenOwner();
    task->older = MakeOlder(open, sent);
    task->obsolete = [open] {
        return !open->stateid || open->GetNeeded() == 0 || open->GetNeeded() == open->access;
    };
    const uint32_t needed = open->GetNeeded();
    task->done = [open, needed, done = std::move(done)](const Nfs4TaskReply& result) {
        const auto* got = result.Find<OpenDowngradeRes4>();
        if (got != nullptr && got->status == Nfs4Status::OK)
        {
            open->TakeStateId(got->openStateid, needed);
        }
        FileReply reply;
        reply.outcome = result.outcome;
        done(reply);
    };
    m_client->Submit(task);
}

void
Nfs4FileClient::GiveUpLocks(const Nfs4HeldState::OpenPtr& open)
{
    if (!open->lockStateid)
    {
        return;
    }
    const auto task = std::make_shared<Nfs4Task>();
    task->cacheThis = true;
    task->final = true;
    task->build =
        [this, stateid = *open->lockStateid, number = open->lockOwner](Compound4Args& compound) {
            if (m_client->HasSessions())
            {
                compound.ops.emplace_back(FreeStateidArgs4{stateid});
            }
            else
            {
                compound.ops.emplace_back(ReleaseLockownerArgs4{m_client->MakeLockOwner(number)});
            }
        };
    open->lockStateid.reset();
    open->lockOwner = 0;
    open->lockSeqid.Restart();
    m_client->Submit(task);
}

void
Nfs4FileClient::Lock(const std::shared_ptr<OpenFile>& file,
                     LockType4 type,
                     uint64_t offset,
                     uint64_t length,
                     Done<FileReply> done)
{
    const auto open = ToOpenFile(file)->GetOpen();
    const auto send = [this, open, type, offset, length, tracked = Track(std::move(done))] {
        const Nfs4HeldLock lock{type, offset, length};
        const auto sent = std::make_shared<Nfs4StateId>();
        const auto task = MakeTask(
            [this, open, lock, sent](Compound4Args& compound) {
                *sent =
                    (open->lockStateid ? open->lockStateid : open->stateid).value_or(Nfs4StateId());
                compound.ops.emplace_back(PutfhArgs4{open->file});
                compound.ops.emplace_back(m_client->MakeLock(open, lock, false));
            },
            true);
        task->older = MakeOlder(open, sent);
        task->open = open;
        task->locked = open;
        // A lock owner that the server knows has a seqid of its own.
        task->owner = open->lockStateid ? nullptr : m_client->GetOpenOwner();
        task->done =
            [open, lock, tracked, sessions = m_client->HasSessions()](const Nfs4TaskReply& result) {
                FileReply reply;
                reply.outcome = result.outcome;
                reply.status = static_cast<uint32_t>(result.status);
                const auto* got = result.Find<LockRes4>();
                if (got != nullptr && got->status == Nfs4Status::OK)
                {
                    open->lockStateid = got->lockStateid;
                    open->locks.push_back(lock);
                }
                if (got == nullptr && result.outcome != RpcOutcome::SUCCESS && !sessions)
                {
                    open->lockInDoubt = lock;
                }
                tracked(reply);
            };
        m_client->Submit(task);
    };
    // A lock needs the server's stateid of the open.
    if (!open->stateid)
    {
        WithoutDelegation(open->file, send);
        return;
    }
    send();
}

void
Nfs4FileClient::Unlock(const std::shared_ptr<OpenFile>& file,
                       uint64_t offset,
                       uint64_t length,
                       Done<FileReply> done)
{
    const auto open = ToOpenFile(file)->GetOpen();
    auto tracked = Track(std::move(done));
    if (!open->lockStateid)
    {
        EndSoon<FileReply>(FileReply(), std::move(tracked));
        return;
    }
    const auto sent = std::make_shared<Nfs4StateId>();
    const auto task = MakeTask(
        [this, open, offset, length, sent](Compound4Args& compound) {
            LockuArgs4 args;
            args.type = LockType4::WRITE;
            args.seqid = m_client->HasSessions() ? 0 : open->lockSeqid.Get();
            *sent = open->lockStateid.value_or(Nfs4StateId());
            args.lockStateid = *sent;
            args.offset = offset;
            args.length = length;
            compound.ops.emplace_back(PutfhArgs4{open->file});
            compound.ops.emplace_back(args);
        },
        true);
    task->open = open;
    task->locked = open;
    task->older = MakeOlder(open, sent);
    task->done = [open, offset, length, tracked](const Nfs4TaskReply& result) {
        FileReply reply;
        reply.outcome = result.outcome;
        reply.status = static_cast<uint32_t>(result.status);
        const auto* got = result.Find<LockuRes4>();
        if (got != nullptr && got->status == Nfs4Status::OK)
        {
            open->lockStateid = got->lockStateid;
            open->Unlock(offset, length);
        }
        tracked(reply);
    };
    m_client->Submit(task);
}

} // namespace ns3::nfsrdma
