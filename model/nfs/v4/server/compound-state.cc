/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/compound-state.h"

#include "nfs/v4/protocol/acl.h"

namespace ns3::nfsrdma
{

Nfs4CompoundState::Nfs4CompoundState(Nfs4ServerState& serverState,
                                     const RpcServerCall& serverCall,
                                     Ptr<HostMemory> hostMemory,
                                     Time time)
    : server(serverState),
      call(serverCall),
      memory(hostMemory),
      now(time),
      principal(Nfs4Principal::FromCall(serverCall.header)),
      reply(serverState.settings.session.maxMessage - RpcReplyHeader::ACCEPTED_SIZE,
            serverState.settings.emptyWriteChunks)
{
}

Nfs4Status
Nfs4CompoundState::CheckRegular(InodeNumber number) const
{
    if (number == Nfs4Namespace::PSEUDO_ROOT)
    {
        return Nfs4Status::ISDIR;
    }
    switch (server.store->Get(number).attributes.type)
    {
    case Ftype3::REG:
        return Nfs4Status::OK;
    case Ftype3::DIR:
        return Nfs4Status::ISDIR;
    case Ftype3::LNK:
        return Nfs4Status::SYMLINK;
    default:
        return Nfs4Status::INVAL;
    }
}

Nfs4Status
Nfs4CompoundState::CheckDirectory(InodeNumber number) const
{
    if (number == Nfs4Namespace::PSEUDO_ROOT)
    {
        return Nfs4Status::OK;
    }
    switch (server.store->Get(number).attributes.type)
    {
    case Ftype3::DIR:
        return Nfs4Status::OK;
    case Ftype3::LNK:
        return Nfs4Status::SYMLINK;
    default:
        return Nfs4Status::NOTDIR;
    }
}

Nfs4Status
Nfs4CompoundState::CheckNotPseudo() const
{
    return *current == Nfs4Namespace::PSEUDO_ROOT ? Nfs4Status::ROFS : Nfs4Status::OK;
}

Nfs4ChangeInfo
Nfs4CompoundState::BeginChange(InodeNumber dir) const
{
    Nfs4ChangeInfo info;
    info.atomic = true;
    info.before = MakeReader().GetChange(dir);
    info.after = info.before;
    return info;
}

void
Nfs4CompoundState::SetCurrent(InodeNumber number)
{
    current = number;
    currentStateid.reset();
}

Nfs4Status
Nfs4CompoundState::BreakDelegations(InodeNumber number, bool wait)
{
    if (!server.BreakDelegations(number, GetCaller(), now))
    {
        return Nfs4Status::OK;
    }
    if (wait && !hasWaited && server.settings.delegationReturnWait.IsStrictlyPositive())
    {
        awaited.push_back(number);
    }
    return Nfs4Status::DELAY;
}

Nfs4Status
Nfs4CompoundState::BreakNamed(InodeNumber dir, const std::string& name)
{
    const Inode& inode = server.store->Get(dir);
    const auto found = inode.directory ? inode.directory->Find(name) : std::nullopt;
    return found ? BreakDelegations(*found, true) : Nfs4Status::OK;
}

Nfs4Status
Nfs4CompoundState::CheckRoom(uint32_t octets) const
{
    if (reply.HasRoom(octets))
    {
        return Nfs4Status::OK;
    }
    if (!HasSession())
    {
        return Nfs4Status::RESOURCE;
    }
    return cacheThis ? Nfs4Status::REP_TOO_BIG_TO_CACHE : Nfs4Status::REP_TOO_BIG;
}

Nfs4Status
Nfs4CompoundState::ApplyAttributes(InodeNumber number,
                                   const Nfs4Attributes& attributes,
                                   const Sattr3& changes)
{
    FileStore& store = *server.store;
    if (!changes.IsEmpty())
    {
        const Nfs4Status status = ToNfs4Status(
            store.GetAttributes().SetAttributes(number, changes, std::nullopt, principal.who));
        if (status != Nfs4Status::OK)
        {
            return status;
        }
    }
    if (!attributes.acl)
    {
        return Nfs4Status::OK;
    }
    const bool isDirectory = store.Get(number).directory != nullptr;
    const auto acls = MakePosixAcls(*attributes.acl, isDirectory);
    if (!acls)
    {
        return Nfs4Status::INVAL;
    }
    const Nfs3Status set =
        store.GetAttributes().SetAcls(number, acls->access, acls->defaultAcl, principal.who);
    return set == Nfs3Status::NOTSUPP ? Nfs4Status::ATTRNOTSUPP : ToNfs4Status(set);
}

} // namespace ns3::nfsrdma
