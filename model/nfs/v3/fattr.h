/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_FATTR_H
#define NFSRDMA_NFS_V3_FATTR_H

#include "nfs/types/xdr-fields.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace ns3::nfsrdma
{

/// Limits of RFC 1813 sections 2.2 and 2.4, and Linux's limits where the RFC sets none.
constexpr uint32_t NFS3_FHSIZE = 64;
constexpr uint32_t NFS3_MAXNAMLEN = 255;
constexpr uint32_t NFS3_MAXPATHLEN = 4096;
constexpr uint32_t NFS3_COOKIEVERFSIZE = 8;
constexpr uint32_t NFS3_CREATEVERFSIZE = 8;
constexpr uint32_t NFS3_WRITEVERFSIZE = 8;

/// The verifiers of READDIR, CREATE and WRITE.
using Nfs3Verifier = std::array<uint8_t, 8>;

/// nfs_fh3: an opaque of up to 64 octets. Octets past length are zero.
struct NfsFh3
{
    std::array<uint8_t, NFS3_FHSIZE> octets{};
    uint32_t length{0};

    NfsFh3() = default;
    /// Takes at most NFS3_FHSIZE octets.
    explicit NfsFh3(ByteSpan handle);

    [[nodiscard]] ByteSpan AsSpan() const
    {
        return ByteSpan(octets.data(), length);
    }

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr.Opaque(self.octets, self.length);
    }
};

bool operator==(const NfsFh3& a, const NfsFh3& b);
bool operator!=(const NfsFh3& a, const NfsFh3& b);
/// A fixed order, for use as key of a map.
bool operator<(const NfsFh3& a, const NfsFh3& b);

/// ftype3, RFC 1813 section 2.5.
enum class Ftype3 : uint32_t
{
    REG = 1,
    DIR = 2,
    BLK = 3,
    CHR = 4,
    LNK = 5,
    SOCK = 6,
    FIFO = 7
};

template <>
inline constexpr XdrEnumRange XDR_ENUM_RANGE<Ftype3>{1, 7};

/// \return "REG", "DIR", "BLK", "CHR", "LNK", "SOCK" or "FIFO".
[[nodiscard]] const char* ToString(Ftype3 type);

/// specdata3.
struct SpecData3
{
    uint32_t specdata1{0}; ///< Major number.
    uint32_t specdata2{0}; ///< Minor number.
};

/// nfstime3, seconds and nanoseconds since 1970.
struct NfsTime3
{
    uint32_t seconds{0};
    uint32_t nseconds{0};
};

bool operator<(const NfsTime3& a, const NfsTime3& b);

/// fattr3: 84 octets.
struct Fattr3
{
    static constexpr uint32_t SIZE = 84;

    Ftype3 type{Ftype3::REG};
    uint32_t mode{0}; ///< Permission bits, 07777 at most.
    uint32_t nlink{0};
    uint32_t uid{0};
    uint32_t gid{0};
    uint64_t size{0}; ///< Octets.
    uint64_t used{0}; ///< Octets of disk.
    SpecData3 rdev;
    uint64_t fsid{0};
    uint64_t fileid{0};
    NfsTime3 atime;
    NfsTime3 mtime;
    NfsTime3 ctime;
};

/// wcc_attr: 24 octets.
struct WccAttr
{
    uint64_t size{0};
    NfsTime3 mtime;
    NfsTime3 ctime;
};

using PreOpAttr = std::optional<WccAttr>;
using PostOpAttr = std::optional<Fattr3>;
using PostOpFh3 = std::optional<NfsFh3>;

/// wcc_data: weak cache consistency, 8 to 116 octets.
struct WccData
{
    PreOpAttr before;
    PostOpAttr after;
};

/// time_how.
enum class TimeHow : uint32_t
{
    DONT_CHANGE = 0,
    SET_TO_SERVER_TIME = 1,
    SET_TO_CLIENT_TIME = 2
};

template <>
inline constexpr XdrEnumRange XDR_ENUM_RANGE<TimeHow>{0, 2};

/// set_atime, set_mtime.
struct SetTime3
{
    TimeHow how{TimeHow::DONT_CHANGE};
    NfsTime3 time; ///< With SET_TO_CLIENT_TIME.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.how);
        xdr.When(self.how == TimeHow::SET_TO_CLIENT_TIME, self.time);
    }
};

bool operator==(const SetTime3& a, const SetTime3& b);

/// sattr3: 24 to 60 octets. Absent: not to be changed.
struct Sattr3
{
    std::optional<uint32_t> mode;
    std::optional<uint32_t> uid;
    std::optional<uint32_t> gid;
    std::optional<uint64_t> size;
    SetTime3 atime;
    SetTime3 mtime;

    /// \return true when nothing is to be changed.
    [[nodiscard]] bool IsEmpty() const;
};

/// diropargs3.
struct DirOpArgs3
{
    NfsFh3 dir;
    XdrBounded<std::string, NFS3_MAXNAMLEN> name;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_FATTR_H
