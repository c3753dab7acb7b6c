/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_HOST_H
#define NFSRDMA_FAULT_ADVERSARY_HOST_H

#include "link/ethernet-net-device.h"
#include "nfs/v3/types3.h"
#include "rnic/hardware/device.h"
#include "rpc/client-transport.h"
#include "rpc/message.h"
#include "rpcrdma/server/responder.h"
#include "wire/ip-address.h"

#include "ns3/address.h"
#include "ns3/node.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Which hosts a role is for.
enum class AdversarySide : uint8_t
{
    CLIENT,
    SERVER,
    LINK ///< The link of a host, which itself is honest.
};

/// What a role has of its own host, and what it knows of others.
struct AdversaryHost
{
    std::string name; ///< "client-1".
    Ptr<Node> node;
    Ptr<RnicDevice> device;
    IpAddress address;
    /// Names of the hosts of the other side; for a role of a link, of all.
    std::map<IpAddress, std::string> peers;

    // Of a link.

    std::vector<Ptr<EthernetNetDevice>> linkEnds; ///< Those in the network, one for each port.

    // Of a server.

    Ptr<RpcRdmaServer> server;

    // Of a client.

    Address target; ///< Where its server listens.
    AuthSysCredential credential;
    Ptr<RpcClientTransport> path; ///< Of its NFS client: for roles that ride on it.
    /// In an export of its own, handles as MOUNT would have given them: a file of zeros, and a
    /// directory with many names.
    NfsFh3 baitFile;
    NfsFh3 baitDirectory;

    /// \return the name of the host at \p peer, or the address when it is none known.
    [[nodiscard]] std::string GetPeerName(IpAddress peer) const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_HOST_H
