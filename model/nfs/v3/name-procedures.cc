/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/directory-reader.h"
#include "nfs/types/file-name.h"
#include "nfs/v3/procedures3.h"

#include <algorithm>

namespace ns3::nfsrdma
{

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

Lookup3Res
Nfs3Procedures::Run(const Lookup3Args& args)
{
    Lookup3Res results;
    const auto dir = m_store.Resolve(args.what.dir);
    if (!dir)
    {
        results.status = dir.error();
        return results;
    }
    results.dirAttributes = GetAttributes(*dir);
    const auto found = m_store.GetNames().Lookup(*dir, args.what.name, m_who);
    if (!found)
    {
        results.status = found.error();
        return results;
    }
    results.object = m_store.GetHandle(*found);
    results.objectAttributes = GetAttributes(*found);
    return results;
}

Create3Res
Nfs3Procedures::Run(const Create3Args& args)
{
    Create3Res results;
    const auto dir = m_store.Resolve(args.where.dir);
    if (!dir)
    {
        results.status = dir.error();
        return results;
    }
    const Before before = Remember(*dir);
    const bool existed = m_store.GetNames().Lookup(*dir, args.where.name, m_who).has_value();
    const auto made = m_store.GetNames().Create(*dir,
                                                args.where.name,
                                                args.mode,
                                                args.attributes,
                                                args.verifier,
                                                m_who);
    return MakeResults(made, before, made && !existed);
}

Mkdir3Res
Nfs3Procedures::Run(const Mkdir3Args& args)
{
    Mkdir3Res results;
    const auto dir = m_store.Resolve(args.where.dir);
    if (!dir)
    {
        results.status = dir.error();
        return results;
    }
    const Before before = Remember(*dir);
    const bool locked = FindsName(*dir, args.where.name);
    const auto made =
        m_store.GetNames().MakeDirectory(*dir, args.where.name, args.attributes, m_who);
    return MakeResults(made, before, locked);
}

Symlink3Res
Nfs3Procedures::Run(const Symlink3Args& args, const Nfs3Item& item)
{
    Symlink3Res results;
    if (args.path.length == 0 || args.path.length > NFS3_MAXPATHLEN)
    {
        results.status = args.path.length == 0 ? Nfs3Status::INVAL : Nfs3Status::NAMETOOLONG;
        return results;
    }
    const auto dir = m_store.Resolve(args.where.dir);
    if (!dir)
    {
        results.status = dir.error();
        return results;
    }
    ByteVector path(args.path.octets.begin(), args.path.octets.end());
    if (args.path.reduced)
    {
        path.resize(args.path.length);
        item.owner->GetMemory()->Read(item.address, path);
    }
    const Before before = Remember(*dir);
    const bool locked = MayChange(*dir) && FindsName(*dir, args.where.name);
    const auto made = m_store.GetNames().MakeSymlink(*dir,
                                                     args.where.name,
                                                     std::string(path.begin(), path.end()),
                                                     args.attributes,
                                                     m_who);
    return MakeResults(made, before, locked);
}

Mknod3Res
Nfs3Procedures::Run(const Mknod3Args& args)
{
    Mknod3Res results;
    const bool known = args.type == Ftype3::CHR || args.type == Ftype3::BLK ||
                       args.type == Ftype3::SOCK || args.type == Ftype3::FIFO;
    if (!known)
    {
        results.status = Nfs3Status::BADTYPE;
        return results;
    }
    const auto dir = m_store.Resolve(args.where.dir);
    if (!dir)
    {
        results.status = dir.error();
        return results;
    }
    const Before before = Remember(*dir);
    const bool locked = FindsName(*dir, args.where.name);
    const auto made = m_store.GetNames().MakeNode(*dir,
                                                  args.where.name,
                                                  args.type,
                                                  args.spec,
                                                  args.attributes,
                                                  m_who);
    return MakeResults(made, before, locked);
}

template <typename Results, typename Operation>
Results
Nfs3Procedures::RemoveName(const DirOpArgs3& object, Operation operation)
{
    Results results;
    const auto dir = m_store.Resolve(object.dir);
    if (!dir)
    {
        results.status = dir.error();
        return results;
    }
    const Before before = Remember(*dir);
    const bool locked = MayChange(*dir) && !IsDotName(object.name) &&
                        m_store.GetNames().Lookup(*dir, object.name, m_who).has_value();
    results.status = operation(*dir);
    results.wcc = MakeWcc(before, locked);
    return results;
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
    Rename3Res results;
    const auto fromDir = m_store.Resolve(args.from.dir);
    if (!fromDir)
    {
        results.status = fromDir.error();
        return results;
    }
    const Before fromBefore = Remember(*fromDir);
    const bool mayLeave = MayChange(*fromDir);
    const auto toDir = m_store.Resolve(args.to.dir);
    if (!mayLeave || !toDir)
    {
        const bool isDirectory = m_store.Get(*fromDir).directory != nullptr;
        const Nfs3Status refusal = isDirectory ? Nfs3Status::ACCES : Nfs3Status::NOTDIR;
        results.status = mayLeave ? toDir.error() : refusal;
        results.fromDirWcc = MakeWcc(fromBefore, false);
        return results;
    }
    const Before toBefore = Remember(*toDir);
    const bool sameExport = m_store.Get(*fromDir).exportIndex == m_store.Get(*toDir).exportIndex;
    const bool locked =
        MayChange(*toDir) && sameExport && !IsDotName(args.from.name) && !IsDotName(args.to.name);
    results.status =
        m_store.GetNames().Rename(*fromDir, args.from.name, *toDir, args.to.name, m_who);
    results.fromDirWcc = MakeWcc(fromBefore, locked);
    results.toDirWcc = MakeWcc(toBefore, locked);
    return results;
}

Link3Res
Nfs3Procedures::Run(const Link3Args& args)
{
    Link3Res results;
    const auto dir = m_store.Resolve(args.link.dir);
    if (!dir)
    {
        results.status = dir.error();
        return results;
    }
    const Before before = Remember(*dir);
    const auto file = m_store.Resolve(args.file);
    if (!MayChange(*dir) || !file)
    {
        const bool isDirectory = m_store.Get(*dir).directory != nullptr;
        const Nfs3Status refusal = isDirectory ? Nfs3Status::ACCES : Nfs3Status::NOTDIR;
        results.status = MayChange(*dir) ? file.error() : refusal;
        results.linkDirWcc = MakeWcc(before, false);
        return results;
    }
    const Inode& inode = m_store.Get(*file);
    const bool linkable = !inode.directory && inode.exportIndex == m_store.Get(*dir).exportIndex;
    const bool locked = linkable && FindsName(*dir, args.link.name);
    results.status = m_store.GetNames().Link(*file, *dir, args.link.name, m_who);
    results.attributes = GetAttributes(*file);
    results.linkDirWcc = MakeWcc(before, locked);
    return results;
}

template <typename Results>
Results
Nfs3Procedures::ReadDirectory(const NfsFh3& dir,
                              uint64_t cookie,
                              const Nfs3Verifier& verifier,
                              uint32_t limit)
{
    static constexpr Nfs3Verifier COOKIE_VERIFIER{};
    Results results;
    const auto number = m_store.Resolve(dir);
    if (!number)
    {
        results.status = number.error();
        return results;
    }
    const auto directory = m_store.GetNames().OpenDirectory(*number, m_who);
    results.dirAttributes = GetAttributes(*number);
    if (!directory)
    {
        results.status = directory.error();
        return results;
    }
    if (cookie != 0 && verifier != COOKIE_VERIFIER)
    {
        results.status = Nfs3Status::BAD_COOKIE;
        return results;
    }
    const DirectoryReader reader(m_store,
                                 *number,
                                 **directory,
                                 std::min(limit, m_limits.maxTransferSize));
    results.cookieVerifier = COOKIE_VERIFIER;
    results.status = reader.Fill(cookie, results);
    return results;
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
