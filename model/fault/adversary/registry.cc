/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/registry.h"

#include "ns3/abort.h"
#include "ns3/object-factory.h"

#include <algorithm>
#include <initializer_list>

namespace ns3::nfsrdma
{

namespace
{

constexpr double HOUR = 3.6e12; ///< In ns.

/// One of \p words; the value is its place among them.
SettingRange
OneOfWords(std::initializer_list<const char*> words)
{
    SettingRange range;
    const auto checker = Create<EnumCheckerOf<int>>();
    range.kind = SettingKind::CHOICE;
    range.words.assign(words.begin(), words.end());
    for (std::size_t place = 0; place < range.words.size(); ++place)
    {
        checker->Add(static_cast<int>(place), range.words[place]);
    }
    range.checker = checker;
    return range;
}

NameTable<AdversaryEntry>&
GetRoles()
{
    constexpr auto CLIENT = AdversarySide::CLIENT;
    constexpr auto SERVER = AdversarySide::SERVER;
    constexpr auto LINK = AdversarySide::LINK;
    static NameTable<AdversaryEntry> roles{
#define ADVERSARY(name, side, ridesOnStack, type) {name, side, ridesOnStack, #type},
#define ADVERSARY_SETTING(type, name, ...)
#include "fault/adversary/roles.def"
#undef ADVERSARY_SETTING
#undef ADVERSARY
    };
    return roles;
}

std::vector<RoleSetting>&
GetSettings()
{
    static std::vector<RoleSetting> settings{
#define ADVERSARY(name, side, ridesOnStack, type)
#define ADVERSARY_SETTING(type, name, ...) {#type, {#name, __VA_ARGS__}},
#include "fault/adversary/roles.def"
#include "wire/ns3-version.h"
#undef ADVERSARY_SETTING
#undef ADVERSARY
    };
    return settings;
}

} // namespace

const NameTable<AdversaryEntry>&
GetAdversaryRoles()
{
    return GetRoles();
}

void
AddAdversaryRole(const AdversaryEntry& entry, const std::vector<SettingRow>& rows)
{
    GetRoles().Add(entry);
    for (const auto& row : rows)
    {
        GetSettings().push_back({entry.type, row});
    }
}

const std::vector<RoleSetting>&
GetRoleSettings()
{
    return GetSettings();
}

const SettingRow&
GetRoleSetting(const std::string& type, const std::string& attribute)
{
    const auto& settings = GetRoleSettings();
    const auto it = std::find_if(settings.begin(), settings.end(), [&](const RoleSetting& each) {
        return each.type == type && each.row.GetAttribute() == attribute;
    });
    NS_ABORT_MSG_IF(it == settings.end(), "no setting of roles: " << type << "::" << attribute);
    return it->row;
}

TypeId
AdversaryEntry::GetType() const
{
    return TypeId::LookupByName(std::string("ns3::nfsrdma::") + type);
}

Ptr<AdversaryRole>
AdversaryEntry::Create() const
{
    ObjectFactory factory;
    factory.SetTypeId(GetType());
    return factory.Create<AdversaryRole>();
}

} // namespace ns3::nfsrdma
