/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/acl.h"

#include "nfs/types/file-access.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t READ_BITS = ACE4_READ_DATA;
constexpr uint32_t WRITE_BITS = ACE4_WRITE_DATA | ACE4_APPEND_DATA;
constexpr uint32_t ANYONE_BITS = ACE4_READ_ATTRIBUTES | ACE4_READ_ACL | ACE4_SYNCHRONIZE;
constexpr uint32_t OWNER_BITS = ACE4_WRITE_ATTRIBUTES | ACE4_WRITE_ACL;
constexpr uint32_t INHERITANCE =
    ACE4_FILE_INHERIT_ACE | ACE4_DIRECTORY_INHERIT_ACE | ACE4_INHERIT_ONLY_ACE;
constexpr uint32_t SUPPORTED_FLAGS = INHERITANCE | ACE4_IDENTIFIER_GROUP;
constexpr uint32_t ALL_PERMISSIONS = MAY_READ | MAY_WRITE | MAY_EXECUTE;

const char* const OWNER_WHO = "OWNER@";
const char* const GROUP_WHO = "GROUP@";
const char* const EVERYONE_WHO = "EVERYONE@";

uint32_t
DenyMask(uint32_t permissions, bool isDirectory)
{
    uint32_t mask = 0;
    if ((permissions & MAY_READ) != 0)
    {
        mask |= READ_BITS;
    }
    if ((permissions & MAY_WRITE) != 0)
    {
        mask |= WRITE_BITS | (isDirectory ? ACE4_DELETE_CHILD : 0);
    }
    if ((permissions & MAY_EXECUTE) != 0)
    {
        mask |= ACE4_EXECUTE;
    }
    return mask;
}

uint32_t
AllowMask(uint32_t permissions, bool isDirectory)
{
    return ANYONE_BITS | DenyMask(permissions, isDirectory);
}

/// What a list grants to each kind of entry, bounded by the mask.
struct AclSummary
{
    uint32_t owner{0};
    uint32_t users{0};
    uint32_t group{0};
    uint32_t groups{0};
    uint32_t other{0};
    uint32_t mask{ALL_PERMISSIONS};

    explicit AclSummary(const PosixAcl& acl)
    {
        for (const PosixAclEntry& entry : acl)
        {
            Add(entry);
        }
        users &= mask;
        group &= mask;
        groups &= mask;
    }

    void Add(const PosixAclEntry& entry)
    {
        switch (entry.tag)
        {
        case PosixAclTag::USER_OBJ:
            owner = entry.permissions;
            break;
        case PosixAclTag::USER:
            users |= entry.permissions;
            break;
        case PosixAclTag::GROUP_OBJ:
            group = entry.permissions;
            break;
        case PosixAclTag::GROUP:
            groups |= entry.permissions;
            break;
        case PosixAclTag::MASK:
            mask = entry.permissions;
            break;
        case PosixAclTag::OTHER:
            other = entry.permissions;
            break;
        }
    }
};

/// Writes the entries of one POSIX list.
class AceWriter
{
  public:
    AceWriter(std::vector<NfsAce4>& aces, uint32_t flag, bool isDirectory)
        : m_aces(aces),
          m_flag(flag),
          m_isDirectory(isDirectory)
    {
    }

    void Allow(uint32_t permissions, const std::string& who, uint32_t flag = 0, uint32_t more = 0)
    {
        m_aces.push_back({ACE4_ACCESS_ALLOWED_ACE_TYPE,
                          m_flag | flag,
                          AllowMask(permissions, m_isDirectory) | more,
                          who});
    }

    void Deny(uint32_t permissions, const std::string& who, uint32_t flag = 0)
    {
        if (permissions != 0)
        {
            m_aces.push_back({ACE4_ACCESS_DENIED_ACE_TYPE,
                              m_flag | flag,
                              DenyMask(permissions, m_isDirectory),
                              who});
        }
    }

  private:
    std::vector<NfsAce4>& m_aces;
    uint32_t m_flag;
    bool m_isDirectory;
};

