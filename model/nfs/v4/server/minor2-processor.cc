/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/compound-processor.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

const std::string XATTR_PREFIX = "user.";

/// LISTXATTRS4resok without names: cookie, count, eof.
constexpr uint32_t LISTXATTRS_FRAME = 16;

} // namespace

AllocateRes4
Nfs4CompoundProcessor::Run(const AllocateArgs4& args)
{
    AllocateRes4 results;
    results.status = CheckRegular(*m_current);
    if (results.status == Nfs4Status::OK)
    {
        results.status = CheckIo(*m_current, args.stateid, true);
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = args.length == 0 ? Nfs4Status::INVAL
                                          : ToNfs4Status(m_state.store->Allocate(*m_current,
                                                                                 args.offset,
                                                                                 args.length,
                                                                                 m_principal.who));
    }
    Charge(results.status == Nfs4Status::OK ? StorageWork::METADATA_CHANGE : StorageWork::METADATA);
    return results;
}

DeallocateRes4
Nfs4CompoundProcessor::Run(const DeallocateArgs4& args)
{
    DeallocateRes4 results;
    results.status = CheckRegular(*m_current);
    if (results.status == Nfs4Status::OK)
    {
        results.status = CheckIo(*m_current, args.stateid, true);
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = args.length == 0
                             ? Nfs4Status::INVAL
                             : ToNfs4Status(m_state.store->Deallocate(*m_current,
                                                                      args.offset,
                                                                      args.length,
                                                                      m_principal.who));
    }
    Charge(results.status == Nfs4Status::OK ? StorageWork::METADATA_CHANGE : StorageWork::METADATA);
    return results;
}

