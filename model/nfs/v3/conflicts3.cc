/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/conflicts3.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace ns3::nfsrdma
{

namespace
{

std::optional<InodeNumber>
FindNamed(const FileStore& store, const DirOpArgs3& where)
{
    const auto dir = store.Resolve(where.dir);
    if (!dir)
    {
        return std::nullopt;
    }
    const auto& directory = store.Get(*dir).directory;
    return directory ? directory->Find(where.name) : std::nullopt;
}

Nfs3Conflicts
OfObject(const FileStore& store, const NfsFh3& handle, bool waits)
{
    Nfs3Conflicts conflicts;
    conflicts.waits = waits;
    if (const auto number = store.Resolve(handle))
    {
        conflicts.files.push_back(*number);
    }
    return conflicts;
}

void
AddName(const FileStore& store, const DirOpArgs3& where, Nfs3Conflicts& conflicts)
{
    if (const auto number = FindNamed(store, where))
    {
        conflicts.files.push_back(*number);
    }
}

} // namespace

std::optional<std::vector<InodeNumber>>
Nfs3Conflicts::Break(DelegationGuard& guard) const
{
    std::vector<InodeNumber> held;
    std::copy_if(files.begin(), files.end(), std::back_inserter(held), [&guard](InodeNumber file) {
        return guard.BreakDelegations(file);
    });
    if (held.empty())
    {
        return std::nullopt;
    }
    return waits ? held : std::vector<InodeNumber>();
}

template <>
Nfs3Conflicts
FindNfs3Conflicts(const FileStore& store, const Setattr3Args& args)
{
    return OfObject(store, args.object, true);
}

template <>
Nfs3Conflicts
FindNfs3Conflicts(const FileStore& store, const Write3Args& args)
{
    return OfObject(store, args.file, false);
}

template <>
Nfs3Conflicts
FindNfs3Conflicts(const FileStore& store, const Create3Args& args)
{
    Nfs3Conflicts conflicts;
    if (args.mode == CreateMode3::UNCHECKED && args.attributes.size)
    {
        conflicts.waits = true; // nfsd_create_setattr() is nfsd_setattr().
        AddName(store, args.where, conflicts);
    }
    return conflicts;
}

template <>
Nfs3Conflicts
FindNfs3Conflicts(const FileStore& store, const Remove3Args& args)
{
    Nfs3Conflicts conflicts;
    conflicts.waits = true;
    AddName(store, args.object, conflicts);
    return conflicts;
}

template <>
Nfs3Conflicts
FindNfs3Conflicts(const FileStore& store, const Rename3Args& args)
{
    Nfs3Conflicts conflicts;
    conflicts.waits = true;
    AddName(store, args.from, conflicts);
    AddName(store, args.to, conflicts);
    return conflicts;
}

template <>
Nfs3Conflicts
FindNfs3Conflicts(const FileStore& store, const Link3Args& args)
{
    return OfObject(store, args.file, false);
}

} // namespace ns3::nfsrdma
