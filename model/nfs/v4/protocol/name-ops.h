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

// Arguments and results of operations, without the operation's number. Results begin with the
// status; their other fields are there with NFS4_OK, unless said otherwise. How they are encoded
// and decoded: xdr.h. Section numbers are those of RFC 8881.

struct CreateRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4ChangeInfo changeInfo;
    Nfs4Bitmap attrsSet;
};

/// Section 18.4.
struct CreateArgs4
{
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
};

/// Section 18.8.
using GetfhArgs4 = Nfs4NoArgs<Nfs4Op::GETFH>;

struct LinkRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4ChangeInfo changeInfo;
};

/// Section 18.9.
struct LinkArgs4
{
    std::string newName;
};

using LookupRes4 = Nfs4StatusRes<Nfs4Op::LOOKUP>;

/// Section 18.13.
struct LookupArgs4
{
    std::string name;
};

using LookuppRes4 = Nfs4StatusRes<Nfs4Op::LOOKUPP>;

/// Section 18.14.
using LookuppArgs4 = Nfs4NoArgs<Nfs4Op::LOOKUPP>;

using OpenattrRes4 = Nfs4StatusRes<Nfs4Op::OPENATTR>;

/// Section 18.17.
struct OpenattrArgs4
{
    bool createDir{false};
};

using PutfhRes4 = Nfs4StatusRes<Nfs4Op::PUTFH>;

/// Section 18.19.
struct PutfhArgs4
{
    Nfs4Fh object;
};

using PutpubfhRes4 = Nfs4StatusRes<Nfs4Op::PUTPUBFH>;

/// Section 18.20.
using PutpubfhArgs4 = Nfs4NoArgs<Nfs4Op::PUTPUBFH>;

using PutrootfhRes4 = Nfs4StatusRes<Nfs4Op::PUTROOTFH>;

/// Section 18.21.
using PutrootfhArgs4 = Nfs4NoArgs<Nfs4Op::PUTROOTFH>;

struct RemoveRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4ChangeInfo changeInfo;
};

/// Section 18.25.
struct RemoveArgs4
{
    std::string target;
};

struct RenameRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4ChangeInfo sourceChangeInfo;
    Nfs4ChangeInfo targetChangeInfo;
};

/// Section 18.26.
struct RenameArgs4
{
    std::string oldName;
    std::string newName;
};

using RestorefhRes4 = Nfs4StatusRes<Nfs4Op::RESTOREFH>;

/// Section 18.27.
using RestorefhArgs4 = Nfs4NoArgs<Nfs4Op::RESTOREFH>;

using SavefhRes4 = Nfs4StatusRes<Nfs4Op::SAVEFH>;

/// Section 18.28.
using SavefhArgs4 = Nfs4NoArgs<Nfs4Op::SAVEFH>;

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
};

/// Section 18.29.
struct SecinfoArgs4
{
    std::string name;
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
};

/// Section 18.45.
struct SecinfoNoNameArgs4
{
    SecInfoStyle4 style{SecInfoStyle4::CURRENT_FH};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_NAME_OPS_H
