/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_OPEN_OPS_H
#define NFSRDMA_NFS_V4_PROTOCOL_OPEN_OPS_H

#include "nfs/v4/protocol/attributes.h"
#include "nfs/v4/protocol/types.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::nfsrdma
{

// Arguments and results of operations, without the operation's number. Results begin with the
// status; their other fields are there with NFS4_OK, unless said otherwise. How they are encoded
// and decoded: xdr.h. Section numbers are those of RFC 8881.

/// share_access, share_deny and rflags of OPEN, sections 18.16 and 20.
constexpr uint32_t OPEN4_SHARE_ACCESS_READ = 0x01;
constexpr uint32_t OPEN4_SHARE_ACCESS_WRITE = 0x02;
constexpr uint32_t OPEN4_SHARE_ACCESS_BOTH = 0x03;
constexpr uint32_t OPEN4_SHARE_ACCESS_WANT_DELEG_MASK = 0xff00;
constexpr uint32_t OPEN4_SHARE_ACCESS_WANT_NO_PREFERENCE = 0x0000;
constexpr uint32_t OPEN4_SHARE_ACCESS_WANT_READ_DELEG = 0x0100;
constexpr uint32_t OPEN4_SHARE_ACCESS_WANT_WRITE_DELEG = 0x0200;
constexpr uint32_t OPEN4_SHARE_ACCESS_WANT_ANY_DELEG = 0x0300;
constexpr uint32_t OPEN4_SHARE_ACCESS_WANT_NO_DELEG = 0x0400;
constexpr uint32_t OPEN4_SHARE_ACCESS_WANT_CANCEL = 0x0500;
constexpr uint32_t OPEN4_SHARE_DENY_NONE = 0x00;
constexpr uint32_t OPEN4_SHARE_DENY_READ = 0x01;
constexpr uint32_t OPEN4_SHARE_DENY_WRITE = 0x02;
constexpr uint32_t OPEN4_SHARE_DENY_BOTH = 0x03;
constexpr uint32_t OPEN4_RESULT_CONFIRM = 0x02;
constexpr uint32_t OPEN4_RESULT_LOCKTYPE_POSIX = 0x04;
constexpr uint32_t OPEN4_RESULT_PRESERVE_UNLINKED = 0x08;
constexpr uint32_t OPEN4_RESULT_MAY_NOTIFY_LOCK = 0x20;

/// createmode4.
enum class CreateMode4 : uint32_t
{
    UNCHECKED = 0,
    GUARDED = 1,
    EXCLUSIVE = 2,
    EXCLUSIVE4_1 = 3
};

/// open_claim_type4.
enum class OpenClaim4 : uint32_t
{
    CLAIM_NULL = 0,
    PREVIOUS = 1,
    DELEGATE_CUR = 2,
    DELEGATE_PREV = 3,
    FH = 4,
    DELEG_CUR_FH = 5,
    DELEG_PREV_FH = 6
};

/// open_delegation_type4.
enum class OpenDelegationType4 : uint32_t
{
    NONE = 0,
    READ = 1,
    WRITE = 2,
    NONE_EXT = 3
};

/// why_no_delegation4.
enum class WhyNoDelegation4 : uint32_t
{
    NOT_WANTED = 0,
    CONTENTION = 1,
    RESOURCE = 2,
    NOT_SUPP_FTYPE = 3,
    WRITE_DELEG_NOT_SUPP_FTYPE = 4,
    NOT_SUPP_UPGRADE = 5,
    NOT_SUPP_DOWNGRADE = 6,
    CANCELLED = 7,
    IS_DIR = 8
};

template <>
inline constexpr XdrEnumRange XDR_ENUM_RANGE<CreateMode4>{0, 3};

template <>
inline constexpr XdrEnumRange XDR_ENUM_RANGE<OpenClaim4>{0, 6};

template <>
inline constexpr XdrEnumRange XDR_ENUM_RANGE<OpenDelegationType4>{0, 3};

template <>
inline constexpr XdrEnumRange XDR_ENUM_RANGE<WhyNoDelegation4>{0, 8};

/// createhow4.
struct CreateHow4
{
    CreateMode4 mode{CreateMode4::UNCHECKED};
    Nfs4Verifier verifier{};   ///< EXCLUSIVE and EXCLUSIVE4_1.
    Nfs4Attributes attributes; ///< All but EXCLUSIVE.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.mode);
        if (self.mode == CreateMode4::EXCLUSIVE || self.mode == CreateMode4::EXCLUSIVE4_1)
        {
            xdr(self.verifier);
        }
        if (self.mode != CreateMode4::EXCLUSIVE)
        {
            xdr(self.attributes);
        }
    }
};

