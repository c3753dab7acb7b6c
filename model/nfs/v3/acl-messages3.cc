/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/acl-messages3.h"

#include "nfs/types/xdr-finish.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t ENTRY_OCTETS = 12;
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

uint32_t
NfsAcl::GetEncodedSize() const
{
    return 8 + ENTRY_OCTETS * static_cast<uint32_t>(entries.size());
}

void
NfsAcl::Encode(XdrWriter& writer) const
{
    writer.WriteU32(count);
    writer.WriteU32(entries.size());
    for (const NfsAce& ace : entries)
    {
        writer.WriteU32(ace.type);
        writer.WriteU32(ace.id);
        writer.WriteU32(ace.permissions);
    }
}

NfsAcl
NfsAcl::Decode(XdrReader& reader)
{
    NfsAcl acl;
    acl.count = reader.ReadU32();
    const uint32_t entries = reader.ReadU32();
    if (acl.count > NFS_ACL_MAX_ENTRIES || entries > acl.count ||
        uint64_t{entries} * ENTRY_OCTETS > reader.Remaining())
    {
        reader.Fail();
        return acl;
    }
    acl.entries.reserve(entries);
    for (uint32_t i = 0; i < entries; ++i)
    {
        NfsAce ace;
        ace.type = reader.ReadU32();
        ace.id = reader.ReadU32();
        ace.permissions = reader.ReadU32();
        acl.entries.push_back(ace);
    }
    return acl;
}

void
AclNull3Args::Encode(XdrWriter& /* writer */) const
{
}

Decoded<AclNull3Args>
AclNull3Args::Decode(XdrReader& reader)
{
    return FinishDecoding(reader, AclNull3Args());
}

void
Getacl3Args::Encode(XdrWriter& writer) const
{
    object.Encode(writer);
    writer.WriteU32(mask);
}

Decoded<Getacl3Args>
Getacl3Args::Decode(XdrReader& reader)
{
    Getacl3Args args;
    args.object = NfsFh3::Decode(reader);
    args.mask = reader.ReadU32();
    return FinishDecoding(reader, std::move(args));
}

void
Getacl3Res::Encode(XdrWriter& writer) const
{
    writer.WriteU32(static_cast<uint32_t>(status));
    nfsrdma::Encode(writer, attributes);
    if (status == Nfs3Status::OK)
    {
        writer.WriteU32(mask);
        access.Encode(writer);
        defaultAcl.Encode(writer);
    }
}

Decoded<Getacl3Res>
Getacl3Res::Decode(XdrReader& reader)
{
    Getacl3Res results;
    results.status = static_cast<Nfs3Status>(reader.ReadU32());
    results.attributes = DecodePostOpAttr(reader);
    if (results.status == Nfs3Status::OK)
    {
        results.mask = reader.ReadU32();
        if ((results.mask & ~NFS_ACL_MASK) != 0)
        {
            reader.Fail();
        }
        results.access = NfsAcl::Decode(reader);
        results.defaultAcl = NfsAcl::Decode(reader);
    }
    return FinishDecoding(reader, std::move(results));
}

void
Setacl3Args::Encode(XdrWriter& writer) const
{
    object.Encode(writer);
    writer.WriteU32(mask);
    access.Encode(writer);
    defaultAcl.Encode(writer);
}

Decoded<Setacl3Args>
Setacl3Args::Decode(XdrReader& reader)
{
    Setacl3Args args;
    args.object = NfsFh3::Decode(reader);
    args.mask = reader.ReadU32();
    if ((args.mask & ~NFS_ACL_MASK) != 0)
    {
        reader.Fail();
    }
    args.access = NfsAcl::Decode(reader);
    args.defaultAcl = NfsAcl::Decode(reader);
    return FinishDecoding(reader, std::move(args));
}

void
Setacl3Res::Encode(XdrWriter& writer) const
{
    writer.WriteU32(static_cast<uint32_t>(status));
    nfsrdma::Encode(writer, attributes);
}

Decoded<Setacl3Res>
Setacl3Res::Decode(XdrReader& reader)
{
    Setacl3Res results;
    results.status = static_cast<Nfs3Status>(reader.ReadU32());
    results.attributes = DecodePostOpAttr(reader);
    return FinishDecoding(reader, std::move(results));
}

} // namespace ns3::nfsrdma
