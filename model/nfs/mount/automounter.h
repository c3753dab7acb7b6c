/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_MOUNT_AUTOMOUNTER_H
#define NFSRDMA_NFS_MOUNT_AUTOMOUNTER_H

#include "host/cpu.h"
#include "nfs/mount/mnt-messages.h"
#include "nfs/mount/rpcbind-messages.h"
#include "rpc/message.h"
#include "rpc/tcp/caller.h"
#include "rpc/tcp/local-port.h"
#include "wire/ip-address.h"

#include "ns3/address.h"
#include "ns3/node.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// How a mount, or an umount, went.
struct NfsMountResult
{
    RpcOutcome outcome{RpcOutcome::SUCCESS}; ///< Of the last RPC.
    MountStatus status{MountStatus::OK};     ///< When the outcome is SUCCESS.
    NfsFh3 handle;                           ///< Mount: of the directory.
    std::vector<uint32_t> flavors;           ///< Mount: RPC security flavours of the export.
    uint16_t nfsPort{0};                     ///< Mount: where NFS over RDMA is to be found.

    [[nodiscard]] bool IsOk() const
    {
        return outcome == RpcOutcome::SUCCESS && status == MountStatus::OK;
    }
};

/**
 * \brief What a Linux client says over TCP before and after it speaks NFSv3 or NFSv2 over RDMA: the
 * calls, credentials and connections of mount.nfs and umount.nfs with Linux 6.1, as captured.
 *
 *     mount (the kernel):   A  111     GETPORT of MOUNT over TCP, AUTH_SYS without groups
 *                           B  MOUNT   NULL; MNT, AUTH_SYS without groups; from a reserved port
 *     umount (umount.nfs):  C  111     GETPORT of MOUNT over TCP, AUTH_NONE
 *                           D  MOUNT   NULL
 *                           E  MOUNT   UMNT, AUTH_SYS with its group among the groups; from a
 *                                      reserved port
 *
 * Each letter is a connection of its own that ends before the next one. The port mapper is asked by
 * version 2. No reserved port is used twice. Where NFS listens is not asked, unless NfsPortLookup
 * is set: then before all else, rpcbind version 4, GETADDR of NFS under netid rdma (RFC 8267
 * section 4.2).
 *
 * One at a time: Mount(), later Unmount().
 *
 * Attributes: MountVersion, NfsPortLookup, NfsPort.
 */
class NfsMount : public Object
{
  public:
    static TypeId GetTypeId();

    void SetNode(Ptr<Node> node)
    {
        m_node = node;
    }

    /// The processor that calls run on. Default: one for each connection.
    void SetHostCpu(Ptr<HostCpu> cpu)
    {
        m_cpu = cpu;
    }

    void SetServer(IpAddress server)
    {
        m_server = server;
    }

    [[nodiscard]] IpAddress GetServer() const
    {
        return m_server;
    }

    /// \param path of the directory to mount, on the server
    void SetPath(const std::string& path)
    {
        m_path = path;
    }

    /// \param version of NFS, 2 or 3: MOUNT's is 1 or 3, unless MountVersion says another
    void SetNfsVersion(uint32_t version)
    {
        m_nfsVersion = version;
    }

    /// \return the version of MOUNT that is spoken.
    [[nodiscard]] uint32_t GetMountVersion() const;

    /// Of the user, root; its groups are not used.
    void SetCredential(const AuthSysCredential& credential)
    {
        m_credential = credential;
    }

    /// XID of the first call; the following ones count up from it.
    void SetFirstXid(uint32_t xid)
    {
        m_xid = xid;
    }

    using Done = std::function<void(const NfsMountResult& result)>;
    void Mount(Done done);
    void Unmount(Done done);

    /// \return whether a mount or umount is under way.
    [[nodiscard]] bool IsBusy() const
    {
        return m_done != nullptr;
    }

    [[nodiscard]] std::vector<std::string> DescribeWaiting() const;

    /// Trace source "CallCompleted": each call of the sequence, in order.
    typedef void (*CallCompletedTracedCallback)(const RpcRecord& record);

  protected:
    void DoDispose() override;

  private:
    /// Who a call says it comes from.
    enum class Identity
    {
        NOBODY, ///< AUTH_NONE.
        KERNEL, ///< AUTH_SYS without groups.
        USER    ///< AUTH_SYS with the group among the groups.
    };

    using PortCallback = std::function<void(uint16_t port)>;

    void Open(uint16_t port, uint32_t program, uint32_t version, Identity who, bool reserved);
    void Close();
    template <typename Procedure>
    void Call(const typename Procedure::Arguments& arguments,
              StubCompletion<typename Procedure::Results> next);
    void TakeReservedPort(uint16_t port);
    void FindNfs();
    /// Asks rpcbind for the address of a program.
    void FindService(uint32_t program,
                     uint32_t version,
                     const std::string& netid,
                     Identity who,
                     PortCallback next);
    void FindMountd(Identity who, PortCallback next);
    /// Closes the connection to rpcbind and goes on, or ends if \p port is none.
    void TakePort(uint32_t port, const PortCallback& next);
    void CallMnt(uint16_t port);
    /// Makes a handle that MOUNT version 3 gave one of NFSv2.
    void PadHandle();
    void PingBeforeUmnt(uint16_t port);
    void CallUmnt(uint16_t port);
    void End();

    Ptr<Node> m_node;
    Ptr<HostCpu> m_cpu;
    IpAddress m_server;
    std::string m_path;
    uint32_t m_nfsVersion{3};
    uint32_t m_mountVersion{0}; ///< 0: by the version of NFS.
    bool m_nfsPortLookup{false};
    uint16_t m_nfsPort{0};
    AuthSysCredential m_credential;
    uint32_t m_xid{1};
    uint16_t m_reservedPort{MAX_RESERVED_PORT}; ///< For the next connection from one.
    Done m_done;
    NfsMountResult m_result;
    bool m_failed{false}; ///< The latest mount.
    Ptr<RpcTcpClient> m_transport;
    Ptr<RpcClient> m_client;
    std::vector<Ptr<RpcTcpClient>> m_old; ///< Connections that are over, or about to be.
    TracedCallback<const RpcRecord&> m_callCompletedTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_AUTOMOUNTER_H
