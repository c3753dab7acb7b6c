/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_ACL_MESSAGES3_H
#define NFSRDMA_NFS_V3_ACL_MESSAGES3_H

#include "nfs/types/posix-acl.h"
#include "nfs/v3/fattr.h"
#include "nfs/v3/results.h"
#include "nfs/v3/status3.h"

#include <optional>
#include <string_view>
#include <vector>

namespace ns3::nfsrdma
{

// NFSACL version 3, the program beside NFSv3 that Solaris made and Linux follows (fs/nfs_common/
// nfsacl.c, fs/nfsd/nfs3acl.c, include/uapi/linux/nfsacl.h). No data item of it is DDP-eligible
// (RFC 8267 section 5).

constexpr uint32_t NFSACL_PROGRAM = 100227;
constexpr uint32_t NFSACL_V3 = 3;

enum class NfsAcl3Procedure : uint32_t
{
    NULLPROC = 0,
    GETACL = 1,
    SETACL = 2
};

/// How many procedures there are; valid numbers are below it.
constexpr uint32_t NFSACL3_PROCEDURES = 3;

/// \return "NFSACL3 NULL", "NFSACL3 GETACL" or "NFSACL3 SETACL".
[[nodiscard]] const char* ToString(NfsAcl3Procedure procedure);
/// \return the procedure of that name, without the program's.
[[nodiscard]] std::optional<NfsAcl3Procedure> ParseNfsAcl3Procedure(std::string_view name);

/// Bits of the masks: what is asked for, or said.
constexpr uint32_t NFS_ACL = 0x1;      ///< The access list.
constexpr uint32_t NFS_ACLCNT = 0x2;   ///< How many entries it has.
constexpr uint32_t NFS_DFACL = 0x4;    ///< The default list, of a directory.
constexpr uint32_t NFS_DFACLCNT = 0x8; ///< How many entries it has.
constexpr uint32_t NFS_ACL_MASK = 0xf;
/// Set in the types of a default list's entries.
constexpr uint32_t NFS_ACL_DEFAULT = 0x1000;
constexpr uint32_t NFS_ACL_MAX_ENTRIES = 1024;

/// One entry on the wire: 12 octets.
struct NfsAce
{
    uint32_t type{0}; ///< A PosixAclTag, and NFS_ACL_DEFAULT.
    uint32_t id{0};
    uint32_t permissions{0};
};

/// One list on the wire: 8 octets and 12 for each entry.
struct NfsAcl
{
    uint32_t count{0}; ///< Entries that there are, whether they follow or not.
    std::vector<NfsAce> entries;

    /**
     * \brief A list as Linux sends it: a minimal one gets a MASK entry, as Solaris has it, and the
     * owner's and group's entries their ids.
     * \param acl may be empty
     * \param owner uid of the object
     * \param group gid of the object
     * \param withEntries false: the count only
     * \param typeFlag NFS_ACL_DEFAULT or 0
     */
    [[nodiscard]] static NfsAcl Make(const PosixAcl& acl,
                                     uint32_t owner,
                                     uint32_t group,
                                     bool withEntries,
                                     uint32_t typeFlag);
    /// \return the list, sorted, without the MASK that Make() adds; nothing when the count is not
    /// that of the entries, or a type or permission is none.
    [[nodiscard]] std::optional<PosixAcl> ToPosixAcl() const;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.count);
        xdr.Require(self.count <= NFS_ACL_MAX_ENTRIES);
        xdr.Bounded(self.entries, self.count);
    }
};

// Arguments and results, in the way of arguments.h and results.h.

struct AclNull3Args
{
    static constexpr NfsAcl3Procedure PROCEDURE = NfsAcl3Procedure::NULLPROC;
    using Result = Null3Res;
};

struct Getacl3Res
{
    Nfs3Status status{Nfs3Status::OK};
    PostOpAttr attributes;
    uint32_t mask{0};  ///< OK: as asked.
    NfsAcl access;     ///< OK.
    NfsAcl defaultAcl; ///< OK.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status, self.attributes);
        if (self.status == Nfs3Status::OK)
        {
            xdr(self.mask);
            xdr.Require((self.mask & ~NFS_ACL_MASK) == 0);
            xdr(self.access, self.defaultAcl);
        }
    }
};

struct Getacl3Args
{
    static constexpr NfsAcl3Procedure PROCEDURE = NfsAcl3Procedure::GETACL;
    using Result = Getacl3Res;

    NfsFh3 object;
    uint32_t mask{0};
};

struct Setacl3Res
{
    Nfs3Status status{Nfs3Status::OK};
    PostOpAttr attributes;
};

struct Setacl3Args
{
    static constexpr NfsAcl3Procedure PROCEDURE = NfsAcl3Procedure::SETACL;
    using Result = Setacl3Res;

    NfsFh3 object;
    uint32_t mask{0};
    NfsAcl access;
    NfsAcl defaultAcl;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.object, self.mask);
        xdr.Require((self.mask & ~NFS_ACL_MASK) == 0);
        xdr(self.access, self.defaultAcl);
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_ACL_MESSAGES3_H
