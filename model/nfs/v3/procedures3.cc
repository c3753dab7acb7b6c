/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/procedures3.h"

#include "nfs/store/directory-reader.h"
#include "nfs/types/file-name.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t TRANSFER_MULTIPLE = 4096;

bool
IsLockedBySetattr(Nfs3Status status, const Sattr3& changes)
{
    switch (status)
    {
    case Nfs3Status::OK:
        return !changes.IsEmpty();
    case Nfs3Status::PERM:
    case Nfs3Status::FBIG:
    case Nfs3Status::NOSPC:
        return true;
    default:
        return false;
    }
}

} // namespace

Nfs3Procedures::Nfs3Procedures(FileStore& store,
                               const Nfs3ServerLimits& limits,
                               const FileCredential& who)
    : m_store(store),
      m_limits(limits),
      m_who(who)
{
}

WccData
Nfs3Procedures::MakeWcc(const Before& before, bool locked) const
{
    WccData data;
    if (locked)
    {
        data.before = before.attributes;
    }
    data.after = GetAttributes(before.inode);
    return data;
}

bool
Nfs3Procedures::FindsName(InodeNumber dir, const std::string& name) const
{
    const auto found = m_store.GetNames().Lookup(dir, name, m_who);
    return !IsDotName(name) && (found || found.error() == Nfs3Status::NOENT);
}

bool
Nfs3Procedures::MayChange(InodeNumber dir) const
{
    const Inode& inode = m_store.Get(dir);
    return inode.directory && MayAccess(inode, m_who, MAY_WRITE | MAY_EXECUTE);
}

Make3Res
Nfs3Procedures::MakeResults(const FileResult<InodeNumber>& made,
                            const Before& before,
                            bool locked) const
{
    Make3Res results;
    if (made)
    {
        results.object = m_store.GetHandle(*made);
        results.attributes = GetAttributes(*made);
    }
    else
    {
        results.status = made.error();
    }
    results.dirWcc = MakeWcc(before, locked);
    return results;
}

template <typename Results, typename Body>
Results
Nfs3Procedures::On(const NfsFh3& handle, const Body& body)
{
    Results results;
    if (const auto number = m_store.Resolve(handle))
    {
        body(*number, results);
    }
    else
    {
        results.status = number.error();
    }
    return results;
}

Getattr3Res
Nfs3Procedures::Run(const Getattr3Args& args)
{
    return On<Getattr3Res>(args.object, [&](InodeNumber object, Getattr3Res& results) {
        results.attributes = m_store.Get(object).attributes;
    });
}

Setattr3Res
Nfs3Procedures::Run(const Setattr3Args& args)
{
    return On<Setattr3Res>(args.object, [&](InodeNumber object, Setattr3Res& results) {
        const Before before = Remember(object);
        results.status =
            m_store.GetAttributes().SetAttributes(object, args.attributes, args.guard, m_who);
        results.wcc = MakeWcc(before, IsLockedBySetattr(results.status, args.attributes));
    });
}

Access3Res
Nfs3Procedures::Run(const Access3Args& args)
{
    return On<Access3Res>(args.object, [&](InodeNumber object, Access3Res& results) {
        results.access = m_store.GetAttributes().CheckAccess(object, args.access, m_who);
        results.attributes = GetAttributes(object);
    });
}

Readlink3Res
Nfs3Procedures::Run(const Readlink3Args& args, Ptr<HostMemory> memory, Nfs3Item& item)
{
    return On<Readlink3Res>(args.symlink, [&](InodeNumber symlink, Readlink3Res& results) {
        results.attributes = GetAttributes(symlink);
        const auto path = m_store.GetData().ReadLink(symlink);
        if (!path)
        {
            results.status = path.error();
            return;
        }
        results.path = Nfs3Data::Reduced(path->size());
        if (!path->empty())
        {
            const ByteVector octets(path->begin(), path->end());
            item.owner =
                std::make_shared<HostBuffer>(memory, octets.size(), HostMemoryUse::REPLY_PAGES);
            item.address = item.owner->GetAddress();
            item.owner->Write(0, octets);
        }
    });
}

