/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/procedures2.h"

#include "nfs/store/files.h"
#include "nfs/types/reply-parts.h"
#include "nfs/types/xdr-size.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

/// Octet of a handle that is 0 in a root's: fileid_type of struct knfsd_fh.
constexpr std::size_t FILEID_TYPE = 3;

template <typename Results>
Status2Res
MakeStatus(const Results& results)
{
    return {ToNfs2Status(results.status)};
}

} // namespace

Nfs2HandleSizes
Nfs2HandleSizes::Of(const FileStore& store)
{
    UintegerValue root;
    UintegerValue other;
    store.GetAttribute("RootHandleOctets", root);
    store.GetAttribute("HandleOctets", other);
    return {static_cast<uint32_t>(root.Get()), static_cast<uint32_t>(other.Get())};
}

bool
Nfs2HandleSizes::Fit() const
{
    return root <= NFS2_FHSIZE && other <= NFS2_FHSIZE;
}

NfsFh3
Nfs2HandleSizes::ToNfs3(const Nfs2Fh& handle) const
{
    const uint32_t length = handle.octets[FILEID_TYPE] == 0 ? root : other;
    const bool zeros = std::all_of(handle.octets.begin() + length,
                                   handle.octets.end(),
                                   [](uint8_t octet) { return octet == 0; });
    return NfsFh3(ByteSpan(handle.octets).first(zeros ? length : NFS2_FHSIZE));
}

Nfs2Procedures::Nfs2Procedures(FileStore& store,
                               const Nfs2HandleSizes& sizes,
                               const FileCredential& who)
    : m_sizes(sizes),
      m_limits{2 * NFS2_MAXDATA, {}},
      m_nfs3(store, m_limits, who)
{
}

Attr2Res
Nfs2Procedures::MakeResults(Nfs3Status status, const PostOpAttr& attributes) const
{
    Attr2Res results;
    results.status = ToNfs2Status(status);
    if (status == Nfs3Status::OK)
    {
        results.attributes = Fattr2::Make(*attributes, FILE_BLOCK_SIZE);
    }
    return results;
}

DirOp2Res
Nfs2Procedures::MakeResults(const Make3Res& made) const
{
    DirOp2Res results;
    results.status = ToNfs2Status(made.status);
    if (made.status == Nfs3Status::OK)
    {
        results.object = Nfs2Fh(*made.object);
        results.attributes = Fattr2::Make(*made.attributes, FILE_BLOCK_SIZE);
    }
    return results;
}

Attr2Res
Nfs2Procedures::Run(Nfs2Getattr, const Handle2Args& args)
{
    const Getattr3Res got = m_nfs3.Run(Getattr3Args{m_sizes.ToNfs3(args.object)});
    return MakeResults(got.status, got.attributes);
}

Attr2Res
Nfs2Procedures::Run(Nfs2Setattr, const Setattr2Args& args)
{
    const Wcc3Res set = m_nfs3.Run(
        Setattr3Args{m_sizes.ToNfs3(args.object), args.attributes.ToSattr3(), std::nullopt});
    return MakeResults(set.status, set.wcc.after);
}

DirOp2Res
Nfs2Procedures::Run(Nfs2Lookup, const DirOp2Args& args)
{
    const Lookup3Res found = m_nfs3.Run(Lookup3Args{m_sizes.ToNfs3(args)});
    DirOp2Res results;
    results.status = ToNfs2Status(found.status);
    if (found.status == Nfs3Status::OK)
    {
        results.object = Nfs2Fh(found.object);
        results.attributes = Fattr2::Make(*found.objectAttributes, FILE_BLOCK_SIZE);
    }
    return results;
}

Readlink2Res
Nfs2Procedures::Run(Nfs2Readlink, const Handle2Args& args, Ptr<HostMemory> memory, Nfs3Item& item)
{
    const Readlink3Res read = m_nfs3.Run(Readlink3Args{m_sizes.ToNfs3(args.object)}, memory, item);
    Readlink2Res results;
    results.status = ToNfs2Status(read.status);
    results.path = read.path;
    if (read.path.length > NFS2_MAXPATHLEN)
    {
        results.path = Nfs3Data::Reduced(NFS2_MAXPATHLEN);
    }
    return results;
}

Read2Res
Nfs2Procedures::Run(Nfs2Read, const Read2Args& args, Ptr<HostMemory> memory, Nfs3Item& item)
{
    const Read3Res read = m_nfs3.Run(
        Read3Args{m_sizes.ToNfs3(args.file), args.offset, std::min(args.count, NFS2_MAXDATA)},
        memory,
        item);
    Read2Res results;
    results.status = ToNfs2Status(read.status);
    if (read.status == Nfs3Status::OK)
    {
        results.attributes = Fattr2::Make(*read.attributes, FILE_BLOCK_SIZE);
        results.data = read.data;
    }
    return results;
}

