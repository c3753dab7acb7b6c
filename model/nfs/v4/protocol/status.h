/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_STATUS_H
#define NFSRDMA_NFS_V4_PROTOCOL_STATUS_H

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ns3::nfsrdma
{

/// Version number of NFSv4 (the program is NFS_PROGRAM of status3.h), its procedures, and the
/// port that servers listen on over RDMA, RFC 8267 section 6.3.
constexpr uint32_t NFS_V4 = 4;
constexpr uint32_t NFSPROC4_NULL = 0;
constexpr uint32_t NFSPROC4_COMPOUND = 1;
constexpr uint16_t NFS4_RDMA_PORT = 20049;
/// The callback program: version and procedures. Its number is the client's choice; Linux's client
/// takes 0x40000000.
constexpr uint32_t NFS4_CALLBACK_PROGRAM = 0x40000000;
constexpr uint32_t NFS4_CALLBACK_VERSION = 1;
constexpr uint32_t CB_NULL = 0;
constexpr uint32_t CB_COMPOUND = 1;

/// nfsstat4: RFC 7531, RFC 5662, RFC 7863, RFC 8276 section 8.5. The names are those of the RFCs
/// without "NFS4_" and "NFS4ERR_". A number outside the list may be decoded, and is kept.
enum class Nfs4Status : uint32_t
{
    OK = 0,
    PERM = 1,
    NOENT = 2,
    IO = 5,
    NXIO = 6,
    ACCESS = 13,
    EXIST = 17,
    XDEV = 18,
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
    BADHANDLE = 10001,
    BAD_COOKIE = 10003,
    NOTSUPP = 10004,
    TOOSMALL = 10005,
    SERVERFAULT = 10006,
    BADTYPE = 10007,
    DELAY = 10008,
    SAME = 10009,
    DENIED = 10010,
    EXPIRED = 10011,
    LOCKED = 10012,
    GRACE = 10013,
    FHEXPIRED = 10014,
    SHARE_DENIED = 10015,
    WRONGSEC = 10016,
    CLID_INUSE = 10017,
    RESOURCE = 10018,
    MOVED = 10019,
    NOFILEHANDLE = 10020,
    MINOR_VERS_MISMATCH = 10021,
    STALE_CLIENTID = 10022,
    STALE_STATEID = 10023,
    OLD_STATEID = 10024,
    BAD_STATEID = 10025,
    BAD_SEQID = 10026,
    NOT_SAME = 10027,
    LOCK_RANGE = 10028,
    SYMLINK = 10029,
    RESTOREFH = 10030,
    LEASE_MOVED = 10031,
    ATTRNOTSUPP = 10032,
    NO_GRACE = 10033,
    RECLAIM_BAD = 10034,
    RECLAIM_CONFLICT = 10035,
    BADXDR = 10036,
    LOCKS_HELD = 10037,
    OPENMODE = 10038,
    BADOWNER = 10039,
    BADCHAR = 10040,
    BADNAME = 10041,
    BAD_RANGE = 10042,
    LOCK_NOTSUPP = 10043,
    OP_ILLEGAL = 10044,
    DEADLOCK = 10045,
    FILE_OPEN = 10046,
    ADMIN_REVOKED = 10047,
    CB_PATH_DOWN = 10048,
    // NFSv4.1
    BADIOMODE = 10049,
    BADLAYOUT = 10050,
    BAD_SESSION_DIGEST = 10051,
    BADSESSION = 10052,
    BADSLOT = 10053,
    COMPLETE_ALREADY = 10054,
    CONN_NOT_BOUND_TO_SESSION = 10055,
    DELEG_ALREADY_WANTED = 10056,
    BACK_CHAN_BUSY = 10057,
    LAYOUTTRYLATER = 10058,
    LAYOUTUNAVAILABLE = 10059,
    NOMATCHING_LAYOUT = 10060,
    RECALLCONFLICT = 10061,
    UNKNOWN_LAYOUTTYPE = 10062,
    SEQ_MISORDERED = 10063,
    SEQUENCE_POS = 10064,
    REQ_TOO_BIG = 10065,
    REP_TOO_BIG = 10066,
    REP_TOO_BIG_TO_CACHE = 10067,
    RETRY_UNCACHED_REP = 10068,
    UNSAFE_COMPOUND = 10069,
    TOO_MANY_OPS = 10070,
    OP_NOT_IN_SESSION = 10071,
    HASH_ALG_UNSUPP = 10072,
    CLIENTID_BUSY = 10074,
    PNFS_IO_HOLE = 10075,
    SEQ_FALSE_RETRY = 10076,
    BAD_HIGH_SLOT = 10077,
    DEADSESSION = 10078,
    ENCR_ALG_UNSUPP = 10079,
    PNFS_NO_LAYOUT = 10080,
    NOT_ONLY_OP = 10081,
    WRONG_CRED = 10082,
    WRONG_TYPE = 10083,
    DIRDELEG_UNAVAIL = 10084,
    REJECT_DELEG = 10085,
    RETURNCONFLICT = 10086,
    DELEG_REVOKED = 10087,
    // NFSv4.2
    PARTNER_NOTSUPP = 10088,
    PARTNER_NO_AUTH = 10089,
    UNION_NOTSUPP = 10090,
    OFFLOAD_DENIED = 10091,
    WRONG_LFS = 10092,
    BADLABEL = 10093,
    OFFLOAD_NO_REQS = 10094,
    // RFC 8276
    NOXATTR = 10095,
    XATTR2BIG = 10096
};

/// \return the RFC's name, as "NFS4_OK" or "NFS4ERR_NOENT"; "NFS4ERR_UNKNOWN" for another number.
[[nodiscard]] const char* ToString(Nfs4Status status);
/// \return the status that ToString() calls \p name.
[[nodiscard]] std::optional<Nfs4Status> ParseNfs4Status(std::string_view name);

/// nfs_opnum4: the operations of operations.def.
enum class Nfs4Op : uint32_t
{
#define NFS4_OPERATION(number, NAME, ...) NAME = number,
#include "nfs/v4/protocol/operations.def"
};

/// The numbers of the rows of operations.def, that of ILLEGAL the last.
constexpr std::array NFS4_OP_NUMBERS{
#define NFS4_OPERATION(number, ...) uint32_t{number},
#include "nfs/v4/protocol/operations.def"
};
constexpr uint32_t NFS4_FIRST_OP = NFS4_OP_NUMBERS.front();
constexpr uint32_t NFS4_OPS = NFS4_OP_NUMBERS.size();
/// The greatest number but that of ILLEGAL.
constexpr uint32_t NFS4_LAST_OP = NFS4_FIRST_OP + NFS4_OPS - 2;

/// \return the RFC's name without "OP_", as "GETATTR"; "UNKNOWN" for another number.
[[nodiscard]] const char* ToString(Nfs4Op op);
/// \return the operation that ToString() calls \p name.
[[nodiscard]] std::optional<Nfs4Op> ParseNfs4Op(std::string_view name);

/// nfs_cb_opnum4. The names are those of the RFCs without "OP_CB_".
enum class Nfs4CbOp : uint32_t
{
    GETATTR = 3,
    RECALL = 4,
    // NFSv4.1
    LAYOUTRECALL = 5,
    NOTIFY = 6,
    PUSH_DELEG = 7,
    RECALL_ANY = 8,
    RECALLABLE_OBJ_AVAIL = 9,
    RECALL_SLOT = 10,
    SEQUENCE = 11,
    WANTS_CANCELLED = 12,
    NOTIFY_LOCK = 13,
    NOTIFY_DEVICEID = 14,
    // NFSv4.2
    OFFLOAD = 15,

    ILLEGAL = 10044
};

/// \return the RFC's name without "OP_", as "CB_RECALL"; "CB_UNKNOWN" for another number.
[[nodiscard]] const char* ToString(Nfs4CbOp op);
/// \return whether minor version \p minorVersion (0 to 2) has a callback operation \p op.
[[nodiscard]] bool IsLegalCallback(uint32_t op, uint32_t minorVersion);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_STATUS_H