Read3Res
Nfs3Procedures::Run(const Read3Args& args, Ptr<HostMemory> memory, Nfs3Item& item)
{
    return On<Read3Res>(args.file, [&](InodeNumber file, Read3Res& results) {
        const uint32_t wanted = std::min(args.count, m_limits.maxTransferSize);
        const auto range = m_store.GetData().PrepareRead(file, args.offset, wanted, m_who);
        if (!range)
        {
            results.status = range.error();
            results.attributes = GetAttributes(file);
            return;
        }
        if (range->count != 0)
        {
            item.owner =
                std::make_shared<HostBuffer>(memory, range->count, HostMemoryUse::REPLY_PAGES);
            item.address = item.owner->GetAddress();
            m_store.GetData().Read(file,
                                   args.offset,
                                   range->count,
                                   [&buffer = *item.owner](uint64_t position, uint64_t length) {
                                       return buffer.GetRoom(position, length);
                                   });
        }
        results.attributes = GetAttributes(file);
        results.count = range->count;
        results.eof = range->eof;
        results.data = Nfs3Data::Reduced(range->count);
    });
}

Write3Res
Nfs3Procedures::Run(const Write3Args& args, const Nfs3Item& item)
{
    return On<Write3Res>(args.file, [&](InodeNumber file, Write3Res& results) {
        const uint32_t count = std::min(args.count, m_limits.maxTransferSize);
        const auto source = [&](uint64_t position, MutableByteSpan out) {
            if (args.data.reduced)
            {
                item.owner->GetMemory()->Read(item.address + position, out);
                return;
            }
            const ByteSpan piece = args.data.octets.subspan(position, out.size());
            std::copy(piece.begin(), piece.end(), out.begin());
        };
        results.status = m_store.GetData().Write(file, args.offset, count, source, m_who);
        results.wcc.after = GetAttributes(file);
        results.count = count;
        results.committed = args.stable;
        results.verifier = m_limits.writeVerifier;
    });
}

Commit3Res
Nfs3Procedures::Run(const Commit3Args& args)
{
    return On<Commit3Res>(args.file, [&](InodeNumber file, Commit3Res& results) {
        results.status = m_store.GetData().CheckCommit(file, m_who);
        results.wcc.after = GetAttributes(file);
        results.verifier = m_limits.writeVerifier;
    });
}

Fsstat3Res
Nfs3Procedures::Run(const Fsstat3Args& args)
{
    return On<Fsstat3Res>(args.fsroot, [&](InodeNumber /* root */, Fsstat3Res& results) {
        const FileSystemStatistics statistics = m_store.GetFileSystem().GetStatistics();
        results.tbytes = statistics.totalBytes;
        results.fbytes = statistics.freeBytes;
        results.abytes = statistics.freeBytes;
        results.tfiles = statistics.totalFiles;
        results.ffiles = statistics.freeFiles;
        results.afiles = statistics.freeFiles;
    });
}

Fsinfo3Res
Nfs3Procedures::Run(const Fsinfo3Args& args)
{
    return On<Fsinfo3Res>(args.fsroot, [&](InodeNumber /* root */, Fsinfo3Res& results) {
        results.rtmax = m_limits.maxTransferSize;
        results.rtpref = m_limits.maxTransferSize;
        results.rtmult = TRANSFER_MULTIPLE;
        results.wtmax = m_limits.maxTransferSize;
        results.wtpref = m_limits.maxTransferSize;
        results.wtmult = TRANSFER_MULTIPLE;
        results.dtpref = m_limits.maxTransferSize;
        results.maxfilesize = m_store.GetFileSystem().GetSettings().maxFileSize;
        results.timeDelta = {1, 0};
        results.properties = FSF3_LINK | FSF3_SYMLINK | FSF3_HOMOGENEOUS | FSF3_CANSETTIME;
    });
}

Pathconf3Res
Nfs3Procedures::Run(const Pathconf3Args& args)
{
    return On<Pathconf3Res>(args.object, [&](InodeNumber /* object */, Pathconf3Res& results) {
        results.linkmax = m_store.GetFileSystem().GetSettings().maxLinks;
        results.nameMax = NFS3_MAXNAMLEN;
        results.noTrunc = false;
        results.chownRestricted = true;
        results.caseInsensitive = false;
        results.casePreserving = true;
    });
}

