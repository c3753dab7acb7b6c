/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_ATTRIBUTES_H
#define NFSRDMA_NFS_V4_PROTOCOL_ATTRIBUTES_H

#include "nfs/v4/protocol/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Numbers of attributes, RFC 7531, RFC 5662, RFC 7863, RFC 8275, RFC 8276.
enum class Nfs4Attr : uint32_t
{
    // RFC 7530
    SUPPORTED_ATTRS = 0,
    TYPE = 1,
    FH_EXPIRE_TYPE = 2,
    CHANGE = 3,
    SIZE = 4,
    LINK_SUPPORT = 5,
    SYMLINK_SUPPORT = 6,
    NAMED_ATTR = 7,
    FSID = 8,
    UNIQUE_HANDLES = 9,
    LEASE_TIME = 10,
    RDATTR_ERROR = 11,
    ACL = 12,
    ACLSUPPORT = 13,
    ARCHIVE = 14,
    CANSETTIME = 15,
    CASE_INSENSITIVE = 16,
    CASE_PRESERVING = 17,
    CHOWN_RESTRICTED = 18,
    FILEHANDLE = 19,
    FILEID = 20,
    FILES_AVAIL = 21,
    FILES_FREE = 22,
    FILES_TOTAL = 23,
    FS_LOCATIONS = 24,
    HIDDEN = 25,
    HOMOGENEOUS = 26,
    MAXFILESIZE = 27,
    MAXLINK = 28,
    MAXNAME = 29,
    MAXREAD = 30,
    MAXWRITE = 31,
    MIMETYPE = 32,
    MODE = 33,
    NO_TRUNC = 34,
    NUMLINKS = 35,
    OWNER = 36,
    OWNER_GROUP = 37,
    QUOTA_AVAIL_HARD = 38,
    QUOTA_AVAIL_SOFT = 39,
    QUOTA_USED = 40,
    RAWDEV = 41,
    SPACE_AVAIL = 42,
    SPACE_FREE = 43,
    SPACE_TOTAL = 44,
    SPACE_USED = 45,
    SYSTEM = 46,
    TIME_ACCESS = 47,
    TIME_ACCESS_SET = 48,
    TIME_BACKUP = 49,
    TIME_CREATE = 50,
    TIME_DELTA = 51,
    TIME_METADATA = 52,
    TIME_MODIFY = 53,
    TIME_MODIFY_SET = 54,
    MOUNTED_ON_FILEID = 55,
    // RFC 8881
    DIR_NOTIF_DELAY = 56,
    DIRENT_NOTIF_DELAY = 57,
    DACL = 58,
    SACL = 59,
    CHANGE_POLICY = 60,
    FS_STATUS = 61,
    FS_LAYOUT_TYPES = 62,
    LAYOUT_HINT = 63,
    LAYOUT_TYPES = 64,
    LAYOUT_BLKSIZE = 65,
    LAYOUT_ALIGNMENT = 66,
    FS_LOCATIONS_INFO = 67,
    MDSTHRESHOLD = 68,
    RETENTION_GET = 69,
    RETENTION_SET = 70,
    RETENTEVT_GET = 71,
    RETENTEVT_SET = 72,
    RETENTION_HOLD = 73,
    MODE_SET_MASKED = 74,
    SUPPATTR_EXCLCREAT = 75,
    FS_CHARSET_CAP = 76,
    // RFC 7862
    CLONE_BLKSIZE = 77,
    SPACE_FREED = 78,
    CHANGE_ATTR_TYPE = 79,
    SEC_LABEL = 80,
    // RFC 8275 and RFC 8276
    MODE_UMASK = 81,
    XATTR_SUPPORT = 82
};

constexpr uint32_t NFS4_LAST_ATTR = 82;

/// \return the RFC's name in small letters without "fattr4_", as "numlinks"; "unknown" for another.
[[nodiscard]] const char* ToString(Nfs4Attr attribute);
/// \return a set of attributes.
[[nodiscard]] Nfs4Bitmap MakeAttrMask(std::initializer_list<Nfs4Attr> attributes);

/// fs_locations4 and its parts.
struct FsLocation4
{
    std::vector<std::string> servers;
    std::vector<std::string> rootPath;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.servers, self.rootPath);
    }
};

struct FsLocations4
{
    std::vector<std::string> fsRoot;
    std::vector<FsLocation4> locations;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.fsRoot, self.locations);
    }
};

/// settime4. Absent: the server's time.
struct SetTime4
{
    std::optional<NfsTime4> time;

    /// settime4 puts a word of its own before the time, as an array of at most one does.
    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.time);
    }
};

/// nfsacl41.
struct NfsAcl41
{
    uint32_t flag{0};
    std::vector<NfsAce4> aces;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.flag, self.aces);
    }
};

