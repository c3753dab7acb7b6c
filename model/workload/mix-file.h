/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_MIX_FILE_H
#define NFSRDMA_WORKLOAD_MIX_FILE_H

#include "nfs/nfs3-attributes.h"
#include "workload/octet-ranges.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A file of a MixWorkload, and the READs and WRITEs outstanding on it.
class MixFile
{
  public:
    MixFile(std::string name, const NfsFh3& handle);

    [[nodiscard]] const std::string& GetName() const;
    [[nodiscard]] const NfsFh3& GetHandle() const;

    /// \return true when nothing is outstanding that overlaps \p range and of which one is a write.
    [[nodiscard]] bool IsFree(const OctetRange& range, bool write) const;
    /// Notes a READ or WRITE as outstanding.
    void Acquire(const OctetRange& range, bool write);
    /// It has completed.
    void Release(const OctetRange& range, bool write);

  private:
    struct Use
    {
        OctetRange range;
        bool write{false};
    };

    std::string m_name;
    NfsFh3 m_handle;
    std::vector<Use> m_uses;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_MIX_FILE_H
