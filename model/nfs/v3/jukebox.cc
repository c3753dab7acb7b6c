/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/jukebox.h"

namespace ns3::nfsrdma
{

namespace
{

PostOpAttr
GetAttributesOf(const FileStore& store, const NfsFh3& handle)
{
    const auto number = store.Resolve(handle);
    return number ? PostOpAttr(store.Get(*number).attributes) : std::nullopt;
}

WccData
GetUnlockedWcc(const FileStore& store, const NfsFh3& handle)
{
    WccData data;
    data.after = GetAttributesOf(store, handle);
    return data;
}

WccData
GetLockedWcc(const FileStore& store, const NfsFh3& handle)
{
    WccData data = GetUnlockedWcc(store, handle);
    if (const auto number = store.Resolve(handle))
    {
        data.before = store.GetAttributes().GetWcc(*number);
    }
    return data;
}

} // namespace

template <>
Setattr3Res
MakeNfs3Jukebox(const FileStore& store, const Setattr3Args& args)
{
    return {Nfs3Status::JUKEBOX, GetLockedWcc(store, args.object)};
}

template <>
Write3Res
MakeNfs3Jukebox(const FileStore& store, const Write3Args& args)
{
    Write3Res results;
    results.status = Nfs3Status::JUKEBOX;
    results.wcc = GetUnlockedWcc(store, args.file);
    return results;
}

template <>
Create3Res
MakeNfs3Jukebox(const FileStore& store, const Create3Args& args)
{
    Create3Res results;
    results.status = Nfs3Status::JUKEBOX;
    results.dirWcc = GetUnlockedWcc(store, args.where.dir);
    return results;
}

template <>
Remove3Res
MakeNfs3Jukebox(const FileStore& store, const Remove3Args& args)
{
    return {Nfs3Status::JUKEBOX, GetLockedWcc(store, args.object.dir)};
}

template <>
Rename3Res
MakeNfs3Jukebox(const FileStore& store, const Rename3Args& args)
{
    return {Nfs3Status::JUKEBOX,
            GetLockedWcc(store, args.from.dir),
            GetLockedWcc(store, args.to.dir)};
}

template <>
Link3Res
MakeNfs3Jukebox(const FileStore& store, const Link3Args& args)
{
    return {Nfs3Status::JUKEBOX,
            GetAttributesOf(store, args.file),
            GetLockedWcc(store, args.link.dir)};
}

} // namespace ns3::nfsrdma