Lookup3Res
Nfs3Procedures::Run(const Lookup3Args& args)
{
    return On<Lookup3Res>(args.what.dir, [&](InodeNumber dir, Lookup3Res& results) {
        results.dirAttributes = GetAttributes(dir);
        const auto found = m_store.GetNames().Lookup(dir, args.what.name, m_who);
        if (!found)
        {
            results.status = found.error();
            return;
        }
        results.object = m_store.GetHandle(*found);
        results.objectAttributes = GetAttributes(*found);
    });
}

Create3Res
Nfs3Procedures::Run(const Create3Args& args)
{
    return On<Create3Res>(args.where.dir, [&](InodeNumber dir, Create3Res& results) {
        const Before before = Remember(dir);
        const bool existed = m_store.GetNames().Lookup(dir, args.where.name, m_who).has_value();
        const auto made = m_store.GetNames().Create(dir,
                                                    args.where.name,
                                                    args.mode,
                                                    args.attributes,
                                                    args.verifier,
                                                    m_who);
        results = MakeResults(made, before, made && !existed);
    });
}

Mkdir3Res
Nfs3Procedures::Run(const Mkdir3Args& args)
{
    return On<Mkdir3Res>(args.where.dir, [&](InodeNumber dir, Mkdir3Res& results) {
        const Before before = Remember(dir);
        const bool locked = FindsName(dir, args.where.name);
        const auto made =
            m_store.GetNames().MakeDirectory(dir, args.where.name, args.attributes, m_who);
        results = MakeResults(made, before, locked);
    });
}

Symlink3Res
Nfs3Procedures::Run(const Symlink3Args& args, const Nfs3Item& item)
{
    if (args.path.length == 0 || args.path.length > NFS3_MAXPATHLEN)
    {
        Symlink3Res results;
        results.status = args.path.length == 0 ? Nfs3Status::INVAL : Nfs3Status::NAMETOOLONG;
        return results;
    }
    return On<Symlink3Res>(args.where.dir, [&](InodeNumber dir, Symlink3Res& results) {
        ByteVector path(args.path.octets.begin(), args.path.octets.end());
        if (args.path.reduced)
        {
            path.resize(args.path.length);
            item.owner->GetMemory()->Read(item.address, path);
        }
        const Before before = Remember(dir);
        const bool locked = MayChange(dir) && FindsName(dir, args.where.name);
        const auto made = m_store.GetNames().MakeSymlink(dir,
                                                         args.where.name,
                                                         std::string(path.begin(), path.end()),
                                                         args.attributes,
                                                         m_who);
        results = MakeResults(made, before, locked);
    });
}

Mknod3Res
Nfs3Procedures::Run(const Mknod3Args& args)
{
    const bool known = args.type == Ftype3::CHR || args.type == Ftype3::BLK ||
                       args.type == Ftype3::SOCK || args.type == Ftype3::FIFO;
    if (!known)
    {
        Mknod3Res results;
        results.status = Nfs3Status::BADTYPE;
        return results;
    }
    return On<Mknod3Res>(args.where.dir, [&](InodeNumber dir, Mknod3Res& results) {
        const Before before = Remember(dir);
        const bool locked = FindsName(dir, args.where.name);
        const auto made = m_store.GetNames().MakeNode(dir,
                                                      args.where.name,
                                                      args.type,
                                                      args.spec,
                                                      args.attributes,
                                                      m_who);
        results = MakeResults(made, before, locked);
    });
}

template <typename Results, typename Operation>
Results
Nfs3Procedures::RemoveName(const DirOpArgs3& object, Operation operation)
{
    return On<Results>(object.dir, [&](InodeNumber dir, Results& results) {
        const Before before = Remember(dir);
        const bool locked = MayChange(dir) && !IsDotName(object.name) &&
                            m_store.GetNames().Lookup(dir, object.name, m_who).has_value();
        results.status = operation(dir);
        results.wcc = MakeWcc(before, locked);
    });
}

Remove3Res
Nfs3Procedures::Run(const Remove3Args& args)
{
    return RemoveName<Remove3Res>(args.object, [&](InodeNumber dir) {
        return m_store.GetNames().Remove(dir, args.object.name, m_who);
    });
}

