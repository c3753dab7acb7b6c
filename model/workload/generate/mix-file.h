/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_MIX_FILE_H
#define NFSRDMA_WORKLOAD_GENERATE_MIX_FILE_H

#include "nfs/types/file-client.h"
#include "workload/check/octet-ranges.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A file of a MixWorkload, and the READs and WRITEs outstanding on it.
class MixFile
{
  public:
    MixFile(std::string name, std::shared_ptr<OpenFile> file);

    [[nodiscard]] const std::string& GetName() const
    {
        return m_name;
    }

    [[nodiscard]] const FileRef& GetObject() const
    {
        return m_file->GetObject();
    }

    [[nodiscard]] const std::shared_ptr<OpenFile>& GetFile() const
    {
        return m_file;
    }

    /// \return true when nothing is outstanding that overlaps \p range and of which one is a write.
    [[nodiscard]] bool IsFree(const OctetRange& range, bool write) const;

    /// Notes a READ or WRITE as outstanding.
    void Acquire(const OctetRange& range, bool write)
    {
        m_uses.push_back({range, write});
    }

    /// It has completed.
    void Release(const OctetRange& range, bool write);

  private:
    struct Use
    {
        OctetRange range;
        bool write{false};
    };

    std::string m_name;
    std::shared_ptr<OpenFile> m_file;
    std::vector<Use> m_uses;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_MIX_FILE_H
