/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_RESULTS_H
#define NFSRDMA_NFS_V3_RESULTS_H

#include "nfs/v3/fattr.h"
#include "nfs/v3/status3.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

// The results of each procedure, RFC 1813 section 3.3: both arms of the union in one struct, so
// that what a failure carries too (post_op_attr, wcc_data) has one place. Members marked "OK" mean
// something only then.

struct Null3Res
{
    Nfs3Status status{Nfs3Status::OK}; ///< Always OK; not on the wire.

    template <typename Self, typename Xdr>
    static void Fields(Self& /* self */, Xdr& /* xdr */)
    {
    }
};

struct Getattr3Res
{
    static constexpr XdrOkFields OK_FIELDS{1};

    Nfs3Status status{Nfs3Status::OK};
    Fattr3 attributes; ///< OK.
};

/// Results that are a status and wcc_data: SETATTR (of the object), REMOVE and RMDIR (of the
/// directory).
struct Wcc3Res
{
    Nfs3Status status{Nfs3Status::OK};
    WccData wcc;
};

using Setattr3Res = Wcc3Res;
using Remove3Res = Wcc3Res;
using Rmdir3Res = Wcc3Res;

struct Lookup3Res
{
    static constexpr XdrOkFields OK_FIELDS{1, 3};

    Nfs3Status status{Nfs3Status::OK};
    NfsFh3 object;               ///< OK.
    PostOpAttr objectAttributes; ///< OK.
    PostOpAttr dirAttributes;
};

struct Access3Res
{
    static constexpr XdrOkFields OK_FIELDS{2};

    Nfs3Status status{Nfs3Status::OK};
    PostOpAttr attributes;
    uint32_t access{0}; ///< OK: ACCESS3_* bits.
};

struct Readlink3Res
{
    static constexpr XdrOkFields OK_FIELDS{2};

    Nfs3Status status{Nfs3Status::OK};
    PostOpAttr attributes;
    XdrBounded<Nfs3Data, NFS3_MAXPATHLEN> path; ///< OK.
};

struct Read3Res
{
    static constexpr XdrOkFields OK_FIELDS{2};

    Nfs3Status status{Nfs3Status::OK};
    PostOpAttr attributes;
    uint32_t count{0}; ///< OK: octets read.
    bool eof{false};   ///< OK.
    Nfs3Data data;     ///< OK.
};

/// stable_how.
enum class StableHow : uint32_t
{
    UNSTABLE = 0,
    DATA_SYNC = 1,
    FILE_SYNC = 2
};

template <>
inline constexpr XdrEnumRange XDR_ENUM_RANGE<StableHow>{0, 2};

struct Write3Res
{
    static constexpr XdrOkFields OK_FIELDS{2};

    Nfs3Status status{Nfs3Status::OK};
    WccData wcc;
    uint32_t count{0};                         ///< OK: octets written.
    StableHow committed{StableHow::FILE_SYNC}; ///< OK.
    Nfs3Verifier verifier{{}};                 ///< OK.
};

/// Results of the procedures that make an object: CREATE, MKDIR, SYMLINK, MKNOD.
struct Make3Res
{
    static constexpr XdrOkFields OK_FIELDS{1, 3};

    Nfs3Status status{Nfs3Status::OK};
    PostOpFh3 object;      ///< OK.
    PostOpAttr attributes; ///< OK.
    WccData dirWcc;
};

using Create3Res = Make3Res;
using Mkdir3Res = Make3Res;
using Symlink3Res = Make3Res;
using Mknod3Res = Make3Res;

struct Rename3Res
{
    Nfs3Status status{Nfs3Status::OK};
    WccData fromDirWcc;
    WccData toDirWcc;
};

struct Link3Res
{
    Nfs3Status status{Nfs3Status::OK};
    PostOpAttr attributes;
    WccData linkDirWcc;
};

/// entry3.
struct Entry3
{
    uint64_t fileid{0};
    XdrBounded<std::string, NFS3_MAXNAMLEN> name;
    uint64_t cookie{0};
};

struct Readdir3Res
{
    static constexpr XdrOkFields OK_FIELDS{2};

    Nfs3Status status{Nfs3Status::OK};
    PostOpAttr dirAttributes;
    Nfs3Verifier cookieVerifier{{}}; ///< OK.
    XdrList<Entry3> entries;         ///< OK.
    bool eof{false};                 ///< OK.
};

/// entryplus3.
struct EntryPlus3
{
    uint64_t fileid{0};
    XdrBounded<std::string, NFS3_MAXNAMLEN> name;
    uint64_t cookie{0};
    PostOpAttr attributes;
    PostOpFh3 handle;
};

struct Readdirplus3Res
{
    static constexpr XdrOkFields OK_FIELDS{2};

    Nfs3Status status{Nfs3Status::OK};
    PostOpAttr dirAttributes;
    Nfs3Verifier cookieVerifier{{}}; ///< OK.
    XdrList<EntryPlus3> entries;     ///< OK.
    bool eof{false};                 ///< OK.
};

struct Fsstat3Res
{
    static constexpr XdrOkFields OK_FIELDS{2};

    Nfs3Status status{Nfs3Status::OK};
    PostOpAttr attributes;
    uint64_t tbytes{0}; ///< OK, and those below: octets and file slots, total, free, available.
    uint64_t fbytes{0};
    uint64_t abytes{0};
    uint64_t tfiles{0};
    uint64_t ffiles{0};
    uint64_t afiles{0};
    uint32_t invarsec{0}; ///< Seconds for which these are expected not to change.
};

/// properties of FSINFO.
constexpr uint32_t FSF3_LINK = 0x0001;
constexpr uint32_t FSF3_SYMLINK = 0x0002;
constexpr uint32_t FSF3_HOMOGENEOUS = 0x0008;
constexpr uint32_t FSF3_CANSETTIME = 0x0010;

struct Fsinfo3Res
{
    static constexpr XdrOkFields OK_FIELDS{2};

    Nfs3Status status{Nfs3Status::OK};
    PostOpAttr attributes;
    uint32_t rtmax{0}; ///< OK, and those below: octets.
    uint32_t rtpref{0};
    uint32_t rtmult{0};
    uint32_t wtmax{0};
    uint32_t wtpref{0};
    uint32_t wtmult{0};
    uint32_t dtpref{0};
    uint64_t maxfilesize{0};
    NfsTime3 timeDelta;
    uint32_t properties{0}; ///< FSF3_* bits.
};

struct Pathconf3Res
{
    static constexpr XdrOkFields OK_FIELDS{2};

    Nfs3Status status{Nfs3Status::OK};
    PostOpAttr attributes;
    uint32_t linkmax{0}; ///< OK, and those below.
    uint32_t nameMax{0};
    bool noTrunc{false};
    bool chownRestricted{false};
    bool caseInsensitive{false};
    bool casePreserving{false};
};

struct Commit3Res
{
    static constexpr XdrOkFields OK_FIELDS{2};

    Nfs3Status status{Nfs3Status::OK};
    WccData wcc;
    Nfs3Verifier verifier{{}}; ///< OK.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_RESULTS_H
