/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/data-operations.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t GREATEST_OFFSET = 0x7fffffffffffffff;

} // namespace

ReadRes4
Nfs4DataOperations::Run(const ReadArgs4& args)
{
    ReadRes4 results;
    results.status = m_compound.CheckRegular(*m_compound.current);
    if (results.status == Nfs4Status::OK)
    {
        results.status = m_finder.CheckIo(*m_compound.current, args.stateid, false);
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    // Opcode, status, eof, length, and pad.
    constexpr uint32_t FRAME = 16 + 3;
    const uint32_t count =
        std::min({args.count,
                  static_cast<uint32_t>(m_server.settings.attributes.maxTransfer),
                  m_compound.reply.GetRoom(FRAME)});
    const auto range = m_server.store->GetData().PrepareRead(*m_compound.current,
                                                             args.offset,
                                                             count,
                                                             m_compound.principal.who);
    if (!range)
    {
        results.status = ToNfs4Status(range.error());
        return results;
    }
    if (HostBuffer* item = m_compound.reply.HoldItem(m_compound.memory, range->count))
    {
        m_server.store->GetData().Read(
            *m_compound.current,
            args.offset,
            range->count,
            [item](uint64_t position, uint64_t length) { return item->GetRoom(position, length); });
    }
    results.eof = range->eof;
    results.data = Nfs3Data::Reduced(range->count);
    m_compound.Charge(StorageWork::READ, args.offset, range->count);
    return results;
}

ReadlinkRes4
Nfs4DataOperations::Run(const ReadlinkArgs4& /* args */)
{
    ReadlinkRes4 results;
    if (*m_compound.current == Nfs4Namespace::PSEUDO_ROOT)
    {
        results.status = Nfs4Status::INVAL;
        return results;
    }
    const auto target = m_server.store->GetData().ReadLink(*m_compound.current);
    if (!target)
    {
        results.status = ToNfs4Status(target.error());
        return results;
    }
    const auto length = static_cast<uint32_t>(target->size());
    if (HostBuffer* item = m_compound.reply.HoldItem(m_compound.memory, length))
    {
        const ByteVector octets(target->begin(), target->end());
        item->Write(0, octets);
    }
    results.link = Nfs3Data::Reduced(length);
    m_compound.Charge(StorageWork::METADATA);
    return results;
}

WriteRes4
Nfs4DataOperations::Run(const WriteArgs4& args)
{
    WriteRes4 results;
    results.status = args.offset > GREATEST_OFFSET ? Nfs4Status::INVAL
                                                   : m_compound.CheckRegular(*m_compound.current);
    if (results.status == Nfs4Status::OK)
    {
        results.status = m_finder.CheckIo(*m_compound.current, args.stateid, true);
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    const RpcReceivedItem* item = m_compound.FindReceived(args.data);
    const auto source = [&args, item](uint64_t position, MutableByteSpan out) {
        if (item != nullptr)
        {
            item->owner->GetMemory()->Read(item->address + position, out);
            return;
        }
        const ByteSpan piece = args.data.octets.subspan(position, out.size());
        std::copy(piece.begin(), piece.end(), out.begin());
    };
    results.count = args.data.length;
    results.status = ToNfs4Status(m_server.store->GetData().Write(*m_compound.current,
                                                                  args.offset,
                                                                  results.count,
                                                                  source,
                                                                  m_compound.principal.who));
    results.committed = args.stable;
    results.verifier = m_server.settings.writeVerifier;
    if (results.status == Nfs4Status::OK)
    {
        const bool unstable = args.stable == StableHow4::UNSTABLE;
        m_compound.Charge(unstable ? StorageWork::WRITE : StorageWork::WRITE_SYNC,
                          args.offset,
                          results.count);
    }
    return results;
}

CommitRes4
Nfs4DataOperations::Run(const CommitArgs4& args)
{
    CommitRes4 results;
    results.status = m_compound.CheckRegular(*m_compound.current);
    if (results.status == Nfs4Status::OK)
    {
        results.status = ToNfs4Status(
            m_server.store->GetData().CheckCommit(*m_compound.current, m_compound.principal.who));
    }
    if (results.status == Nfs4Status::OK)
    {
        results.verifier = m_server.settings.writeVerifier;
        m_compound.Charge(StorageWork::SYNC, args.offset, args.count);
    }
    return results;
}

Nfs4Status
Nfs4DataOperations::ChangeRange(const Nfs4StateId& stateid,
                                uint64_t offset,
                                uint64_t length,
                                RangeChange change)
{
    Nfs4Status status = m_compound.CheckRegular(*m_compound.current);
    if (status == Nfs4Status::OK)
    {
        status = m_finder.CheckIo(*m_compound.current, stateid, true);
    }
    if (status == Nfs4Status::OK)
    {
        status = length == 0
                     ? Nfs4Status::INVAL
                     : ToNfs4Status(
                           (m_server.store->GetData().*
                            change)(*m_compound.current, offset, length, m_compound.principal.who));
    }
    m_compound.Charge(status == Nfs4Status::OK ? StorageWork::METADATA_CHANGE
                                               : StorageWork::METADATA);
    return status;
}

AllocateRes4
Nfs4DataOperations::Run(const AllocateArgs4& args)
{
    AllocateRes4 results;
    results.status = ChangeRange(args.stateid, args.offset, args.length, &FileData::Allocate);
    return results;
}

DeallocateRes4
Nfs4DataOperations::Run(const DeallocateArgs4& args)
{
    DeallocateRes4 results;
    results.status = ChangeRange(args.stateid, args.offset, args.length, &FileData::Deallocate);
    return results;
}

SeekRes4
Nfs4DataOperations::Run(const SeekArgs4& args)
{
    SeekRes4 results;
    results.status = m_compound.CheckRegular(*m_compound.current);
    if (results.status == Nfs4Status::OK)
    {
        results.status = m_finder.CheckIo(*m_compound.current, args.stateid, false);
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    m_compound.Charge(StorageWork::METADATA);
    const uint64_t size = m_compound.GetCurrent().attributes.size;
    if (args.what != DataContent4::DATA && args.what != DataContent4::HOLE)
    {
        results.status = Nfs4Status::UNION_NOTSUPP;
        return results;
    }
    std::optional<uint64_t> found;
    if (args.offset < size)
    {
        found = args.what == DataContent4::DATA
                    ? m_server.store->GetData().FindData(*m_compound.current, args.offset)
                    : m_server.store->GetData().FindHole(*m_compound.current, args.offset);
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

ReadPlusContent4
Nfs4DataOperations::ReadSegment(uint64_t begin, uint64_t end) const
{
    ReadPlusContent4 content;
    content.offset = begin;
    content.data.resize(end - begin);
    m_server.store->GetData().Read(
        *m_compound.current,
        begin,
        static_cast<uint32_t>(end - begin),
        [&content](uint64_t position, uint64_t length) {
            return MutableByteSpan(content.data).subspan(position, length);
        });
    return content;
}

ReadPlusRes4
Nfs4DataOperations::Run(const ReadPlusArgs4& args)
{
    ReadPlusRes4 results;
    results.status = m_compound.CheckRegular(*m_compound.current);
    if (results.status == Nfs4Status::OK)
    {
        results.status = m_finder.CheckIo(*m_compound.current, args.stateid, false);
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    // Opcode, status, eof, count; type, offset, length; pad.
    constexpr uint32_t FRAME = 16 + 16 + 3;
    const uint32_t count =
        std::min({args.count,
                  static_cast<uint32_t>(m_server.settings.attributes.maxTransfer),
                  m_compound.reply.GetRoom(FRAME)});
    const auto range = m_server.store->GetData().PrepareRead(*m_compound.current,
                                                             args.offset,
                                                             count,
                                                             m_compound.principal.who);
    if (!range)
    {
        results.status = ToNfs4Status(range.error());
        return results;
    }
    results.eof = range->eof;
    const uint64_t end = args.offset + range->count;
    if (!m_server.settings.readPlusHoles)
    {
        // One segment of data, holes or not: nfsd4_encode_read_plus() of fs/nfsd/nfs4xdr.c since
        // 6.1.
        results.contents.push_back(ReadSegment(args.offset, end));
        m_compound.Charge(StorageWork::READ, args.offset, range->count);
        return results;
    }
    for (uint64_t offset = args.offset; offset < end;)
    {
        const uint64_t data =
            std::min(m_server.store->GetData().FindData(*m_compound.current, offset).value_or(end),
                     end);
        if (data > offset)
        {
            results.contents.push_back({DataContent4::HOLE, offset, {}, data - offset});
        }
        offset = data;
        if (offset < end)
        {
            const uint64_t hole =
                std::min(m_server.store->GetData().FindHole(*m_compound.current, offset), end);
            results.contents.push_back(ReadSegment(offset, hole));
            m_compound.Charge(StorageWork::READ, offset, hole - offset);
            offset = hole;
        }
    }
    return results;
}

} // namespace ns3::nfsrdma
