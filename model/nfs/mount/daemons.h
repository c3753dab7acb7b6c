/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_MOUNT_DAEMONS_H
#define NFSRDMA_NFS_MOUNT_DAEMONS_H

#include "host/cpu.h"
#include "nfs/mount/mnt-server.h"
#include "nfs/mount/nlm-client.h"
#include "nfs/mount/nlm-server.h"
#include "nfs/mount/nsm-server.h"
#include "nfs/mount/rpcbind-table.h"
#include "nfs/store/files.h"
#include "rpc/server.h"
#include "rpc/tcp/listener.h"
#include "wire/ip-address.h"

#include "ns3/node.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The daemons of a host beside NFS versions 2 and 3, over TCP as RFC 8267 section 5.1 wants
 * them, each with an RpcServer of its own and registered with rpcbind at port 111: mountd on a
 * server; where files are locked, lockd and statd on server and client.
 *
 * Further programs of the host join by AddDaemon().
 *
 * Attributes: MountdPort, LockdPort, StatdPort (TCP ports).
 */
class NfsDaemons : public Object
{
  public:
    static TypeId GetTypeId();

    /// \param node with an IP stack
    /// \param address of the host, as clients see it
    void SetHost(Ptr<Node> node, IpAddress address);

    /// Has daemons listen on that address alone, as in a network namespace of its own. Default: on
    /// all.
    void SetBound(bool isBound)
    {
        m_isBound = isBound;
    }

    /// The processor that daemons run on. Default: one for each of them.
    void SetHostCpu(Ptr<HostCpu> cpu)
    {
        m_cpu = cpu;
    }

    void SetFileStore(Ptr<FileStore> store)
    {
        m_store = store;
    }

    /// See MountServer::SetFlavors().
    void SetFlavors(const std::string& names)
    {
        m_flavors = names;
    }

    /// Starts rpcbind and mountd. \return false when a port is taken.
    [[nodiscard]] bool Start();
    /// Starts rpcbind alone: what a client has. \return false when its port is taken.
    [[nodiscard]] bool StartRpcbind();
    /// Starts the lock manager of a server and its status monitor, each of which finds the other;
    /// after Start(). \return false when a port is taken.
    [[nodiscard]] bool StartLockServer();
    /// Starts the lock manager of a client of \p server and its status monitor; after
    /// StartRpcbind(). \param name of this host
    /// \param version see NlmClient
    /// \return false when a port is taken.
    [[nodiscard]] bool StartLockClient(const std::string& name, IpAddress server, uint32_t version);
    /// The host has restarted: locks are forgotten and the grace period begins; hosts with locks
    /// are told.
    void Restart();
    /// Serves \p programs at a TCP port of the host, and registers them. After Start().
    /// \return false when \p port is taken.
    [[nodiscard]] bool AddDaemon(const std::vector<Ptr<RpcProgram>>& programs, uint16_t port);
    /// Registers a program that somebody else serves over RDMA.
    void RegisterRdma(uint32_t program, uint32_t version, uint16_t port);
    /// The same over TCP.
    void RegisterTcp(uint32_t program, uint32_t version, uint16_t port);
    /// Stops all daemons, and closes the connections that lock managers have made.
    void Stop();

    /// \return null unless StartLockServer() was called; the others likewise.
    [[nodiscard]] Ptr<NlmServer> GetLockServer() const
    {
        return m_lockServer;
    }

    [[nodiscard]] Ptr<NlmClient> GetLockClient() const
    {
        return m_lockClient;
    }

    [[nodiscard]] Ptr<NsmServer> GetMonitor() const
    {
        return m_monitor;
    }

    [[nodiscard]] const RpcbindTable& GetRpcbindTable() const
    {
        return *m_rpcbind;
    }

    [[nodiscard]] const MountTable& GetMountTable() const
    {
        return *m_mounts;
    }

    /// \return connections that are open.
    [[nodiscard]] uint32_t GetConnectionCount() const;

  protected:
    void DoDispose() override;

  private:
    [[nodiscard]] bool StartMonitor();
    void RegisterAt(uint32_t program,
                    uint32_t version,
                    const std::string& netid,
                    const Address& end);

    struct Daemon
    {
        Ptr<RpcServer> rpc;
        Ptr<RpcTcpServer> tcp;
    };

    Ptr<Node> m_node;
    bool m_isBound{false};
    IpAddress m_address;
    Ptr<HostCpu> m_cpu;
    Ptr<FileStore> m_store;
    std::string m_flavors{"sys"};
    uint16_t m_mountdPort{0};
    uint16_t m_lockdPort{0};
    uint16_t m_statdPort{0};
    Ptr<NlmServer> m_lockServer;
    Ptr<NlmNarrowServer> m_lockServerV1;
    Ptr<NlmNarrowServer> m_lockServerV3;
    Ptr<NlmClient> m_lockClient;
    Ptr<NsmServer> m_monitor;
    std::shared_ptr<RpcbindTable> m_rpcbind{std::make_shared<RpcbindTable>()};
    std::shared_ptr<MountTable> m_mounts{std::make_shared<MountTable>()};
    std::vector<Daemon> m_daemons;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_DAEMONS_H