/// open_claim4.
struct Nfs4OpenClaim
{
    OpenClaim4 type{OpenClaim4::CLAIM_NULL};
    std::string file; ///< CLAIM_NULL, DELEGATE_CUR and DELEGATE_PREV.
    OpenDelegationType4 delegateType{OpenDelegationType4::NONE}; ///< PREVIOUS.
    Nfs4StateId delegateStateid;                                 ///< DELEGATE_CUR and DELEG_CUR_FH.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.type);
        switch (self.type)
        {
        case OpenClaim4::PREVIOUS:
            xdr(self.delegateType);
            break;
        case OpenClaim4::DELEGATE_CUR:
            xdr(self.delegateStateid, self.file);
            break;
        case OpenClaim4::CLAIM_NULL:
        case OpenClaim4::DELEGATE_PREV:
            xdr(self.file);
            break;
        case OpenClaim4::DELEG_CUR_FH:
            xdr(self.delegateStateid);
            break;
        case OpenClaim4::FH:
        case OpenClaim4::DELEG_PREV_FH:
            break;
        }
    }
};

/// nfs_space_limit4.
struct SpaceLimit4
{
    uint32_t limitBy{1};  ///< limit_by4: 1 filesize, 2 blocks.
    uint64_t fileSize{0}; ///< Octets.
    uint32_t numBlocks{0};
    uint32_t bytesPerBlock{0};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.limitBy);
        if (self.limitBy == 1)
        {
            xdr(self.fileSize);
        }
        else if (self.limitBy == 2)
        {
            xdr(self.numBlocks, self.bytesPerBlock);
        }
        else
        {
            xdr.Fail();
        }
    }
};

/// open_delegation4.
struct OpenDelegation4
{
    OpenDelegationType4 type{OpenDelegationType4::NONE};
    Nfs4StateId stateid; ///< READ and WRITE, as recall and permissions.
    bool recall{false};
    SpaceLimit4 spaceLimit; ///< WRITE.
    NfsAce4 permissions;
    WhyNoDelegation4 why{WhyNoDelegation4::NOT_WANTED}; ///< NONE_EXT.
    bool serverWill{false}; ///< NONE_EXT because of CONTENTION or RESOURCE: push, signal.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.type);
        if (self.type == OpenDelegationType4::READ)
        {
            xdr(self.stateid, self.recall, self.permissions);
        }
        else if (self.type == OpenDelegationType4::WRITE)
        {
            xdr(self.stateid, self.recall, self.spaceLimit, self.permissions);
        }
        else if (self.type == OpenDelegationType4::NONE_EXT)
        {
            xdr(self.why);
            if (self.why == WhyNoDelegation4::CONTENTION || self.why == WhyNoDelegation4::RESOURCE)
            {
                xdr(self.serverWill);
            }
        }
    }
};

struct OpenRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4StateId stateid;
    Nfs4ChangeInfo changeInfo;
    uint32_t rflags{0};
    Nfs4Bitmap attrsSet;
    OpenDelegation4 delegation;
};

/// Section 18.16. opentype4 is the count of create.
struct OpenArgs4
{
    uint32_t seqid{0}; ///< NFSv4.0.
    uint32_t shareAccess{OPEN4_SHARE_ACCESS_READ};
    uint32_t shareDeny{OPEN4_SHARE_DENY_NONE};
    Nfs4StateOwner owner;
    std::optional<CreateHow4> create; ///< OPEN4_CREATE; absent: OPEN4_NOCREATE.
    Nfs4OpenClaim claim;
};

struct OpenConfirmRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4StateId openStateid;
};

/// NFSv4.0 only, RFC 7530 section 16.18.
struct OpenConfirmArgs4
{
    Nfs4StateId openStateid;
    uint32_t seqid{0};
};

struct OpenDowngradeRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4StateId openStateid;
};

/// Section 18.18.
struct OpenDowngradeArgs4
{
    Nfs4StateId openStateid;
    uint32_t seqid{0}; ///< NFSv4.0.
    uint32_t shareAccess{0};
    uint32_t shareDeny{0};
};

struct CloseRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4StateId openStateid;
};

/// Section 18.2.
struct CloseArgs4
{
    uint32_t seqid{0}; ///< NFSv4.0.
    Nfs4StateId openStateid;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_OPEN_OPS_H
