/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_PNFS_OPS_H
#define NFSRDMA_NFS_V4_PROTOCOL_PNFS_OPS_H

#include "nfs/v4/protocol/types.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

// Arguments and results of operations, without the operation's number. Results begin with the
// status; their other fields are there with NFS4_OK, unless said otherwise. How they are encoded
// and decoded: xdr.h. Section numbers are those of RFC 8881.

struct GetdeviceinfoRes4
{
    Nfs4Status status{Nfs4Status::OK};
    LayoutBody4 deviceAddr;
    Nfs4Bitmap notification;
    uint32_t mincount{0}; ///< NFS4ERR_TOOSMALL.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status);
        if (self.status == Nfs4Status::OK)
        {
            xdr(self.deviceAddr, self.notification);
        }
        else if (self.status == Nfs4Status::TOOSMALL)
        {
            xdr(self.mincount);
        }
    }
};

/// Section 18.40.
struct GetdeviceinfoArgs4
{
    Nfs4DeviceId deviceId{};
    LayoutType4 layoutType{LayoutType4::NFSV4_1_FILES};
    uint32_t maxcount{0}; ///< Octets of the result at most; 0: only notifications are asked for.
    Nfs4Bitmap notifyTypes;
};

struct GetdevicelistRes4
{
    Nfs4Status status{Nfs4Status::OK};
    uint64_t cookie{0};
    Nfs4Verifier cookieVerifier{};
    std::vector<Nfs4DeviceId> deviceIds;
    bool eof{false};
};

/// Section 18.41.
struct GetdevicelistArgs4
{
    LayoutType4 layoutType{LayoutType4::NFSV4_1_FILES};
    uint32_t maxDevices{0};
    uint64_t cookie{0};
    Nfs4Verifier cookieVerifier{};
};

struct LayoutcommitRes4
{
    Nfs4Status status{Nfs4Status::OK};
    std::optional<uint64_t> newSize; ///< newsize4.
};

/// Section 18.42.
struct LayoutcommitArgs4
{
    uint64_t offset{0};
    uint64_t length{0};
    bool reclaim{false};
    Nfs4StateId stateid;
    std::optional<uint64_t> lastWriteOffset; ///< newoffset4.
    std::optional<NfsTime4> timeModify;      ///< newtime4.
    LayoutBody4 layoutUpdate;
};

/// layout4.
struct Layout4
{
    uint64_t offset{0};
    uint64_t length{0};
    LayoutIoMode4 ioMode{LayoutIoMode4::READ};
    LayoutBody4 content;
};

struct LayoutgetRes4
{
    Nfs4Status status{Nfs4Status::OK};
    bool returnOnClose{false};
    Nfs4StateId stateid;
    std::vector<Layout4> layouts;
    bool willSignalLayoutAvail{false}; ///< NFS4ERR_LAYOUTTRYLATER.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status);
        if (self.status == Nfs4Status::OK)
        {
            xdr(self.returnOnClose, self.stateid, self.layouts);
        }
        else if (self.status == Nfs4Status::LAYOUTTRYLATER)
        {
            xdr(self.willSignalLayoutAvail);
        }
    }
};

/// Section 18.43.
struct LayoutgetArgs4
{
    bool signalLayoutAvail{false};
    LayoutType4 layoutType{LayoutType4::NFSV4_1_FILES};
    LayoutIoMode4 ioMode{LayoutIoMode4::READ};
    uint64_t offset{0};
    uint64_t length{0};
    uint64_t minLength{0};
    Nfs4StateId stateid;
    uint32_t maxcount{0}; ///< Octets of LAYOUTGET4resok at most.
};

/// layoutreturn_type4 and layoutrecall_type4.
enum class LayoutReturnType4 : uint32_t
{
    FILE = 1,
    FSID = 2,
    ALL = 3
};

template <>
inline constexpr XdrEnumRange XDR_ENUM_RANGE<LayoutReturnType4>{1, 3};

struct LayoutreturnRes4
{
    Nfs4Status status{Nfs4Status::OK};
    std::optional<Nfs4StateId> stateid; ///< layoutreturn_stateid.
};

/// Section 18.44.
struct LayoutreturnArgs4
{
    bool reclaim{false};
    LayoutType4 layoutType{LayoutType4::NFSV4_1_FILES};
    LayoutIoMode4 ioMode{LayoutIoMode4::ANY};
    LayoutReturnType4 returnType{LayoutReturnType4::FILE};
    uint64_t offset{0}; ///< FILE, as all below.
    uint64_t length{0};
    Nfs4StateId stateid;
    ByteVector body;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.reclaim, self.layoutType, self.ioMode, self.returnType);
        if (self.returnType == LayoutReturnType4::FILE)
        {
            xdr(self.offset, self.length, self.stateid, self.body);
        }
    }
};

/// device_error4.
struct DeviceError4
{
    Nfs4DeviceId deviceId{};
    Nfs4Status status{Nfs4Status::OK};
    Nfs4Op op{Nfs4Op::READ};
};

using LayouterrorRes4 = Nfs4StatusRes<Nfs4Op::LAYOUTERROR>;

/// RFC 7862 section 15.6.
struct LayouterrorArgs4
{
    uint64_t offset{0};
    uint64_t length{0};
    Nfs4StateId stateid;
    std::vector<DeviceError4> errors;
};

/// io_info4.
struct IoInfo4
{
    uint64_t count{0};
    uint64_t bytes{0};
};

using LayoutstatsRes4 = Nfs4StatusRes<Nfs4Op::LAYOUTSTATS>;

/// RFC 7862 section 15.7.
struct LayoutstatsArgs4
{
    uint64_t offset{0};
    uint64_t length{0};
    Nfs4StateId stateid;
    IoInfo4 read;
    IoInfo4 write;
    Nfs4DeviceId deviceId{};
    LayoutBody4 layoutUpdate;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_PNFS_OPS_H
