/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/procedures3.h"

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

Nfs3Procedures::Before
Nfs3Procedures::Remember(InodeNumber number) const
{
    return {number, m_store.GetAttributes().GetWcc(number)};
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

PostOpAttr
Nfs3Procedures::GetAttributes(InodeNumber number) const
{
    return m_store.Get(number).attributes;
}

Null3Res
Nfs3Procedures::Run(const Null3Args& /* args */)
{
    return {};
}

Getattr3Res
Nfs3Procedures::Run(const Getattr3Args& args)
{
    Getattr3Res results;
    const auto object = m_store.Resolve(args.object);
    if (!object)
    {
        results.status = object.error();
        return results;
    }
    results.attributes = m_store.Get(*object).attributes;
    return results;
}

Setattr3Res
Nfs3Procedures::Run(const Setattr3Args& args)
{
    Setattr3Res results;
    const auto object = m_store.Resolve(args.object);
    if (!object)
    {
        results.status = object.error();
        return results;
    }
    const Before before = Remember(*object);
    results.status =
        m_store.GetAttributes().SetAttributes(*object, args.attributes, args.guard, m_who);
    results.wcc = MakeWcc(before, IsLockedBySetattr(results.status, args.attributes));
    return results;
}

Access3Res
Nfs3Procedures::Run(const Access3Args& args)
{
    Access3Res results;
    const auto object = m_store.Resolve(args.object);
    if (!object)
    {
        results.status = object.error();
        return results;
    }
    results.access = m_store.GetAttributes().CheckAccess(*object, args.access, m_who);
    results.attributes = GetAttributes(*object);
    return results;
}

Readlink3Res
Nfs3Procedures::Run(const Readlink3Args& args, Ptr<HostMemory> memory, Nfs3Item& item)
{
    Readlink3Res results;
    const auto symlink = m_store.Resolve(args.symlink);
    if (!symlink)
    {
        results.status = symlink.error();
        return results;
    }
    results.attributes = GetAttributes(*symlink);
    const auto path = m_store.GetData().ReadLink(*symlink);
    if (!path)
    {
        results.status = path.error();
        return results;
    }
    results.path = Nfs3Data::Reduced(path->size());
    if (!path->empty())
    {
        const ByteVector octets(path->begin(), path->end());
        item.owner = std::make_shared<HostBuffer>(memory, octets.size());
        item.address = item.owner->GetAddress();
        item.owner->Write(0, octets);
    }
    return results;
}

Read3Res
Nfs3Procedures::Run(const Read3Args& args, Ptr<HostMemory> memory, Nfs3Item& item)
{
    Read3Res results;
    const auto file = m_store.Resolve(args.file);
    if (!file)
    {
        results.status = file.error();
        return results;
    }
    const uint32_t wanted = std::min(args.count, m_limits.maxTransferSize);
    const auto range = m_store.GetData().PrepareRead(*file, args.offset, wanted, m_who);
    if (!range)
    {
        results.status = range.error();
        results.attributes = GetAttributes(*file);
        return results;
    }
    if (range->count != 0)
    {
        item.owner = std::make_shared<HostBuffer>(memory, range->count);
        item.address = item.owner->GetAddress();
        m_store.GetData().Read(*file,
                               args.offset,
                               range->count,
                               [&buffer = *item.owner](uint64_t position, ByteSpan octets) {
                                   buffer.Write(position, octets);
                               });
    }
    results.attributes = GetAttributes(*file);
    results.count = range->count;
    results.eof = range->eof;
    results.data = Nfs3Data::Reduced(range->count);
    return results;
}

Write3Res
Nfs3Procedures::Run(const Write3Args& args, const Nfs3Item& item)
{
    Write3Res results;
    const auto file = m_store.Resolve(args.file);
    if (!file)
    {
        results.status = file.error();
        return results;
    }
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
    results.status = m_store.GetData().Write(*file, args.offset, count, source, m_who);
    results.wcc.after = GetAttributes(*file);
    results.count = count;
    results.committed = args.stable;
    results.verifier = m_limits.writeVerifier;
    return results;
}

Commit3Res
Nfs3Procedures::Run(const Commit3Args& args)
{
    Commit3Res results;
    const auto file = m_store.Resolve(args.file);
    if (!file)
    {
        results.status = file.error();
        return results;
    }
    results.status = m_store.GetData().CheckCommit(*file, m_who);
    results.wcc.after = GetAttributes(*file);
    results.verifier = m_limits.writeVerifier;
    return results;
}

Fsstat3Res
Nfs3Procedures::Run(const Fsstat3Args& args)
{
    Fsstat3Res results;
    const auto root = m_store.Resolve(args.fsroot);
    if (!root)
    {
        results.status = root.error();
        return results;
    }
    const FileSystemStatistics statistics = m_store.GetFileSystem().GetStatistics();
    results.tbytes = statistics.totalBytes;
    results.fbytes = statistics.freeBytes;
    results.abytes = statistics.freeBytes;
    results.tfiles = statistics.totalFiles;
    results.ffiles = statistics.freeFiles;
    results.afiles = statistics.freeFiles;
    return results;
}

Fsinfo3Res
Nfs3Procedures::Run(const Fsinfo3Args& args)
{
    Fsinfo3Res results;
    const auto root = m_store.Resolve(args.fsroot);
    if (!root)
    {
        results.status = root.error();
        return results;
    }
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
    return results;
}

Pathconf3Res
Nfs3Procedures::Run(const Pathconf3Args& args)
{
    Pathconf3Res results;
    const auto object = m_store.Resolve(args.object);
    if (!object)
    {
        results.status = object.error();
        return results;
    }
    results.linkmax = m_store.GetFileSystem().GetSettings().maxLinks;
    results.nameMax = NFS3_MAXNAMLEN;
    results.noTrunc = false;
    results.chownRestricted = true;
    results.caseInsensitive = false;
    results.casePreserving = true;
    return results;
}

} // namespace ns3::nfsrdma
