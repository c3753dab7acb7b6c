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

// Arguments and results of operations, without the operation's number. Arguments have
//   OP, Result   the operation and the type of its results.
// Results begin with the status; their other fields are there with NFS4_OK, unless said otherwise.
// How they are encoded and decoded: xdr.h. Section numbers are those of RFC 8881.

/// A list in which a word of 1 goes before each element, and a word of 0 ends it.
template <typename T, typename Xdr>
void
ListOf4(T& elements, Xdr& xdr)
{
    if constexpr (Xdr::READS)
    {
        bool more = false;
        for (xdr(more); more; xdr(more))
        {
            xdr(elements.emplace_back());
        }
    }
    else
    {
        for (const auto& element : elements)
        {
            xdr(true, element);
        }
        xdr(false);
    }
}

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

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        FieldsWithOk(xdr, self.status, self.supported, self.access);
    }
};

/// Section 18.1.
struct AccessArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::ACCESS;
    using Result = AccessRes4;

    uint32_t access{0}; ///< ACCESS4_* bits.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.access);
    }
};

struct CommitRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4Verifier verifier{};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        FieldsWithOk(xdr, self.status, self.verifier);
    }
};

/// Section 18.3.
struct CommitArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::COMMIT;
    using Result = CommitRes4;

    uint64_t offset{0};
    uint32_t count{0}; ///< 0: to the end of the file.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.offset, self.count);
    }
};

struct GetattrRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4Attributes attributes;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        FieldsWithOk(xdr, self.status, self.attributes);
    }
};

/// Section 18.7.
struct GetattrArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::GETATTR;
    using Result = GetattrRes4;

    Nfs4Bitmap attrRequest;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.attrRequest);
    }
};

struct NverifyRes4 : Nfs4StatusRes
{
};

/// Section 18.15.
struct NverifyArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::NVERIFY;
    using Result = NverifyRes4;

    Nfs4Attributes attributes;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.attributes);
    }
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

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status);
        if (self.status == Nfs4Status::OK)
        {
            xdr(self.eof);
            xdr.Data(self.data);
        }
        else
        {
            xdr.NoData();
        }
    }
};

/// Section 18.22.
struct ReadArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::READ;
    using Result = ReadRes4;

    Nfs4StateId stateid;
    uint64_t offset{0};
    uint32_t count{0};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.stateid, self.offset, self.count);
    }
};

/// entry4 without the pointer to the next one.
struct DirEntry4
{
    uint64_t cookie{0};
    std::string name;
    Nfs4Attributes attributes;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.cookie, self.name, self.attributes);
    }
};

struct ReaddirRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4Verifier cookieVerifier{};
    std::vector<DirEntry4> entries;
    bool eof{false};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status);
        if (self.status == Nfs4Status::OK)
        {
            xdr(self.cookieVerifier);
            ListOf4(self.entries, xdr);
            xdr(self.eof);
        }
    }
};

/// Section 18.23.
struct ReaddirArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::READDIR;
    using Result = ReaddirRes4;

    uint64_t cookie{0};
    Nfs4Verifier cookieVerifier{};
    uint32_t dircount{0}; ///< Octets of names and cookies, a hint; 0: none.
    uint32_t maxcount{0}; ///< Octets of READDIR4resok at most.
    Nfs4Bitmap attrRequest;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.cookie, self.cookieVerifier, self.dircount, self.maxcount, self.attrRequest);
    }
};

struct ReadlinkRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs3Data link; ///< A bulk item.

    [[nodiscard]] const Nfs3Data* GetItem() const
    {
        return &link;
    }

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status);
        if (self.status == Nfs4Status::OK)
        {
            xdr.Data(self.link);
        }
        else
        {
            xdr.NoData();
        }
    }
};

/// Section 18.24.
struct ReadlinkArgs4 : Nfs4NoArgs
{
    static constexpr Nfs4Op OP = Nfs4Op::READLINK;
    using Result = ReadlinkRes4;
};

struct SetattrRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4Bitmap attrsSet; ///< With any status.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status, self.attrsSet);
    }
};

/// Section 18.30.
struct SetattrArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::SETATTR;
    using Result = SetattrRes4;

    Nfs4StateId stateid;
    Nfs4Attributes attributes;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.stateid, self.attributes);
    }
};

struct VerifyRes4 : Nfs4StatusRes
{
};

/// Section 18.31.
struct VerifyArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::VERIFY;
    using Result = VerifyRes4;

    Nfs4Attributes attributes;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.attributes);
    }
};

struct WriteRes4
{
    Nfs4Status status{Nfs4Status::OK};
    uint32_t count{0};
    StableHow4 committed{StableHow4::UNSTABLE};
    Nfs4Verifier verifier{};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        FieldsWithOk(xdr, self.status, self.count, self.committed, self.verifier);
    }
};

/// Section 18.32.
struct WriteArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::WRITE;
    using Result = WriteRes4;

    Nfs4StateId stateid;
    uint64_t offset{0};
    StableHow4 stable{StableHow4::UNSTABLE};
    Nfs3Data data; ///< A bulk item.

    [[nodiscard]] const Nfs3Data* GetItem() const
    {
        return &data;
    }

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.stateid, self.offset, self.stable);
        xdr.Data(self.data);
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_FILE_OPS_H
