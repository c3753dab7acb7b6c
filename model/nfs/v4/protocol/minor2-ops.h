/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_MINOR2_OPS_H
#define NFSRDMA_NFS_V4_PROTOCOL_MINOR2_OPS_H

#include "nfs/v4/protocol/types.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

// Arguments and results of operations, without the operation's number. Arguments have
//   OP, Result   the operation and the type of its results.
// Results begin with the status; their other fields are there with NFS4_OK, unless said otherwise.
// How they are encoded and decoded: xdr.h. Section numbers are those of RFC 7862.

struct AllocateRes4 : Nfs4StatusRes
{
};

/// Section 15.1.
struct AllocateArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::ALLOCATE;
    using Result = AllocateRes4;

    Nfs4StateId stateid;
    uint64_t offset{0};
    uint64_t length{0};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.stateid, self.offset, self.length);
    }
};

struct DeallocateRes4 : Nfs4StatusRes
{
};

/// Section 15.4.
struct DeallocateArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::DEALLOCATE;
    using Result = DeallocateRes4;

    Nfs4StateId stateid;
    uint64_t offset{0};
    uint64_t length{0};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.stateid, self.offset, self.length);
    }
};

/// netloc4.
enum class NetLocType4 : uint32_t
{
    NAME = 1,
    URL = 2,
    NETADDR = 3
};

template <>
inline constexpr XdrEnumRange XDR_ENUM_RANGE<NetLocType4>{1, 3};

struct NetLoc4
{
    NetLocType4 type{NetLocType4::NAME};
    std::string name; ///< NAME and URL.
    NetAddr4 addr;    ///< NETADDR.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.type);
        if (self.type == NetLocType4::NETADDR)
        {
            xdr(self.addr);
        }
        else
        {
            xdr(self.name);
        }
    }
};

/// write_response4.
struct WriteResponse4
{
    std::optional<Nfs4StateId> callbackId;
    uint64_t count{0};
    StableHow4 committed{StableHow4::UNSTABLE};
    Nfs4Verifier verifier{};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.callbackId, self.count, self.committed, self.verifier);
    }
};

struct CopyRes4
{
    Nfs4Status status{Nfs4Status::OK};
    WriteResponse4 response;
    bool consecutive{false}; ///< Also with NFS4ERR_OFFLOAD_NO_REQS, as synchronous.
    bool synchronous{false};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status);
        if (self.status == Nfs4Status::OK)
        {
            xdr(self.response);
        }
        if (self.status == Nfs4Status::OK || self.status == Nfs4Status::OFFLOAD_NO_REQS)
        {
            xdr(self.consecutive, self.synchronous);
        }
    }
};

/// Section 15.2.
struct CopyArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::COPY;
    using Result = CopyRes4;

    Nfs4StateId srcStateid;
    Nfs4StateId dstStateid;
    uint64_t srcOffset{0};
    uint64_t dstOffset{0};
    uint64_t count{0};
    bool consecutive{false};
    bool synchronous{false};
    std::vector<NetLoc4> sourceServers;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.srcStateid,
            self.dstStateid,
            self.srcOffset,
            self.dstOffset,
            self.count,
            self.consecutive,
            self.synchronous,
            self.sourceServers);
    }
};

struct CopyNotifyRes4
{
    Nfs4Status status{Nfs4Status::OK};
    NfsTime4 leaseTime;
    Nfs4StateId stateid;
    std::vector<NetLoc4> sourceServers;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        FieldsWithOk(xdr, self.status, self.leaseTime, self.stateid, self.sourceServers);
    }
};

/// Section 15.3.
struct CopyNotifyArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::COPY_NOTIFY;
    using Result = CopyNotifyRes4;

    Nfs4StateId srcStateid;
    NetLoc4 destinationServer;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.srcStateid, self.destinationServer);
    }
};

struct IoAdviseRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4Bitmap hints;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        FieldsWithOk(xdr, self.status, self.hints);
    }
};

/// Section 15.5.
struct IoAdviseArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::IO_ADVISE;
    using Result = IoAdviseRes4;

    Nfs4StateId stateid;
    uint64_t offset{0};
    uint64_t count{0};
    Nfs4Bitmap hints;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.stateid, self.offset, self.count, self.hints);
    }
};

