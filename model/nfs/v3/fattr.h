/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_FATTR_H
#define NFSRDMA_NFS_V3_FATTR_H

#include "rpc/xdr-reader.h"
#include "rpc/xdr-writer.h"
#include "wire/decode-error.h"

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

void Encode(XdrWriter& writer, const Nfs3Verifier& verifier);
[[nodiscard]] Nfs3Verifier DecodeVerifier(XdrReader& reader);

/// nfs_fh3: an opaque of up to 64 octets. Octets past length are zero.
struct NfsFh3
{
    std::array<uint8_t, NFS3_FHSIZE> octets{};
    uint32_t length{0};

    NfsFh3() = default;
    /// Takes at most NFS3_FHSIZE octets.
    explicit NfsFh3(ByteSpan handle);

    [[nodiscard]] ByteSpan AsSpan() const;
    void Encode(XdrWriter& writer) const;
    /// A failure is left in \p reader, as with every Decode of this file.
    [[nodiscard]] static NfsFh3 Decode(XdrReader& reader);
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

/// \return "REG", "DIR", "BLK", "CHR", "LNK", "SOCK" or "FIFO".
[[nodiscard]] const char* ToString(Ftype3 type);

/// specdata3.
struct SpecData3
{
    uint32_t specdata1{0}; ///< Major number.
    uint32_t specdata2{0}; ///< Minor number.
};

bool operator==(const SpecData3& a, const SpecData3& b);

/// nfstime3, seconds and nanoseconds since 1970.
struct NfsTime3
{
    uint32_t seconds{0};
    uint32_t nseconds{0};

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static NfsTime3 Decode(XdrReader& reader);
};

bool operator==(const NfsTime3& a, const NfsTime3& b);
bool operator!=(const NfsTime3& a, const NfsTime3& b);
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

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Fattr3 Decode(XdrReader& reader);
};

bool operator==(const Fattr3& a, const Fattr3& b);

/// wcc_attr: 24 octets.
struct WccAttr
{
    uint64_t size{0};
    NfsTime3 mtime;
    NfsTime3 ctime;

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static WccAttr Decode(XdrReader& reader);
};

bool operator==(const WccAttr& a, const WccAttr& b);

using PreOpAttr = std::optional<WccAttr>;
using PostOpAttr = std::optional<Fattr3>;
using PostOpFh3 = std::optional<NfsFh3>;

void Encode(XdrWriter& writer, const PreOpAttr& attributes);
void Encode(XdrWriter& writer, const PostOpAttr& attributes);
void Encode(XdrWriter& writer, const PostOpFh3& handle);
[[nodiscard]] PreOpAttr DecodePreOpAttr(XdrReader& reader);
[[nodiscard]] PostOpAttr DecodePostOpAttr(XdrReader& reader);
[[nodiscard]] PostOpFh3 DecodePostOpFh3(XdrReader& reader);

/// wcc_data: weak cache consistency, 8 to 116 octets.
struct WccData
{
    PreOpAttr before;
    PostOpAttr after;

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static WccData Decode(XdrReader& reader);
};

bool operator==(const WccData& a, const WccData& b);

/// time_how.
enum class TimeHow : uint32_t
{
    DONT_CHANGE = 0,
    SET_TO_SERVER_TIME = 1,
    SET_TO_CLIENT_TIME = 2
};

/// set_atime, set_mtime.
struct SetTime3
{
    TimeHow how{TimeHow::DONT_CHANGE};
    NfsTime3 time; ///< With SET_TO_CLIENT_TIME.
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
    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Sattr3 Decode(XdrReader& reader);
};

bool operator==(const Sattr3& a, const Sattr3& b);

/// diropargs3.
struct DirOpArgs3
{
    NfsFh3 dir;
    std::string name;

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static DirOpArgs3 Decode(XdrReader& reader);
};

/**
 * \brief The bulk data item at the end of READ and READLINK results, WRITE and SYMLINK arguments:
 * an opaque whose octets are in the message, or were taken out of it by a chunk.
 */
struct Nfs3Data
{
    uint32_t length{0}; ///< Octets, without pad: the XDR length word.
    ByteSpan octets;    ///< Uncopied, valid as long as the message; empty when reduced.
    bool reduced{false};

    Nfs3Data() = default;
    /// Octets that travel in the message.
    explicit Nfs3Data(ByteSpan inlineOctets);
    /// An item of \p itemLength octets that is not in the message.
    [[nodiscard]] static Nfs3Data Reduced(uint32_t itemLength);

    /// Writes the length word, and unless reduced the octets and pad.
    void Encode(XdrWriter& writer) const;
    /// \param limit greatest length
    /// \param isReduced the item is not in the octets
    [[nodiscard]] static Nfs3Data Decode(XdrReader& reader, uint32_t limit, bool isReduced);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_FATTR_H