void
AppendAcl(const PosixAcl& acl, AceWriter writer)
{
    const AclSummary sum(acl);
    writer.Deny(~sum.owner & (sum.users | sum.group | sum.groups | sum.other), OWNER_WHO);
    writer.Allow(sum.owner, OWNER_WHO, 0, OWNER_BITS);
    for (const PosixAclEntry& entry : acl)
    {
        if (entry.tag == PosixAclTag::USER)
        {
            const std::string who = std::to_string(entry.id);
            const uint32_t effective = entry.permissions & sum.mask;
            writer.Deny(~effective & (sum.groups | sum.group | sum.other), who);
            writer.Allow(effective, who);
        }
    }
    writer.Allow(sum.group, GROUP_WHO);
    for (const PosixAclEntry& entry : acl)
    {
        if (entry.tag == PosixAclTag::GROUP)
        {
            writer.Allow(entry.permissions & sum.mask,
                         std::to_string(entry.id),
                         ACE4_IDENTIFIER_GROUP);
        }
    }
    writer.Deny(~sum.group & sum.other, GROUP_WHO);
    for (const PosixAclEntry& entry : acl)
    {
        if (entry.tag == PosixAclTag::GROUP)
        {
            writer.Deny(~(entry.permissions & sum.mask) & sum.other,
                        std::to_string(entry.id),
                        ACE4_IDENTIFIER_GROUP);
        }
    }
    writer.Allow(sum.other, EVERYONE_WHO);
}

/// What has been allowed and denied so far to one kind of entry.
struct AceBits
{
    uint32_t allow{0};
    uint32_t deny{0};

    void Apply(bool allowed, uint32_t mask)
    {
        if (allowed)
        {
            allow |= mask & ~deny;
        }
        else
        {
            deny |= mask & ~allow;
        }
    }
};

/// A POSIX list in the making, as posix_acl_state of nfs4acl.c.
class AclState
{
  public:
    explicit AclState(bool isDirectory)
        : m_isDirectory(isDirectory)
    {
    }

    bool Take(const NfsAce4& ace)
    {
        const bool allowed = ace.type == ACE4_ACCESS_ALLOWED_ACE_TYPE;
        const uint32_t mask = ace.accessMask;
        m_empty = false;
        if (ace.who == OWNER_WHO)
        {
            m_owner.Apply(allowed, mask);
            return true;
        }
        if (ace.who == GROUP_WHO)
        {
            m_group.Apply(allowed, mask);
            if (!allowed)
            {
                const uint32_t denied = m_group.deny;
                m_owner.Apply(false, denied);
                m_everyone.Apply(false, denied);
                ApplyNamed(false, denied);
            }
            return true;
        }
        if (ace.who == EVERYONE_WHO)
        {
            for (AceBits* bits : {&m_owner, &m_group, &m_other, &m_everyone})
            {
                bits->Apply(allowed, mask);
            }
            ApplyNamed(allowed, mask);
            return true;
        }
        const auto id = ParseNfs4Identity(ace.who);
        if (!id)
        {
            return false;
        }
        TakeNamed((ace.flag & ACE4_IDENTIFIER_GROUP) != 0, *id, allowed, mask);
        return true;
    }

    [[nodiscard]] PosixAcl Make(bool isDefault) const
    {
        if (m_empty && isDefault)
        {
            return {};
        }
        PosixAcl acl;
        uint32_t mask = m_group.allow;
        acl.push_back({PosixAclTag::USER_OBJ, 0, ToPermissions(m_owner.allow)});
        for (const auto& [id, bits] : m_users)
        {
            acl.push_back({PosixAclTag::USER, id, ToPermissions(bits.allow)});
            mask |= bits.allow;
        }
        acl.push_back({PosixAclTag::GROUP_OBJ, 0, ToPermissions(m_group.allow)});
        for (const auto& [id, bits] : m_groups)
        {
            acl.push_back({PosixAclTag::GROUP, id, ToPermissions(bits.allow)});
            mask |= bits.allow;
        }
        if (!m_users.empty() || !m_groups.empty())
        {
            acl.push_back({PosixAclTag::MASK, 0, ToPermissions(mask)});
        }
        acl.push_back({PosixAclTag::OTHER, 0, ToPermissions(m_other.allow)});
        return acl;
    }

