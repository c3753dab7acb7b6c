/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_FILE_DATA_H
#define NFSRDMA_NFS_STORE_FILE_DATA_H

#include "nfs/store/file-system.h"

#include <optional>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief The operations of a store on the octets of regular files, holes among them (RFC 7862), and
 * on the text of symlinks.
 *
 * They take effect at once and give the nfsstat3 of what went wrong. Objects must be there.
 */
class FileData
{
  public:
    explicit FileData(FileSystem& system);

    /// What a READ found.
    struct ReadRange
    {
        /// Octets from the offset that are below the end, not above those asked for.
        uint32_t count{0};
        bool eof{false};
    };

    /// READ, first half: ISDIR, INVAL, ACCES. The owner may always read.
    [[nodiscard]] FileResult<ReadRange> PrepareRead(InodeNumber number,
                                                    uint64_t offset,
                                                    uint32_t count,
                                                    const FileCredential& who) const;
    /// READ, second half: the octets of a prepared range; changes atime.
    void Read(InodeNumber number, uint64_t offset, uint32_t count, const SparseFile::Room& room);
    /// WRITE: ISDIR, INVAL, ACCES, FBIG, NOSPC. The owner may always write.
    Nfs3Status Write(InodeNumber number,
                     uint64_t offset,
                     uint32_t count,
                     const SparseFile::Source& source,
                     const FileCredential& who);
    /// COMMIT: ISDIR, INVAL, ACCES, as WRITE.
    [[nodiscard]] Nfs3Status CheckCommit(InodeNumber number, const FileCredential& who) const;
    /// READLINK: INVAL when it is no symlink.
    [[nodiscard]] FileResult<std::string> ReadLink(InodeNumber number) const;

    /// \return the first octet from \p offset on that has data; nothing when there is none.
    [[nodiscard]] std::optional<uint64_t> FindData(InodeNumber file, uint64_t offset) const;

    /// \return the first octet from \p offset on that is in a hole, at most the file's size.
    [[nodiscard]] uint64_t FindHole(InodeNumber file, uint64_t offset) const
    {
        return m_system.Get(file).content->FindHole(offset);
    }

    /// ALLOCATE: grows the file to the end of the range. As WRITE.
    Nfs3Status Allocate(InodeNumber number,
                        uint64_t offset,
                        uint64_t length,
                        const FileCredential& who);
    /// DEALLOCATE: the range reads as zeros; the size stays. As WRITE.
    Nfs3Status Deallocate(InodeNumber number,
                          uint64_t offset,
                          uint64_t length,
                          const FileCredential& who);
    /// COPY, CLONE: data of one file into another. As WRITE; INVAL when the ranges of one file
    /// overlap.
    Nfs3Status CopyRange(InodeNumber from,
                         uint64_t fromOffset,
                         InodeNumber to,
                         uint64_t toOffset,
                         uint64_t length,
                         const FileCredential& who);

    /// Reads a regular file, without a permission and without a trace in its times. \return octets
    /// below its end.
    uint64_t ReadContent(InodeNumber file, uint64_t offset, MutableByteSpan out) const;
    /// Makes octets of a regular file zeros, as when what was written there has been lost: those
    /// below its end. Attributes stay.
    void Wipe(InodeNumber file, uint64_t offset, uint64_t length);

  private:
    FileSystem& m_system;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_FILE_DATA_H
