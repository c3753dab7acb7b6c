/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_NAME_OPS_H
#define NFSRDMA_NFS_V4_PROTOCOL_NAME_OPS_H

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

struct CreateRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4ChangeInfo changeInfo;
    Nfs4Bitmap attrsSet;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        FieldsWithOk(xdr, self.status, self.changeInfo, self.attrsSet);
    }
};

/// Section 18.4.
struct CreateArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::CREATE;
    using Result = CreateRes4;

    Ftype4 type{Ftype4::DIR};
    Nfs3Data link;    ///< LNK: linkdata, a bulk item.
    SpecData4 device; ///< BLK and CHR.
    std::string name;
    Nfs4Attributes attributes;

    [[nodiscard]] const Nfs3Data* GetItem() const
    {
        return type == Ftype4::LNK ? &link : nullptr;
    }

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.type);
        if (self.type == Ftype4::LNK)
        {
            xdr.Data(self.link);
        }
        else if (self.type == Ftype4::BLK || self.type == Ftype4::CHR)
        {
            xdr(self.device);
        }
        xdr(self.name, self.attributes);
    }
};

struct GetfhRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4Fh object;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        FieldsWithOk(xdr, self.status, self.object);
    }
};

/// Section 18.8.
struct GetfhArgs4 : Nfs4NoArgs
{
    static constexpr Nfs4Op OP = Nfs4Op::GETFH;
    using Result = GetfhRes4;
};

struct LinkRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4ChangeInfo changeInfo;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        FieldsWithOk(xdr, self.status, self.changeInfo);
    }
};

/// Section 18.9.
struct LinkArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::LINK;
    using Result = LinkRes4;

    std::string newName;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.newName);
    }
};

struct LookupRes4 : Nfs4StatusRes
{
};

/// Section 18.13.
struct LookupArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::LOOKUP;
    using Result = LookupRes4;

    std::string name;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.name);
    }
};

struct LookuppRes4 : Nfs4StatusRes
{
};

/// Section 18.14.
struct LookuppArgs4 : Nfs4NoArgs
{
    static constexpr Nfs4Op OP = Nfs4Op::LOOKUPP;
    using Result = LookuppRes4;
};

struct OpenattrRes4 : Nfs4StatusRes
{
};

/// Section 18.17.
struct OpenattrArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::OPENATTR;
    using Result = OpenattrRes4;

    bool createDir{false};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.createDir);
    }
};

struct PutfhRes4 : Nfs4StatusRes
{
};

/// Section 18.19.
struct PutfhArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::PUTFH;
    using Result = PutfhRes4;

    Nfs4Fh object;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.object);
    }
};

struct PutpubfhRes4 : Nfs4StatusRes
{
};

/// Section 18.20.
struct PutpubfhArgs4 : Nfs4NoArgs
{
    static constexpr Nfs4Op OP = Nfs4Op::PUTPUBFH;
    using Result = PutpubfhRes4;
};

struct PutrootfhRes4 : Nfs4StatusRes
{
};

/// Section 18.21.
struct PutrootfhArgs4 : Nfs4NoArgs
{
    static constexpr Nfs4Op OP = Nfs4Op::PUTROOTFH;
    using Result = PutrootfhRes4;
};

struct RemoveRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4ChangeInfo changeInfo;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        FieldsWithOk(xdr, self.status, self.changeInfo);
    }
};

/// Section 18.25.
struct RemoveArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::REMOVE;
    using Result = RemoveRes4;

    std::string target;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.target);
    }
};

struct RenameRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4ChangeInfo sourceChangeInfo;
    Nfs4ChangeInfo targetChangeInfo;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        FieldsWithOk(xdr, self.status, self.sourceChangeInfo, self.targetChangeInfo);
    }
};

/// Section 18.26.
struct RenameArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::RENAME;
    using Result = RenameRes4;

    std::string oldName;
    std::string newName;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.oldName, self.newName);
    }
};

struct RestorefhRes4 : Nfs4StatusRes
{
};

/// Section 18.27.
struct RestorefhArgs4 : Nfs4NoArgs
{
    static constexpr Nfs4Op OP = Nfs4Op::RESTOREFH;
    using Result = RestorefhRes4;
};

struct SavefhRes4 : Nfs4StatusRes
{
};

/// Section 18.28.
struct SavefhArgs4 : Nfs4NoArgs
{
    static constexpr Nfs4Op OP = Nfs4Op::SAVEFH;
    using Result = SavefhRes4;
};

/// Flavours in secinfo4, RFC 5531; the service of rpcsec_gss_info, RFC 2203.
constexpr uint32_t SECINFO4_AUTH_NONE = 0;
constexpr uint32_t SECINFO4_AUTH_SYS = 1;
constexpr uint32_t SECINFO4_RPCSEC_GSS = 6;

/// secinfo4.
struct SecInfo4
{
    uint32_t flavor{SECINFO4_AUTH_SYS};
    ByteVector oid; ///< RPCSEC_GSS, as the two below.
    uint32_t qop{0};
    uint32_t service{1};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.flavor);
        if (self.flavor == SECINFO4_RPCSEC_GSS)
        {
            xdr(self.oid, self.qop, self.service);
        }
    }
};

struct SecinfoRes4
{
    Nfs4Status status{Nfs4Status::OK};
    std::vector<SecInfo4> flavors;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        FieldsWithOk(xdr, self.status, self.flavors);
    }
};

/// Section 18.29.
struct SecinfoArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::SECINFO;
    using Result = SecinfoRes4;

    std::string name;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.name);
    }
};

/// secinfo_style4.
enum class SecInfoStyle4 : uint32_t
{
    CURRENT_FH = 0,
    PARENT = 1
};

template <>
inline constexpr XdrEnumRange XDR_ENUM_RANGE<SecInfoStyle4>{0, 1};

struct SecinfoNoNameRes4
{
    Nfs4Status status{Nfs4Status::OK};
    std::vector<SecInfo4> flavors;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        FieldsWithOk(xdr, self.status, self.flavors);
    }
};

/// Section 18.45.
struct SecinfoNoNameArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::SECINFO_NO_NAME;
    using Result = SecinfoNoNameRes4;

    SecInfoStyle4 style{SecInfoStyle4::CURRENT_FH};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.style);
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_NAME_OPS_H
