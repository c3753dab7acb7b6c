/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/directory.h"

#include "wire/bytes.h"

#include "ns3/assert.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t PARENT_COOKIE = 2;
constexpr std::size_t DOT_ENTRIES = 2;

uint64_t
GetStoredSize(const std::string& name)
{
    return 8 + RoundUp4(name.size());
}

} // namespace

Directory::Directory(InodeNumber self, InodeNumber parent)
{
    Insert(".", self);
    Insert("..", parent);
}

std::optional<InodeNumber>
Directory::Find(const std::string& name) const
{
    const auto it = m_cookies.find(name);
    if (it == m_cookies.end())
    {
        return std::nullopt;
    }
    return m_entries.at(it->second).inode;
}

void
Directory::Insert(const std::string& name, InodeNumber inode)
{
    [[maybe_unused]] const bool isNew = m_cookies.emplace(name, m_nextCookie).second;
    NS_ASSERT_MSG(isNew, "entry " << name << " is there already");
    m_entries.emplace_hint(m_entries.end(), m_nextCookie, Entry{name, inode});
    ++m_nextCookie;
    m_storedOctets += GetStoredSize(name);
}

void
Directory::Remove(const std::string& name)
{
    const auto it = m_cookies.find(name);
    NS_ASSERT_MSG(it != m_cookies.end(), "no entry " << name);
    m_storedOctets -= GetStoredSize(name);
    m_entries.erase(it->second);
    m_cookies.erase(it);
}

void
Directory::SetParent(InodeNumber parent)
{
    m_entries.at(PARENT_COOKIE).inode = parent;
}

InodeNumber
Directory::GetParent() const
{
    return m_entries.at(PARENT_COOKIE).inode;
}

bool
Directory::IsEmpty() const
{
    return m_entries.size() == DOT_ENTRIES;
}

} // namespace ns3::nfsrdma
