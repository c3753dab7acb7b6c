/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/open-operations.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

bool
IsExclusive(CreateMode4 mode)
{
    return mode == CreateMode4::EXCLUSIVE || mode == CreateMode4::EXCLUSIVE4_1;
}

CreateMode3
ToCreateMode3(CreateMode4 mode)
{
    switch (mode)
    {
    case CreateMode4::UNCHECKED:
        return CreateMode3::UNCHECKED;
    case CreateMode4::GUARDED:
        return CreateMode3::GUARDED;
    default:
        return CreateMode3::EXCLUSIVE;
    }
}

bool
NamesFile(OpenClaim4 claim)
{
    return claim == OpenClaim4::CLAIM_NULL || claim == OpenClaim4::DELEGATE_CUR;
}

} // namespace

Nfs4Status
Nfs4OpenOperations::CheckClaim(const OpenArgs4& args)
{
    if (m_compound.minorVersion == 0 && args.claim.type >= OpenClaim4::FH)
    {
        return Nfs4Status::BADXDR;
    }
    const bool reclaim = args.claim.type == OpenClaim4::PREVIOUS;
    const bool grace = m_server.grace.IsActive(m_compound.now);
    if (grace && !reclaim)
    {
        return Nfs4Status::GRACE;
    }
    if (reclaim)
    {
        if (!grace || m_compound.client->reclaimComplete)
        {
            return Nfs4Status::NO_GRACE;
        }
        return m_server.grace.MayReclaim(m_compound.client->name) ? Nfs4Status::OK
                                                                  : Nfs4Status::RECLAIM_BAD;
    }
    const bool previous = args.claim.type == OpenClaim4::DELEGATE_PREV ||
                          args.claim.type == OpenClaim4::DELEG_PREV_FH;
    return previous ? Nfs4Status::NOTSUPP : Nfs4Status::OK;
}

Nfs4Status
Nfs4OpenOperations::TakeOpenOwner(const OpenArgs4& args, Nfs4OwnerPtr& owner)
{
    if (!m_compound.HasSession())
    {
        const Nfs4Status known = m_finder.TakeClient(args.owner.clientId);
        if (known != Nfs4Status::OK)
        {
            return known;
        }
    }
    const Nfs4ClientId client = m_compound.client->id;
    owner = m_server.states.FindOwner(client, args.owner.owner, false);
    if (owner && !owner->confirmed)
    {
        m_server.states.ReleaseOwner(owner);
        owner = nullptr;
    }
    if (!owner)
    {
        owner = m_server.states.MakeOwner(client, args.owner.owner, false);
        owner->confirmed = m_compound.HasSession();
        owner->nextSeqid = args.seqid;
    }
    return m_finder.CheckOwner(owner, args.seqid);
}

OpenRes4
Nfs4OpenOperations::Run(const OpenArgs4& args)
{
    OpenRes4 results;
    const uint32_t access = args.shareAccess & OPEN4_SHARE_ACCESS_BOTH;
    const uint32_t flags = args.shareAccess & ~OPEN4_SHARE_ACCESS_BOTH;
    const bool badShare = access == 0 || args.shareDeny > OPEN4_SHARE_DENY_BOTH ||
                          (flags != 0 && m_compound.minorVersion == 0);
    if (badShare)
    {
        results.status = Nfs4Status::BADXDR;
        return results;
    }
    if (args.create && args.claim.type != OpenClaim4::CLAIM_NULL)
    {
        results.status = Nfs4Status::INVAL;
        return results;
    }
    if (m_compound.HasSession() && !m_compound.client->reclaimComplete &&
        args.claim.type != OpenClaim4::PREVIOUS)
    {
        results.status = Nfs4Status::GRACE;
        return results;
    }
    Nfs4OwnerPtr owner;
    results.status = TakeOpenOwner(args, owner);
    if (results.status != Nfs4Status::OK || m_compound.ordered.replay)
    {
        return results;
    }
    results.status = CheckClaim(args);
    if (results.status == Nfs4Status::OK)
    {
        Open(args, owner, results);
    }
    return results;
}

