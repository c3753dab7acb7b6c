/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_MOUNT_RPC_PEER_H
#define NFSRDMA_NFS_MOUNT_RPC_PEER_H

#include "nfs/mount/rpcbind-messages.h"
#include "rpc/message.h"
#include "rpc/tcp/caller.h"
#include "rpc/tcp/local-port.h"
#include "wire/ip-address.h"

#include "ns3/node.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Calls one program of another host over TCP, whose port the host's port mapper tells when
 * it is first needed (rpcb_getport_async()).
 *
 * Calls are soft: when the host, its port mapper or the program is not there they end with
 * DISCONNECTED, and the next one asks anew.
 */
class RpcPeer : public Object
{
  public:
    static TypeId GetTypeId();

    /// \param node this host
    /// \param peer the other host
    RpcPeer(Ptr<Node> node, IpAddress peer, uint32_t program, uint32_t version);

    /// Calls come from a kernel: AUTH_SYS of the superuser of host \p name, without groups, those
    /// of the program from a reserved port. Default: AUTH_NONE, from any port.
    void SetKernel(const std::string& name);

    template <typename Procedure>
    void Call(const typename Procedure::Arguments& arguments,
              StubCompletion<typename Procedure::Results> completion)
    {
        using Results = typename Procedure::Results;
        WithClient([arguments, completion = std::move(completion)](const Ptr<RpcClient>& client) {
            if (client)
            {
                CallStub<Procedure>(*client, arguments, completion);
            }
            else if (completion)
            {
                RpcRecord record;
                record.outcome = RpcOutcome::DISCONNECTED;
                completion(record, Results());
            }
        });
    }

    /// Closes the connection when no call is pending; the port is asked for again.
    void Disconnect();

  protected:
    void DoDispose() override;

  private:
    using Use = std::function<void(const Ptr<RpcClient>& client)>;

    void WithClient(Use use);
    [[nodiscard]] Ptr<RpcClient> MakeClient(uint16_t port, uint32_t program, uint32_t version);
    void TakePort(uint32_t port);

    Ptr<Node> m_node;
    IpAddress m_peer;
    uint32_t m_program;
    uint32_t m_version;
    std::optional<AuthSysCredential> m_credential;
    uint16_t m_reservedPort{MAX_RESERVED_PORT}; ///< To be tried first.
    Ptr<RpcTcpClient> m_transport;
    Ptr<RpcClient> m_client;
    std::vector<Use> m_waiting; ///< For the port.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_RPC_PEER_H
