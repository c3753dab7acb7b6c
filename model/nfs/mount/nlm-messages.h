/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_MOUNT_NLM_MESSAGES_H
#define NFSRDMA_NFS_MOUNT_NLM_MESSAGES_H

#include "nfs/types/rpc-stub.h"
#include "nfs/v3/fattr.h"

#include <array>
#include <string>

namespace ns3::nfsrdma
{

// Program 100021, the network lock manager, version 4 for NFSv3: RFC 1813 appendix II, and X/Open's
// "Protocols for Interworking: XNFS" for what it takes from version 3.
//
// Versions 1 and 3, for NFSv2, differ in their messages by offsets and lengths of 32 bits (narrow
// below) and in their statuses, which end with DENIED_GRACE_PERIOD; version 1 ends with
// GRANTED_RES, 3 has SHARE, UNSHARE, NM_LOCK and FREE_ALL, too.

constexpr uint32_t NLM_PROGRAM = 100021;
constexpr uint32_t NLM_V1 = 1;
constexpr uint32_t NLM_V3 = 3;
constexpr uint32_t NLM_V4 = 4;
constexpr uint32_t NLM_NAME_MAX = 1024;   ///< LM_MAXSTRLEN.
constexpr uint32_t NLM_OBJECT_MAX = 1024; ///< Of a netobj: MAXNETOBJ_SZ.

enum class NlmProcedure : uint32_t
{
    NULLPROC = 0,
    TEST = 1,
    LOCK = 2,
    CANCEL = 3,
    UNLOCK = 4,
    GRANTED = 5,
    TEST_MSG = 6, ///< As TEST, answered by a call of TEST_RES; those that follow likewise.
    LOCK_MSG = 7,
    CANCEL_MSG = 8,
    UNLOCK_MSG = 9,
    GRANTED_MSG = 10,
    TEST_RES = 11,
    LOCK_RES = 12,
    CANCEL_RES = 13,
    UNLOCK_RES = 14,
    GRANTED_RES = 15,
    SM_NOTIFY = 16, ///< Not of the protocol: Linux's statd says that a host has restarted.
    SHARE = 20,
    UNSHARE = 21,
    NM_LOCK = 22,
    FREE_ALL = 23
};

/// nlm4_stats.
enum class NlmStatus : uint32_t
{
    GRANTED = 0,
    DENIED = 1,
    DENIED_NOLOCKS = 2,
    BLOCKED = 3,
    DENIED_GRACE_PERIOD = 4,
    DEADLCK = 5,
    ROFS = 6,
    STALE_FH = 7,
    FBIG = 8,
    FAILED = 9
};

template <>
inline constexpr XdrEnumRange XDR_ENUM_RANGE<NlmStatus>{0, 9};

/// The offset and length of \p self, a lock or its holder, as its version has them.
template <typename Self, typename Xdr>
void
VisitNlmRange(Self& self, Xdr& xdr)
{
    if (self.narrow)
    {
        VisitXdrAs<uint32_t>(self.offset, xdr);
        VisitXdrAs<uint32_t>(self.length, xdr);
        return;
    }
    xdr(self.offset, self.length);
}

/// nlm4_lock.
struct NlmLock
{
    std::string caller; ///< Name of the client's host.
    NfsFh3 file;
    ByteVector owner;
    uint32_t svid{0}; ///< Process of the owner.
    uint64_t offset{0};
    uint64_t length{0};       ///< 0: to the end of the file, however far that goes.
    bool narrow{false};       ///< As versions 1 and 3 have it.
    uint32_t version{NLM_V4}; ///< Of the call that it came by; not in the message.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr.Bounded(self.caller, NLM_NAME_MAX);
        xdr(self.file);
        xdr.Bounded(self.owner, NLM_OBJECT_MAX);
        xdr(self.svid);
        VisitNlmRange(self, xdr);
    }
};

/// nlm4_holder: who has a lock that is in the way.
struct NlmHolder
{
    bool exclusive{false};
    uint32_t svid{0};
    ByteVector owner;
    uint64_t offset{0};
    uint64_t length{0};
    bool narrow{false}; ///< As versions 1 and 3 have it.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.exclusive, self.svid);
        xdr.Bounded(self.owner, NLM_OBJECT_MAX);
        VisitNlmRange(self, xdr);
    }
};

