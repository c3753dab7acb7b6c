/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_CALLBACK_OPS_H
#define NFSRDMA_NFS_V4_PROTOCOL_CALLBACK_OPS_H

#include "nfs/v4/protocol/attributes.h"
#include "nfs/v4/protocol/minor2-ops.h"
#include "nfs/v4/protocol/open-ops.h"
#include "nfs/v4/protocol/pnfs-ops.h"
#include "nfs/v4/protocol/types.h"

#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

// Arguments and results of callback operations, in the form of the operations' own. Section
// numbers are those of RFC 8881.

struct CbGetattrRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4Attributes attributes;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        FieldsWithOk(xdr, self.status, self.attributes);
    }
};

/// Section 20.1.
struct CbGetattrArgs4
{
    static constexpr Nfs4CbOp OP = Nfs4CbOp::GETATTR;
    using Result = CbGetattrRes4;

    Nfs4Fh fh;
    Nfs4Bitmap attrRequest;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.fh, self.attrRequest);
    }
};

struct CbRecallRes4 : Nfs4StatusRes
{
};

/// Section 20.2.
struct CbRecallArgs4
{
    static constexpr Nfs4CbOp OP = Nfs4CbOp::RECALL;
    using Result = CbRecallRes4;

    Nfs4StateId stateid;
    bool truncate{false};
    Nfs4Fh fh;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.stateid, self.truncate, self.fh);
    }
};

struct CbLayoutrecallRes4 : Nfs4StatusRes
{
};

/// Section 20.3.
struct CbLayoutrecallArgs4
{
    static constexpr Nfs4CbOp OP = Nfs4CbOp::LAYOUTRECALL;
    using Result = CbLayoutrecallRes4;

    LayoutType4 layoutType{LayoutType4::NFSV4_1_FILES};
    LayoutIoMode4 ioMode{LayoutIoMode4::ANY};
    bool changed{false};
    LayoutReturnType4 recallType{LayoutReturnType4::FILE};
    Nfs4Fh fh; ///< FILE, as the three below.
    uint64_t offset{0};
    uint64_t length{0};
    Nfs4StateId stateid;
    Fsid4 fsid; ///< FSID.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.layoutType, self.ioMode, self.changed, self.recallType);
        if (self.recallType == LayoutReturnType4::FILE)
        {
            xdr(self.fh, self.offset, self.length, self.stateid);
        }
        else if (self.recallType == LayoutReturnType4::FSID)
        {
            xdr(self.fsid);
        }
    }
};

/// notify4: kinds of change, and their values as XDR.
struct Notify4
{
    Nfs4Bitmap mask;
    ByteVector values;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.mask, self.values);
    }
};

struct CbNotifyRes4 : Nfs4StatusRes
{
};

/// Section 20.4.
struct CbNotifyArgs4
{
    static constexpr Nfs4CbOp OP = Nfs4CbOp::NOTIFY;
    using Result = CbNotifyRes4;

    Nfs4StateId stateid;
    Nfs4Fh fh;
    std::vector<Notify4> changes;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.stateid, self.fh, self.changes);
    }
};

struct CbPushDelegRes4 : Nfs4StatusRes
{
};

/// Section 20.5.
struct CbPushDelegArgs4
{
    static constexpr Nfs4CbOp OP = Nfs4CbOp::PUSH_DELEG;
    using Result = CbPushDelegRes4;

    Nfs4Fh fh;
    OpenDelegation4 delegation;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.fh, self.delegation);
    }
};

struct CbRecallAnyRes4 : Nfs4StatusRes
{
};

/// Section 20.6.
struct CbRecallAnyArgs4
{
    static constexpr Nfs4CbOp OP = Nfs4CbOp::RECALL_ANY;
    using Result = CbRecallAnyRes4;

    uint32_t objectsToKeep{0};
    Nfs4Bitmap typeMask; ///< RCA4_TYPE_MASK_*.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.objectsToKeep, self.typeMask);
    }
};

struct CbRecallableObjAvailRes4 : Nfs4StatusRes
{
};

/// Section 20.7.
struct CbRecallableObjAvailArgs4
{
    static constexpr Nfs4CbOp OP = Nfs4CbOp::RECALLABLE_OBJ_AVAIL;
    using Result = CbRecallableObjAvailRes4;

