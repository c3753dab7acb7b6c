/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_TYPES_H
#define NFSRDMA_NFS_V4_PROTOCOL_TYPES_H

#include "nfs/v4/protocol/status.h"
#include "nfs/v4/protocol/xdr.h"
#include "wire/bytes.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::nfsrdma
{

/// Limits of RFC 7531 and RFC 5662.
constexpr uint32_t NFS4_FHSIZE = 128;
constexpr uint32_t NFS4_OTHER_SIZE = 12;
constexpr uint32_t NFS4_OPAQUE_LIMIT = 1024;
constexpr uint32_t NFS4_SESSIONID_SIZE = 16;
constexpr uint32_t NFS4_DEVICEID4_SIZE = 16;
/// length4 and offset4 that mean "to the end".
constexpr uint64_t NFS4_UINT64_MAX = 0xffffffffffffffff;

using Nfs4ClientId = uint64_t;
using Nfs4Verifier = std::array<uint8_t, 8>;
using Nfs4SessionId = std::array<uint8_t, NFS4_SESSIONID_SIZE>;
using Nfs4DeviceId = std::array<uint8_t, NFS4_DEVICEID4_SIZE>;

/// nfs_fh4: an opaque of up to 128 octets. Octets past length are zero.
struct Nfs4Fh
{
    std::array<uint8_t, NFS4_FHSIZE> octets{};
    uint32_t length{0};

    Nfs4Fh() = default;
    /// Takes at most NFS4_FHSIZE octets.
    explicit Nfs4Fh(ByteSpan handle);

    [[nodiscard]] ByteSpan AsSpan() const
    {
        return ByteSpan(octets).first(length);
    }

    void Encode(XdrWriter& writer) const
    {
        writer.WriteOpaque(AsSpan());
    }

    [[nodiscard]] static Nfs4Fh Decode(XdrReader& reader)
    {
        return Nfs4Fh(reader.ReadOpaque(NFS4_FHSIZE));
    }
};

bool operator==(const Nfs4Fh& a, const Nfs4Fh& b);
bool operator!=(const Nfs4Fh& a, const Nfs4Fh& b);
/// A fixed order, for use as key of a map.
bool operator<(const Nfs4Fh& a, const Nfs4Fh& b);

/// stateid4, 16 octets.
struct Nfs4StateId
{
    uint32_t seqid{0};
    std::array<uint8_t, NFS4_OTHER_SIZE> other{};
};

bool operator<(const Nfs4StateId& a, const Nfs4StateId& b);

/// Special stateids, RFC 8881 section 8.2.3: all zeros (anonymous), all ones (READ bypass), and
/// seqid 1 with other all zeros (current stateid, NFSv4.1).
[[nodiscard]] Nfs4StateId MakeAnonymousStateId();
[[nodiscard]] Nfs4StateId MakeReadBypassStateId();
[[nodiscard]] Nfs4StateId MakeCurrentStateId();

/// nfstime4.
struct NfsTime4
{
    int64_t seconds{0};
    uint32_t nseconds{0};
};

/// change_info4, 20 octets.
struct Nfs4ChangeInfo
{
    bool atomic{false};
    uint64_t before{0};
    uint64_t after{0};
};

/**
 * \brief bitmap4: a set of small numbers.
 *
 * Encoded with as many words as it has: those that Set() needed, those that were decoded, or more
 * by SetWords() (Linux's server pads some). Equality is that of the sets.
 */
class Nfs4Bitmap
{
  public:
    /// More words are refused when decoding.
    static constexpr uint32_t MAX_WORDS = 8;

    Nfs4Bitmap() = default;
    Nfs4Bitmap(std::initializer_list<uint32_t> bits);
    /// \return a bitmap of the given words, trailing zero words left out.
    [[nodiscard]] static Nfs4Bitmap FromWords(std::initializer_list<uint32_t> words);

    /// \param bit less than 32 * MAX_WORDS
    void Set(uint32_t bit);
    void Clear(uint32_t bit);
    [[nodiscard]] bool Has(uint32_t bit) const;
    [[nodiscard]] bool IsEmpty() const;

    /// \return word \p index; 0 past the last one.
    [[nodiscard]] uint32_t GetWord(uint32_t index) const;
    [[nodiscard]] uint32_t GetWords() const;
    /// Makes it \p words words long; numbers past them are taken out.
    void SetWords(uint32_t words);
    /// Takes off trailing words of 0.
    void Trim();
    /// \return octets of its XDR.
    [[nodiscard]] uint32_t GetSize() const;

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Nfs4Bitmap Decode(XdrReader& reader);

  private:
    std::array<uint32_t, MAX_WORDS> m_words{};
    uint32_t m_count{0};
};

bool operator==(const Nfs4Bitmap& a, const Nfs4Bitmap& b);
bool operator!=(const Nfs4Bitmap& a, const Nfs4Bitmap& b);
[[nodiscard]] Nfs4Bitmap operator&(const Nfs4Bitmap& a, const Nfs4Bitmap& b);
[[nodiscard]] Nfs4Bitmap operator|(const Nfs4Bitmap& a, const Nfs4Bitmap& b);

/// nfs_ftype4. A number outside the list may be decoded (CREATE answers it with BADTYPE).
enum class Ftype4 : uint32_t
{
    REG = 1,
    DIR = 2,
    BLK = 3,
    CHR = 4,
    LNK = 5,
    SOCK = 6,
    FIFO = 7,
    ATTRDIR = 8,
    NAMEDATTR = 9
};

/// specdata4.
struct SpecData4
{
    uint32_t specdata1{0}; ///< Major number.
    uint32_t specdata2{0}; ///< Minor number.
};

/// fsid4.
struct Fsid4
{
    uint64_t major{0};
    uint64_t minor{0};
};

/// nfsace4. who is a user, a group or a special name ("OWNER@").
struct NfsAce4
{
    uint32_t type{0};       ///< ACE4_*_ACE_TYPE.
    uint32_t flag{0};       ///< ACE4_* flags.
    uint32_t accessMask{0}; ///< ACE4_* rights.
    std::string who;
};

/// acetype4, and the flag of a group's entry.
constexpr uint32_t ACE4_ACCESS_ALLOWED_ACE_TYPE = 0;
constexpr uint32_t ACE4_ACCESS_DENIED_ACE_TYPE = 1;
constexpr uint32_t ACE4_FILE_INHERIT_ACE = 0x01;
constexpr uint32_t ACE4_DIRECTORY_INHERIT_ACE = 0x02;
constexpr uint32_t ACE4_INHERIT_ONLY_ACE = 0x08;
constexpr uint32_t ACE4_IDENTIFIER_GROUP = 0x40;
/// acemask4.
constexpr uint32_t ACE4_READ_DATA = 0x01;
constexpr uint32_t ACE4_WRITE_DATA = 0x02;
constexpr uint32_t ACE4_APPEND_DATA = 0x04;
constexpr uint32_t ACE4_READ_NAMED_ATTRS = 0x08;
constexpr uint32_t ACE4_WRITE_NAMED_ATTRS = 0x10;
constexpr uint32_t ACE4_EXECUTE = 0x20;
constexpr uint32_t ACE4_DELETE_CHILD = 0x40;
constexpr uint32_t ACE4_READ_ATTRIBUTES = 0x80;
constexpr uint32_t ACE4_WRITE_ATTRIBUTES = 0x100;
constexpr uint32_t ACE4_DELETE = 0x10000;
constexpr uint32_t ACE4_READ_ACL = 0x20000;
constexpr uint32_t ACE4_WRITE_ACL = 0x40000;
constexpr uint32_t ACE4_WRITE_OWNER = 0x80000;
constexpr uint32_t ACE4_SYNCHRONIZE = 0x100000;

/// netaddr4: network identifier and universal address of RFC 5665.
struct NetAddr4
{
    std::string netid;
    std::string addr;
};

/// open_owner4, lock_owner4: state_owner4.
struct Nfs4StateOwner
{
    Nfs4ClientId clientId{0};
    XdrBounded<ByteVector, NFS4_OPAQUE_LIMIT> owner; ///< Up to NFS4_OPAQUE_LIMIT octets.
};

/// stable_how4; committed of a WRITE.
enum class StableHow4 : uint32_t
{
    UNSTABLE = 0,
    DATA_SYNC = 1,
    FILE_SYNC = 2
};

/// layouttype4. Others are kept as they are.
enum class LayoutType4 : uint32_t
{
    NFSV4_1_FILES = 1,
    OSD2_OBJECTS = 2,
    BLOCK_VOLUME = 3,
    FLEX_FILES = 4,
    SCSI = 5
};

/// layoutiomode4.
enum class LayoutIoMode4 : uint32_t
{
    READ = 1,
    RW = 2,
    ANY = 3
};

/// An opaque of a layout type: layout_content4, layouthint4, device_addr4, layoutupdate4.
struct LayoutBody4
{
    LayoutType4 type{LayoutType4::NFSV4_1_FILES};
    ByteVector body;
};

template <>
inline constexpr XdrEnumRange XDR_ENUM_RANGE<StableHow4>{0, 2};

template <>
inline constexpr XdrEnumRange XDR_ENUM_RANGE<LayoutIoMode4>{1, 3};

/// Arguments of \p OP, which has none.
template <auto OP>
struct Nfs4NoArgs
{
};

/// Results of \p OP that are its status alone.
template <auto OP>
struct Nfs4StatusRes
{
    Nfs4Status status{Nfs4Status::OK};
};

template <>
inline constexpr bool XDR_OK_ALONE<Nfs4Status> = true;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_TYPES_H
