/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/file-names.h"

#include "nfs/types/file-name.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t STICKY = 01000;
constexpr uint32_t SYMLINK_MODE = 0777;

bool
IsStuck(const Inode& dir, const Inode& child, const FileCredential& who)
{
    return (dir.attributes.mode & STICKY) != 0 && !who.IsSuperuser() &&
           who.uid != dir.attributes.uid && who.uid != child.attributes.uid;
}

} // namespace

FileNames::FileNames(FileSystem& system, ObjectAttributes& attributes)
    : m_system(system),
      m_attributes(attributes)
{
}

Nfs3Status
FileNames::CheckDirectory(InodeNumber dir, uint32_t wanted, const FileCredential& who) const
{
    const Inode& inode = m_system.Get(dir);
    if (!inode.directory)
    {
        return Nfs3Status::NOTDIR;
    }
    return MayAccess(inode, who, wanted) ? Nfs3Status::OK : Nfs3Status::ACCES;
}

Nfs3Status
FileNames::CheckNewEntry(InodeNumber dir, const std::string& name, const FileCredential& who) const
{
    const Nfs3Status directory = CheckDirectory(dir, MAY_WRITE | MAY_EXECUTE, who);
    if (directory != Nfs3Status::OK)
    {
        return directory;
    }
    const Nfs3Status sound = CheckFileName(name);
    if (sound != Nfs3Status::OK)
    {
        return sound;
    }
    if (m_system.Get(dir).directory->Find(name))
    {
        return Nfs3Status::EXIST;
    }
    return m_system.GetStatistics().freeFiles == 0 ? Nfs3Status::NOSPC : Nfs3Status::OK;
}

FileResult<InodeNumber>
FileNames::Lookup(InodeNumber dir, const std::string& name, const FileCredential& who) const
{
    Nfs3Status status = CheckDirectory(dir, MAY_EXECUTE, who);
    if (status == Nfs3Status::OK)
    {
        status = CheckFileName(name);
    }
    if (status != Nfs3Status::OK)
    {
        return tl::make_unexpected(status);
    }
    const auto found = m_system.Get(dir).directory->Find(name);
    if (!found)
    {
        return tl::make_unexpected(Nfs3Status::NOENT);
    }
    return *found;
}

Inode&
FileNames::NewChildFor(InodeNumber dir,
                       const std::string& name,
                       Ftype3 type,
                       const Sattr3& attributes,
                       const FileCredential& who)
{
    const Fattr3& parent = m_system.Get(dir).attributes;
    const bool inheritsGroup = (parent.mode & MODE_SET_GID) != 0;
    PreloadAttributes own{attributes.mode.value_or(0) & MODE_BITS, who.uid, who.gid};
    if (inheritsGroup)
    {
        own.gid = parent.gid;
        own.mode |= type == Ftype3::DIR ? MODE_SET_GID : 0;
    }
    if (type == Ftype3::LNK)
    {
        own.mode = SYMLINK_MODE;
    }
    PosixAcl defaultAcl = type == Ftype3::LNK ? PosixAcl() : m_system.Get(dir).defaultAcl;
    PosixAcl accessAcl = defaultAcl;
    if (!accessAcl.empty() && InheritAcl(accessAcl, own.mode))
    {
        accessAcl.clear();
    }
    Inode& inode = m_system.NewChild(dir, name, type, own);
    inode.accessAcl = std::move(accessAcl);
    if (type == Ftype3::DIR)
    {
        inode.defaultAcl = std::move(defaultAcl);
    }

    Sattr3 changes = attributes;
    changes.mode.reset();
    if (!who.IsSuperuser())
    {
        changes.uid.reset();
        changes.gid.reset();
    }
    if (type != Ftype3::REG)
    {
        changes.size.reset();
    }
    if (!changes.IsEmpty())
    {
        m_attributes.Apply(inode, changes, who);
    }
    return inode;
}

FileResult<InodeNumber>
FileNames::OpenExisting(InodeNumber existing,
                        CreateMode3 mode,
                        const Sattr3& attributes,
                        const Nfs3Verifier& verifier,
                        const FileCredential& who)
{
    const Inode& inode = m_system.Get(existing);
    const bool again = mode == CreateMode3::EXCLUSIVE && inode.createVerifier == verifier;
    if (again)
    {
        return existing;
    }
    if (mode != CreateMode3::UNCHECKED || !inode.content)
    {
        return tl::make_unexpected(Nfs3Status::EXIST);
    }
    Sattr3 changes;
    changes.size = attributes.size;
    const Nfs3Status status = m_attributes.SetAttributes(existing, changes, std::nullopt, who);
    if (status != Nfs3Status::OK)
    {
        return tl::make_unexpected(status);
    }
    return existing;
}

