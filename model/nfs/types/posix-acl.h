/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_POSIX_ACL_H
#define NFSRDMA_NFS_TYPES_POSIX_ACL_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::nfsrdma
{

struct FileCredential;

/// Whom an entry is about; the numbers are Linux's and the wire's. Entries are sorted by them.
enum class PosixAclTag : uint32_t
{
    USER_OBJ = 0x01, ///< The owner.
    USER = 0x02,
    GROUP_OBJ = 0x04, ///< The owning group.
    GROUP = 0x08,
    MASK = 0x10, ///< Bounds USER, GROUP_OBJ and GROUP.
    OTHER = 0x20
};

struct PosixAclEntry
{
    static constexpr uint32_t PERMISSIONS = 07;

    PosixAclTag tag{PosixAclTag::OTHER};
    uint32_t id{0};          ///< Of USER and GROUP; 0 in others.
    uint32_t permissions{0}; ///< As the low three bits of a mode.
};

bool operator==(const PosixAclEntry& a, const PosixAclEntry& b);
bool operator!=(const PosixAclEntry& a, const PosixAclEntry& b);

/**
 * \brief An access control list of POSIX 1003.1e draft 17 as Linux keeps it: entries in ascending
 * order of tag and id. Without entries: there is none.
 *
 * A list that only says what a mode says (USER_OBJ, GROUP_OBJ, OTHER) is a minimal one. The
 * functions follow fs/posix_acl.c.
 */
using PosixAcl = std::vector<PosixAclEntry>;

/// Both lists of an object.
struct PosixAclPair
{
    PosixAcl access;
    PosixAcl defaultAcl; ///< Directories only; may be empty.
};

/// \return the minimal list that says what the low nine bits of \p mode say.
[[nodiscard]] PosixAcl MakeMinimalAcl(uint32_t mode);
/// \return true when the list has one USER_OBJ, GROUP_OBJ and OTHER, at most one MASK and one when
/// there are USERs or GROUPs, is in order, and has no permissions but those of a mode.
[[nodiscard]] bool IsValidAcl(const PosixAcl& acl);
/// Sets the low nine bits of \p mode to what a mode can say of the list; the group's bits are the
/// mask's when there is one. \return true when the list says no more (posix_acl_equiv_mode).
[[nodiscard]] bool ApplyAclToMode(const PosixAcl& acl, uint32_t& mode);
/// chmod: the mask, or without one the group's entry, takes the group's bits of \p mode.
void ApplyModeToAcl(uint32_t mode, PosixAcl& acl);
/// The access list of a new object from a copy \p acl of its directory's default list: entries and
/// the low nine bits of \p mode bound one another. \return true when the mode says it all.
[[nodiscard]] bool InheritAcl(PosixAcl& acl, uint32_t& mode);
/// \return true when a list grants \p wanted (MAY_*) on an object of that owner and group.
[[nodiscard]] bool AclPermits(const PosixAcl& acl,
                              uint32_t owner,
                              uint32_t group,
                              const FileCredential& who,
                              uint32_t wanted);

/// \return the short text form of acl(5):
/// "user::rw-,user:3001:r--,group::r--,mask::rw-,other::r--".
[[nodiscard]] std::string ToString(const PosixAcl& acl);
/// \return what ToString() writes so; nothing for anything else. The list may be invalid.
[[nodiscard]] std::optional<PosixAcl> ParsePosixAcl(std::string_view text);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_POSIX_ACL_H