/// nlm4_res.
struct NlmRes
{
    XdrBounded<ByteVector, NLM_OBJECT_MAX> cookie; ///< The call's.
    NlmStatus status{NlmStatus::GRANTED};
};

/// nlm4_testres.
struct NlmTestRes
{
    ByteVector cookie;
    NlmStatus status{NlmStatus::GRANTED};
    NlmHolder holder; ///< DENIED.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr.Bounded(self.cookie, NLM_OBJECT_MAX);
        xdr(self.status);
        xdr.When(self.status == NlmStatus::DENIED, self.holder);
    }
};

/// nlm4_testargs: of TEST, and of GRANTED.
struct NlmTestArgs
{
    XdrBounded<ByteVector, NLM_OBJECT_MAX> cookie;
    bool exclusive{false};
    NlmLock lock;
};

/// nlm4_lockargs: of LOCK and NM_LOCK.
struct NlmLockArgs
{
    XdrBounded<ByteVector, NLM_OBJECT_MAX> cookie;
    bool block{false};
    bool exclusive{false};
    NlmLock lock;
    bool reclaim{false};
    uint32_t state{0}; ///< The client's NSM state.
};

/// nlm4_cancargs.
struct NlmCancelArgs
{
    XdrBounded<ByteVector, NLM_OBJECT_MAX> cookie;
    bool block{false};
    bool exclusive{false};
    NlmLock lock;
};

/// nlm4_unlockargs.
struct NlmUnlockArgs
{
    XdrBounded<ByteVector, NLM_OBJECT_MAX> cookie;
    NlmLock lock;
};

/// nlm4_shareargs: of SHARE and UNSHARE.
struct NlmShareArgs
{
    static constexpr uint32_t NO_ACCESS = 0; ///< fsh_access and fsh_mode: none, read, write, both.
    static constexpr uint32_t READ = 1;
    static constexpr uint32_t WRITE = 2;
    static constexpr uint32_t BOTH = 3;

    ByteVector cookie;
    std::string caller;
    NfsFh3 file;
    ByteVector owner;
    uint32_t deny{NO_ACCESS};   ///< fsh4_mode.
    uint32_t access{NO_ACCESS}; ///< fsh4_access.
    bool reclaim{false};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr.Bounded(self.cookie, NLM_OBJECT_MAX);
        xdr.Bounded(self.caller, NLM_NAME_MAX);
        xdr(self.file);
        xdr.Bounded(self.owner, NLM_OBJECT_MAX);
        xdr(self.deny, self.access, self.reclaim);
        xdr.Require(self.deny <= BOTH && self.access <= BOTH);
    }
};

/// nlm4_shareres.
struct NlmShareRes
{
    XdrBounded<ByteVector, NLM_OBJECT_MAX> cookie;
    NlmStatus status{NlmStatus::GRANTED};
    uint32_t sequence{0};
};

/// nlm4_notify, of FREE_ALL.
struct NlmNotify
{
    XdrBounded<std::string, NLM_NAME_MAX> name;
    uint32_t state{0};
};

/// nlm_reboot of Linux's lockd, of SM_NOTIFY: what statd was given with the host, and its new
/// state.
struct NlmReboot
{
    static constexpr std::size_t PRIVATE = 16;

    XdrBounded<std::string, NLM_NAME_MAX> name; ///< Of the host that has restarted.
    uint32_t state{0};
    std::array<uint8_t, PRIVATE> data{};
};

/// Says that the lock, or the holder, of a message to be read is as versions 1 and 3 have it.
template <typename Args>
void
MakeNarrow(Args& args)
{
    args.lock.narrow = true;
}

inline void
MakeNarrow(NlmTestRes& results)
{
    results.holder.narrow = true;
}

/// A message as versions 1 and 3 have it; what is encoded says so itself.
template <typename Message>
struct NlmNarrow
{
    Message message;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        if constexpr (Xdr::READS)
        {
            MakeNarrow(self.message);
        }
        xdr(self.message);
    }
};

