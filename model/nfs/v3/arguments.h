/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_ARGUMENTS_H
#define NFSRDMA_NFS_V3_ARGUMENTS_H

#include "nfs/v3/fattr.h"
#include "nfs/v3/results.h"
#include "nfs/v3/status3.h"

namespace ns3::nfsrdma
{

// The arguments of each procedure, RFC 1813 section 3.3, with the procedure (PROCEDURE) and the
// type of its results (Result).

struct Null3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::NULLPROC;
    using Result = Null3Res;
};

struct Getattr3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::GETATTR;
    using Result = Getattr3Res;

    NfsFh3 object;
};

struct Setattr3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::SETATTR;
    using Result = Setattr3Res;

    NfsFh3 object;
    Sattr3 attributes;
    std::optional<NfsTime3> guard; ///< sattrguard3: the ctime the object must have.
};

struct Lookup3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::LOOKUP;
    using Result = Lookup3Res;

    DirOpArgs3 what;
};

/// Bits of ACCESS, RFC 1813 section 3.3.4.
constexpr uint32_t ACCESS3_READ = 0x01;
constexpr uint32_t ACCESS3_LOOKUP = 0x02;
constexpr uint32_t ACCESS3_MODIFY = 0x04;
constexpr uint32_t ACCESS3_EXTEND = 0x08;
constexpr uint32_t ACCESS3_DELETE = 0x10;
constexpr uint32_t ACCESS3_EXECUTE = 0x20;

struct Access3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::ACCESS;
    using Result = Access3Res;

    NfsFh3 object;
    uint32_t access{0}; ///< ACCESS3_* bits.
};

struct Readlink3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::READLINK;
    using Result = Readlink3Res;

    NfsFh3 symlink;
};

struct Read3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::READ;
    using Result = Read3Res;

    NfsFh3 file;
    uint64_t offset{0};
    uint32_t count{0};
};

struct Write3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::WRITE;
    using Result = Write3Res;

    NfsFh3 file;
    uint64_t offset{0};
    uint32_t count{0};
    StableHow stable{StableHow::UNSTABLE};
    Nfs3Data data; ///< Its length equals count in a sound call.
};

/// createmode3.
enum class CreateMode3 : uint32_t
{
    UNCHECKED = 0,
    GUARDED = 1,
    EXCLUSIVE = 2
};

template <>
inline constexpr XdrEnumRange XDR_ENUM_RANGE<CreateMode3>{0, 2};

struct Create3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::CREATE;
    using Result = Create3Res;

    DirOpArgs3 where;
    CreateMode3 mode{CreateMode3::UNCHECKED};
    Sattr3 attributes;         ///< UNCHECKED and GUARDED.
    Nfs3Verifier verifier{{}}; ///< EXCLUSIVE.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.where, self.mode);
        const bool exclusive = self.mode == CreateMode3::EXCLUSIVE;
        xdr.When(exclusive, self.verifier);
        xdr.When(!exclusive, self.attributes);
    }
};

struct Mkdir3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::MKDIR;
    using Result = Mkdir3Res;

    DirOpArgs3 where;
    Sattr3 attributes;
};

struct Symlink3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::SYMLINK;
    using Result = Symlink3Res;

    DirOpArgs3 where;
    Sattr3 attributes;
    Nfs3Data path; ///< symlink_data.
};

struct Mknod3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::MKNOD;
    using Result = Mknod3Res;

    DirOpArgs3 where;
    Ftype3 type{Ftype3::FIFO};
    Sattr3 attributes; ///< CHR, BLK, SOCK and FIFO; other types carry nothing.
    SpecData3 spec;    ///< CHR and BLK.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.where);
        VisitXdrAs<uint32_t>(self.type, xdr);
        const bool isDevice = self.type == Ftype3::CHR || self.type == Ftype3::BLK;
        const bool isPipe = self.type == Ftype3::SOCK || self.type == Ftype3::FIFO;
        xdr.When(isDevice || isPipe, self.attributes);
        xdr.When(isDevice, self.spec);
    }
};

struct Remove3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::REMOVE;
    using Result = Remove3Res;

    DirOpArgs3 object;
};

struct Rmdir3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::RMDIR;
    using Result = Rmdir3Res;

    DirOpArgs3 object;
};

struct Rename3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::RENAME;
    using Result = Rename3Res;

    DirOpArgs3 from;
    DirOpArgs3 to;
};

struct Link3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::LINK;
    using Result = Link3Res;

    NfsFh3 file;
    DirOpArgs3 link;
};

struct Readdir3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::READDIR;
    using Result = Readdir3Res;

    NfsFh3 dir;
    uint64_t cookie{0};
    Nfs3Verifier cookieVerifier{{}};
    uint32_t count{0}; ///< Octets of the results at most.
};

struct Readdirplus3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::READDIRPLUS;
    using Result = Readdirplus3Res;

    NfsFh3 dir;
    uint64_t cookie{0};
    Nfs3Verifier cookieVerifier{{}};
    uint32_t dircount{0}; ///< Octets of names, fileids and cookies at most.
    uint32_t maxcount{0}; ///< Octets of the results at most.
};

struct Fsstat3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::FSSTAT;
    using Result = Fsstat3Res;

    NfsFh3 fsroot;
};

struct Fsinfo3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::FSINFO;
    using Result = Fsinfo3Res;

    NfsFh3 fsroot;
};

struct Pathconf3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::PATHCONF;
    using Result = Pathconf3Res;

    NfsFh3 object;
};

struct Commit3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::COMMIT;
    using Result = Commit3Res;

    NfsFh3 file;
    uint64_t offset{0};
    uint32_t count{0}; ///< 0: to the end of the file.
};

/// A \p Template of the arguments of every procedure, in the order of their numbers.
template <template <typename...> class Template>
using OfNfs3Args = Template<Null3Args,
                            Getattr3Args,
                            Setattr3Args,
                            Lookup3Args,
                            Access3Args,
                            Readlink3Args,
                            Read3Args,
                            Write3Args,
                            Create3Args,
                            Mkdir3Args,
                            Symlink3Args,
                            Mknod3Args,
                            Remove3Args,
                            Rmdir3Args,
                            Rename3Args,
                            Link3Args,
                            Readdir3Args,
                            Readdirplus3Args,
                            Fsstat3Args,
                            Fsinfo3Args,
                            Pathconf3Args,
                            Commit3Args>;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_ARGUMENTS_H