Attr2Res
Nfs2Procedures::Run(Nfs2Write, const Write2Args& args, const Nfs3Item& item)
{
    Write3Args write;
    write.file = m_sizes.ToNfs3(args.file);
    write.offset = args.offset;
    write.count = args.data.length;
    write.stable = StableHow::FILE_SYNC;
    write.data = args.data;
    const Write3Res written = m_nfs3.Run(write, item);
    return MakeResults(written.status, written.wcc.after);
}

DirOp2Res
Nfs2Procedures::Run(Nfs2Create, const Create2Args& args)
{
    const auto type = args.attributes.GetTypeToMake();
    if (!type)
    {
        return {Nfs2Status::INVAL, {}, {}};
    }
    Sattr3 attributes = args.attributes.ToSattr3();
    if (*type == Ftype3::REG)
    {
        Create3Args create;
        create.where = m_sizes.ToNfs3(args.where);
        create.attributes = attributes;
        return MakeResults(m_nfs3.Run(create));
    }
    Mknod3Args make;
    make.where = m_sizes.ToNfs3(args.where);
    make.type = *type;
    if (*type == Ftype3::CHR || *type == Ftype3::BLK)
    {
        make.spec = DecodeDevice2(args.attributes.size);
    }
    attributes.size.reset();
    make.attributes = attributes;
    return MakeResults(m_nfs3.Run(make));
}

Status2Res
Nfs2Procedures::Run(Nfs2Remove, const DirOp2Args& args)
{
    return MakeStatus(m_nfs3.Run(Remove3Args{m_sizes.ToNfs3(args)}));
}

Status2Res
Nfs2Procedures::Run(Nfs2Rename, const Rename2Args& args)
{
    return MakeStatus(m_nfs3.Run(Rename3Args{m_sizes.ToNfs3(args.from), m_sizes.ToNfs3(args.to)}));
}

Status2Res
Nfs2Procedures::Run(Nfs2Link, const Link2Args& args)
{
    return MakeStatus(m_nfs3.Run(Link3Args{m_sizes.ToNfs3(args.file), m_sizes.ToNfs3(args.link)}));
}

Status2Res
Nfs2Procedures::Run(Nfs2Symlink, const Symlink2Args& args, const Nfs3Item& item)
{
    return MakeStatus(
        m_nfs3.Run(Symlink3Args{m_sizes.ToNfs3(args.where), args.attributes.ToSattr3(), args.path},
                   item));
}

DirOp2Res
Nfs2Procedures::Run(Nfs2Mkdir, const Create2Args& args)
{
    Sattr3 attributes = args.attributes.ToSattr3();
    attributes.size.reset();
    return MakeResults(m_nfs3.Run(Mkdir3Args{m_sizes.ToNfs3(args.where), attributes}));
}

Status2Res
Nfs2Procedures::Run(Nfs2Rmdir, const DirOp2Args& args)
{
    return MakeStatus(m_nfs3.Run(Rmdir3Args{m_sizes.ToNfs3(args)}));
}

Readdir2Res
Nfs2Procedures::Run(Nfs2Readdir, const Readdir2Args& args)
{
    const uint32_t limit = std::min(args.count, NFS2_MAXDATA);
    Readdir3Args read;
    read.dir = m_sizes.ToNfs3(args.dir);
    read.cookie = args.cookie;
    read.count = 2 * limit; // An entry of version 3 takes less than twice one of version 2.
    const Readdir3Res found = m_nfs3.Run(read);
    Readdir2Res results;
    results.status = ToNfs2Status(found.status);
    if (found.status != Nfs3Status::OK)
    {
        return results;
    }
    uint32_t used = EMPTY_LIST_SIZE;
    results.eof = found.eof;
    for (const Entry3& entry : found.entries)
    {
        Entry2 listed{static_cast<uint32_t>(entry.fileid),
                      entry.name,
                      static_cast<uint32_t>(entry.cookie)};
        used += XDR_WORD + GetXdrSize(listed);
        if (used > limit)
        {
            results.eof = false;
            break;
        }
        results.entries.push_back(std::move(listed));
    }
    return results;
}

Statfs2Res
Nfs2Procedures::Run(Nfs2Statfs, const Handle2Args& args)
{
    const Fsstat3Res found = m_nfs3.Run(Fsstat3Args{m_sizes.ToNfs3(args.object)});
    const auto toBlocks = [](uint64_t octets) {
        return static_cast<uint32_t>(octets / FILE_BLOCK_SIZE);
    };
    Statfs2Res results;
    results.status = ToNfs2Status(found.status);
    results.tsize = NFS2_MAXDATA;
    results.bsize = FILE_BLOCK_SIZE;
    results.blocks = toBlocks(found.tbytes);
    results.bfree = toBlocks(found.fbytes);
    results.bavail = toBlocks(found.abytes);
    return results;
}

} // namespace ns3::nfsrdma