struct OffloadCancelRes4 : Nfs4StatusRes
{
};

/// Section 15.8.
struct OffloadCancelArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::OFFLOAD_CANCEL;
    using Result = OffloadCancelRes4;

    Nfs4StateId stateid;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.stateid);
    }
};

struct OffloadStatusRes4
{
    Nfs4Status status{Nfs4Status::OK};
    uint64_t count{0};
    std::optional<Nfs4Status> complete;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        FieldsWithOk(xdr, self.status, self.count, self.complete);
    }
};

/// Section 15.9.
struct OffloadStatusArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::OFFLOAD_STATUS;
    using Result = OffloadStatusRes4;

    Nfs4StateId stateid;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.stateid);
    }
};

/// data_content4.
enum class DataContent4 : uint32_t
{
    DATA = 0,
    HOLE = 1
};

/// read_plus_content. Of another type it has nothing.
struct ReadPlusContent4
{
    DataContent4 type{DataContent4::DATA};
    uint64_t offset{0}; ///< DATA and HOLE.
    ByteVector data;    ///< DATA.
    uint64_t length{0}; ///< HOLE.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.type);
        if (self.type == DataContent4::DATA)
        {
            xdr(self.offset, self.data);
        }
        else if (self.type == DataContent4::HOLE)
        {
            xdr(self.offset, self.length);
        }
    }
};

struct ReadPlusRes4
{
    Nfs4Status status{Nfs4Status::OK};
    bool eof{false};
    std::vector<ReadPlusContent4> contents;

    /// Gives \p take what the contents say of the \p count octets from \p offset on, data and zeros
    /// for holes, with their places from \p offset. \return octets from there to the end of the
    /// last one, \p count at most.
    uint32_t Place(uint64_t offset,
                   uint32_t count,
                   const std::function<void(uint64_t position, ByteSpan octets)>& take) const;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        FieldsWithOk(xdr, self.status, self.eof, self.contents);
    }
};

/// Section 15.10. No bulk item: it is not DDP-eligible.
struct ReadPlusArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::READ_PLUS;
    using Result = ReadPlusRes4;

    Nfs4StateId stateid;
    uint64_t offset{0};
    uint32_t count{0};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.stateid, self.offset, self.count);
    }
};

struct SeekRes4
{
    Nfs4Status status{Nfs4Status::OK};
    bool eof{false};
    uint64_t offset{0};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        FieldsWithOk(xdr, self.status, self.eof, self.offset);
    }
};

/// Section 15.11.
struct SeekArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::SEEK;
    using Result = SeekRes4;

    Nfs4StateId stateid;
    uint64_t offset{0};
    DataContent4 what{DataContent4::DATA};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.stateid, self.offset, self.what);
    }
};

struct WriteSameRes4
{
    Nfs4Status status{Nfs4Status::OK};
    WriteResponse4 response;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        FieldsWithOk(xdr, self.status, self.response);
    }
};

/// Section 15.12. No bulk item: it is not DDP-eligible.
struct WriteSameArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::WRITE_SAME;
    using Result = WriteSameRes4;

    Nfs4StateId stateid;
    StableHow4 stable{StableHow4::UNSTABLE};
    uint64_t offset{0}; ///< app_data_block4, as all below.
    uint64_t blockSize{0};
    uint64_t blockCount{0};
    uint64_t relOffBlockNum{0};
    uint32_t blockNum{0};
    uint64_t relOffPattern{0};
    ByteVector pattern;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.stateid,
            self.stable,
            self.offset,
            self.blockSize,
            self.blockCount,
            self.relOffBlockNum,
            self.blockNum,
            self.relOffPattern,
            self.pattern);
    }
};

struct CloneRes4 : Nfs4StatusRes
{
};

/// Section 15.13.
struct CloneArgs4
{
    static constexpr Nfs4Op OP = Nfs4Op::CLONE;
    using Result = CloneRes4;

    Nfs4StateId srcStateid;
    Nfs4StateId dstStateid;
    uint64_t srcOffset{0};
    uint64_t dstOffset{0};
    uint64_t count{0};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.srcStateid, self.dstStateid, self.srcOffset, self.dstOffset, self.count);
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_MINOR2_OPS_H