Nfs4Result<InodeNumber>
Nfs4OpenOperations::CreateOpened(const OpenArgs4& args, OpenRes4& results)
{
    const CreateHow4& how = *args.create;
    const auto attributes = MakeSattr3(how.attributes, m_compound.minorVersion);
    if (!attributes)
    {
        return tl::unexpected(attributes.error());
    }
    if (*m_compound.current == Nfs4Namespace::PSEUDO_ROOT)
    {
        return tl::unexpected(Nfs4Status::ROFS);
    }
    FileStore& store = *m_server.store;
    const auto before = m_compound.GetCurrent().directory->Find(args.claim.file);
    const bool truncates = before && attributes->size && how.mode == CreateMode4::UNCHECKED;
    if (truncates)
    {
        const Nfs4Status broken = m_compound.BreakDelegations(*before);
        if (broken != Nfs4Status::OK)
        {
            return tl::unexpected(broken);
        }
    }
    const auto made = store.GetNames().Create(*m_compound.current,
                                              args.claim.file,
                                              ToCreateMode3(how.mode),
                                              *attributes,
                                              how.verifier,
                                              m_compound.principal.who);
    if (!made)
    {
        return tl::unexpected(ToNfs4Status(made.error()));
    }
    results.attrsSet = how.attributes.GetMask();
    if (how.mode == CreateMode4::EXCLUSIVE4_1 && !before && !attributes->IsEmpty())
    {
        const Nfs3Verifier verifier = how.verifier;
        const Nfs4Status set = m_compound.ApplyAttributes(*made, how.attributes, *attributes);
        store.GetNames().KeepVerifier(*made, verifier);
        if (set != Nfs4Status::OK)
        {
            return tl::unexpected(set);
        }
    }
    if (IsExclusive(how.mode))
    {
        results.attrsSet =
            results.attrsSet | MakeAttrMask({Nfs4Attr::TIME_ACCESS, Nfs4Attr::TIME_MODIFY});
    }
    return *made;
}

Nfs4Result<InodeNumber>
Nfs4OpenOperations::FindOpened(const OpenArgs4& args, OpenRes4& results)
{
    if (!NamesFile(args.claim.type))
    {
        return *m_compound.current;
    }
    const Nfs4Status directory = m_compound.CheckDirectory(*m_compound.current);
    if (directory != Nfs4Status::OK)
    {
        return tl::unexpected(directory);
    }
    const Nfs4Status name = Nfs4Namespace::CheckName(args.claim.file);
    if (name != Nfs4Status::OK)
    {
        return tl::unexpected(name);
    }
    const InodeNumber dir = *m_compound.current;
    results.changeInfo = m_compound.BeginChange(dir);
    auto found = args.create
                     ? CreateOpened(args, results)
                     : m_server.names.Lookup(dir, args.claim.file, m_compound.principal.who);
    m_compound.EndChange(dir, results.changeInfo);
    return found;
}

Nfs4Status
Nfs4OpenOperations::CheckOpenAccess(InodeNumber number, uint32_t access) const
{
    const Inode& inode = m_server.store->Get(number);
    const FileCredential& who = m_compound.principal.who;
    const bool readable = MayAccess(inode, who, MAY_READ) || MayAccess(inode, who, MAY_EXECUTE);
    const bool refused = ((access & SHARE_READ) != 0 && !readable) ||
                         ((access & SHARE_WRITE) != 0 && !MayAccess(inode, who, MAY_WRITE));
    return refused && !IsOwner(inode, who) ? Nfs4Status::ACCESS : Nfs4Status::OK;
}

void
Nfs4OpenOperations::Open(const OpenArgs4& args, const Nfs4OwnerPtr& owner, OpenRes4& results)
{
    const uint32_t access = args.shareAccess & OPEN4_SHARE_ACCESS_BOTH;
    const uint64_t objects = m_server.store->GetFileSystem().GetInodeCount();
    const auto found = FindOpened(args, results);
    if (!found)
    {
        results.status = found.error();
        return;
    }
    const bool created = m_server.store->GetFileSystem().GetInodeCount() > objects;
    results.status = m_compound.CheckRegular(*found);
    if (results.status == Nfs4Status::OK && !created)
    {
        results.status = CheckOpenAccess(*found, access);
    }
    if (results.status == Nfs4Status::OK && args.claim.type == OpenClaim4::PREVIOUS)
    {
        owner->confirmed = true;
    }
    const bool breaks = (access & SHARE_WRITE) != 0 || args.shareDeny != 0;
    if (results.status == Nfs4Status::OK && breaks)
    {
        results.status = m_compound.BreakDelegations(*found);
    }
    if (results.status != Nfs4Status::OK)
    {
        return;
    }
    const Nfs4FileKey file = m_server.GetKey(*found);
    const auto open = m_server.states.Open(owner, file, access, args.shareDeny);
    if (!open)
    {
        results.status = m_server.ExpireCourtesy(file) ? Nfs4Status::DELAY : open.error();
        return;
    }
    m_compound.SetCurrent(*found);
    m_compound.Charge(created ? StorageWork::METADATA_CHANGE : StorageWork::METADATA);
    results.stateid = (*open)->id;
    m_compound.currentStateid = results.stateid;
    results.attrsSet.SetWords(std::max<uint32_t>(1, results.attrsSet.GetWords()));
    GiveDelegation(args, *owner, *found, results);
    results.rflags = OPEN4_RESULT_LOCKTYPE_POSIX;
    if (m_compound.HasSession())
    {
        results.rflags |= OPEN4_RESULT_MAY_NOTIFY_LOCK;
    }
    else if (!owner->confirmed)
    {
        results.rflags |= OPEN4_RESULT_CONFIRM;
    }
}

