/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/files.h"
#include "nfs/types/file-name.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t SYMLINK_MODE = 0777;

} // namespace

Nfs3Status
FileStore::CheckDirectory(InodeNumber dir, uint32_t wanted, const FileCredential& who) const
{
    const Inode& inode = Get(dir);
    if (!inode.directory)
    {
        return Nfs3Status::NOTDIR;
    }
    return MayAccess(inode, who, wanted) ? Nfs3Status::OK : Nfs3Status::ACCES;
}

Nfs3Status
FileStore::CheckNewEntry(InodeNumber dir, const std::string& name, const FileCredential& who) const
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
    if (Get(dir).directory->Find(name))
    {
        return Nfs3Status::EXIST;
    }
    return GetStatistics().freeFiles == 0 ? Nfs3Status::NOSPC : Nfs3Status::OK;
}

FileResult<InodeNumber>
FileStore::Lookup(InodeNumber dir, const std::string& name, const FileCredential& who) const
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
    const auto found = Get(dir).directory->Find(name);
    if (!found)
    {
        return tl::make_unexpected(Nfs3Status::NOENT);
    }
    return *found;
}

Inode&
FileStore::NewChildFor(InodeNumber dir,
                       const std::string& name,
                       Ftype3 type,
                       const Sattr3& attributes,
                       const FileCredential& who)
{
    const Fattr3& parent = Get(dir).attributes;
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
    PosixAcl defaultAcl = type == Ftype3::LNK ? PosixAcl() : Get(dir).defaultAcl;
    PosixAcl accessAcl = defaultAcl;
    if (!accessAcl.empty() && InheritAcl(accessAcl, own.mode))
    {
        accessAcl.clear();
    }
    Inode& inode = NewChild(dir, name, type, own);
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
        ApplyChanges(inode, changes, who);
    }
    return inode;
}

FileResult<InodeNumber>
FileStore::OpenExisting(InodeNumber existing,
                        CreateMode3 mode,
                        const Sattr3& attributes,
                        const Nfs3Verifier& verifier,
                        const FileCredential& who)
{
    const Inode& inode = Get(existing);
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
    const Nfs3Status status = SetAttributes(existing, changes, std::nullopt, who);
    if (status != Nfs3Status::OK)
    {
        return tl::make_unexpected(status);
    }
    return existing;
}

FileResult<InodeNumber>
FileStore::Create(InodeNumber dir,
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
    if (status == Nfs3Status::OK && attributes.size.value_or(0) > m_maxFileSize)
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
FileStore::MakeDirectory(InodeNumber dir,
                         const std::string& name,
                         const Sattr3& attributes,
                         const FileCredential& who)
{
    Nfs3Status status = CheckNewEntry(dir, name, who);
    if (status == Nfs3Status::OK && Get(dir).attributes.nlink >= m_maxLinks)
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
FileStore::MakeSymlink(InodeNumber dir,
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
    SetTarget(inode, target);
    return inode.attributes.fileid;
}

FileResult<InodeNumber>
FileStore::MakeNode(InodeNumber dir,
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

} // namespace ns3::nfsrdma
