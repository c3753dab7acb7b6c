/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/types/posix-acl.h"

#include "nfs/types/file-access.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t MODE_PERMISSIONS = 0777;
constexpr uint32_t OWNER_SHIFT = 6;
constexpr uint32_t GROUP_SHIFT = 3;
constexpr std::string_view LETTERS = "rwx";

constexpr std::array<std::pair<PosixAclTag, std::string_view>, 6> TAG_NAMES{
    {{PosixAclTag::USER_OBJ, "user"},
     {PosixAclTag::USER, "user"},
     {PosixAclTag::GROUP_OBJ, "group"},
     {PosixAclTag::GROUP, "group"},
     {PosixAclTag::MASK, "mask"},
     {PosixAclTag::OTHER, "other"}}};

bool
HasId(PosixAclTag tag)
{
    return tag == PosixAclTag::USER || tag == PosixAclTag::GROUP;
}

auto
GetOrder(const PosixAclEntry& entry)
{
    return std::make_tuple(static_cast<uint32_t>(entry.tag), entry.id);
}

uint32_t
GetBits(uint32_t mode, uint32_t shift)
{
    return mode >> shift & PosixAclEntry::PERMISSIONS;
}

void
SetBits(uint32_t& mode, uint32_t shift, uint32_t bits)
{
    mode = (mode & ~(PosixAclEntry::PERMISSIONS << shift)) | bits << shift;
}

template <typename Acl>
auto
FindTag(Acl& acl, PosixAclTag tag)
{
    return std::find_if(acl.begin(), acl.end(), [tag](const PosixAclEntry& entry) {
        return entry.tag == tag;
    });
}

/// \return the entry that stands for the group's bits of the mode.
PosixAclEntry*
FindGroupClass(PosixAcl& acl)
{
    auto found = FindTag(acl, PosixAclTag::MASK);
    if (found == acl.end())
    {
        found = FindTag(acl, PosixAclTag::GROUP_OBJ);
    }
    return found == acl.end() ? nullptr : &*found;
}

bool
IsMinimal(const PosixAcl& acl)
{
    return std::none_of(acl.begin(), acl.end(), [](const PosixAclEntry& entry) {
        return HasId(entry.tag) || entry.tag == PosixAclTag::MASK;
    });
}

std::optional<PosixAclEntry>
ParseEntry(std::string_view text)
{
    const auto first = text.find(':');
    const auto second = first == std::string_view::npos ? first : text.find(':', first + 1);
    if (second == std::string_view::npos || text.size() != second + 1 + LETTERS.size())
    {
        return std::nullopt;
    }
    const std::string_view name = text.substr(0, first);
    const std::string_view id = text.substr(first + 1, second - first - 1);
    PosixAclEntry entry;
    const auto named = std::find_if(TAG_NAMES.begin(), TAG_NAMES.end(), [&](const auto& candidate) {
        return candidate.second == name && HasId(candidate.first) == !id.empty();
    });
    if (named == TAG_NAMES.end())
    {
        return std::nullopt;
    }
    entry.tag = named->first;
    if (!id.empty())
    {
        const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), entry.id);
        if (error != std::errc() || end != id.data() + id.size())
        {
            return std::nullopt;
        }
    }
    for (std::size_t i = 0; i < LETTERS.size(); ++i)
    {
        const char letter = text[second + 1 + i];
        if (letter != LETTERS[i] && letter != '-')
        {
            return std::nullopt;
        }
        entry.permissions = entry.permissions << 1 | (letter == '-' ? 0U : 1U);
    }
    return entry;
}

} // namespace

bool
operator==(const PosixAclEntry& a, const PosixAclEntry& b)
{
    return a.tag == b.tag && a.id == b.id && a.permissions == b.permissions;
}

bool
operator!=(const PosixAclEntry& a, const PosixAclEntry& b)
{
    return !(a == b);
}

PosixAcl
MakeMinimalAcl(uint32_t mode)
{
    return {{PosixAclTag::USER_OBJ, 0, GetBits(mode, OWNER_SHIFT)},
            {PosixAclTag::GROUP_OBJ, 0, GetBits(mode, GROUP_SHIFT)},
            {PosixAclTag::OTHER, 0, GetBits(mode, 0)}};
}

bool
IsValidAcl(const PosixAcl& acl)
{
    const auto count = [&acl](PosixAclTag tag) {
        return std::count_if(acl.begin(), acl.end(), [tag](const PosixAclEntry& entry) {
            return entry.tag == tag;
        });
    };
    const bool named = count(PosixAclTag::USER) + count(PosixAclTag::GROUP) != 0;
    const auto masks = count(PosixAclTag::MASK);
    return count(PosixAclTag::USER_OBJ) == 1 && count(PosixAclTag::GROUP_OBJ) == 1 &&
           count(PosixAclTag::OTHER) == 1 && masks <= 1 && (!named || masks == 1) &&
           std::all_of(acl.begin(),
                       acl.end(),
                       [](const PosixAclEntry& entry) {
                           return (entry.permissions & ~PosixAclEntry::PERMISSIONS) == 0;
                       }) &&
           std::is_sorted(acl.begin(), acl.end(), [](const auto& a, const auto& b) {
               return static_cast<uint32_t>(a.tag) < static_cast<uint32_t>(b.tag);
           });
}

