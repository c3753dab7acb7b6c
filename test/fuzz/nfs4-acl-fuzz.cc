/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "nfs/v4/protocol/acl.h"
#include "wire/byte-reader.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

/// Each entry: type, flags, rights (2 octets), length of the name, the name.
std::vector<NfsAce4>
ReadEntries(ByteReader& reader)
{
    constexpr std::size_t HEAD = 5;
    std::vector<NfsAce4> aces;
    while (reader.Remaining() >= HEAD)
    {
        NfsAce4 ace;
        ace.type = reader.ReadU8();
        ace.flag = reader.ReadU8();
        ace.accessMask = reader.ReadU16();
        const std::size_t length = reader.ReadU8();
        const auto name = reader.ReadBytes(std::min(length, reader.Remaining()));
        ace.who.assign(name.begin(), name.end());
        aces.push_back(ace);
    }
    return aces;
}

/// \return the list without its mask, which may give more than all entries that it bounds: rights
/// of several that are a permission together (add_to_mask() in nfs4acl.c).
PosixAcl
WithoutMask(PosixAcl acl)
{
    acl.erase(std::remove_if(acl.begin(),
                             acl.end(),
                             [](const auto& entry) { return entry.tag == PosixAclTag::MASK; }),
              acl.end());
    return acl;
}

} // namespace

/// The first octet: whose list it is, 0 for a file's, else a directory's; entries follow. The lists
/// that come nearest are valid, and come back from the NFSv4 list that says what they say.
void
FuzzOne(ByteSpan input)
{
    if (input.empty())
    {
        return;
    }
    const bool isDirectory = input[0] != 0;
    ByteReader reader(input.subspan(1));
    const auto acls = MakePosixAcls(ReadEntries(reader), isDirectory);
    if (!acls)
    {
        return;
    }
    FuzzExpect(acls->access.empty() || IsValidAcl(acls->access));
    FuzzExpect(acls->defaultAcl.empty() || (isDirectory && IsValidAcl(acls->defaultAcl)));
    if (acls->access.empty())
    {
        return;
    }
    const auto back = MakePosixAcls(MakeNfs4Acl(*acls, isDirectory), isDirectory);
    FuzzExpect(back && WithoutMask(back->access) == WithoutMask(acls->access) &&
               WithoutMask(back->defaultAcl) == WithoutMask(acls->defaultAcl));
}

} // namespace ns3::nfsrdma
