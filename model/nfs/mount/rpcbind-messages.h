/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_MOUNT_RPCBIND_MESSAGES_H
#define NFSRDMA_NFS_MOUNT_RPCBIND_MESSAGES_H

#include "nfs/types/rpc-stub.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

// Program 100000, RFC 1833: version 2 is the port mapper (section 3), versions 3 and 4 are rpcbind
// (section 2). Indirect calls (CALLIT, BCAST, INDIRECT) and translation of transport addresses are
// left out.

constexpr uint32_t RPCBIND_PROGRAM = 100000;
constexpr uint32_t PORTMAP_V2 = 2;
constexpr uint32_t RPCBIND_V3 = 3;
constexpr uint32_t RPCBIND_V4 = 4;
constexpr uint16_t RPCBIND_PORT = 111;

/// Protocols of the port mapper.
constexpr uint32_t PORTMAP_TCP = 6;
constexpr uint32_t PORTMAP_UDP = 17;

enum class PortmapProcedure : uint32_t
{
    NULLPROC = 0,
    SET = 1,
    UNSET = 2,
    GETPORT = 3,
    DUMP = 4
};

enum class RpcbindProcedure : uint32_t
{
    NULLPROC = 0,
    SET = 1,
    UNSET = 2,
    GETADDR = 3,
    DUMP = 4,
    GETTIME = 6,
    GETVERSADDR = 9 ///< Version 4.
};

/// A word as arguments or results.
struct XdrWord
{
    uint32_t value{0};
};

/// A bool as results.
struct XdrBool
{
    bool value{false};
};

/// mapping: 16 octets.
struct PortMapping
{
    uint32_t program{0};
    uint32_t version{0};
    uint32_t protocol{PORTMAP_TCP};
    uint32_t port{0}; ///< Not used by GETPORT.
};

/// pmaplist.
struct PortMappingList
{
    XdrList<PortMapping> mappings;
};

/// rpcb.
struct RpcbindMapping
{
    static constexpr uint32_t MAX_STRING = 1024; ///< A choice; RFC 1833 has no bound.

    uint32_t program{0};
    uint32_t version{0};
    XdrBounded<std::string, MAX_STRING> netid;   ///< "tcp", "rdma", ...
    XdrBounded<std::string, MAX_STRING> address; ///< A universal address.
    XdrBounded<std::string, MAX_STRING> owner;
};

/// rpcblist.
struct RpcbindMappingList
{
    XdrList<RpcbindMapping> mappings;
};

/// Results of GETADDR and GETVERSADDR.
struct RpcbindAddress
{
    XdrBounded<std::string, RpcbindMapping::MAX_STRING> address; ///< Empty: not registered.
};

using PortmapNull = RpcProcedure<PortmapProcedure::NULLPROC, XdrVoid, XdrVoid>;
using PortmapSet = RpcProcedure<PortmapProcedure::SET, PortMapping, XdrBool>;
using PortmapUnset = RpcProcedure<PortmapProcedure::UNSET, PortMapping, XdrBool>;
using PortmapGetport = RpcProcedure<PortmapProcedure::GETPORT, PortMapping, XdrWord>;
using PortmapDump = RpcProcedure<PortmapProcedure::DUMP, XdrVoid, PortMappingList>;

using RpcbindNull = RpcProcedure<RpcbindProcedure::NULLPROC, XdrVoid, XdrVoid>;
using RpcbindSet = RpcProcedure<RpcbindProcedure::SET, RpcbindMapping, XdrBool>;
using RpcbindUnset = RpcProcedure<RpcbindProcedure::UNSET, RpcbindMapping, XdrBool>;
using RpcbindGetaddr = RpcProcedure<RpcbindProcedure::GETADDR, RpcbindMapping, RpcbindAddress>;
using RpcbindDump = RpcProcedure<RpcbindProcedure::DUMP, XdrVoid, RpcbindMappingList>;
using RpcbindGettime = RpcProcedure<RpcbindProcedure::GETTIME, XdrVoid, XdrWord>;
using RpcbindGetversaddr =
    RpcProcedure<RpcbindProcedure::GETVERSADDR, RpcbindMapping, RpcbindAddress>;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_RPCBIND_MESSAGES_H