FileResult<InodeNumber>
FileNames::Create(InodeNumber dir,
                  const std::string& name,
                  CreateMode3 mode,
                  const Sattr3& attributes,
                  const Nfs3Verifier& verifier,
                  const FileCredential& who)
{
    const auto existing = Lookup(dir, name, who);
    if (existing)
    {
        return OpenExisting(*existing, mode, attributes, verifier, who);
    }
    Nfs3Status status = existing.error();
    if (status == Nfs3Status::NOENT)
    {
        status = CheckNewEntry(dir, name, who);
    }
    if (status == Nfs3Status::OK &&
        attributes.size.value_or(0) > m_system.GetSettings().maxFileSize)
    {
        status = Nfs3Status::FBIG;
    }
    if (status != Nfs3Status::OK)
    {
        return tl::make_unexpected(status);
    }
    const bool exclusive = mode == CreateMode3::EXCLUSIVE;
    Inode& inode = NewChildFor(dir, name, Ftype3::REG, exclusive ? Sattr3() : attributes, who);
    if (exclusive)
    {
        inode.createVerifier = verifier;
    }
    return inode.attributes.fileid;
}

FileResult<InodeNumber>
FileNames::MakeDirectory(InodeNumber dir,
                         const std::string& name,
                         const Sattr3& attributes,
                         const FileCredential& who)
{
    Nfs3Status status = CheckNewEntry(dir, name, who);
    if (status == Nfs3Status::OK &&
        m_system.Get(dir).attributes.nlink >= m_system.GetSettings().maxLinks)
    {
        status = Nfs3Status::MLINK;
    }
    if (status != Nfs3Status::OK)
    {
        return tl::make_unexpected(status);
    }
    return NewChildFor(dir, name, Ftype3::DIR, attributes, who).attributes.fileid;
}

FileResult<InodeNumber>
FileNames::MakeSymlink(InodeNumber dir,
                       const std::string& name,
                       const std::string& target,
                       const Sattr3& attributes,
                       const FileCredential& who)
{
    Nfs3Status status = CheckNewEntry(dir, name, who);
    if (status == Nfs3Status::OK && target.empty())
    {
        status = Nfs3Status::INVAL;
    }
    if (status == Nfs3Status::OK && target.size() >= NFS3_MAXPATHLEN)
    {
        status = Nfs3Status::NAMETOOLONG;
    }
    if (status != Nfs3Status::OK)
    {
        return tl::make_unexpected(status);
    }
    Inode& inode = NewChildFor(dir, name, Ftype3::LNK, attributes, who);
    m_system.SetTarget(inode, target);
    return inode.attributes.fileid;
}

FileResult<InodeNumber>
FileNames::MakeNode(InodeNumber dir,
                    const std::string& name,
                    Ftype3 type,
                    SpecData3 spec,
                    const Sattr3& attributes,
                    const FileCredential& who)
{
    const bool device = type == Ftype3::BLK || type == Ftype3::CHR;
    if (!device && type != Ftype3::SOCK && type != Ftype3::FIFO)
    {
        return tl::make_unexpected(Nfs3Status::BADTYPE);
    }
    Nfs3Status status = CheckNewEntry(dir, name, who);
    if (status == Nfs3Status::OK && device && !who.IsSuperuser())
    {
        status = Nfs3Status::PERM;
    }
    if (status != Nfs3Status::OK)
    {
        return tl::make_unexpected(status);
    }
    Inode& inode = NewChildFor(dir, name, type, attributes, who);
    inode.attributes.rdev = device ? spec : SpecData3();
    return inode.attributes.fileid;
}

FileResult<InodeNumber>
FileNames::FindRemovable(InodeNumber dir, const std::string& name, const FileCredential& who) const
{
    const Nfs3Status status = CheckDirectory(dir, MAY_WRITE | MAY_EXECUTE, who);
    if (status != Nfs3Status::OK)
    {
        return tl::make_unexpected(status);
    }
    const auto found = Lookup(dir, name, who);
    if (found && IsStuck(m_system.Get(dir), m_system.Get(*found), who))
    {
        return tl::make_unexpected(Nfs3Status::ACCES);
    }
    return found;
}

Nfs3Status
FileNames::Remove(InodeNumber dir, const std::string& name, const FileCredential& who)
{
    const auto found = FindRemovable(dir, name, who);
    if (!found)
    {
        return found.error();
    }
    if (m_system.Get(*found).directory)
    {
        return Nfs3Status::ISDIR;
    }
    m_system.RemoveEntry(dir, name);
    m_system.DropName(*found);
    return Nfs3Status::OK;
}

