/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/acl-messages3.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t MINIMAL_ENTRIES = 3;
constexpr std::string_view PROGRAM_PREFIX = "NFSACL3 ";

constexpr std::array<const char*, NFSACL3_PROCEDURES> ACL_PROCEDURE_NAMES{"NFSACL3 NULL",
                                                                          "NFSACL3 GETACL",
                                                                          "NFSACL3 SETACL"};

PosixAcl
AddBogusMask(PosixAcl acl)
{
    const auto group = std::find_if(acl.begin(), acl.end(), [](const PosixAclEntry& entry) {
        return entry.tag == PosixAclTag::GROUP_OBJ;
    });
    if (acl.size() == MINIMAL_ENTRIES && group != acl.end())
    {
        acl.insert(group + 1, {PosixAclTag::MASK, 0, group->permissions});
    }
    return acl;
}

void
RemoveBogusMask(PosixAcl& acl)
{
    const auto find = [&acl](PosixAclTag tag) {
        return std::find_if(acl.begin(), acl.end(), [tag](const PosixAclEntry& entry) {
            return entry.tag == tag;
        });
    };
    const auto group = find(PosixAclTag::GROUP_OBJ);
    const auto mask = find(PosixAclTag::MASK);
    if (acl.size() == MINIMAL_ENTRIES + 1 && group != acl.end() && mask != acl.end() &&
        group->permissions == mask->permissions)
    {
        acl.erase(mask);
    }
}

uint32_t
GetId(const PosixAclEntry& entry, uint32_t owner, uint32_t group)
{
    switch (entry.tag)
    {
    case PosixAclTag::USER_OBJ:
        return owner;
    case PosixAclTag::GROUP_OBJ:
        return group;
    default:
        return entry.id;
    }
}

std::optional<PosixAclEntry>
ToEntry(const NfsAce& ace)
{
    PosixAclEntry entry;
    entry.tag = static_cast<PosixAclTag>(ace.type & ~NFS_ACL_DEFAULT);
    entry.permissions = ace.permissions;
    switch (entry.tag)
    {
    case PosixAclTag::USER:
    case PosixAclTag::GROUP:
        entry.id = ace.id;
        break;
    case PosixAclTag::MASK:
        entry.permissions &= PosixAclEntry::PERMISSIONS;
        break;
    case PosixAclTag::USER_OBJ:
    case PosixAclTag::GROUP_OBJ:
    case PosixAclTag::OTHER:
        break;
    default:
        return std::nullopt;
    }
    if ((entry.permissions & ~PosixAclEntry::PERMISSIONS) != 0)
    {
        return std::nullopt;
    }
    return entry;
}

} // namespace

const char*
ToString(NfsAcl3Procedure procedure)
{
    const auto number = static_cast<uint32_t>(procedure);
    return number < ACL_PROCEDURE_NAMES.size() ? ACL_PROCEDURE_NAMES[number] : "NFSACL3 unknown";
}

std::optional<NfsAcl3Procedure>
ParseNfsAcl3Procedure(std::string_view name)
{
    for (uint32_t i = 0; i < ACL_PROCEDURE_NAMES.size(); ++i)
    {
        if (std::string_view(ACL_PROCEDURE_NAMES[i]).substr(PROGRAM_PREFIX.size()) == name)
        {
            return static_cast<NfsAcl3Procedure>(i);
        }
    }
    return std::nullopt;
}

NfsAcl
NfsAcl::Make(const PosixAcl& acl,
             uint32_t owner,
             uint32_t group,
             bool withEntries,
             uint32_t typeFlag)
{
    NfsAcl wire;
    const PosixAcl sent = AddBogusMask(acl);
    wire.count = sent.size();
    if (withEntries)
    {
        for (const PosixAclEntry& entry : sent)
        {
            wire.entries.push_back({static_cast<uint32_t>(entry.tag) | typeFlag,
                                    GetId(entry, owner, group),
                                    entry.permissions});
        }
    }
    return wire;
}

std::optional<PosixAcl>
NfsAcl::ToPosixAcl() const
{
    if (count != entries.size())
    {
        return std::nullopt;
    }
    PosixAcl acl;
    for (const NfsAce& ace : entries)
    {
        const auto entry = ToEntry(ace);
        if (!entry)
        {
            return std::nullopt;
        }
        acl.push_back(*entry);
    }
    std::stable_sort(acl.begin(), acl.end(), [](const PosixAclEntry& a, const PosixAclEntry& b) {
        return a.tag != b.tag ? static_cast<uint32_t>(a.tag) < static_cast<uint32_t>(b.tag)
                              : a.id < b.id;
    });
    RemoveBogusMask(acl);
    return acl;
}

} // namespace ns3::nfsrdma
