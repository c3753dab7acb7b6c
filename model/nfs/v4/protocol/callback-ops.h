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
};

/// Section 20.1.
struct CbGetattrArgs4
{
    Nfs4Fh fh;
    Nfs4Bitmap attrRequest;
};

using CbRecallRes4 = Nfs4StatusRes<Nfs4CbOp::RECALL>;

/// Section 20.2.
struct CbRecallArgs4
{
    Nfs4StateId stateid;
    bool truncate{false};
    Nfs4Fh fh;
};

using CbLayoutrecallRes4 = Nfs4StatusRes<Nfs4CbOp::LAYOUTRECALL>;

/// Section 20.3.
struct CbLayoutrecallArgs4
{
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
};

using CbNotifyRes4 = Nfs4StatusRes<Nfs4CbOp::NOTIFY>;

/// Section 20.4.
struct CbNotifyArgs4
{
    Nfs4StateId stateid;
    Nfs4Fh fh;
    std::vector<Notify4> changes;
};

using CbPushDelegRes4 = Nfs4StatusRes<Nfs4CbOp::PUSH_DELEG>;

/// Section 20.5.
struct CbPushDelegArgs4
{
    Nfs4Fh fh;
    OpenDelegation4 delegation;
};

using CbRecallAnyRes4 = Nfs4StatusRes<Nfs4CbOp::RECALL_ANY>;

/// Section 20.6.
struct CbRecallAnyArgs4
{
    uint32_t objectsToKeep{0};
    Nfs4Bitmap typeMask; ///< RCA4_TYPE_MASK_*.
};

using CbRecallableObjAvailRes4 = Nfs4StatusRes<Nfs4CbOp::RECALLABLE_OBJ_AVAIL>;

/// Section 20.7.
struct CbRecallableObjAvailArgs4
{
    uint32_t objectsToKeep{0};
    Nfs4Bitmap typeMask;
};

using CbRecallSlotRes4 = Nfs4StatusRes<Nfs4CbOp::RECALL_SLOT>;

/// Section 20.8.
struct CbRecallSlotArgs4
{
    uint32_t targetHighestSlotId{0};
};

/// referring_call4.
struct ReferringCall4
{
    uint32_t sequenceId{0};
    uint32_t slotId{0};
};

/// referring_call_list4.
struct ReferringCallList4
{
    Nfs4SessionId sessionId{};
    std::vector<ReferringCall4> calls;
};

struct CbSequenceRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4SessionId sessionId{};
    uint32_t sequenceId{0};
    uint32_t slotId{0};
    uint32_t highestSlotId{0};
    uint32_t targetHighestSlotId{0};
};

/// Section 20.9.
struct CbSequenceArgs4
{
    Nfs4SessionId sessionId{};
    uint32_t sequenceId{0};
    uint32_t slotId{0};
    uint32_t highestSlotId{0};
    bool cacheThis{false};
    std::vector<ReferringCallList4> referringCallLists;
};

using CbWantsCancelledRes4 = Nfs4StatusRes<Nfs4CbOp::WANTS_CANCELLED>;

/// Section 20.10.
struct CbWantsCancelledArgs4
{
    bool contendedWantsCancelled{false};
    bool resourcedWantsCancelled{false};
};

using CbNotifyLockRes4 = Nfs4StatusRes<Nfs4CbOp::NOTIFY_LOCK>;

/// Section 20.11.
struct CbNotifyLockArgs4
{
    Nfs4Fh fh;
    Nfs4StateOwner lockOwner;
};

using CbNotifyDeviceidRes4 = Nfs4StatusRes<Nfs4CbOp::NOTIFY_DEVICEID>;

/// Section 20.12.
struct CbNotifyDeviceidArgs4
{
    std::vector<Notify4> changes;
};

using CbOffloadRes4 = Nfs4StatusRes<Nfs4CbOp::OFFLOAD>;

/// RFC 7862 section 16.1.
struct CbOffloadArgs4
{
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

using CbIllegalRes4 = Nfs4StatusRes<Nfs4CbOp::ILLEGAL>;

/// Section 20.13.
using CbIllegalArgs4 = Nfs4NoArgs<Nfs4CbOp::ILLEGAL>;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_CALLBACK_OPS_H
