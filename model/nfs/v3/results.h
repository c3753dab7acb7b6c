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

    static constexpr std::tuple<> FIELDS{};
};

struct Getattr3Res
{
    Nfs3Status status{Nfs3Status::OK};
    Fattr3 attributes; ///< OK.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status);
        xdr.When(self.status == Nfs3Status::OK, self.attributes);
    }
};

/// Results that are a status and wcc_data: SETATTR (of the object), REMOVE and RMDIR (of the
/// directory).
struct Wcc3Res
{
    Nfs3Status status{Nfs3Status::OK};
    WccData wcc;

    static constexpr auto FIELDS = std::make_tuple(&Wcc3Res::status, &Wcc3Res::wcc);
};

using Setattr3Res = Wcc3Res;
using Remove3Res = Wcc3Res;
using Rmdir3Res = Wcc3Res;

struct Lookup3Res
{
    Nfs3Status status{Nfs3Status::OK};
    NfsFh3 object;               ///< OK.
    PostOpAttr objectAttributes; ///< OK.
    PostOpAttr dirAttributes;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status);
        xdr.When(self.status == Nfs3Status::OK, self.object, self.objectAttributes);
        xdr(self.dirAttributes);
    }
};

struct Access3Res
{
    Nfs3Status status{Nfs3Status::OK};
    PostOpAttr attributes;
    uint32_t access{0}; ///< OK: ACCESS3_* bits.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status, self.attributes);
        xdr.When(self.status == Nfs3Status::OK, self.access);
    }
};

struct Readlink3Res
{
    Nfs3Status status{Nfs3Status::OK};
    PostOpAttr attributes;
    Nfs3Data path; ///< OK.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status, self.attributes);
        if (self.status == Nfs3Status::OK)
        {
            xdr.Data(self.path, NFS3_MAXPATHLEN);
        }
    }
};

struct Read3Res
{
    Nfs3Status status{Nfs3Status::OK};
    PostOpAttr attributes;
    uint32_t count{0}; ///< OK: octets read.
    bool eof{false};   ///< OK.
    Nfs3Data data;     ///< OK.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status, self.attributes);
        if (self.status == Nfs3Status::OK)
        {
            xdr(self.count, self.eof);
            xdr.Data(self.data);
        }
    }
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
    Nfs3Status status{Nfs3Status::OK};
    WccData wcc;
    uint32_t count{0};                         ///< OK: octets written.
    StableHow committed{StableHow::FILE_SYNC}; ///< OK.
    Nfs3Verifier verifier{{}};                 ///< OK.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status, self.wcc);
        xdr.When(self.status == Nfs3Status::OK, self.count, self.committed, self.verifier);
    }
};

/// Results of the procedures that make an object: CREATE, MKDIR, SYMLINK, MKNOD.
struct Make3Res
{
    Nfs3Status status{Nfs3Status::OK};
    PostOpFh3 object;      ///< OK.
    PostOpAttr attributes; ///< OK.
    WccData dirWcc;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status);
        xdr.When(self.status == Nfs3Status::OK, self.object, self.attributes);
        xdr(self.dirWcc);
    }
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

    static constexpr auto FIELDS =
        std::make_tuple(&Rename3Res::status, &Rename3Res::fromDirWcc, &Rename3Res::toDirWcc);
};

struct Link3Res
{
    Nfs3Status status{Nfs3Status::OK};
    PostOpAttr attributes;
    WccData linkDirWcc;

    static constexpr auto FIELDS =
        std::make_tuple(&Link3Res::status, &Link3Res::attributes, &Link3Res::linkDirWcc);
};

/// entry3.
struct Entry3
{
    uint64_t fileid{0};
    std::string name;
    uint64_t cookie{0};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.fileid);
        xdr.Bounded(self.name, NFS3_MAXNAMLEN);
        xdr(self.cookie);
    }
};

struct Readdir3Res
{
    Nfs3Status status{Nfs3Status::OK};
    PostOpAttr dirAttributes;
    Nfs3Verifier cookieVerifier{{}}; ///< OK.
    std::vector<Entry3> entries;     ///< OK.
    bool eof{false};                 ///< OK.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status, self.dirAttributes);
        if (self.status == Nfs3Status::OK)
        {
            xdr(self.cookieVerifier);
            xdr.List(self.entries);
            xdr(self.eof);
        }
    }
};

/// entryplus3.
struct EntryPlus3
{
    uint64_t fileid{0};
    std::string name;
    uint64_t cookie{0};
    PostOpAttr attributes;
    PostOpFh3 handle;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.fileid);
        xdr.Bounded(self.name, NFS3_MAXNAMLEN);
        xdr(self.cookie, self.attributes, self.handle);
    }
};

struct Readdirplus3Res
{
    Nfs3Status status{Nfs3Status::OK};
    PostOpAttr dirAttributes;
    Nfs3Verifier cookieVerifier{{}}; ///< OK.
    std::vector<EntryPlus3> entries; ///< OK.
    bool eof{false};                 ///< OK.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status, self.dirAttributes);
        if (self.status == Nfs3Status::OK)
        {
            xdr(self.cookieVerifier);
            xdr.List(self.entries);
            xdr(self.eof);
        }
    }
};

struct Fsstat3Res
{
    Nfs3Status status{Nfs3Status::OK};
    PostOpAttr attributes;
    uint64_t tbytes{0}; ///< OK, and those below: octets and file slots, total, free, available.
    uint64_t fbytes{0};
    uint64_t abytes{0};
    uint64_t tfiles{0};
    uint64_t ffiles{0};
    uint64_t afiles{0};
    uint32_t invarsec{0}; ///< Seconds for which these are expected not to change.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status, self.attributes);
        xdr.When(self.status == Nfs3Status::OK,
                 self.tbytes,
                 self.fbytes,
                 self.abytes,
                 self.tfiles,
                 self.ffiles,
                 self.afiles,
                 self.invarsec);
    }
};

/// properties of FSINFO.
constexpr uint32_t FSF3_LINK = 0x0001;
constexpr uint32_t FSF3_SYMLINK = 0x0002;
constexpr uint32_t FSF3_HOMOGENEOUS = 0x0008;
constexpr uint32_t FSF3_CANSETTIME = 0x0010;

struct Fsinfo3Res
{
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

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status, self.attributes);
        xdr.When(self.status == Nfs3Status::OK,
                 self.rtmax,
                 self.rtpref,
                 self.rtmult,
                 self.wtmax,
                 self.wtpref,
                 self.wtmult);
        xdr.When(self.status == Nfs3Status::OK,
                 self.dtpref,
                 self.maxfilesize,
                 self.timeDelta,
                 self.properties);
    }
};

struct Pathconf3Res
{
    Nfs3Status status{Nfs3Status::OK};
    PostOpAttr attributes;
    uint32_t linkmax{0}; ///< OK, and those below.
    uint32_t nameMax{0};
    bool noTrunc{false};
    bool chownRestricted{false};
    bool caseInsensitive{false};
    bool casePreserving{false};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status, self.attributes);
        xdr.When(self.status == Nfs3Status::OK,
                 self.linkmax,
                 self.nameMax,
                 self.noTrunc,
                 self.chownRestricted,
                 self.caseInsensitive,
                 self.casePreserving);
    }
};

struct Commit3Res
{
    Nfs3Status status{Nfs3Status::OK};
    WccData wcc;
    Nfs3Verifier verifier{{}}; ///< OK.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status, self.wcc);
        xdr.When(self.status == Nfs3Status::OK, self.verifier);
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_RESULTS_H
