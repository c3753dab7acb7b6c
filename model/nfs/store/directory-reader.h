/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_DIRECTORY_READER_H
#define NFSRDMA_NFS_STORE_DIRECTORY_READER_H

#include "nfs/store/files.h"
#include "nfs/v3/results.h"

namespace ns3::nfsrdma
{

/**
 * \brief Fills the entries of READDIR and READDIRPLUS results as Linux's nfsd 6.1 does.
 *
 * The client's limit (count, maxcount) bounds the entries with the two words that end them, and
 * nothing else of the results; READDIRPLUS's dircount bounds nothing. ".." of an export's root
 * carries neither attributes nor handle. Where nfsd would send an empty list that is not at its
 * end, because the first entry does not fit, the status is TOOSMALL as in RFC 1813.
 */
class DirectoryReader
{
  public:
    /// The words after the last entry: no further entry, eof.
    static constexpr uint32_t END_OCTETS = 8;

    /// \param store where the directory is
    /// \param dir its number
    /// \param directory its entries
    /// \param limit the client's limit, octets
    DirectoryReader(const FileStore& store,
                    InodeNumber dir,
                    const Directory& directory,
                    uint32_t limit);

    /// Of Readdir3Res and Readdirplus3Res. \return OK or TOOSMALL.
    template <typename Results>
    Nfs3Status Fill(uint64_t cookie, Results& results) const;

  private:
    void Describe(const Directory::Entry& /* entry */, Entry3& /* described */) const
    {
    }

    void Describe(const Directory::Entry& entry, EntryPlus3& described) const;

    const FileStore& m_store;
    InodeNumber m_dir;
    const Directory& m_directory;
    uint32_t m_room;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_DIRECTORY_READER_H
