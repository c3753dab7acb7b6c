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

// The arguments of each procedure, RFC 1813 section 3.3. Each has
//   PROCEDURE, Result     its procedure and the type of its results;
//   Encode(writer)        the whole arguments; of WRITE and SYMLINK up to and with the length word
//                         when the data item is reduced;
//   Decode(reader)        the arguments, or BAD_VALUE (cut short, a length above its limit, a value
//                         outside its enumeration). Octets after them are left in the reader.

struct Null3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::NULLPROC;
    using Result = Null3Res;

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Null3Args> Decode(XdrReader& reader);
};

struct Getattr3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::GETATTR;
    using Result = Getattr3Res;

    NfsFh3 object;

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Getattr3Args> Decode(XdrReader& reader);
};

struct Setattr3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::SETATTR;
    using Result = Setattr3Res;

    NfsFh3 object;
    Sattr3 attributes;
    std::optional<NfsTime3> guard; ///< sattrguard3: the ctime the object must have.

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Setattr3Args> Decode(XdrReader& reader);
};

struct Lookup3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::LOOKUP;
    using Result = Lookup3Res;

    DirOpArgs3 what;

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Lookup3Args> Decode(XdrReader& reader);
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

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Access3Args> Decode(XdrReader& reader);
};

struct Readlink3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::READLINK;
    using Result = Readlink3Res;

    NfsFh3 symlink;

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Readlink3Args> Decode(XdrReader& reader);
};

struct Read3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::READ;
    using Result = Read3Res;

    NfsFh3 file;
    uint64_t offset{0};
    uint32_t count{0};

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Read3Args> Decode(XdrReader& reader);
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

    void Encode(XdrWriter& writer) const;
    /// \param reduced the data are not in the octets
    [[nodiscard]] static Decoded<Write3Args> Decode(XdrReader& reader, bool reduced = false);
};

/// createmode3.
enum class CreateMode3 : uint32_t
{
    UNCHECKED = 0,
    GUARDED = 1,
    EXCLUSIVE = 2
};

struct Create3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::CREATE;
    using Result = Create3Res;

    DirOpArgs3 where;
    CreateMode3 mode{CreateMode3::UNCHECKED};
    Sattr3 attributes;         ///< UNCHECKED and GUARDED.
    Nfs3Verifier verifier{{}}; ///< EXCLUSIVE.

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Create3Args> Decode(XdrReader& reader);
};

struct Mkdir3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::MKDIR;
    using Result = Mkdir3Res;

    DirOpArgs3 where;
    Sattr3 attributes;

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Mkdir3Args> Decode(XdrReader& reader);
};

struct Symlink3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::SYMLINK;
    using Result = Symlink3Res;

    DirOpArgs3 where;
    Sattr3 attributes;
    Nfs3Data path; ///< symlink_data.

    void Encode(XdrWriter& writer) const;
    /// \param reduced the path is not in the octets
    [[nodiscard]] static Decoded<Symlink3Args> Decode(XdrReader& reader, bool reduced = false);
};

struct Mknod3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::MKNOD;
    using Result = Mknod3Res;

    DirOpArgs3 where;
    Ftype3 type{Ftype3::FIFO};
    Sattr3 attributes; ///< CHR, BLK, SOCK and FIFO; other types carry nothing.
    SpecData3 spec;    ///< CHR and BLK.

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Mknod3Args> Decode(XdrReader& reader);
};

struct Remove3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::REMOVE;
    using Result = Remove3Res;

    DirOpArgs3 object;

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Remove3Args> Decode(XdrReader& reader);
};

struct Rmdir3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::RMDIR;
    using Result = Rmdir3Res;

    DirOpArgs3 object;

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Rmdir3Args> Decode(XdrReader& reader);
};

struct Rename3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::RENAME;
    using Result = Rename3Res;

    DirOpArgs3 from;
    DirOpArgs3 to;

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Rename3Args> Decode(XdrReader& reader);
};

struct Link3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::LINK;
    using Result = Link3Res;

    NfsFh3 file;
    DirOpArgs3 link;

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Link3Args> Decode(XdrReader& reader);
};

struct Readdir3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::READDIR;
    using Result = Readdir3Res;

    NfsFh3 dir;
    uint64_t cookie{0};
    Nfs3Verifier cookieVerifier{{}};
    uint32_t count{0}; ///< Octets of the results at most.

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Readdir3Args> Decode(XdrReader& reader);
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

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Readdirplus3Args> Decode(XdrReader& reader);
};

struct Fsstat3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::FSSTAT;
    using Result = Fsstat3Res;

    NfsFh3 fsroot;

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Fsstat3Args> Decode(XdrReader& reader);
};

struct Fsinfo3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::FSINFO;
    using Result = Fsinfo3Res;

    NfsFh3 fsroot;

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Fsinfo3Args> Decode(XdrReader& reader);
};

struct Pathconf3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::PATHCONF;
    using Result = Pathconf3Res;

    NfsFh3 object;

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Pathconf3Args> Decode(XdrReader& reader);
};

struct Commit3Args
{
    static constexpr Nfs3Procedure PROCEDURE = Nfs3Procedure::COMMIT;
    using Result = Commit3Res;

    NfsFh3 file;
    uint64_t offset{0};
    uint32_t count{0}; ///< 0: to the end of the file.

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<Commit3Args> Decode(XdrReader& reader);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_ARGUMENTS_H
