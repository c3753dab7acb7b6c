/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_MOUNT_NSM_SERVER_H
#define NFSRDMA_NFS_MOUNT_NSM_SERVER_H

#include "nfs/mount/nsm-messages.h"
#include "nfs/mount/rpc-peer.h"
#include "wire/ip-address.h"

#include "ns3/node.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace ns3::nfsrdma
{

/**
 * \brief Program 100024 (statd) of one host: tells other hosts that this one has restarted, and the
 * lock manager here that another one has.
 *
 * Hosts are named by their addresses, in dotted numbers. MON, UNMON, UNMON_ALL and SIMU_CRASH of
 * other hosts are refused, as by rpc.statd, which takes them from the host itself alone; here the
 * lock manager calls Monitor(). The state number and the names of hosts that are monitored survive
 * a restart, as in /var/lib/nfs.
 */
class NsmServer : public RpcProgram
{
  public:
    static TypeId GetTypeId();

    /// \param node this host
    /// \param address how other hosts know it
    NsmServer(Ptr<Node> node, IpAddress address);

    /// Called with the name of a host that has restarted, and its state number.
    using Restarted = std::function<void(const std::string& host, uint32_t state)>;

    /// Who is to know of monitored hosts that have restarted.
    void SetRestartedCallback(Restarted restarted)
    {
        m_restarted = std::move(restarted);
    }

    /// \param host dotted numbers
    void Monitor(const std::string& host)
    {
        m_hosts.insert(host);
    }

    void Unmonitor(const std::string& host)
    {
        m_hosts.erase(host);
    }

    [[nodiscard]] bool IsMonitored(const std::string& host) const
    {
        return m_hosts.count(host) > 0;
    }

    /// \return odd: the host is up.
    [[nodiscard]] uint32_t GetState() const
    {
        return m_state;
    }

    /// The host has restarted: its state counts up by two, and every host that was monitored is
    /// told (NOTIFY).
    void Restart();

    [[nodiscard]] uint32_t GetProgram() const override;
    [[nodiscard]] uint32_t GetVersion() const override;

    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override
    {
        done(Serve(*call));
    }

    /// Trace source "HostRestarted": a monitored host says so: its name, its state number.
    typedef void (*HostRestartedTracedCallback)(const std::string& host, uint32_t state);

  private:
    void DoDispose() override;

    [[nodiscard]] RpcServerReply Serve(const RpcServerCall& call);
    void TakeNotify(const NsmNotifyArgs& args);

    Ptr<Node> m_node;
    IpAddress m_address;
    uint32_t m_state{1};
    std::set<std::string> m_hosts;
    std::map<std::string, Ptr<RpcPeer>> m_peers;
    Restarted m_restarted;
    TracedCallback<const std::string&, uint32_t> m_hostRestartedTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_NSM_SERVER_H
