/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_NFS_HOST_H
#define NFSRDMA_HELPER_NFS_HOST_H

#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <vector>

namespace ns3::nfsrdma
{

struct NfsRdmaClient;
struct NfsRdmaServer;

/**
 * \brief The NFS servers and clients of a node, aggregated to it, so that paths of ns3::Config lead
 * to their objects:
 *
 *     /NodeList/0/$ns3::nfsrdma::NfsHost/ServerList/0/RpcRdmaServer/Credits
 *     /NodeList/1/$ns3::nfsrdma::NfsHost/ClientList/0/RpcRdmaClientList/0/InlineSend
 *     /NodeList/1/$ns3::nfsrdma::RnicDevice/QueuePairList/3/State
 *
 * The helpers of servers and clients add what they install. An object is called as its class, as an
 * attribute of ns3::nfsrdma::NfsServerObjects or NfsClientObjects; what a host does not have, as an
 * NFSv2 server, is null there, and no path leads on. A host that has crashed and boots has the same
 * objects.
 */
class NfsHost : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return that of \p node, which gets one when it has none.
    [[nodiscard]] static Ptr<NfsHost> Of(const Ptr<Node>& node);

    void AddServer(const NfsRdmaServer& server);
    void AddClient(const NfsRdmaClient& client);

  private:
    void DoDispose() override;

    std::vector<Ptr<Object>> m_servers;
    std::vector<Ptr<Object>> m_clients;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_NFS_HOST_H
