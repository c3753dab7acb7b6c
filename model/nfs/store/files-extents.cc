/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/files.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t MAX_XATTR_OCTETS = 4096;
constexpr uint64_t COPY_PIECE = 65536;

} // namespace

NfsTime3
FileStore::GetStartTime() const
{
    return {m_epoch, 0};
}

std::optional<uint64_t>
FileStore::FindData(InodeNumber file, uint64_t offset) const
{
    const Inode& inode = Get(file);
    const uint64_t found = inode.content->FindData(offset);
    return found < inode.attributes.size ? std::make_optional(found) : std::nullopt;
}

uint64_t
FileStore::FindHole(InodeNumber file, uint64_t offset) const
{
    return Get(file).content->FindHole(offset);
}

Nfs3Status
FileStore::Allocate(InodeNumber number, uint64_t offset, uint64_t length, const FileCredential& who)
{
    const Nfs3Status writable = CheckCommit(number, who);
    if (writable != Nfs3Status::OK)
    {
        return writable;
    }
    if (offset > m_maxFileSize || length > m_maxFileSize - offset)
    {
        return Nfs3Status::FBIG;
    }
    Inode& inode = GetMutable(number);
    const uint64_t end = offset + length;
    if (end > inode.attributes.size)
    {
        if (end - inode.attributes.size > m_totalBytes - std::min(m_usedBytes, m_totalBytes))
        {
            return Nfs3Status::NOSPC;
        }
        Resize(inode, end);
    }
    NoteChange(inode);
    return Nfs3Status::OK;
}

Nfs3Status
FileStore::Deallocate(InodeNumber number,
                      uint64_t offset,
                      uint64_t length,
                      const FileCredential& who)
{
    const Nfs3Status writable = CheckCommit(number, who);
    if (writable != Nfs3Status::OK)
    {
        return writable;
    }
    Inode& inode = GetMutable(number);
    inode.content->Punch(offset, length);
    SetUsed(inode, inode.content->GetUsed());
    inode.attributes.mtime = Now();
    NoteChange(inode);
    return Nfs3Status::OK;
}

Nfs3Status
FileStore::CopyRange(InodeNumber from,
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

void
FileStore::KeepVerifier(InodeNumber number, const Nfs3Verifier& verifier)
{
    GetMutable(number).createVerifier = verifier;
}

Nfs3Status
FileStore::SetXattr(InodeNumber number,
                    const std::string& name,
                    ByteSpan value,
                    std::optional<bool> mustBe,
                    const FileCredential& who)
{
    Inode& inode = GetMutable(number);
    if (inode.attributes.type != Ftype3::REG && inode.attributes.type != Ftype3::DIR)
    {
        return Nfs3Status::PERM;
    }
    if (!MayAccess(inode, who, MAY_WRITE))
    {
        return Nfs3Status::ACCES;
    }
    const bool exists = inode.xattrs.count(name) > 0;
    if (mustBe && *mustBe != exists)
    {
        return exists ? Nfs3Status::EXIST : Nfs3Status::NOENT;
    }
    if (value.size() > MAX_XATTR_OCTETS)
    {
        return Nfs3Status::NOSPC;
    }
    inode.xattrs[name].assign(value.begin(), value.end());
    NoteChange(inode);
    return Nfs3Status::OK;
}

Nfs3Status
FileStore::RemoveXattr(InodeNumber number, const std::string& name, const FileCredential& who)
{
    Inode& inode = GetMutable(number);
    if (!MayAccess(inode, who, MAY_WRITE))
    {
        return Nfs3Status::ACCES;
    }
    if (inode.xattrs.erase(name) == 0)
    {
        return Nfs3Status::NOENT;
    }
    NoteChange(inode);
    return Nfs3Status::OK;
}

} // namespace ns3::nfsrdma
