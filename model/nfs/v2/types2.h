/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V2_TYPES2_H
#define NFSRDMA_NFS_V2_TYPES2_H

#include "nfs/types/rpc-stub.h"
#include "nfs/v3/fattr.h"
#include "nfs/v3/status3.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace ns3::nfsrdma
{

// NFS version 2, RFC 1094: numbers, handles and attributes (section 2.3).

constexpr uint32_t NFS_V2 = 2;
constexpr uint32_t NFS2_FHSIZE = 32;
constexpr uint32_t NFS2_MAXDATA = 8192;
constexpr uint32_t NFS2_MAXPATHLEN = 1024;
constexpr uint32_t NFS2_MAXNAMLEN = 255;

/// Procedures, RFC 1094 section 2.2. ROOT and WRITECACHE do nothing.
enum class Nfs2Procedure : uint32_t
{
    NULLPROC = 0,
    GETATTR = 1,
    SETATTR = 2,
    ROOT = 3,
    LOOKUP = 4,
    READLINK = 5,
    READ = 6,
    WRITECACHE = 7,
    WRITE = 8,
    CREATE = 9,
    REMOVE = 10,
    RENAME = 11,
    LINK = 12,
    SYMLINK = 13,
    MKDIR = 14,
    RMDIR = 15,
    READDIR = 16,
    STATFS = 17
};

/// How many procedures there are; valid numbers are below it.
constexpr uint32_t NFS2_PROCEDURES = 18;

/// \return the name without "NFSPROC_", as "NULL" or "READDIR".
[[nodiscard]] const char* ToString(Nfs2Procedure procedure);

/// stat, RFC 1094 section 2.3.1; XDEV, INVAL and MLINK are Linux's, of whose numbers the RFC has
/// none.
enum class Nfs2Status : uint32_t
{
    OK = 0,
    PERM = 1,
    NOENT = 2,
    IO = 5,
    NXIO = 6,
    ACCES = 13,
    EXIST = 17,
    XDEV = 18,
    NODEV = 19,
    NOTDIR = 20,
    ISDIR = 21,
    INVAL = 22,
    FBIG = 27,
    NOSPC = 28,
    ROFS = 30,
    MLINK = 31,
    NAMETOOLONG = 63,
    NOTEMPTY = 66,
    DQUOT = 69,
    STALE = 70,
    WFLUSH = 99,
    JUKEBOX = 10008 ///< NFSv3's, which nfsd says in this version too.
};

template <>
inline constexpr bool XDR_OK_ALONE<Nfs2Status> = true;

/// \return the status of version 2 for one of version 3: the same number where there is one, STALE
/// for BADHANDLE, JUKEBOX as it is, IO for any other.
[[nodiscard]] Nfs2Status ToNfs2Status(Nfs3Status status);

/// fhandle: 32 octets, always.
struct Nfs2Fh
{
    std::array<uint8_t, NFS2_FHSIZE> octets{};

    Nfs2Fh() = default;
    /// \param handle of 32 octets at most; zeros follow
    explicit Nfs2Fh(const NfsFh3& handle);

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.octets);
    }
};

inline bool
operator==(const Nfs2Fh& a, const Nfs2Fh& b)
{
    return a.octets == b.octets;
}

/// ftype.
enum class Ftype2 : uint32_t
{
    NON = 0,
    REG = 1,
    DIR = 2,
    BLK = 3,
    CHR = 4,
    LNK = 5,
    SOCK = 6, ///< Linux's.
    BAD = 7,
    FIFO = 8 ///< Linux's; its server says CHR.
};

template <>
inline constexpr XdrEnumRange XDR_ENUM_RANGE<Ftype2>{0, 8};

/// Bits of the mode that tell the type.
constexpr uint32_t MODE2_TYPE = 0170000;
constexpr uint32_t MODE2_FIFO = 0010000;
constexpr uint32_t MODE2_CHR = 0020000;
constexpr uint32_t MODE2_DIR = 0040000;
constexpr uint32_t MODE2_BLK = 0060000;
constexpr uint32_t MODE2_REG = 0100000;
constexpr uint32_t MODE2_LNK = 0120000;
constexpr uint32_t MODE2_SOCK = 0140000;

/// timeval.
struct Timeval2
{
    uint32_t seconds{0};
    uint32_t useconds{0};
};

/// fattr: 68 octets.
struct Fattr2
{
    static constexpr uint32_t SIZE = 68;

    Ftype2 type{Ftype2::REG};
    uint32_t mode{0}; ///< With the bits of the type.
    uint32_t nlink{0};
    uint32_t uid{0};
    uint32_t gid{0};
    uint32_t size{0};
    uint32_t blocksize{0};
    uint32_t rdev{0};
    uint32_t blocks{0}; ///< Of 512 octets.
    uint32_t fsid{0};
    uint32_t fileid{0};
    Timeval2 atime;
    Timeval2 mtime;
    Timeval2 ctime;

    /// What Linux's nfsd says of an object (svcxdr_encode_fattr()): numbers keep their low 32 bits,
    /// a FIFO is CHR.
    [[nodiscard]] static Fattr2 Make(const Fattr3& attributes, uint32_t blocksize);
    /// \return the same for a client of any version; \p fsid and fileid as they are.
    [[nodiscard]] Fattr3 ToFattr3() const;
};

/// sattr: 32 octets; UNSET (and UNSET in seconds) is not to be changed.
struct Sattr2
{
    static constexpr uint32_t UNSET = 0xffffffff;
    /// In mtime.useconds: both times are the server's (as Linux and Solaris).
    static constexpr uint32_t SERVER_TIME = 1000000;

    uint32_t mode{UNSET};
    uint32_t uid{UNSET};
    uint32_t gid{UNSET};
    uint32_t size{UNSET};
    Timeval2 atime{UNSET, UNSET};
    Timeval2 mtime{UNSET, UNSET};

    [[nodiscard]] static Sattr2 Make(const Sattr3& changes);
    /// \return the attributes of a CREATE that makes a special file: its type in the mode, its
    /// number as size (nfs_proc_mknod() of Linux).
    [[nodiscard]] static Sattr2 MakeNode(Ftype3 type,
                                         const SpecData3& device,
                                         const Sattr3& attributes);
    [[nodiscard]] Sattr3 ToSattr3() const;
    /// \return what CREATE makes of the type bits of the mode; nothing: a type that it does not
    /// make.
    [[nodiscard]] std::optional<Ftype3> GetTypeToMake() const;
};

/// A device number in the words of version 2 (new_encode_dev(), new_decode_dev() of Linux).
[[nodiscard]] uint32_t EncodeDevice2(const SpecData3& device);
[[nodiscard]] SpecData3 DecodeDevice2(uint32_t device);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V2_TYPES2_H