/// A procedure of version 4 in versions 1 and 3. \tparam Results those of these versions
template <typename Procedure, typename Results = typename Procedure::Results>
using Nlm1Procedure = RpcProcedure<static_cast<NlmProcedure>(Procedure::NUMBER),
                                   NlmNarrow<typename Procedure::Arguments>,
                                   Results>;

using NlmNull = RpcProcedure<NlmProcedure::NULLPROC, XdrVoid, XdrVoid>;
using NlmTest = RpcProcedure<NlmProcedure::TEST, NlmTestArgs, NlmTestRes>;
using NlmLockCall = RpcProcedure<NlmProcedure::LOCK, NlmLockArgs, NlmRes>;
using NlmCancel = RpcProcedure<NlmProcedure::CANCEL, NlmCancelArgs, NlmRes>;
using NlmUnlock = RpcProcedure<NlmProcedure::UNLOCK, NlmUnlockArgs, NlmRes>;
using NlmGranted = RpcProcedure<NlmProcedure::GRANTED, NlmTestArgs, NlmRes>;
using NlmTestMsg = RpcProcedure<NlmProcedure::TEST_MSG, NlmTestArgs, XdrVoid>;
using NlmLockMsg = RpcProcedure<NlmProcedure::LOCK_MSG, NlmLockArgs, XdrVoid>;
using NlmCancelMsg = RpcProcedure<NlmProcedure::CANCEL_MSG, NlmCancelArgs, XdrVoid>;
using NlmUnlockMsg = RpcProcedure<NlmProcedure::UNLOCK_MSG, NlmUnlockArgs, XdrVoid>;
using NlmTestResult = RpcProcedure<NlmProcedure::TEST_RES, NlmTestRes, XdrVoid>;
using NlmLockResult = RpcProcedure<NlmProcedure::LOCK_RES, NlmRes, XdrVoid>;
using NlmCancelResult = RpcProcedure<NlmProcedure::CANCEL_RES, NlmRes, XdrVoid>;
using NlmUnlockResult = RpcProcedure<NlmProcedure::UNLOCK_RES, NlmRes, XdrVoid>;
using NlmGrantedMsg = RpcProcedure<NlmProcedure::GRANTED_MSG, NlmTestArgs, XdrVoid>;
using NlmGrantedRes = RpcProcedure<NlmProcedure::GRANTED_RES, NlmRes, XdrVoid>;
using NlmShare = RpcProcedure<NlmProcedure::SHARE, NlmShareArgs, NlmShareRes>;
using NlmUnshare = RpcProcedure<NlmProcedure::UNSHARE, NlmShareArgs, NlmShareRes>;
using NlmNmLock = RpcProcedure<NlmProcedure::NM_LOCK, NlmLockArgs, NlmRes>;
using NlmSmNotify = RpcProcedure<NlmProcedure::SM_NOTIFY, NlmReboot, XdrVoid>;
using NlmFreeAll = RpcProcedure<NlmProcedure::FREE_ALL, NlmNotify, XdrVoid>;

using Nlm1Test = Nlm1Procedure<NlmTest, NlmNarrow<NlmTestRes>>;
using Nlm1LockCall = Nlm1Procedure<NlmLockCall>;
using Nlm1Cancel = Nlm1Procedure<NlmCancel>;
using Nlm1Unlock = Nlm1Procedure<NlmUnlock>;
using Nlm1Granted = Nlm1Procedure<NlmGranted>;
using Nlm1GrantedMsg = Nlm1Procedure<NlmGrantedMsg>;
using Nlm1TestMsg = Nlm1Procedure<NlmTestMsg>;
using Nlm1LockMsg = Nlm1Procedure<NlmLockMsg>;
using Nlm1CancelMsg = Nlm1Procedure<NlmCancelMsg>;
using Nlm1UnlockMsg = Nlm1Procedure<NlmUnlockMsg>;
using Nlm1TestResult = Nlm1Procedure<NlmTestResult>;
using Nlm3NmLock = Nlm1Procedure<NlmNmLock>;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_NLM_MESSAGES_H
