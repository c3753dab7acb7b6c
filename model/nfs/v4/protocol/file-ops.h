/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_FILE_OPS_H
#define NFSRDMA_NFS_V4_PROTOCOL_FILE_OPS_H

#include "nfs/v4/protocol/attributes.h"
#include "nfs/v4/protocol/types.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

// Arguments and results of operations, without the operation's number. Results begin with the
// status; their other fields are there with NFS4_OK, unless said otherwise. How they are encoded
// and decoded: xdr.h. Section numbers are those of RFC 8881.

/// Bits of ACCESS, section 18.1, RFC 8276 section 8.6.
constexpr uint32_t ACCESS4_READ = 0x01;
constexpr uint32_t ACCESS4_LOOKUP = 0x02;
constexpr uint32_t ACCESS4_MODIFY = 0x04;
constexpr uint32_t ACCESS4_EXTEND = 0x08;
constexpr uint32_t ACCESS4_DELETE = 0x10;
constexpr uint32_t ACCESS4_EXECUTE = 0x20;
constexpr uint32_t ACCESS4_XAREAD = 0x40;
constexpr uint32_t ACCESS4_XAWRITE = 0x80;
constexpr uint32_t ACCESS4_XALIST = 0x100;

struct AccessRes4
{
    Nfs4Status status{Nfs4Status::OK};
    uint32_t supported{0};
    uint32_t access{0};
};

/// Section 18.1.
struct AccessArgs4
{
    uint32_t access{0}; ///< ACCESS4_* bits.
};

struct CommitRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4Verifier verifier{};
};

/// Section 18.3.
struct CommitArgs4
{
    uint64_t offset{0};
    uint32_t count{0}; ///< 0: to the end of the file.
};

struct GetattrRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4Attributes attributes;
};

/// Section 18.7.
struct GetattrArgs4
{
    Nfs4Bitmap attrRequest;
};

using NverifyRes4 = Nfs4StatusRes<Nfs4Op::NVERIFY>;

/// Section 18.15.
struct NverifyArgs4
{
    Nfs4Attributes attributes;
};

struct ReadRes4
{
    Nfs4Status status{Nfs4Status::OK};
    bool eof{false};
    Nfs3Data data; ///< A bulk item.

    [[nodiscard]] const Nfs3Data* GetItem() const
    {
        return &data;
    }
};

/// Section 18.22.
struct ReadArgs4
{
    Nfs4StateId stateid;
    uint64_t offset{0};
    uint32_t count{0};
};

/// entry4 without the pointer to the next one.
struct DirEntry4
{
    uint64_t cookie{0};
    std::string name;
    Nfs4Attributes attributes;
};

struct ReaddirRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4Verifier cookieVerifier{};
    XdrList<DirEntry4> entries;
    bool eof{false};
};

/// Section 18.23.
struct ReaddirArgs4
{
    uint64_t cookie{0};
    Nfs4Verifier cookieVerifier{};
    uint32_t dircount{0}; ///< Octets of names and cookies, a hint; 0: none.
    uint32_t maxcount{0}; ///< Octets of READDIR4resok at most.
    Nfs4Bitmap attrRequest;
};

struct ReadlinkRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs3Data link; ///< A bulk item.

    [[nodiscard]] const Nfs3Data* GetItem() const
    {
        return &link;
    }
};

/// Section 18.24.
using ReadlinkArgs4 = Nfs4NoArgs<Nfs4Op::READLINK>;

struct SetattrRes4
{
    static constexpr XdrOkFields OK_FIELDS{2};

    Nfs4Status status{Nfs4Status::OK};
    Nfs4Bitmap attrsSet; ///< With any status.
};

/// Section 18.30.
struct SetattrArgs4
{
    Nfs4StateId stateid;
    Nfs4Attributes attributes;
};

using VerifyRes4 = Nfs4StatusRes<Nfs4Op::VERIFY>;

/// Section 18.31.
struct VerifyArgs4
{
    Nfs4Attributes attributes;
};

struct WriteRes4
{
    Nfs4Status status{Nfs4Status::OK};
    uint32_t count{0};
    StableHow4 committed{StableHow4::UNSTABLE};
    Nfs4Verifier verifier{};
};

/// Section 18.32.
struct WriteArgs4
{
    Nfs4StateId stateid;
    uint64_t offset{0};
    StableHow4 stable{StableHow4::UNSTABLE};
    Nfs3Data data; ///< A bulk item.

    [[nodiscard]] const Nfs3Data* GetItem() const
    {
        return &data;
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_FILE_OPS_H