  private:
    void ApplyNamed(bool allowed, uint32_t mask)
    {
        for (auto* named : {&m_users, &m_groups})
        {
            for (auto& [id, bits] : *named)
            {
                bits.Apply(allowed, mask);
            }
        }
    }

    void TakeNamed(bool isGroup, uint32_t id, bool allowed, uint32_t mask)
    {
        AceBits& bits = (isGroup ? m_groups : m_users).emplace(id, m_everyone).first->second;
        bits.Apply(allowed, mask);
        if (allowed)
        {
            return;
        }
        const uint32_t denied = bits.deny;
        m_owner.Apply(false, denied);
        if (isGroup)
        {
            m_group.Apply(false, denied);
            m_everyone.Apply(false, denied);
            ApplyNamed(false, denied);
        }
    }

    [[nodiscard]] uint32_t ToPermissions(uint32_t mask) const
    {
        const uint32_t write = WRITE_BITS | (m_isDirectory ? ACE4_DELETE_CHILD : 0);
        uint32_t permissions = 0;
        permissions |= (mask & READ_BITS) == READ_BITS ? MAY_READ : 0;
        permissions |= (mask & write) == write ? MAY_WRITE : 0;
        permissions |= (mask & ACE4_EXECUTE) != 0 ? MAY_EXECUTE : 0;
        return permissions;
    }

    bool m_isDirectory;
    bool m_empty{true};
    AceBits m_owner;
    AceBits m_group;
    AceBits m_other;
    AceBits m_everyone;
    std::map<uint32_t, AceBits> m_users;
    std::map<uint32_t, AceBits> m_groups;
};

} // namespace

std::vector<NfsAce4>
MakeNfs4Acl(const PosixAclPair& acls, bool isDirectory)
{
    std::vector<NfsAce4> aces;
    AppendAcl(acls.access, AceWriter(aces, 0, isDirectory));
    if (!acls.defaultAcl.empty())
    {
        AppendAcl(acls.defaultAcl, AceWriter(aces, INHERITANCE, isDirectory));
    }
    return aces;
}

std::optional<PosixAclPair>
MakePosixAcls(const std::vector<NfsAce4>& aces, bool isDirectory)
{
    AclState access(isDirectory);
    AclState inherited(isDirectory);
    for (const NfsAce4& ace : aces)
    {
        if (ace.type != ACE4_ACCESS_ALLOWED_ACE_TYPE && ace.type != ACE4_ACCESS_DENIED_ACE_TYPE)
        {
            continue;
        }
        const bool inherits = (ace.flag & INHERITANCE) != 0;
        if ((ace.flag & ~SUPPORTED_FLAGS) != 0 || (inherits && !isDirectory))
        {
            return std::nullopt;
        }
        const bool effective = !inherits || (ace.flag & ACE4_INHERIT_ONLY_ACE) == 0;
        if ((inherits && !inherited.Take(ace)) || (effective && !access.Take(ace)))
        {
            return std::nullopt;
        }
    }
    return PosixAclPair{access.Make(false), inherited.Make(true)};
}

std::optional<uint32_t>
ParseNfs4Identity(const std::string& name)
{
    const std::string user = name.substr(0, name.find('@'));
    if (user == "root")
    {
        return 0;
    }
    if (user == "nobody")
    {
        return FileCredential::NOBODY;
    }
    uint32_t id = 0;
    const char* end = user.data() + user.size();
    const auto [rest, error] = std::from_chars(user.data(), end, id);
    if (user.empty() || error != std::errc() || rest != end)
    {
        return std::nullopt;
    }
    return id;
}

} // namespace ns3::nfsrdma
