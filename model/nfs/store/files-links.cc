/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/files.h"
#include "nfs/types/file-name.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t STICKY = 01000;

bool
IsStuck(const Inode& dir, const Inode& child, const FileCredential& who)
{
    return (dir.attributes.mode & STICKY) != 0 && !who.IsSuperuser() &&
           who.uid != dir.attributes.uid && who.uid != child.attributes.uid;
}

} // namespace

FileResult<InodeNumber>
FileStore::FindRemovable(InodeNumber dir, const std::string& name, const FileCredential& who) const
{
    const Nfs3Status status = CheckDirectory(dir, MAY_WRITE | MAY_EXECUTE, who);
    if (status != Nfs3Status::OK)
    {
        return tl::make_unexpected(status);
    }
    const auto found = Lookup(dir, name, who);
    if (found && IsStuck(Get(dir), Get(*found), who))
    {
        return tl::make_unexpected(Nfs3Status::ACCES);
    }
    return found;
}

Nfs3Status
FileStore::Remove(InodeNumber dir, const std::string& name, const FileCredential& who)
{
    const auto found = FindRemovable(dir, name, who);
    if (!found)
    {
        return found.error();
    }
    if (Get(*found).directory)
    {
        return Nfs3Status::ISDIR;
    }
    RemoveEntry(dir, name);
    DropName(*found);
    return Nfs3Status::OK;
}

Nfs3Status
FileStore::RemoveDirectory(InodeNumber dir, const std::string& name, const FileCredential& who)
{
    const auto found = FindRemovable(dir, name, who);
    if (!found)
    {
        return found.error();
    }
    if (IsDotName(name))
    {
        return name == "." ? Nfs3Status::INVAL : Nfs3Status::EXIST;
    }
    const Inode& inode = Get(*found);
    if (!inode.directory)
    {
        return Nfs3Status::NOTDIR;
    }
    if (!inode.directory->IsEmpty())
    {
        return Nfs3Status::NOTEMPTY;
    }
    RemoveEntry(dir, name);
    --GetMutable(dir).attributes.nlink;
    Free(*found);
    return Nfs3Status::OK;
}

void
FileStore::DropName(InodeNumber number)
{
    Inode& inode = GetMutable(number);
    NoteChange(inode);
    if (--inode.attributes.nlink == 0)
    {
        Free(number);
    }
}

void
FileStore::Free(InodeNumber number)
{
    SetUsed(GetMutable(number), 0);
    m_inodes.Free(number);
    m_removed(number);
}

bool
FileStore::IsBelow(InodeNumber number, InodeNumber ancestor) const
{
    InodeNumber at = number;
    while (at != ancestor)
    {
        const InodeNumber parent = Get(at).directory->GetParent();
        if (parent == at)
        {
            return false;
        }
        at = parent;
    }
    return true;
}

Nfs3Status
FileStore::CheckRename(InodeNumber fromDir,
                       InodeNumber source,
                       InodeNumber toDir,
                       const std::string& toName,
                       const FileCredential& who) const
{
    const Inode& object = Get(source);
    if (object.directory)
    {
        if (IsBelow(toDir, source))
        {
            return Nfs3Status::INVAL;
        }
        if (fromDir != toDir && !MayAccess(object, who, MAY_WRITE))
        {
            return Nfs3Status::ACCES;
        }
    }
    const auto target = Get(toDir).directory->Find(toName);
    if (!target)
    {
        const bool full =
            object.directory && fromDir != toDir && Get(toDir).attributes.nlink >= m_maxLinks;
        return full ? Nfs3Status::MLINK : Nfs3Status::OK;
    }
    const Inode& victim = Get(*target);
    if (IsStuck(Get(toDir), victim, who))
    {
        return Nfs3Status::ACCES;
    }
    if (object.directory && !victim.directory)
    {
        return Nfs3Status::NOTDIR;
    }
    if (!object.directory && victim.directory)
    {
        return Nfs3Status::ISDIR;
    }
    return victim.directory && !victim.directory->IsEmpty() ? Nfs3Status::NOTEMPTY : Nfs3Status::OK;
}

Nfs3Status
FileStore::Rename(InodeNumber fromDir,
                  const std::string& fromName,
                  InodeNumber toDir,
                  const std::string& toName,
                  const FileCredential& who)
{
    Nfs3Status status = CheckDirectory(fromDir, MAY_WRITE | MAY_EXECUTE, who);
    if (status == Nfs3Status::OK)
    {
        status = CheckDirectory(toDir, MAY_WRITE | MAY_EXECUTE, who);
    }
    if (status == Nfs3Status::OK && Get(fromDir).exportIndex != Get(toDir).exportIndex)
    {
        status = Nfs3Status::XDEV;
    }
    if (status == Nfs3Status::OK && (IsDotName(fromName) || IsDotName(toName)))
    {
        status = Nfs3Status::INVAL;
    }
    if (status == Nfs3Status::OK)
    {
        status = CheckFileName(toName);
    }
    if (status != Nfs3Status::OK)
    {
        return status;
    }
    const auto source = FindRemovable(fromDir, fromName, who);
    if (!source)
    {
        return source.error();
    }
    const auto target = Get(toDir).directory->Find(toName);
    if (target == *source)
    {
        return Nfs3Status::OK;
    }
    status = CheckRename(fromDir, *source, toDir, toName, who);
    if (status != Nfs3Status::OK)
    {
        return status;
    }

    const bool isDirectory = Get(*source).directory != nullptr;
    RemoveEntry(fromDir, fromName);
    if (target)
    {
        GetMutable(toDir).directory->Replace(toName, *source);
        TouchDirectory(toDir);
        if (isDirectory)
        {
            --GetMutable(toDir).attributes.nlink;
            Free(*target);
        }
        else
        {
            DropName(*target);
        }
    }
    else
    {
        AddEntry(toDir, toName, *source);
    }
    Inode& moved = GetMutable(*source);
    NoteChange(moved);
    if (isDirectory)
    {
        moved.directory->SetParent(toDir);
        --GetMutable(fromDir).attributes.nlink;
        ++GetMutable(toDir).attributes.nlink;
    }
    return Nfs3Status::OK;
}

Nfs3Status
FileStore::Link(InodeNumber file,
                InodeNumber dir,
                const std::string& name,
                const FileCredential& who)
{
    Nfs3Status status = CheckDirectory(dir, MAY_WRITE | MAY_EXECUTE, who);
    if (status != Nfs3Status::OK)
    {
        return status;
    }
    const Inode& inode = Get(file);
    if (inode.directory)
    {
        return Nfs3Status::ISDIR;
    }
    if (inode.exportIndex != Get(dir).exportIndex)
    {
        return Nfs3Status::XDEV;
    }
    status = CheckNewEntry(dir, name, who);
    if (status != Nfs3Status::OK)
    {
        return status;
    }
    if (inode.attributes.nlink >= m_maxLinks)
    {
        return Nfs3Status::MLINK;
    }
    AddEntry(dir, name, file);
    Inode& linked = GetMutable(file);
    ++linked.attributes.nlink;
    NoteChange(linked);
    return Nfs3Status::OK;
}

} // namespace ns3::nfsrdma