Rmdir3Res
Nfs3Procedures::Run(const Rmdir3Args& args)
{
    return RemoveName<Rmdir3Res>(args.object, [&](InodeNumber dir) {
        return m_store.GetNames().RemoveDirectory(dir, args.object.name, m_who);
    });
}

Rename3Res
Nfs3Procedures::Run(const Rename3Args& args)
{
    return On<Rename3Res>(args.from.dir, [&](InodeNumber fromDir, Rename3Res& results) {
        const Before fromBefore = Remember(fromDir);
        const bool mayLeave = MayChange(fromDir);
        const auto toDir = m_store.Resolve(args.to.dir);
        if (!mayLeave || !toDir)
        {
            const bool isDirectory = m_store.Get(fromDir).directory != nullptr;
            const Nfs3Status refusal = isDirectory ? Nfs3Status::ACCES : Nfs3Status::NOTDIR;
            results.status = mayLeave ? toDir.error() : refusal;
            results.fromDirWcc = MakeWcc(fromBefore, false);
            return;
        }
        const Before toBefore = Remember(*toDir);
        const bool sameExport = m_store.Get(fromDir).exportIndex == m_store.Get(*toDir).exportIndex;
        const bool locked = MayChange(*toDir) && sameExport && !IsDotName(args.from.name) &&
                            !IsDotName(args.to.name);
        results.status =
            m_store.GetNames().Rename(fromDir, args.from.name, *toDir, args.to.name, m_who);
        results.fromDirWcc = MakeWcc(fromBefore, locked);
        results.toDirWcc = MakeWcc(toBefore, locked);
    });
}

Link3Res
Nfs3Procedures::Run(const Link3Args& args)
{
    return On<Link3Res>(args.link.dir, [&](InodeNumber dir, Link3Res& results) {
        const Before before = Remember(dir);
        const auto file = m_store.Resolve(args.file);
        if (!MayChange(dir) || !file)
        {
            const bool isDirectory = m_store.Get(dir).directory != nullptr;
            const Nfs3Status refusal = isDirectory ? Nfs3Status::ACCES : Nfs3Status::NOTDIR;
            results.status = MayChange(dir) ? file.error() : refusal;
            results.linkDirWcc = MakeWcc(before, false);
            return;
        }
        const Inode& inode = m_store.Get(*file);
        const bool linkable = !inode.directory && inode.exportIndex == m_store.Get(dir).exportIndex;
        const bool locked = linkable && FindsName(dir, args.link.name);
        results.status = m_store.GetNames().Link(*file, dir, args.link.name, m_who);
        results.attributes = GetAttributes(*file);
        results.linkDirWcc = MakeWcc(before, locked);
    });
}

template <typename Results>
Results
Nfs3Procedures::ReadDirectory(const NfsFh3& dir,
                              uint64_t cookie,
                              const Nfs3Verifier& verifier,
                              uint32_t limit)
{
    static constexpr Nfs3Verifier COOKIE_VERIFIER{};
    return On<Results>(dir, [&](InodeNumber number, Results& results) {
        const auto directory = m_store.GetNames().OpenDirectory(number, m_who);
        results.dirAttributes = GetAttributes(number);
        if (!directory)
        {
            results.status = directory.error();
            return;
        }
        if (cookie != 0 && verifier != COOKIE_VERIFIER)
        {
            results.status = Nfs3Status::BAD_COOKIE;
            return;
        }
        const DirectoryReader reader(m_store,
                                     number,
                                     **directory,
                                     std::min(limit, m_limits.maxTransferSize));
        results.cookieVerifier = COOKIE_VERIFIER;
        results.status = reader.Fill(cookie, results);
    });
}

Readdir3Res
Nfs3Procedures::Run(const Readdir3Args& args)
{
    return ReadDirectory<Readdir3Res>(args.dir, args.cookie, args.cookieVerifier, args.count);
}

Readdirplus3Res
Nfs3Procedures::Run(const Readdirplus3Args& args)
{
    return ReadDirectory<Readdirplus3Res>(args.dir,
                                          args.cookie,
                                          args.cookieVerifier,
                                          args.maxcount);
}

} // namespace ns3::nfsrdma
