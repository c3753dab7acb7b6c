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

// Arguments and results of operations, without the operation's number. Results begin with the
// status; their other fields are there with NFS4_OK, unless said otherwise. How they are encoded
// and decoded: xdr.h. Section numbers are those of RFC 7862.

using AllocateRes4 = Nfs4StatusRes<Nfs4Op::ALLOCATE>;

/// Section 15.1.
struct AllocateArgs4
{
    Nfs4StateId stateid;
    uint64_t offset{0};
    uint64_t length{0};
};

using DeallocateRes4 = Nfs4StatusRes<Nfs4Op::DEALLOCATE>;

/// Section 15.4.
struct DeallocateArgs4
{
    Nfs4StateId stateid;
    uint64_t offset{0};
    uint64_t length{0};
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
    Nfs4StateId srcStateid;
    Nfs4StateId dstStateid;
    uint64_t srcOffset{0};
    uint64_t dstOffset{0};
    uint64_t count{0};
    bool consecutive{false};
    bool synchronous{false};
    std::vector<NetLoc4> sourceServers;
};

struct CopyNotifyRes4
{
    Nfs4Status status{Nfs4Status::OK};
    NfsTime4 leaseTime;
    Nfs4StateId stateid;
    std::vector<NetLoc4> sourceServers;
};

/// Section 15.3.
struct CopyNotifyArgs4
{
    Nfs4StateId srcStateid;
    NetLoc4 destinationServer;
};

struct IoAdviseRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4Bitmap hints;
};

/// Section 15.5.
struct IoAdviseArgs4
{
    Nfs4StateId stateid;
    uint64_t offset{0};
    uint64_t count{0};
    Nfs4Bitmap hints;
};

using OffloadCancelRes4 = Nfs4StatusRes<Nfs4Op::OFFLOAD_CANCEL>;

/// Section 15.8.
struct OffloadCancelArgs4
{
    Nfs4StateId stateid;
};

struct OffloadStatusRes4
{
    Nfs4Status status{Nfs4Status::OK};
    uint64_t count{0};
    std::optional<Nfs4Status> complete;
};

/// Section 15.9.
struct OffloadStatusArgs4
{
    Nfs4StateId stateid;
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
};

/// Section 15.10. No bulk item: it is not DDP-eligible.
struct ReadPlusArgs4
{
    Nfs4StateId stateid;
    uint64_t offset{0};
    uint32_t count{0};
};

struct SeekRes4
{
    Nfs4Status status{Nfs4Status::OK};
    bool eof{false};
    uint64_t offset{0};
};

/// Section 15.11.
struct SeekArgs4
{
    Nfs4StateId stateid;
    uint64_t offset{0};
    DataContent4 what{DataContent4::DATA};
};

struct WriteSameRes4
{
    Nfs4Status status{Nfs4Status::OK};
    WriteResponse4 response;
};

/// Section 15.12. No bulk item: it is not DDP-eligible.
struct WriteSameArgs4
{
    Nfs4StateId stateid;
    StableHow4 stable{StableHow4::UNSTABLE};
    uint64_t offset{0}; ///< app_data_block4, as all below.
    uint64_t blockSize{0};
    uint64_t blockCount{0};
    uint64_t relOffBlockNum{0};
    uint32_t blockNum{0};
    uint64_t relOffPattern{0};
    ByteVector pattern;
};

using CloneRes4 = Nfs4StatusRes<Nfs4Op::CLONE>;

/// Section 15.13.
struct CloneArgs4
{
    Nfs4StateId srcStateid;
    Nfs4StateId dstStateid;
    uint64_t srcOffset{0};
    uint64_t dstOffset{0};
    uint64_t count{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_MINOR2_OPS_H
