/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/file-data.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t COPY_PIECE = 65536;

} // namespace

FileData::FileData(FileSystem& system)
    : m_system(system)
{
}

FileResult<FileData::ReadRange>
FileData::PrepareRead(InodeNumber number,
                      uint64_t offset,
                      uint32_t count,
                      const FileCredential& who) const
{
    const Inode& inode = m_system.Get(number);
    const Nfs3Status regular = CheckRegular(inode);
    if (regular != Nfs3Status::OK)
    {
        return tl::make_unexpected(regular);
    }
    if (!IsOwner(inode, who) && !MayAccess(inode, who, MAY_READ) &&
        !MayAccess(inode, who, MAY_EXECUTE))
    {
        return tl::make_unexpected(Nfs3Status::ACCES);
    }
    const uint64_t size = inode.attributes.size;
    ReadRange range;
    if (offset < size)
    {
        range.count = static_cast<uint32_t>(std::min<uint64_t>(count, size - offset));
    }
    range.eof = offset >= size || range.count == size - offset;
    return range;
}

void
FileData::Read(InodeNumber number, uint64_t offset, uint32_t count, const SparseFile::Room& room)
{
    Inode& inode = m_system.Get(number);
    inode.content->Read(offset, count, room);
    m_system.TouchAccessTime(inode);
}

Nfs3Status
FileData::CheckCommit(InodeNumber number, const FileCredential& who) const
{
    const Inode& inode = m_system.Get(number);
    const Nfs3Status regular = CheckRegular(inode);
    if (regular != Nfs3Status::OK)
    {
        return regular;
    }
    const bool writable = IsOwner(inode, who) || MayAccess(inode, who, MAY_WRITE);
    return writable ? Nfs3Status::OK : Nfs3Status::ACCES;
}

Nfs3Status
FileData::Write(InodeNumber number,
                uint64_t offset,
                uint32_t count,
                const SparseFile::Source& source,
                const FileCredential& who)
{
    const Nfs3Status writable = CheckCommit(number, who);
    if (writable != Nfs3Status::OK)
    {
        return writable;
    }
    Inode& inode = m_system.Get(number);
    if (offset > m_system.GetSettings().maxFileSize ||
        count > m_system.GetSettings().maxFileSize - offset)
    {
        return Nfs3Status::FBIG;
    }
    if (offset + count > inode.attributes.size &&
        m_system.GetUsedBytes() + count > m_system.GetSettings().totalBytes)
    {
        return Nfs3Status::NOSPC;
    }
    if (count == 0)
    {
        return Nfs3Status::OK;
    }
    inode.content->Write(offset, count, source);
    m_system.NoteWritten(inode);
    m_system.NoteChange(inode);
    inode.createVerifier.reset();
    if (!who.IsSuperuser())
    {
        ClearSetIds(inode);
    }
    return Nfs3Status::OK;
}

FileResult<std::string>
FileData::ReadLink(InodeNumber number) const
{
    const Inode& inode = m_system.Get(number);
    if (inode.attributes.type != Ftype3::LNK)
    {
        return tl::make_unexpected(Nfs3Status::INVAL);
    }
    return inode.target;
}

std::optional<uint64_t>
FileData::FindData(InodeNumber file, uint64_t offset) const
{
    const Inode& inode = m_system.Get(file);
    const uint64_t found = inode.content->FindData(offset);
    return found < inode.attributes.size ? std::make_optional(found) : std::nullopt;
}

Nfs3Status
FileData::Allocate(InodeNumber number, uint64_t offset, uint64_t length, const FileCredential& who)
{
    const Nfs3Status writable = CheckCommit(number, who);
    if (writable != Nfs3Status::OK)
    {
        return writable;
    }
    if (offset > m_system.GetSettings().maxFileSize ||
        length > m_system.GetSettings().maxFileSize - offset)
    {
        return Nfs3Status::FBIG;
    }
    Inode& inode = m_system.Get(number);
    const uint64_t end = offset + length;
    if (end > inode.attributes.size)
    {
        if (end - inode.attributes.size > m_system.GetStatistics().freeBytes)
        {
            return Nfs3Status::NOSPC;
        }
        m_system.Resize(inode, end);
    }
    m_system.NoteChange(inode);
    return Nfs3Status::OK;
}

Nfs3Status
FileData::Deallocate(InodeNumber number,
                     uint64_t offset,
                     uint64_t length,
                     const FileCredential& who)
{
    const Nfs3Status writable = CheckCommit(number, who);
    if (writable != Nfs3Status::OK)
    {
        return writable;
    }
    Inode& inode = m_system.Get(number);
    inode.content->Punch(offset, length);
    m_system.NoteWritten(inode);
    m_system.NoteChange(inode);
    return Nfs3Status::OK;
}

Nfs3Status
FileData::CopyRange(InodeNumber from,
                    uint64_t fromOffset,
                    InodeNumber to,
                    uint64_t toOffset,
                    uint64_t length,
                    const FileCredential& who)
{
    if (from == to && fromOffset < toOffset + length && toOffset < fromOffset + length)
    {
        return Nfs3Status::INVAL;
    }
    ByteVector piece;
    for (uint64_t done = 0; done < length;)
    {
        piece.resize(std::min(COPY_PIECE, length - done));
        ReadContent(from, fromOffset + done, piece);
        const Nfs3Status status = Write(
            to,
            toOffset + done,
            static_cast<uint32_t>(piece.size()),
            [&piece](uint64_t position, MutableByteSpan out) {
                const ByteSpan part = ByteSpan(piece).subspan(position, out.size());
                std::copy(part.begin(), part.end(), out.begin());
            },
            who);
        if (status != Nfs3Status::OK)
        {
            return status;
        }
        done += piece.size();
    }
    return length == 0 ? CheckCommit(to, who) : Nfs3Status::OK;
}

uint64_t
FileData::ReadContent(InodeNumber file, uint64_t offset, MutableByteSpan out) const
{
    const Inode& inode = m_system.Get(file);
    NS_ABORT_MSG_UNLESS(inode.content, "inode " << file << " is no regular file");
    return inode.content->Read(offset, out);
}

void
FileData::Wipe(InodeNumber file, uint64_t offset, uint64_t length)
{
    SparseFile& content = *m_system.Get(file).content;
    const uint64_t size = content.GetSize();
    if (offset < size)
    {
        content.Write(offset,
                      std::min(length, size - offset),
                      [](uint64_t /* position */, MutableByteSpan octets) {
                          std::fill(octets.begin(), octets.end(), uint8_t{0});
                      });
    }
}

} // namespace ns3::nfsrdma
