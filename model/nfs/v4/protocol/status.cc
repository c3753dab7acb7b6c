/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/status.h"

#include <array>

namespace ns3::nfsrdma
{
namespace
{

template <typename Enum>
struct Name
{
    Enum value;
    const char* name;
};

constexpr std::array<Name<Nfs4Status>, 113> NFS4_STATUS_NAMES{{
    {Nfs4Status::OK, "NFS4_OK"},
    {Nfs4Status::PERM, "NFS4ERR_PERM"},
    {Nfs4Status::NOENT, "NFS4ERR_NOENT"},
    {Nfs4Status::IO, "NFS4ERR_IO"},
    {Nfs4Status::NXIO, "NFS4ERR_NXIO"},
    {Nfs4Status::ACCESS, "NFS4ERR_ACCESS"},
    {Nfs4Status::EXIST, "NFS4ERR_EXIST"},
    {Nfs4Status::XDEV, "NFS4ERR_XDEV"},
    {Nfs4Status::NOTDIR, "NFS4ERR_NOTDIR"},
    {Nfs4Status::ISDIR, "NFS4ERR_ISDIR"},
    {Nfs4Status::INVAL, "NFS4ERR_INVAL"},
    {Nfs4Status::FBIG, "NFS4ERR_FBIG"},
    {Nfs4Status::NOSPC, "NFS4ERR_NOSPC"},
    {Nfs4Status::ROFS, "NFS4ERR_ROFS"},
    {Nfs4Status::MLINK, "NFS4ERR_MLINK"},
    {Nfs4Status::NAMETOOLONG, "NFS4ERR_NAMETOOLONG"},
    {Nfs4Status::NOTEMPTY, "NFS4ERR_NOTEMPTY"},
    {Nfs4Status::DQUOT, "NFS4ERR_DQUOT"},
    {Nfs4Status::STALE, "NFS4ERR_STALE"},
    {Nfs4Status::BADHANDLE, "NFS4ERR_BADHANDLE"},
    {Nfs4Status::BAD_COOKIE, "NFS4ERR_BAD_COOKIE"},
    {Nfs4Status::NOTSUPP, "NFS4ERR_NOTSUPP"},
    {Nfs4Status::TOOSMALL, "NFS4ERR_TOOSMALL"},
    {Nfs4Status::SERVERFAULT, "NFS4ERR_SERVERFAULT"},
    {Nfs4Status::BADTYPE, "NFS4ERR_BADTYPE"},
    {Nfs4Status::DELAY, "NFS4ERR_DELAY"},
    {Nfs4Status::SAME, "NFS4ERR_SAME"},
    {Nfs4Status::DENIED, "NFS4ERR_DENIED"},
    {Nfs4Status::EXPIRED, "NFS4ERR_EXPIRED"},
    {Nfs4Status::LOCKED, "NFS4ERR_LOCKED"},
    {Nfs4Status::GRACE, "NFS4ERR_GRACE"},
    {Nfs4Status::FHEXPIRED, "NFS4ERR_FHEXPIRED"},
    {Nfs4Status::SHARE_DENIED, "NFS4ERR_SHARE_DENIED"},
    {Nfs4Status::WRONGSEC, "NFS4ERR_WRONGSEC"},
    {Nfs4Status::CLID_INUSE, "NFS4ERR_CLID_INUSE"},
    {Nfs4Status::RESOURCE, "NFS4ERR_RESOURCE"},
    {Nfs4Status::MOVED, "NFS4ERR_MOVED"},
    {Nfs4Status::NOFILEHANDLE, "NFS4ERR_NOFILEHANDLE"},
    {Nfs4Status::MINOR_VERS_MISMATCH, "NFS4ERR_MINOR_VERS_MISMATCH"},
    {Nfs4Status::STALE_CLIENTID, "NFS4ERR_STALE_CLIENTID"},
    {Nfs4Status::STALE_STATEID, "NFS4ERR_STALE_STATEID"},
    {Nfs4Status::OLD_STATEID, "NFS4ERR_OLD_STATEID"},
    {Nfs4Status::BAD_STATEID, "NFS4ERR_BAD_STATEID"},
    {Nfs4Status::BAD_SEQID, "NFS4ERR_BAD_SEQID"},
    {Nfs4Status::NOT_SAME, "NFS4ERR_NOT_SAME"},
    {Nfs4Status::LOCK_RANGE, "NFS4ERR_LOCK_RANGE"},
    {Nfs4Status::SYMLINK, "NFS4ERR_SYMLINK"},
    {Nfs4Status::RESTOREFH, "NFS4ERR_RESTOREFH"},
    {Nfs4Status::LEASE_MOVED, "NFS4ERR_LEASE_MOVED"},
    {Nfs4Status::ATTRNOTSUPP, "NFS4ERR_ATTRNOTSUPP"},
    {Nfs4Status::NO_GRACE, "NFS4ERR_NO_GRACE"},
    {Nfs4Status::RECLAIM_BAD, "NFS4ERR_RECLAIM_BAD"},
    {Nfs4Status::RECLAIM_CONFLICT, "NFS4ERR_RECLAIM_CONFLICT"},
    {Nfs4Status::BADXDR, "NFS4ERR_BADXDR"},
    {Nfs4Status::LOCKS_HELD, "NFS4ERR_LOCKS_HELD"},
    {Nfs4Status::OPENMODE, "NFS4ERR_OPENMODE"},
    {Nfs4Status::BADOWNER, "NFS4ERR_BADOWNER"},
    {Nfs4Status::BADCHAR, "NFS4ERR_BADCHAR"},
    {Nfs4Status::BADNAME, "NFS4ERR_BADNAME"},
    {Nfs4Status::BAD_RANGE, "NFS4ERR_BAD_RANGE"},
    {Nfs4Status::LOCK_NOTSUPP, "NFS4ERR_LOCK_NOTSUPP"},
    {Nfs4Status::OP_ILLEGAL, "NFS4ERR_OP_ILLEGAL"},
    {Nfs4Status::DEADLOCK, "NFS4ERR_DEADLOCK"},
    {Nfs4Status::FILE_OPEN, "NFS4ERR_FILE_OPEN"},
    {Nfs4Status::ADMIN_REVOKED, "NFS4ERR_ADMIN_REVOKED"},
    {Nfs4Status::CB_PATH_DOWN, "NFS4ERR_CB_PATH_DOWN"},
    {Nfs4Status::BADIOMODE, "NFS4ERR_BADIOMODE"},
    {Nfs4Status::BADLAYOUT, "NFS4ERR_BADLAYOUT"},
    {Nfs4Status::BAD_SESSION_DIGEST, "NFS4ERR_BAD_SESSION_DIGEST"},
    {Nfs4Status::BADSESSION, "NFS4ERR_BADSESSION"},
    {Nfs4Status::BADSLOT, "NFS4ERR_BADSLOT"},
    {Nfs4Status::COMPLETE_ALREADY, "NFS4ERR_COMPLETE_ALREADY"},
    {Nfs4Status::CONN_NOT_BOUND_TO_SESSION, "NFS4ERR_CONN_NOT_BOUND_TO_SESSION"},
    {Nfs4Status::DELEG_ALREADY_WANTED, "NFS4ERR_DELEG_ALREADY_WANTED"},
    {Nfs4Status::BACK_CHAN_BUSY, "NFS4ERR_BACK_CHAN_BUSY"},
    {Nfs4Status::LAYOUTTRYLATER, "NFS4ERR_LAYOUTTRYLATER"},
    {Nfs4Status::LAYOUTUNAVAILABLE, "NFS4ERR_LAYOUTUNAVAILABLE"},
    {Nfs4Status::NOMATCHING_LAYOUT, "NFS4ERR_NOMATCHING_LAYOUT"},
    {Nfs4Status::RECALLCONFLICT, "NFS4ERR_RECALLCONFLICT"},
    {Nfs4Status::UNKNOWN_LAYOUTTYPE, "NFS4ERR_UNKNOWN_LAYOUTTYPE"},
    {Nfs4Status::SEQ_MISORDERED, "NFS4ERR_SEQ_MISORDERED"},
    {Nfs4Status::SEQUENCE_POS, "NFS4ERR_SEQUENCE_POS"},
    {Nfs4Status::REQ_TOO_BIG, "NFS4ERR_REQ_TOO_BIG"},
    {Nfs4Status::REP_TOO_BIG, "NFS4ERR_REP_TOO_BIG"},
    {Nfs4Status::REP_TOO_BIG_TO_CACHE, "NFS4ERR_REP_TOO_BIG_TO_CACHE"},
    {Nfs4Status::RETRY_UNCACHED_REP, "NFS4ERR_RETRY_UNCACHED_REP"},
    {Nfs4Status::UNSAFE_COMPOUND, "NFS4ERR_UNSAFE_COMPOUND"},
    {Nfs4Status::TOO_MANY_OPS, "NFS4ERR_TOO_MANY_OPS"},
    {Nfs4Status::OP_NOT_IN_SESSION, "NFS4ERR_OP_NOT_IN_SESSION"},
    {Nfs4Status::HASH_ALG_UNSUPP, "NFS4ERR_HASH_ALG_UNSUPP"},
    {Nfs4Status::CLIENTID_BUSY, "NFS4ERR_CLIENTID_BUSY"},
    {Nfs4Status::PNFS_IO_HOLE, "NFS4ERR_PNFS_IO_HOLE"},
    {Nfs4Status::SEQ_FALSE_RETRY, "NFS4ERR_SEQ_FALSE_RETRY"},
    {Nfs4Status::BAD_HIGH_SLOT, "NFS4ERR_BAD_HIGH_SLOT"},
    {Nfs4Status::DEADSESSION, "NFS4ERR_DEADSESSION"},
    {Nfs4Status::ENCR_ALG_UNSUPP, "NFS4ERR_ENCR_ALG_UNSUPP"},
    {Nfs4Status::PNFS_NO_LAYOUT, "NFS4ERR_PNFS_NO_LAYOUT"},
    {Nfs4Status::NOT_ONLY_OP, "NFS4ERR_NOT_ONLY_OP"},
    {Nfs4Status::WRONG_CRED, "NFS4ERR_WRONG_CRED"},
    {Nfs4Status::WRONG_TYPE, "NFS4ERR_WRONG_TYPE"},
    {Nfs4Status::DIRDELEG_UNAVAIL, "NFS4ERR_DIRDELEG_UNAVAIL"},
    {Nfs4Status::REJECT_DELEG, "NFS4ERR_REJECT_DELEG"},
    {Nfs4Status::RETURNCONFLICT, "NFS4ERR_RETURNCONFLICT"},
    {Nfs4Status::DELEG_REVOKED, "NFS4ERR_DELEG_REVOKED"},
    {Nfs4Status::PARTNER_NOTSUPP, "NFS4ERR_PARTNER_NOTSUPP"},
    {Nfs4Status::PARTNER_NO_AUTH, "NFS4ERR_PARTNER_NO_AUTH"},
    {Nfs4Status::UNION_NOTSUPP, "NFS4ERR_UNION_NOTSUPP"},
    {Nfs4Status::OFFLOAD_DENIED, "NFS4ERR_OFFLOAD_DENIED"},
    {Nfs4Status::WRONG_LFS, "NFS4ERR_WRONG_LFS"},
    {Nfs4Status::BADLABEL, "NFS4ERR_BADLABEL"},
    {Nfs4Status::OFFLOAD_NO_REQS, "NFS4ERR_OFFLOAD_NO_REQS"},
    {Nfs4Status::NOXATTR, "NFS4ERR_NOXATTR"},
    {Nfs4Status::XATTR2BIG, "NFS4ERR_XATTR2BIG"},
}};

constexpr std::array<Name<Nfs4Op>, NFS4_OPS> OP_NAMES{{
#define NFS4_OPERATION(number, NAME, ...) {Nfs4Op::NAME, #NAME},
#include "nfs/v4/protocol/operations.def"
}};

constexpr std::array<Name<Nfs4CbOp>, 14> CB_OP_NAMES{{
    {Nfs4CbOp::GETATTR, "CB_GETATTR"},
    {Nfs4CbOp::RECALL, "CB_RECALL"},
    {Nfs4CbOp::LAYOUTRECALL, "CB_LAYOUTRECALL"},
    {Nfs4CbOp::NOTIFY, "CB_NOTIFY"},
    {Nfs4CbOp::PUSH_DELEG, "CB_PUSH_DELEG"},
    {Nfs4CbOp::RECALL_ANY, "CB_RECALL_ANY"},
    {Nfs4CbOp::RECALLABLE_OBJ_AVAIL, "CB_RECALLABLE_OBJ_AVAIL"},
    {Nfs4CbOp::RECALL_SLOT, "CB_RECALL_SLOT"},
    {Nfs4CbOp::SEQUENCE, "CB_SEQUENCE"},
    {Nfs4CbOp::WANTS_CANCELLED, "CB_WANTS_CANCELLED"},
    {Nfs4CbOp::NOTIFY_LOCK, "CB_NOTIFY_LOCK"},
    {Nfs4CbOp::NOTIFY_DEVICEID, "CB_NOTIFY_DEVICEID"},
    {Nfs4CbOp::OFFLOAD, "CB_OFFLOAD"},
    {Nfs4CbOp::ILLEGAL, "CB_ILLEGAL"},
}};

template <typename Table, typename Enum>
const char*
FindName(const Table& table, Enum value, const char* unknown)
{
    for (const auto& entry : table)
    {
        if (entry.value == value)
        {
            return entry.name;
        }
    }
    return unknown;
}

template <typename Enum, std::size_t N>
std::optional<Enum>
FindValue(const std::array<Name<Enum>, N>& table, std::string_view name)
{
    for (const auto& entry : table)
    {
        if (name == entry.name)
        {
            return entry.value;
        }
    }
    return std::nullopt;
}

} // namespace

const char*
ToString(Nfs4Status status)
{
    return FindName(NFS4_STATUS_NAMES, status, "NFS4ERR_UNKNOWN");
}

std::optional<Nfs4Status>
ParseNfs4Status(std::string_view name)
{
    return FindValue(NFS4_STATUS_NAMES, name);
}

const char*
ToString(Nfs4Op op)
{
    return FindName(OP_NAMES, op, "UNKNOWN");
}

std::optional<Nfs4Op>
ParseNfs4Op(std::string_view name)
{
    return FindValue(OP_NAMES, name);
}

const char*
ToString(Nfs4CbOp op)
{
    return FindName(CB_OP_NAMES, op, "CB_UNKNOWN");
}

bool
IsLegalCallback(uint32_t op, uint32_t minorVersion)
{
    constexpr std::array<uint32_t, 3> LAST{static_cast<uint32_t>(Nfs4CbOp::RECALL),
                                           static_cast<uint32_t>(Nfs4CbOp::NOTIFY_DEVICEID),
                                           static_cast<uint32_t>(Nfs4CbOp::OFFLOAD)};
    return minorVersion < LAST.size() && op >= static_cast<uint32_t>(Nfs4CbOp::GETATTR) &&
           op <= LAST.at(minorVersion);
}

} // namespace ns3::nfsrdma
