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
         "TCP port where servers listen for NFS; not set and with cluster.transport = tcp: 2049"},
        {"reserved_port",
         Boolean(),
         "false",
         "over TCP: clients connect from the first free port from 1023 down to 665, as Linux's do "
         "(mount option resvport)",
         {"RpcTcpClient::ReservedPort"}},
        {"secure",
         Boolean(),
         "false",
         "over TCP: servers answer calls from ports of 1024 and above with NFSERR_PERM, as Linux's "
         "do (option of exports)",
         {"RpcServer::SecurePorts"}},
        {"mount",
         Choice({"none", "linux"}),
         "none",
         "what clients say over TCP before and after: nothing, or what Linux's mount and umount "
         "do"},
        {"mount_version",
         Integer(0, 3),
         "0",
         "version of MOUNT by which NFSv2 is mounted (mount option mountvers); 0: 1. Linux's "
         "kernel takes 1 and 3 and refuses 2, which only mount programs in user space have used",
         {"NfsMount::MountVersion"}},
        {"mount_port_lookup",
         Boolean(),
         "false",
         "with a mount: ask rpcbind for the port under netid rdma, or rdma6 over IPv6",
         {"NfsMount::NfsPortLookup"}},
        {"mountd_port",
         Integer(1, 65535),
         "20048",
         "with a mount: TCP port of mountd",
         {"NfsDaemons::MountdPort"}},
    };
}

} // namespace ns3::nfsrdma