struct ChangePolicy4
{
    uint64_t major{0};
    uint64_t minor{0};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.major, self.minor);
    }
};

/// fs4_status.
struct FsStatus4
{
    bool absent{false};
    uint32_t type{1}; ///< fs4_status_type.
    std::string source;
    std::string current;
    int32_t age{0};
    NfsTime4 version;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.absent, self.type, self.source, self.current, self.age, self.version);
    }
};

/// fs_locations_info4 and its parts.
struct FsLocationsServer4
{
    int32_t currency{0};
    ByteVector info;
    std::string server;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.currency, self.info, self.server);
    }
};

struct FsLocationsItem4
{
    std::vector<FsLocationsServer4> entries;
    std::vector<std::string> rootPath;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.entries, self.rootPath);
    }
};

struct FsLocationsInfo4
{
    uint32_t flags{0};
    int32_t validFor{0};
    std::vector<std::string> fsRoot;
    std::vector<FsLocationsItem4> items;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.flags, self.validFor, self.fsRoot, self.items);
    }
};

/// threshold_item4.
struct ThresholdItem4
{
    LayoutType4 layoutType{LayoutType4::NFSV4_1_FILES};
    Nfs4Bitmap hintSet;
    ByteVector hintList;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.layoutType, self.hintSet, self.hintList);
    }
};

struct RetentionGet4
{
    uint64_t duration{0};
    std::optional<NfsTime4> beginTime;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.duration, self.beginTime);
    }
};

struct RetentionSet4
{
    bool enable{false};
    std::optional<uint64_t> duration;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.enable, self.duration);
    }
};

struct ModeMasked4
{
    uint32_t valueToSet{0};
    uint32_t maskBits{0};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.valueToSet, self.maskBits);
    }
};

struct ModeUmask4
{
    uint32_t mode{0};
    uint32_t umask{0};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.mode, self.umask);
    }
};

/// sec_label4.
struct SecLabel4
{
    uint32_t lfs{0}; ///< Label format.
    uint32_t pi{0};  ///< Policy.
    ByteVector data;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.lfs, self.pi, self.data);
    }
};

/**
 * \brief fattr4: values of attributes. Absent: not in the set.
 *
 * On the wire: a bitmap, and an opaque with the values by ascending number.
 */
struct Nfs4Attributes
{
    std::optional<Nfs4Bitmap> supportedAttrs;
    std::optional<Ftype4> type;
    std::optional<uint32_t> fhExpireType;
    std::optional<uint64_t> change;
    std::optional<uint64_t> size; ///< Octets.
    std::optional<bool> linkSupport;
    std::optional<bool> symlinkSupport;
    std::optional<bool> namedAttr;
    std::optional<Fsid4> fsid;
    std::optional<bool> uniqueHandles;
    std::optional<uint32_t> leaseTime; ///< Seconds.
    std::optional<Nfs4Status> rdattrError;
    std::optional<std::vector<NfsAce4>> acl;
    std::optional<uint32_t> aclSupport;
    std::optional<bool> archive;
    std::optional<bool> canSetTime;
    std::optional<bool> caseInsensitive;
    std::optional<bool> casePreserving;
    std::optional<bool> chownRestricted;
    std::optional<Nfs4Fh> filehandle;
    std::optional<uint64_t> fileid;
    std::optional<uint64_t> filesAvail;
    std::optional<uint64_t> filesFree;
    std::optional<uint64_t> filesTotal;
    std::optional<FsLocations4> fsLocations;
    std::optional<bool> hidden;
    std::optional<bool> homogeneous;
    std::optional<uint64_t> maxFileSize; ///< Octets.
    std::optional<uint32_t> maxLink;
    std::optional<uint32_t> maxName;  ///< Octets.
    std::optional<uint64_t> maxRead;  ///< Octets.
    std::optional<uint64_t> maxWrite; ///< Octets.
    std::optional<std::string> mimetype;
    std::optional<uint32_t> mode; ///< Permission bits, 07777 at most.
    std::optional<bool> noTrunc;
    std::optional<uint32_t> numLinks;
    std::optional<std::string> owner;       ///< User's name or number.
    std::optional<std::string> ownerGroup;  ///< Group's name or number.
    std::optional<uint64_t> quotaAvailHard; ///< Octets.
    std::optional<uint64_t> quotaAvailSoft; ///< Octets.
    std::optional<uint64_t> quotaUsed;      ///< Octets.
    std::optional<SpecData4> rawdev;
    std::optional<uint64_t> spaceAvail; ///< Octets.
    std::optional<uint64_t> spaceFree;  ///< Octets.
    std::optional<uint64_t> spaceTotal; ///< Octets.
    std::optional<uint64_t> spaceUsed;  ///< Octets of disk.
    std::optional<bool> system;
    std::optional<NfsTime4> timeAccess;
    std::optional<SetTime4> timeAccessSet;
    std::optional<NfsTime4> timeBackup;
    std::optional<NfsTime4> timeCreate;
    std::optional<NfsTime4> timeDelta;
    std::optional<NfsTime4> timeMetadata;
    std::optional<NfsTime4> timeModify;
    std::optional<SetTime4> timeModifySet;
    std::optional<uint64_t> mountedOnFileid;
    std::optional<NfsTime4> dirNotifDelay;
    std::optional<NfsTime4> direntNotifDelay;
    std::optional<NfsAcl41> dacl;
    std::optional<NfsAcl41> sacl;
    std::optional<ChangePolicy4> changePolicy;
    std::optional<FsStatus4> fsStatus;
    std::optional<std::vector<LayoutType4>> fsLayoutTypes;
    std::optional<LayoutBody4> layoutHint;
    std::optional<std::vector<LayoutType4>> layoutTypes;
    std::optional<uint32_t> layoutBlkSize;   ///< Octets.
    std::optional<uint32_t> layoutAlignment; ///< Octets.
    std::optional<FsLocationsInfo4> fsLocationsInfo;
    std::optional<std::vector<ThresholdItem4>> mdsThreshold;
    std::optional<RetentionGet4> retentionGet;
    std::optional<RetentionSet4> retentionSet;
    std::optional<RetentionGet4> retentevtGet;
    std::optional<RetentionSet4> retentevtSet;
    std::optional<uint64_t> retentionHold;
    std::optional<ModeMasked4> modeSetMasked;
    std::optional<Nfs4Bitmap> suppattrExclcreat;
    std::optional<uint32_t> fsCharsetCap;
    std::optional<uint32_t> cloneBlkSize; ///< Octets.
    std::optional<uint64_t> spaceFreed;   ///< Octets.
    std::optional<uint32_t> changeAttrType;
    std::optional<SecLabel4> secLabel;
    std::optional<ModeUmask4> modeUmask;
    std::optional<bool> xattrSupport;

