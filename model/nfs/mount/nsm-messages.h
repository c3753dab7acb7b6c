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

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr.Bounded(self.name, NSM_NAME_MAX);
    }
};

/// sm_stat_res.
struct NsmStatRes
{
    bool failed{false}; ///< res: STAT_SUCC 0, STAT_FAIL 1.
    uint32_t state{0};  ///< Of the monitor's host: odd when it is up.

    static constexpr auto FIELDS = std::make_tuple(&NsmStatRes::failed, &NsmStatRes::state);
};

/// sm_stat.
struct NsmState
{
    uint32_t state{0};

    static constexpr auto FIELDS = std::make_tuple(&NsmState::state);
};

/// my_id: what the monitor is to call.
struct NsmMyId
{
    std::string name; ///< The host.
    uint32_t program{0};
    uint32_t version{0};
    uint32_t procedure{0};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr.Bounded(self.name, NSM_NAME_MAX);
        xdr(self.program, self.version, self.procedure);
    }
};

/// mon_id.
struct NsmMonId
{
    std::string name; ///< The host to be monitored.
    NsmMyId caller;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr.Bounded(self.name, NSM_NAME_MAX);
        xdr(self.caller);
    }
};

/// mon.
struct NsmMonArgs
{
    static constexpr uint32_t PRIVATE = 16;

    NsmMonId id;
    std::array<uint8_t, PRIVATE> priv{}; ///< Given back in the call.

    static constexpr auto FIELDS = std::make_tuple(&NsmMonArgs::id, &NsmMonArgs::priv);
};

/// stat_chge: a host tells that it has restarted.
struct NsmNotifyArgs
{
    std::string name;
    uint32_t state{0};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr.Bounded(self.name, NSM_NAME_MAX);
        xdr(self.state);
    }
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
