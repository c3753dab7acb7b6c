/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"

namespace ns3::nfsrdma
{

std::vector<ScenarioKey>
MakeMountKeys()
{
    return {
        {"port",
         Integer(1, 65535),
         "20049",
         "TCP port at which servers listen for NFS; if not set, 2049 with cluster.transport = tcp"},
        {"reserved_port",
         Boolean(),
         "false",
         "over TCP: clients connect from the first free port from 1023 down to 665, as Linux does "
         "(mount option resvport)",
         {"RpcTcpClient::ReservedPort"}},
        {"secure",
         Boolean(),
         "false",
         "over TCP: servers answer calls from ports of 1024 and above with NFSERR_PERM, as Linux "
         "does (export option)",
         {"RpcServer::SecurePorts"}},
        {"mount",
         Choice({"none", "linux"}),
         "none",
         "calls over TCP at the beginning and the end of a mount: none, or those of Linux's mount "
         "and umount"},
        {"mount_version",
         Integer(0, 3),
         "0",
         "version of MOUNT that is used to mount NFSv2 (mount option mountvers); 0: 1. Linux's "
         "kernel accepts 1 and 3 and refuses 2, which only mount programs in user space have used",
         {"NfsMount::MountVersion"}},
        {"mount_port_lookup",
         Boolean(),
         "false",
         "with a mount: ask rpcbind for the port of netid rdma, or rdma6 over IPv6",
         {"NfsMount::NfsPortLookup"}},
        {"mountd_port",
         Integer(1, 65535),
         "20048",
         "with a mount: TCP port of mountd",
         {"NfsDaemons::MountdPort"}},
    };
}

} // namespace ns3::nfsrdma
