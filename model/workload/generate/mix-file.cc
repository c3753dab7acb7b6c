/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/mix-file.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

MixFile::MixFile(std::string name, std::shared_ptr<OpenFile> file)
    : m_name(std::move(name)),
      m_file(std::move(file))
{
}

bool
MixFile::IsFree(const OctetRange& range, bool write) const
{
    return std::none_of(m_uses.begin(), m_uses.end(), [&range, write](const Use& use) {
        return (write || use.write) && !range.Intersect(use.range).IsEmpty();
    });
}

void
MixFile::Release(const OctetRange& range, bool write)
{
    const auto use = std::find_if(m_uses.begin(), m_uses.end(), [&range, write](const Use& other) {
        return other.range.begin == range.begin && other.range.end == range.end &&
               other.write == write;
    });
    NS_ASSERT(use != m_uses.end());
    m_uses.erase(use);
}

} // namespace ns3::nfsrdma