    /// Words that the bitmap has at least on the wire (Linux's server writes one for an empty set).
    uint32_t minimumWords{0};
    /// From the first attribute with a number above NFS4_LAST_ATTR on: numbers and undecoded
    /// values.
    Nfs4Bitmap unknown;
    ByteVector unknownValues;

    /// \return the set's bitmap, unknown ones included.
    [[nodiscard]] Nfs4Bitmap GetMask() const;
    /// \return octets of the values.
    [[nodiscard]] uint32_t GetValuesSize() const;
    void Encode(XdrWriter& writer) const;
    /// A value that does not fit the opaque, or octets left over in it, fail.
    [[nodiscard]] static Nfs4Attributes Decode(XdrReader& reader);

    /// Calls visit(number, optional) for each attribute, by ascending number.
    template <typename Self, typename Visit>
    static void ForEach(Self& self, Visit&& visit)
    {
        visit(Nfs4Attr::SUPPORTED_ATTRS, self.supportedAttrs);
        visit(Nfs4Attr::TYPE, self.type);
        visit(Nfs4Attr::FH_EXPIRE_TYPE, self.fhExpireType);
        visit(Nfs4Attr::CHANGE, self.change);
        visit(Nfs4Attr::SIZE, self.size);
        visit(Nfs4Attr::LINK_SUPPORT, self.linkSupport);
        visit(Nfs4Attr::SYMLINK_SUPPORT, self.symlinkSupport);
        visit(Nfs4Attr::NAMED_ATTR, self.namedAttr);
        visit(Nfs4Attr::FSID, self.fsid);
        visit(Nfs4Attr::UNIQUE_HANDLES, self.uniqueHandles);
        visit(Nfs4Attr::LEASE_TIME, self.leaseTime);
        visit(Nfs4Attr::RDATTR_ERROR, self.rdattrError);
        visit(Nfs4Attr::ACL, self.acl);
        visit(Nfs4Attr::ACLSUPPORT, self.aclSupport);
        visit(Nfs4Attr::ARCHIVE, self.archive);
        visit(Nfs4Attr::CANSETTIME, self.canSetTime);
        visit(Nfs4Attr::CASE_INSENSITIVE, self.caseInsensitive);
        visit(Nfs4Attr::CASE_PRESERVING, self.casePreserving);
        visit(Nfs4Attr::CHOWN_RESTRICTED, self.chownRestricted);
        visit(Nfs4Attr::FILEHANDLE, self.filehandle);
        visit(Nfs4Attr::FILEID, self.fileid);
        visit(Nfs4Attr::FILES_AVAIL, self.filesAvail);
        visit(Nfs4Attr::FILES_FREE, self.filesFree);
        visit(Nfs4Attr::FILES_TOTAL, self.filesTotal);
        visit(Nfs4Attr::FS_LOCATIONS, self.fsLocations);
        visit(Nfs4Attr::HIDDEN, self.hidden);
        visit(Nfs4Attr::HOMOGENEOUS, self.homogeneous);
        visit(Nfs4Attr::MAXFILESIZE, self.maxFileSize);
        visit(Nfs4Attr::MAXLINK, self.maxLink);
        visit(Nfs4Attr::MAXNAME, self.maxName);
        visit(Nfs4Attr::MAXREAD, self.maxRead);
        visit(Nfs4Attr::MAXWRITE, self.maxWrite);
        visit(Nfs4Attr::MIMETYPE, self.mimetype);
        visit(Nfs4Attr::MODE, self.mode);
        visit(Nfs4Attr::NO_TRUNC, self.noTrunc);
        visit(Nfs4Attr::NUMLINKS, self.numLinks);
        visit(Nfs4Attr::OWNER, self.owner);
        visit(Nfs4Attr::OWNER_GROUP, self.ownerGroup);
        visit(Nfs4Attr::QUOTA_AVAIL_HARD, self.quotaAvailHard);
        visit(Nfs4Attr::QUOTA_AVAIL_SOFT, self.quotaAvailSoft);
        visit(Nfs4Attr::QUOTA_USED, self.quotaUsed);
        visit(Nfs4Attr::RAWDEV, self.rawdev);
        visit(Nfs4Attr::SPACE_AVAIL, self.spaceAvail);
        visit(Nfs4Attr::SPACE_FREE, self.spaceFree);
        visit(Nfs4Attr::SPACE_TOTAL, self.spaceTotal);
        visit(Nfs4Attr::SPACE_USED, self.spaceUsed);
        visit(Nfs4Attr::SYSTEM, self.system);
        visit(Nfs4Attr::TIME_ACCESS, self.timeAccess);
        visit(Nfs4Attr::TIME_ACCESS_SET, self.timeAccessSet);
        visit(Nfs4Attr::TIME_BACKUP, self.timeBackup);
        visit(Nfs4Attr::TIME_CREATE, self.timeCreate);
        visit(Nfs4Attr::TIME_DELTA, self.timeDelta);
        visit(Nfs4Attr::TIME_METADATA, self.timeMetadata);
        visit(Nfs4Attr::TIME_MODIFY, self.timeModify);
        visit(Nfs4Attr::TIME_MODIFY_SET, self.timeModifySet);
        visit(Nfs4Attr::MOUNTED_ON_FILEID, self.mountedOnFileid);
        visit(Nfs4Attr::DIR_NOTIF_DELAY, self.dirNotifDelay);
        visit(Nfs4Attr::DIRENT_NOTIF_DELAY, self.direntNotifDelay);
        visit(Nfs4Attr::DACL, self.dacl);
        visit(Nfs4Attr::SACL, self.sacl);
        visit(Nfs4Attr::CHANGE_POLICY, self.changePolicy);
        visit(Nfs4Attr::FS_STATUS, self.fsStatus);
        visit(Nfs4Attr::FS_LAYOUT_TYPES, self.fsLayoutTypes);
        visit(Nfs4Attr::LAYOUT_HINT, self.layoutHint);
        visit(Nfs4Attr::LAYOUT_TYPES, self.layoutTypes);
        visit(Nfs4Attr::LAYOUT_BLKSIZE, self.layoutBlkSize);
        visit(Nfs4Attr::LAYOUT_ALIGNMENT, self.layoutAlignment);
        visit(Nfs4Attr::FS_LOCATIONS_INFO, self.fsLocationsInfo);
        visit(Nfs4Attr::MDSTHRESHOLD, self.mdsThreshold);
        visit(Nfs4Attr::RETENTION_GET, self.retentionGet);
        visit(Nfs4Attr::RETENTION_SET, self.retentionSet);
        visit(Nfs4Attr::RETENTEVT_GET, self.retentevtGet);
        visit(Nfs4Attr::RETENTEVT_SET, self.retentevtSet);
        visit(Nfs4Attr::RETENTION_HOLD, self.retentionHold);
        visit(Nfs4Attr::MODE_SET_MASKED, self.modeSetMasked);
        visit(Nfs4Attr::SUPPATTR_EXCLCREAT, self.suppattrExclcreat);
        visit(Nfs4Attr::FS_CHARSET_CAP, self.fsCharsetCap);
        visit(Nfs4Attr::CLONE_BLKSIZE, self.cloneBlkSize);
        visit(Nfs4Attr::SPACE_FREED, self.spaceFreed);
        visit(Nfs4Attr::CHANGE_ATTR_TYPE, self.changeAttrType);
        visit(Nfs4Attr::SEC_LABEL, self.secLabel);
        visit(Nfs4Attr::MODE_UMASK, self.modeUmask);
        visit(Nfs4Attr::XATTR_SUPPORT, self.xattrSupport);
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_ATTRIBUTES_H
