/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_MOUNT_NSM_MESSAGES_H
#define NFSRDMA_NFS_MOUNT_NSM_MESSAGES_H

#include "nfs/types/rpc-stub.h"

#include <array>
#include <string>

namespace ns3::nfsrdma
{

// Program 100024, the network status monitor, version 1: X/Open, "Protocols for Interworking:
// XNFS", chapter 11.

constexpr uint32_t NSM_PROGRAM = 100024;
constexpr uint32_t NSM_V1 = 1;
constexpr uint32_t NSM_NAME_MAX = 1024; ///< SM_MAXSTRLEN.

enum class NsmProcedure : uint32_t
{
    NULLPROC = 0,
    STAT = 1,
    MON = 2,
    UNMON = 3,
    UNMON_ALL = 4,
    SIMU_CRASH = 5,
    NOTIFY = 6
};

/// sm_name.
struct NsmName
{
    std::string name;

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<NsmName> Decode(XdrReader& reader);
};

/// sm_stat_res.
struct NsmStatRes
{
    bool failed{false}; ///< res: STAT_SUCC 0, STAT_FAIL 1.
    uint32_t state{0};  ///< Of the monitor's host: odd when it is up.

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<NsmStatRes> Decode(XdrReader& reader);
};

/// sm_stat.
struct NsmState
{
    uint32_t state{0};

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<NsmState> Decode(XdrReader& reader);
};

/// my_id: what the monitor is to call.
struct NsmMyId
{
    std::string name; ///< The host.
    uint32_t program{0};
    uint32_t version{0};
    uint32_t procedure{0};

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<NsmMyId> Decode(XdrReader& reader);
};

/// mon_id.
struct NsmMonId
{
    std::string name; ///< The host to be monitored.
    NsmMyId caller;

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<NsmMonId> Decode(XdrReader& reader);
};

/// mon.
struct NsmMonArgs
{
    static constexpr uint32_t PRIVATE = 16;

    NsmMonId id;
    std::array<uint8_t, PRIVATE> priv{}; ///< Given back in the call.

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<NsmMonArgs> Decode(XdrReader& reader);
};

/// stat_chge: a host tells that it has restarted.
struct NsmNotifyArgs
{
    std::string name;
    uint32_t state{0};

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<NsmNotifyArgs> Decode(XdrReader& reader);
};

using NsmNull = RpcProcedure<NsmProcedure::NULLPROC, XdrVoid, XdrVoid>;
using NsmStat = RpcProcedure<NsmProcedure::STAT, NsmName, NsmStatRes>;
using NsmMon = RpcProcedure<NsmProcedure::MON, NsmMonArgs, NsmStatRes>;
using NsmUnmon = RpcProcedure<NsmProcedure::UNMON, NsmMonId, NsmState>;
using NsmUnmonAll = RpcProcedure<NsmProcedure::UNMON_ALL, NsmMyId, NsmState>;
using NsmSimuCrash = RpcProcedure<NsmProcedure::SIMU_CRASH, XdrVoid, XdrVoid>;
using NsmNotify = RpcProcedure<NsmProcedure::NOTIFY, NsmNotifyArgs, XdrVoid>;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_NSM_MESSAGES_H