bool
ApplyAclToMode(const PosixAcl& acl, uint32_t& mode)
{
    mode &= ~MODE_PERMISSIONS;
    for (const PosixAclEntry& entry : acl)
    {
        switch (entry.tag)
        {
        case PosixAclTag::USER_OBJ:
            SetBits(mode, OWNER_SHIFT, entry.permissions);
            break;
        case PosixAclTag::GROUP_OBJ:
        case PosixAclTag::MASK:
            SetBits(mode, GROUP_SHIFT, entry.permissions);
            break;
        case PosixAclTag::OTHER:
            SetBits(mode, 0, entry.permissions);
            break;
        case PosixAclTag::USER:
        case PosixAclTag::GROUP:
            break;
        }
    }
    return IsMinimal(acl);
}

void
ApplyModeToAcl(uint32_t mode, PosixAcl& acl)
{
    for (PosixAclEntry& entry : acl)
    {
        if (entry.tag == PosixAclTag::USER_OBJ)
        {
            entry.permissions = GetBits(mode, OWNER_SHIFT);
        }
        else if (entry.tag == PosixAclTag::OTHER)
        {
            entry.permissions = GetBits(mode, 0);
        }
    }
    if (PosixAclEntry* const group = FindGroupClass(acl))
    {
        group->permissions = GetBits(mode, GROUP_SHIFT);
    }
}

bool
InheritAcl(PosixAcl& acl, uint32_t& mode)
{
    const auto bound = [&mode](PosixAclEntry& entry, uint32_t shift) {
        entry.permissions &= GetBits(mode, shift);
        SetBits(mode, shift, entry.permissions);
    };
    for (PosixAclEntry& entry : acl)
    {
        if (entry.tag == PosixAclTag::USER_OBJ)
        {
            bound(entry, OWNER_SHIFT);
        }
        else if (entry.tag == PosixAclTag::OTHER)
        {
            bound(entry, 0);
        }
    }
    if (PosixAclEntry* const group = FindGroupClass(acl))
    {
        bound(*group, GROUP_SHIFT);
    }
    return IsMinimal(acl);
}

bool
AclPermits(const PosixAcl& acl,
           uint32_t owner,
           uint32_t group,
           const FileCredential& who,
           uint32_t wanted)
{
    const auto mask = FindTag(acl, PosixAclTag::MASK);
    const uint32_t most = mask == acl.end() ? PosixAclEntry::PERMISSIONS : mask->permissions;
    bool inGroup = false;
    for (const PosixAclEntry& entry : acl)
    {
        const bool grants = (entry.permissions & wanted) == wanted;
        const bool grantsMasked = (entry.permissions & most & wanted) == wanted;
        switch (entry.tag)
        {
        case PosixAclTag::USER_OBJ:
            if (who.uid == owner)
            {
                return grants;
            }
            break;
        case PosixAclTag::USER:
            if (who.uid == entry.id)
            {
                return grantsMasked;
            }
            break;
        case PosixAclTag::GROUP_OBJ:
        case PosixAclTag::GROUP:
            if (who.IsInGroup(entry.tag == PosixAclTag::GROUP ? entry.id : group))
            {
                inGroup = true;
                if (grants)
                {
                    return grantsMasked;
                }
            }
            break;
        case PosixAclTag::MASK:
            break;
        case PosixAclTag::OTHER:
            return !inGroup && grants;
        }
    }
    return false;
}

std::string
ToString(const PosixAcl& acl)
{
    std::string text;
    for (const PosixAclEntry& entry : acl)
    {
        const auto named =
            std::find_if(TAG_NAMES.begin(), TAG_NAMES.end(), [&entry](const auto& name) {
                return name.first == entry.tag;
            });
        text += text.empty() ? "" : ",";
        text += named == TAG_NAMES.end() ? "?" : named->second;
        text += ":" + (HasId(entry.tag) ? std::to_string(entry.id) : std::string()) + ":";
        for (std::size_t i = 0; i < LETTERS.size(); ++i)
        {
            const bool given = (entry.permissions >> (LETTERS.size() - 1 - i) & 1) != 0;
            text += given ? LETTERS[i] : '-';
        }
    }
    return text;
}

std::optional<PosixAcl>
ParsePosixAcl(std::string_view text)
{
    PosixAcl acl;
    while (!text.empty())
    {
        const std::size_t end = std::min(text.find(','), text.size());
        const auto entry = ParseEntry(text.substr(0, end));
        if (!entry || end + 1 == text.size())
        {
            return std::nullopt;
        }
        acl.push_back(*entry);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    std::stable_sort(acl.begin(), acl.end(), [](const auto& a, const auto& b) {
        return GetOrder(a) < GetOrder(b);
    });
    return acl;
}

} // namespace ns3::nfsrdma
