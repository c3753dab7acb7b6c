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
    XdrBounded<std::string, NSM_NAME_MAX> name;
};

/// sm_stat_res.
struct NsmStatRes
{
    bool failed{false}; ///< res: STAT_SUCC 0, STAT_FAIL 1.
    uint32_t state{0};  ///< Of the monitor's host: odd when it is up.
};

/// sm_stat.
struct NsmState
{
    uint32_t state{0};
};

/// my_id: what the monitor is to call.
struct NsmMyId
{
    XdrBounded<std::string, NSM_NAME_MAX> name; ///< The host.
    uint32_t program{0};
    uint32_t version{0};
    uint32_t procedure{0};
};

/// mon_id.
struct NsmMonId
{
    XdrBounded<std::string, NSM_NAME_MAX> name; ///< The host to be monitored.
    NsmMyId caller;
};

/// mon.
struct NsmMonArgs
{
    static constexpr uint32_t PRIVATE = 16;

    NsmMonId id;
    std::array<uint8_t, PRIVATE> priv{}; ///< Given back in the call.
};

/// stat_chge: a host tells that it has restarted.
struct NsmNotifyArgs
{
    XdrBounded<std::string, NSM_NAME_MAX> name;
    uint32_t state{0};
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
