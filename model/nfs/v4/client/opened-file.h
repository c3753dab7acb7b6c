/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_OPENED_FILE_H
#define NFSRDMA_NFS_V4_CLIENT_OPENED_FILE_H

#include "nfs/types/file-client.h"
#include "nfs/v4/client/file-attributes.h"
#include "nfs/v4/client/open-state.h"

#include "ns3/assert.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace ns3::nfsrdma
{

/// A file that an Nfs4FileClient has opened.
class Nfs4OpenFile : public OpenFile
{
  public:
    /// \param state what is open of the file
    /// \param share OPEN4_SHARE_ACCESS_* it was opened for
    /// \param isDirect see FileOpenHow
    Nfs4OpenFile(Nfs4HeldState::OpenPtr state, uint32_t share, bool isDirect)
        : open(std::move(state)),
          access(share),
          direct(isDirect),
          m_object(MakeRef(open->file))
    {
    }

    /// \return \p file, which an Nfs4FileClient has opened.
    [[nodiscard]] static std::shared_ptr<Nfs4OpenFile> Of(const std::shared_ptr<OpenFile>& file)
    {
        auto opened = std::dynamic_pointer_cast<Nfs4OpenFile>(file);
        NS_ASSERT_MSG(opened, "the file was opened by another client");
        return opened;
    }

    [[nodiscard]] const FileRef& GetObject() const override
    {
        return m_object;
    }

    const Nfs4HeldState::OpenPtr open;
    const uint32_t access;
    const bool direct;

  private:
    FileRef m_object;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_OPENED_FILE_H
