/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_LOCK_OPS_H
#define NFSRDMA_NFS_V4_PROTOCOL_LOCK_OPS_H

#include "nfs/v4/protocol/types.h"

#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

// Arguments and results of operations, without the operation's number. Results begin with the
// status; their other fields are there with NFS4_OK, unless said otherwise. How they are encoded
// and decoded: xdr.h. Section numbers are those of RFC 8881.

/// nfs_lock_type4.
enum class LockType4 : uint32_t
{
    READ = 1,
    WRITE = 2,
    READW = 3,
    WRITEW = 4
};

template <>
inline constexpr XdrEnumRange XDR_ENUM_RANGE<LockType4>{1, 4};

/// open_to_lock_owner4.
struct OpenToLockOwner4
{
    uint32_t openSeqid{0};
    Nfs4StateId openStateid;
    uint32_t lockSeqid{0};
    Nfs4StateOwner lockOwner;
};

/// exist_lock_owner4.
struct ExistLockOwner4
{
    Nfs4StateId lockStateid;
    uint32_t lockSeqid{0};
};

/// LOCK4denied.
struct LockDenied4
{
    uint64_t offset{0};
    uint64_t length{0};
    LockType4 type{LockType4::READ};
    Nfs4StateOwner owner;
};

struct LockRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4StateId lockStateid;
    LockDenied4 denied; ///< NFS4ERR_DENIED.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status);
        if (self.status == Nfs4Status::OK)
        {
            xdr(self.lockStateid);
        }
        else if (self.status == Nfs4Status::DENIED)
        {
            xdr(self.denied);
        }
    }
};

/// Section 18.10.
struct LockArgs4
{
    LockType4 type{LockType4::READ};
    bool reclaim{false};
    uint64_t offset{0};
    uint64_t length{0};
    bool newLockOwner{true};
    OpenToLockOwner4 openOwner; ///< With newLockOwner.
    ExistLockOwner4 lockOwner;  ///< Without.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.type, self.reclaim, self.offset, self.length, self.newLockOwner);
        if (self.newLockOwner)
        {
            xdr(self.openOwner);
        }
        else
        {
            xdr(self.lockOwner);
        }
    }
};

struct LocktRes4
{
    Nfs4Status status{Nfs4Status::OK};
    LockDenied4 denied; ///< NFS4ERR_DENIED.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status);
        if (self.status == Nfs4Status::DENIED)
        {
            xdr(self.denied);
        }
    }
};

/// Section 18.11.
struct LocktArgs4
{
    LockType4 type{LockType4::READ};
    uint64_t offset{0};
    uint64_t length{0};
    Nfs4StateOwner owner;
};

struct LockuRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4StateId lockStateid;
};

/// Section 18.12.
struct LockuArgs4
{
    LockType4 type{LockType4::READ};
    uint32_t seqid{0};
    Nfs4StateId lockStateid;
    uint64_t offset{0};
    uint64_t length{0};
};

using ReleaseLockownerRes4 = Nfs4StatusRes<Nfs4Op::RELEASE_LOCKOWNER>;

/// NFSv4.0 only, RFC 7530 section 16.37.
struct ReleaseLockownerArgs4
{
    Nfs4StateOwner lockOwner;
};

using FreeStateidRes4 = Nfs4StatusRes<Nfs4Op::FREE_STATEID>;

/// Section 18.38.
struct FreeStateidArgs4
{
    Nfs4StateId stateid;
};

struct TestStateidRes4
{
    Nfs4Status status{Nfs4Status::OK};
    std::vector<Nfs4Status> statusCodes;
};

/// Section 18.48.
struct TestStateidArgs4
{
    std::vector<Nfs4StateId> stateids;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_LOCK_OPS_H
