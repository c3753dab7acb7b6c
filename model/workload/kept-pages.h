/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_KEPT_PAGES_H
#define NFSRDMA_WORKLOAD_KEPT_PAGES_H

#include "nfs/types/file-requests.h"
#include "workload/check/octet-set.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief What a client keeps of a file's pages from a close to the next open: close-to-open
 * consistency as Linux's NFS client has it (nfs_refresh_inode() and nfs_revalidate_mapping() of
 * fs/nfs/inode.c).
 *
 * The pages stay when the attributes that OPEN, or LOOKUP before NFSv4, brought are those of the
 * open before: size, mtime and ctime, which changes with every change. An open by virtue of a
 * delegation brings none: nobody has changed the file. Pages of a file that was written by this
 * client do not stay, since what its own WRITEs made of the attributes is not followed.
 */
class KeptPages
{
  public:
    /// The file is open. \param attributes that came with it. \return whether the pages stay.
    bool Open(const std::optional<Fattr3>& attributes);
    /// The file is to be closed: \p pages are there.
    void Close(const OctetSet& pages, bool written);

    /// The host has crashed.
    void Forget();

    [[nodiscard]] const OctetSet& GetPages() const
    {
        return m_pages;
    }

  private:
    OctetSet m_pages;
    bool m_written{false};
    std::optional<Fattr3> m_attributes; ///< As of the latest open that brought them.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_KEPT_PAGES_H