    uint32_t objectsToKeep{0};
    Nfs4Bitmap typeMask;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.objectsToKeep, self.typeMask);
    }
};

struct CbRecallSlotRes4 : Nfs4StatusRes
{
};

/// Section 20.8.
struct CbRecallSlotArgs4
{
    static constexpr Nfs4CbOp OP = Nfs4CbOp::RECALL_SLOT;
    using Result = CbRecallSlotRes4;

    uint32_t targetHighestSlotId{0};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.targetHighestSlotId);
    }
};

/// referring_call4.
struct ReferringCall4
{
    uint32_t sequenceId{0};
    uint32_t slotId{0};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.sequenceId, self.slotId);
    }
};

/// referring_call_list4.
struct ReferringCallList4
{
    Nfs4SessionId sessionId{};
    std::vector<ReferringCall4> calls;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.sessionId, self.calls);
    }
};

struct CbSequenceRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4SessionId sessionId{};
    uint32_t sequenceId{0};
    uint32_t slotId{0};
    uint32_t highestSlotId{0};
    uint32_t targetHighestSlotId{0};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        FieldsWithOk(xdr,
                     self.status,
                     self.sessionId,
                     self.sequenceId,
                     self.slotId,
                     self.highestSlotId,
                     self.targetHighestSlotId);
    }
};

/// Section 20.9.
struct CbSequenceArgs4
{
    static constexpr Nfs4CbOp OP = Nfs4CbOp::SEQUENCE;
    using Result = CbSequenceRes4;

    Nfs4SessionId sessionId{};
    uint32_t sequenceId{0};
    uint32_t slotId{0};
    uint32_t highestSlotId{0};
    bool cacheThis{false};
    std::vector<ReferringCallList4> referringCallLists;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.sessionId,
            self.sequenceId,
            self.slotId,
            self.highestSlotId,
            self.cacheThis,
            self.referringCallLists);
    }
};

struct CbWantsCancelledRes4 : Nfs4StatusRes
{
};

/// Section 20.10.
struct CbWantsCancelledArgs4
{
    static constexpr Nfs4CbOp OP = Nfs4CbOp::WANTS_CANCELLED;
    using Result = CbWantsCancelledRes4;

    bool contendedWantsCancelled{false};
    bool resourcedWantsCancelled{false};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.contendedWantsCancelled, self.resourcedWantsCancelled);
    }
};

struct CbNotifyLockRes4 : Nfs4StatusRes
{
};

/// Section 20.11.
struct CbNotifyLockArgs4
{
    static constexpr Nfs4CbOp OP = Nfs4CbOp::NOTIFY_LOCK;
    using Result = CbNotifyLockRes4;

    Nfs4Fh fh;
    Nfs4StateOwner lockOwner;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.fh, self.lockOwner);
    }
};

struct CbNotifyDeviceidRes4 : Nfs4StatusRes
{
};

/// Section 20.12.
struct CbNotifyDeviceidArgs4
{
    static constexpr Nfs4CbOp OP = Nfs4CbOp::NOTIFY_DEVICEID;
    using Result = CbNotifyDeviceidRes4;

    std::vector<Notify4> changes;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.changes);
    }
};

struct CbOffloadRes4 : Nfs4StatusRes
{
};

/// RFC 7862 section 16.1.
struct CbOffloadArgs4
{
    static constexpr Nfs4CbOp OP = Nfs4CbOp::OFFLOAD;
    using Result = CbOffloadRes4;

    Nfs4Fh fh;
    Nfs4StateId stateid;
    Nfs4Status copyStatus{Nfs4Status::OK};
    WriteResponse4 response; ///< With NFS4_OK.
    uint64_t bytesCopied{0}; ///< With another status.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.fh, self.stateid, self.copyStatus);
        if (self.copyStatus == Nfs4Status::OK)
        {
            xdr(self.response);
        }
        else
        {
            xdr(self.bytesCopied);
        }
    }
};

struct CbIllegalRes4 : Nfs4StatusRes
{
};

/// Section 20.13.
struct CbIllegalArgs4 : Nfs4NoArgs
{
    static constexpr Nfs4CbOp OP = Nfs4CbOp::ILLEGAL;
    using Result = CbIllegalRes4;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_CALLBACK_OPS_H
