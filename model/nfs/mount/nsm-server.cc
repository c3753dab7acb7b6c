/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/nsm-server.h"

#include <sstream>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(NsmServer);

TypeId
NsmServer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::NsmServer")
            .SetParent<RpcProgram>()
            .SetGroupName("NfsRdma")
            .AddTraceSource("HostRestarted",
                            "A monitored host says that it has restarted: its name, its state "
                            "number.",
                            MakeTraceSourceAccessor(&NsmServer::m_hostRestartedTrace),
                            "ns3::nfsrdma::NsmServer::HostRestartedTracedCallback");
    return tid;
}

NsmServer::NsmServer(Ptr<Node> node, IpAddress address)
    : m_node(node),
      m_address(address)
{
}

void
NsmServer::DoDispose()
{
    for (const auto& [host, peer] : m_peers)
    {
        peer->Dispose();
    }
    m_peers.clear();
    m_restarted = nullptr;
    m_node = nullptr;
    RpcProgram::DoDispose();
}

void
NsmServer::Restart()
{
    m_state += 2;
    std::ostringstream name;
    name << m_address;
    for (const std::string& host : m_hosts)
    {
        Ptr<RpcPeer>& peer = m_peers[host];
        if (!peer)
        {
            peer = CreateObject<RpcPeer>(m_node, *IpAddress::Parse(host), NSM_PROGRAM, NSM_V1);
        }
        peer->Call<NsmNotify>({name.str(), m_state},
                              [peer = peer](RpcRecord&, const XdrVoid&) { peer->Disconnect(); });
    }
}

uint32_t
NsmServer::GetProgram() const
{
    return NSM_PROGRAM;
}

uint32_t
NsmServer::GetVersion() const
{
    return NSM_V1;
}

RpcServerReply
NsmServer::Serve(const RpcServerCall& call)
{
    switch (static_cast<NsmProcedure>(call.header.procedure))
    {
    case NsmProcedure::NULLPROC:
        return ServeStub<NsmNull>(call, [](const XdrVoid&) { return XdrVoid(); });
    case NsmProcedure::STAT:
        return ServeStub<NsmStat>(call, [this](const NsmName&) {
            return NsmStatRes{false, m_state};
        });
    case NsmProcedure::MON:
        return ServeStub<NsmMon>(call, [this](const NsmMonArgs&) {
            return NsmStatRes{true, m_state};
        });
    case NsmProcedure::UNMON:
        return ServeStub<NsmUnmon>(call, [this](const NsmMonId&) { return NsmState{m_state}; });
    case NsmProcedure::UNMON_ALL:
        return ServeStub<NsmUnmonAll>(call, [this](const NsmMyId&) { return NsmState{m_state}; });
    case NsmProcedure::SIMU_CRASH:
        return ServeStub<NsmSimuCrash>(call, [](const XdrVoid&) { return XdrVoid(); });
    case NsmProcedure::NOTIFY:
        return ServeStub<NsmNotify>(call, [this](const NsmNotifyArgs& args) {
            TakeNotify(args);
            return XdrVoid();
        });
    }
    return RefuseStubCall(RpcAcceptStatus::PROC_UNAVAIL);
}

void
NsmServer::TakeNotify(const NsmNotifyArgs& args)
{
    if (m_hosts.count(args.name) == 0)
    {
        return;
    }
    m_hostRestartedTrace(args.name, args.state);
    if (m_restarted)
    {
        m_restarted(args.name, args.state);
    }
}

} // namespace ns3::nfsrdma