SeekRes4
Nfs4CompoundProcessor::Run(const SeekArgs4& args)
{
    SeekRes4 results;
    results.status = CheckRegular(*m_current);
    if (results.status == Nfs4Status::OK)
    {
        results.status = CheckIo(*m_current, args.stateid, false);
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    Charge(StorageWork::METADATA);
    const uint64_t size = GetCurrent().attributes.size;
    if (args.what != DataContent4::DATA && args.what != DataContent4::HOLE)
    {
        results.status = Nfs4Status::UNION_NOTSUPP;
        return results;
    }
    std::optional<uint64_t> found;
    if (args.offset < size)
    {
        found = args.what == DataContent4::DATA ? m_state.store->FindData(*m_current, args.offset)
                                                : m_state.store->FindHole(*m_current, args.offset);
    }
    if (!found)
    {
        results.status = Nfs4Status::NXIO;
        return results;
    }
    results.offset = *found;
    results.eof = *found >= size;
    return results;
}

ReadPlusRes4
Nfs4CompoundProcessor::Run(const ReadPlusArgs4& args)
{
    ReadPlusRes4 results;
    results.status = CheckRegular(*m_current);
    if (results.status == Nfs4Status::OK)
    {
        results.status = CheckIo(*m_current, args.stateid, false);
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    // Opcode, status, eof, count; type, offset, length; pad.
    constexpr uint32_t FRAME = 16 + 16 + 3;
    const uint32_t room = GetRoom() - std::min(GetRoom(), FRAME);
    const uint32_t count = std::min(
        {args.count, static_cast<uint32_t>(m_state.settings.attributes.maxTransfer), room});
    const auto range = m_state.store->PrepareRead(*m_current, args.offset, count, m_principal.who);
    if (!range)
    {
        results.status = ToNfs4Status(range.error());
        return results;
    }
    results.eof = range->eof;
    const uint64_t end = args.offset + range->count;
    if (!m_state.settings.readPlusHoles)
    {
        // One segment of data, holes or not: nfsd4_encode_read_plus() of fs/nfsd/nfs4xdr.c since
        // 6.1.
        results.contents.push_back(ReadSegment(args.offset, end));
        Charge(StorageWork::READ, args.offset, range->count);
        return results;
    }
    for (uint64_t offset = args.offset; offset < end;)
    {
        const uint64_t data =
            std::min(m_state.store->FindData(*m_current, offset).value_or(end), end);
        if (data > offset)
        {
            results.contents.push_back({DataContent4::HOLE, offset, {}, data - offset});
        }
        offset = data;
        if (offset < end)
        {
            const uint64_t hole = std::min(m_state.store->FindHole(*m_current, offset), end);
            results.contents.push_back(ReadSegment(offset, hole));
            Charge(StorageWork::READ, offset, hole - offset);
            offset = hole;
        }
    }
    return results;
}

ReadPlusContent4
Nfs4CompoundProcessor::ReadSegment(uint64_t begin, uint64_t end) const
{
    ReadPlusContent4 content;
    content.offset = begin;
    content.data.resize(end - begin);
    m_state.store->Read(*m_current,
                        begin,
                        static_cast<uint32_t>(end - begin),
                        [&content](uint64_t position, ByteSpan octets) {
                            std::copy(octets.begin(),
                                      octets.end(),
                                      content.data.begin() + static_cast<std::ptrdiff_t>(position));
                        });
    return content;
}

Nfs4Status
Nfs4CompoundProcessor::CheckCopy(const Nfs4StateId& source, const Nfs4StateId& destination)
{
    if (!m_saved)
    {
        return Nfs4Status::NOFILEHANDLE;
    }
    for (const InodeNumber number : {*m_saved, *m_current})
    {
        const Nfs4Status regular = CheckRegular(number);
        if (regular != Nfs4Status::OK)
        {
            return regular == Nfs4Status::ISDIR ? regular : Nfs4Status::WRONG_TYPE;
        }
    }
    const Nfs4Status read = CheckIo(*m_saved, source, false);
    return read == Nfs4Status::OK ? CheckIo(*m_current, destination, true) : read;
}

CopyRes4
Nfs4CompoundProcessor::Run(const CopyArgs4& args)
{
    CopyRes4 results;
    if (!args.sourceServers.empty())
    {
        results.status = Nfs4Status::NOTSUPP;
        return results;
    }
    results.status = CheckCopy(args.srcStateid, args.dstStateid);
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    const uint64_t size = m_state.store->Get(*m_saved).attributes.size;
    const uint64_t rest = args.srcOffset < size ? size - args.srcOffset : 0;
    const uint64_t count = args.count == 0 ? rest : std::min(args.count, rest);
    if (!args.synchronous && HasSession())
    {
        StartCopy(args, count, results);
        return results;
    }
    results.status = ToNfs4Status(m_state.store->CopyRange(*m_saved,
                                                           args.srcOffset,
                                                           *m_current,
                                                           args.dstOffset,
                                                           count,
                                                           m_principal.who));
    results.response.count = count;
    results.response.verifier = m_state.settings.writeVerifier;
    results.consecutive = true;
    results.synchronous = true;
    if (results.status == Nfs4Status::OK)
    {
        m_outcome.work.push_back({StorageWork::READ, *m_saved, args.srcOffset, count});
        Charge(StorageWork::WRITE, args.dstOffset, count);
    }
    return results;
}

void
Nfs4CompoundProcessor::StartCopy(const CopyArgs4& args, uint64_t count, CopyRes4& results)
{
    Nfs4AsyncCopy copy;
    copy.client = m_client->id;
    copy.who = m_principal.who;
    copy.from = *m_saved;
    copy.to = *m_current;
    copy.target = m_state.names.GetHandle(*m_current);
    copy.fromOffset = args.srcOffset;
    copy.toOffset = args.dstOffset;
    copy.count = count;
    const auto started = m_state.copies.Add(std::move(copy));
    results.response.callbackId = started->id;
    results.response.verifier = m_state.settings.writeVerifier;
    results.consecutive = true;
    m_state.actions.copy(started);
}

CloneRes4
Nfs4CompoundProcessor::Run(const CloneArgs4& args)
{
    CloneRes4 results;
    results.status = CheckCopy(args.srcStateid, args.dstStateid);
    if (results.status == Nfs4Status::OK && !m_state.settings.reflinks)
    {
        results.status = Nfs4Status::NOTSUPP;
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    const uint64_t size = m_state.store->Get(*m_saved).attributes.size;
    const bool past = args.srcOffset > size || args.count > size - args.srcOffset;
    const uint64_t count = args.count == 0 && !past ? size - args.srcOffset : args.count;
    results.status = past ? Nfs4Status::INVAL
                          : ToNfs4Status(m_state.store->CopyRange(*m_saved,
                                                                  args.srcOffset,
                                                                  *m_current,
                                                                  args.dstOffset,
                                                                  count,
                                                                  m_principal.who));
    Charge(results.status == Nfs4Status::OK ? StorageWork::METADATA_CHANGE : StorageWork::METADATA);
    return results;
}

OffloadStatusRes4
Nfs4CompoundProcessor::Run(const OffloadStatusArgs4& args)
{
    OffloadStatusRes4 results;
    const auto copy = HasSession() ? m_state.copies.Find(m_client->id, args.stateid) : nullptr;
    results.status = copy ? Nfs4Status::OK : Nfs4Status::BAD_STATEID;
    results.count = copy ? copy->copied : 0;
    results.complete = copy ? copy->ended : std::nullopt;
    return results;
}

OffloadCancelRes4
Nfs4CompoundProcessor::Run(const OffloadCancelArgs4& args)
{
    OffloadCancelRes4 results;
    const auto copy = HasSession() ? m_state.copies.Find(m_client->id, args.stateid) : nullptr;
    if (copy)
    {
        m_state.copies.Remove(copy);
    }
    results.status = copy ? Nfs4Status::OK : Nfs4Status::BAD_STATEID;
    return results;
}

GetxattrRes4
Nfs4CompoundProcessor::Run(const GetxattrArgs4& args)
{
    GetxattrRes4 results;
    Charge(StorageWork::METADATA);
    if (*m_current == Nfs4Namespace::PSEUDO_ROOT)
    {
        results.status = Nfs4Status::NOXATTR;
        return results;
    }
    const Inode& inode = GetCurrent();
    const auto found = inode.xattrs.find(XATTR_PREFIX + args.name);
    if (!MayAccess(inode, m_principal.who, MAY_READ))
    {
        results.status = Nfs4Status::ACCESS;
    }
    else if (found == inode.xattrs.end())
    {
        results.status = Nfs4Status::NOXATTR;
    }
    else
    {
        results.value = found->second;
    }
    return results;
}

SetxattrRes4
Nfs4CompoundProcessor::Run(const SetxattrArgs4& args)
{
    SetxattrRes4 results;
    results.status = m_state.grace.IsActive(m_now) ? Nfs4Status::GRACE : CheckNotPseudo();
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    std::optional<bool> mustBe;
    if (args.option != SetXattrOption4::EITHER)
    {
        mustBe = args.option == SetXattrOption4::REPLACE;
    }
    results.changeInfo = Begin(*m_current);
    const Nfs3Status set = m_state.store->SetXattr(*m_current,
                                                   XATTR_PREFIX + args.name,
                                                   args.value,
                                                   mustBe,
                                                   m_principal.who);
    results.status = set == Nfs3Status::NOENT ? Nfs4Status::NOXATTR : ToNfs4Status(set);
    End(*m_current, results.changeInfo);
    Charge(results.status == Nfs4Status::OK ? StorageWork::METADATA_CHANGE : StorageWork::METADATA);
    return results;
}

ListxattrsRes4
Nfs4CompoundProcessor::Run(const ListxattrsArgs4& args)
{
    ListxattrsRes4 results;
    Charge(StorageWork::METADATA);
    if (*m_current == Nfs4Namespace::PSEUDO_ROOT)
    {
        results.eof = true;
        return results;
    }
    const auto& xattrs = GetCurrent().xattrs;
    if (args.cookie > xattrs.size())
    {
        results.status = Nfs4Status::BAD_COOKIE;
        return results;
    }
    const uint32_t limit = std::min(args.maxcount, GetRoom());
    uint32_t used = LISTXATTRS_FRAME;
    auto it = std::next(xattrs.begin(), static_cast<std::ptrdiff_t>(args.cookie));
    for (; it != xattrs.end(); ++it)
    {
        const std::string name = it->first.substr(XATTR_PREFIX.size());
        const uint32_t octets = 4 + RoundUp4(static_cast<uint32_t>(name.size()));
        if (used + octets > limit)
        {
            break;
        }
        used += octets;
        results.names.push_back(name);
    }
    results.eof = it == xattrs.end();
    results.cookie = args.cookie + results.names.size();
    if (results.names.empty() && !results.eof)
    {
        results.status = Nfs4Status::TOOSMALL;
    }
    return results;
}

RemovexattrRes4
Nfs4CompoundProcessor::Run(const RemovexattrArgs4& args)
{
    RemovexattrRes4 results;
    results.status = m_state.grace.IsActive(m_now) ? Nfs4Status::GRACE : CheckNotPseudo();
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    results.changeInfo = Begin(*m_current);
    const Nfs3Status removed =
        m_state.store->RemoveXattr(*m_current, XATTR_PREFIX + args.name, m_principal.who);
    results.status = removed == Nfs3Status::NOENT ? Nfs4Status::NOXATTR : ToNfs4Status(removed);
    End(*m_current, results.changeInfo);
    Charge(results.status == Nfs4Status::OK ? StorageWork::METADATA_CHANGE : StorageWork::METADATA);
    return results;
}

} // namespace ns3::nfsrdma
