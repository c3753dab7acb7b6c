/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/inode.h"

#include "ns3/assert.h"

#include <algorithm>
#include <functional>

namespace ns3::nfsrdma
{

namespace
{

/// Spreads generations so that the inodes of one moment do not share theirs (Knuth's multiplier).
constexpr uint32_t GENERATION_STEP = 2654435761U;
constexpr uint32_t GROUP_PERMISSIONS = 070;
constexpr uint32_t SET_UID = 04000;
constexpr uint32_t GROUP_EXECUTE = 0010;

} // namespace

Nfs3Status
CheckRegular(const Inode& inode)
{
    if (inode.directory)
    {
        return Nfs3Status::ISDIR;
    }
    return inode.content ? Nfs3Status::OK : Nfs3Status::INVAL;
}

void
ClearSetIds(Inode& inode)
{
    inode.attributes.mode &= ~SET_UID;
    if ((inode.attributes.mode & GROUP_EXECUTE) != 0)
    {
        inode.attributes.mode &= ~MODE_SET_GID;
    }
}

bool
IsOwner(const Inode& inode, const FileCredential& who)
{
    return who.IsSuperuser() || who.uid == inode.attributes.uid;
}

bool
MayAccess(const Inode& inode, const FileCredential& who, uint32_t wanted)
{
    const Fattr3& attributes = inode.attributes;
    if (inode.accessAcl.empty() || IsOwner(inode, who) ||
        (attributes.mode & GROUP_PERMISSIONS) == 0)
    {
        return MayAccess(attributes, who, wanted);
    }
    return AclPermits(inode.accessAcl, attributes.uid, attributes.gid, who, wanted);
}

Inode&
InodeTable::Allocate()
{
    InodeNumber number = 0;
    if (m_free.empty())
    {
        number = FIRST + m_slots.size();
        m_slots.emplace_back();
        m_slots.back().generation = static_cast<uint32_t>(number) * GENERATION_STEP;
    }
    else
    {
        std::pop_heap(m_free.begin(), m_free.end(), std::greater<>());
        number = m_free.back();
        m_free.pop_back();
    }
    Slot& slot = m_slots[number - FIRST];
    slot.inode = std::make_unique<Inode>();
    slot.inode->attributes.fileid = number;
    slot.inode->generation = slot.generation;
    ++m_count;
    return *slot.inode;
}

void
InodeTable::Free(InodeNumber number)
{
    NS_ASSERT_MSG(Find(number), "no inode " << number);
    Slot& slot = m_slots[number - FIRST];
    slot.inode.reset();
    ++slot.generation;
    m_free.push_back(number);
    std::push_heap(m_free.begin(), m_free.end(), std::greater<>());
    --m_count;
}

Inode*
InodeTable::Find(InodeNumber number)
{
    return number >= FIRST && number - FIRST < m_slots.size() ? m_slots[number - FIRST].inode.get()
                                                              : nullptr;
}

const Inode*
InodeTable::Find(InodeNumber number) const
{
    return number >= FIRST && number - FIRST < m_slots.size() ? m_slots[number - FIRST].inode.get()
                                                              : nullptr;
}

} // namespace ns3::nfsrdma