Nfs3Status
FileNames::RemoveDirectory(InodeNumber dir, const std::string& name, const FileCredential& who)
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
    const Inode& inode = m_system.Get(*found);
    if (!inode.directory)
    {
        return Nfs3Status::NOTDIR;
    }
    if (!inode.directory->IsEmpty())
    {
        return Nfs3Status::NOTEMPTY;
    }
    m_system.RemoveEntry(dir, name);
    --m_system.Get(dir).attributes.nlink;
    m_system.Free(*found);
    return Nfs3Status::OK;
}

bool
FileNames::IsBelow(InodeNumber number, InodeNumber ancestor) const
{
    InodeNumber at = number;
    while (at != ancestor)
    {
        const InodeNumber parent = m_system.Get(at).directory->GetParent();
        if (parent == at)
        {
            return false;
        }
        at = parent;
    }
    return true;
}

Nfs3Status
FileNames::CheckRename(InodeNumber fromDir,
                       InodeNumber source,
                       InodeNumber toDir,
                       const std::string& toName,
                       const FileCredential& who) const
{
    const Inode& object = m_system.Get(source);
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
    const auto target = m_system.Get(toDir).directory->Find(toName);
    if (!target)
    {
        const bool full = object.directory && fromDir != toDir &&
                          m_system.Get(toDir).attributes.nlink >= m_system.GetSettings().maxLinks;
        return full ? Nfs3Status::MLINK : Nfs3Status::OK;
    }
    const Inode& victim = m_system.Get(*target);
    if (IsStuck(m_system.Get(toDir), victim, who))
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
FileNames::Rename(InodeNumber fromDir,
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
    if (status == Nfs3Status::OK &&
        m_system.Get(fromDir).exportIndex != m_system.Get(toDir).exportIndex)
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
    const auto target = m_system.Get(toDir).directory->Find(toName);
    if (target == *source)
    {
        return Nfs3Status::OK;
    }
    status = CheckRename(fromDir, *source, toDir, toName, who);
    if (status != Nfs3Status::OK)
    {
        return status;
    }

    const bool isDirectory = m_system.Get(*source).directory != nullptr;
    m_system.RemoveEntry(fromDir, fromName);
    if (target)
    {
        m_system.Get(toDir).directory->Replace(toName, *source);
        m_system.TouchDirectory(toDir);
        if (isDirectory)
        {
            --m_system.Get(toDir).attributes.nlink;
            m_system.Free(*target);
        }
        else
        {
            m_system.DropName(*target);
        }
    }
    else
    {
        m_system.AddEntry(toDir, toName, *source);
    }
    Inode& moved = m_system.Get(*source);
    m_system.NoteChange(moved);
    if (isDirectory)
    {
        moved.directory->SetParent(toDir);
        --m_system.Get(fromDir).attributes.nlink;
        ++m_system.Get(toDir).attributes.nlink;
    }
    return Nfs3Status::OK;
}

Nfs3Status
FileNames::Link(InodeNumber file,
                InodeNumber dir,
                const std::string& name,
                const FileCredential& who)
{
    Nfs3Status status = CheckDirectory(dir, MAY_WRITE | MAY_EXECUTE, who);
    if (status != Nfs3Status::OK)
    {
        return status;
    }
    const Inode& inode = m_system.Get(file);
    if (inode.directory)
    {
        return Nfs3Status::ISDIR;
    }
    if (inode.exportIndex != m_system.Get(dir).exportIndex)
    {
        return Nfs3Status::XDEV;
    }
    status = CheckNewEntry(dir, name, who);
    if (status != Nfs3Status::OK)
    {
        return status;
    }
    if (inode.attributes.nlink >= m_system.GetSettings().maxLinks)
    {
        return Nfs3Status::MLINK;
    }
    m_system.AddEntry(dir, name, file);
    Inode& linked = m_system.Get(file);
    ++linked.attributes.nlink;
    m_system.NoteChange(linked);
    return Nfs3Status::OK;
}

FileResult<const Directory*>
FileNames::OpenDirectory(InodeNumber dir, const FileCredential& who)
{
    const Nfs3Status status = CheckDirectory(dir, MAY_READ, who);
    if (status != Nfs3Status::OK)
    {
        return tl::make_unexpected(status);
    }
    Inode& inode = m_system.Get(dir);
    m_system.TouchAccessTime(inode);
    return inode.directory.get();
}

} // namespace ns3::nfsrdma