void
Nfs4OpenOperations::GiveDelegation(const OpenArgs4& args,
                                   const Nfs4Owner& owner,
                                   InodeNumber number,
                                   OpenRes4& results)
{
    OpenDelegation4& given = results.delegation;
    const uint32_t want = args.shareAccess & OPEN4_SHARE_ACCESS_WANT_DELEG_MASK;
    if (m_compound.HasSession() && want == OPEN4_SHARE_ACCESS_WANT_NO_DELEG)
    {
        given.type = OpenDelegationType4::NONE_EXT;
        given.why = WhyNoDelegation4::NOT_WANTED;
        return;
    }
    const Nfs4CallbackState path = m_compound.client->callbackState;
    const bool reachable = path == Nfs4CallbackState::UP ||
                           (m_compound.minorVersion > 0 && path == Nfs4CallbackState::UNKNOWN);
    const bool reclaims = args.claim.type == OpenClaim4::PREVIOUS;
    const bool asks =
        args.claim.type == OpenClaim4::CLAIM_NULL || args.claim.type == OpenClaim4::FH;
    const bool eligible = m_server.settings.delegations &&
                          (reclaims ? args.claim.delegateType == OpenDelegationType4::READ
                                    : asks && reachable && owner.confirmed);
    Nfs4StatePtr delegation;
    if (eligible)
    {
        delegation = m_server.states.Delegate(m_compound.client->id,
                                              m_server.GetKey(number),
                                              m_server.names.GetHandle(number),
                                              m_compound.now);
    }
    if (delegation)
    {
        given.type = OpenDelegationType4::READ;
        given.stateid = delegation->id;
        given.recall = reclaims && !reachable;
        m_server.actions.delegated(delegation);
        return;
    }
    if (want != 0 && m_compound.minorVersion > 0)
    {
        given.type = OpenDelegationType4::NONE_EXT;
        given.why = eligible ? WhyNoDelegation4::CONTENTION : WhyNoDelegation4::RESOURCE;
        if (want == OPEN4_SHARE_ACCESS_WANT_CANCEL && !eligible)
        {
            given.why = WhyNoDelegation4::CANCELLED;
        }
    }
}

OpenConfirmRes4
Nfs4OpenOperations::Run(const OpenConfirmArgs4& args)
{
    OpenConfirmRes4 results;
    if (m_compound.minorVersion != 0)
    {
        results.status = Nfs4Status::NOTSUPP;
        return results;
    }
    const auto open = m_finder.FindOwned(args.openStateid, Nfs4State::Kind::OPEN, args.seqid, true);
    if (!open)
    {
        results.status = open.error();
        return results;
    }
    (*open)->owner->confirmed = true;
    ++(*open)->id.seqid;
    results.openStateid = (*open)->id;
    if (m_server.settings.recordClients)
    {
        m_server.grace.Record(m_compound.client->name);
    }
    return results;
}

OpenDowngradeRes4
Nfs4OpenOperations::Run(const OpenDowngradeArgs4& args)
{
    OpenDowngradeRes4 results;
    const auto open = m_finder.FindOwned(args.openStateid, Nfs4State::Kind::OPEN, args.seqid);
    if (!open)
    {
        results.status = open.error();
        return results;
    }
    const uint32_t access = args.shareAccess & OPEN4_SHARE_ACCESS_BOTH;
    results.status = access == 0 || args.shareDeny > OPEN4_SHARE_DENY_BOTH
                         ? Nfs4Status::INVAL
                         : Nfs4StateTable::Downgrade(**open, access, args.shareDeny);
    results.openStateid = (*open)->id;
    m_compound.currentStateid = results.openStateid;
    return results;
}

CloseRes4
Nfs4OpenOperations::Run(const CloseArgs4& args)
{
    CloseRes4 results;
    const auto open = m_finder.FindOwned(args.openStateid, Nfs4State::Kind::OPEN, args.seqid);
    if (!open)
    {
        results.status = open.error();
        return results;
    }
    m_server.states.Close(*open);
    results.openStateid.seqid = 0xffffffff;
    m_compound.currentStateid.reset();
    return results;
}

DelegreturnRes4
Nfs4OpenOperations::Run(const DelegreturnArgs4& args)
{
    DelegreturnRes4 results;
    const auto delegation = m_finder.FindState(args.stateid);
    if (!delegation)
    {
        results.status = delegation.error();
        return results;
    }
    if ((*delegation)->kind != Nfs4State::Kind::DELEGATION)
    {
        results.status = Nfs4Status::BAD_STATEID;
        return results;
    }
    m_server.states.ReturnDelegation(*delegation);
    return results;
}

} // namespace ns3::nfsrdma
