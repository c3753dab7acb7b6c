/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/rpcbind-server.h"

#include "mpa/internet-address.h"
#include "nfs/mount/universal-address.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RpcbindServer);

TypeId
RpcbindServer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RpcbindServer")
            .SetParent<RpcProgram>()
            .SetGroupName("NfsRdma")
            .AddAttribute("Insecure",
                          "Whether SET and UNSET of other hosts are carried out (rpcbind -i). "
                          "Default: rpcbind's.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RpcbindServer::m_insecure),
                          MakeBooleanChecker());
    return tid;
}

RpcbindServer::RpcbindServer(uint32_t version, std::shared_ptr<RpcbindTable> table, IpAddress host)
    : m_version(version),
      m_table(std::move(table)),
      m_host(host)
{
}

uint32_t
RpcbindServer::GetProgram() const
{
    return RPCBIND_PROGRAM;
}

bool
RpcbindServer::MayChange(const RpcServerCall& call) const
{
    return m_insecure || call.source.IsLoopback();
}

void
RpcbindServer::Dispatch(std::shared_ptr<RpcServerCall> call, Done done)
{
    RpcServerReply reply = m_version == PORTMAP_V2 ? ServePortmap(*call) : ServeRpcbind(*call);
    if (reply.status == RpcAcceptStatus::SUCCESS)
    {
        ++m_calls;
    }
    done(std::move(reply));
}

PortMappingList
RpcbindServer::ListPorts() const
{
    PortMappingList list;
    for (const RpcbindMapping& mapping : m_table->GetMappings())
    {
        for (const uint32_t protocol : {PORTMAP_TCP, PORTMAP_UDP})
        {
            const auto address = ParseUniversalAddress(mapping.address);
            if (RpcbindTable::GetNetid(protocol) == mapping.netid && address)
            {
                list.mappings.push_back(
                    {mapping.program, mapping.version, protocol, GetPortOf(*address)});
            }
        }
    }
    return list;
}

RpcServerReply
RpcbindServer::ServePortmap(const RpcServerCall& call)
{
    switch (static_cast<PortmapProcedure>(call.header.procedure))
    {
    case PortmapProcedure::NULLPROC:
        return ServeStub<PortmapNull>(call, [](const XdrVoid&) { return XdrVoid(); });
    case PortmapProcedure::SET:
        return ServeStub<PortmapSet>(call, [this, &call](const PortMapping& mapping) {
            const auto netid = RpcbindTable::GetNetid(mapping.protocol);
            const auto port = static_cast<uint16_t>(mapping.port);
            return XdrBool{netid && port == mapping.port && MayChange(call) &&
                           m_table->Set({mapping.program,
                                         mapping.version,
                                         *netid,
                                         ToUniversalAddress(MakeSocketAddress(m_host, port)),
                                         "unknown"})};
        });
    case PortmapProcedure::UNSET:
        return ServeStub<PortmapUnset>(call, [this, &call](const PortMapping& mapping) {
            return XdrBool{MayChange(call) && m_table->Unset(mapping.program, mapping.version, "")};
        });
    case PortmapProcedure::GETPORT:
        return ServeStub<PortmapGetport>(call, [this](const PortMapping& mapping) {
            const auto netid = RpcbindTable::GetNetid(mapping.protocol);
            return XdrWord{netid ? m_table->FindPort(mapping.program, mapping.version, *netid)
                                 : 0U};
        });
    case PortmapProcedure::DUMP:
        return ServeStub<PortmapDump>(call, [this](const XdrVoid&) { return ListPorts(); });
    }
    return RefuseStubCall(RpcAcceptStatus::PROC_UNAVAIL);
}

RpcServerReply
RpcbindServer::ServeRpcbind(const RpcServerCall& call)
{
    const auto find = [this](const RpcbindMapping& mapping, bool exact) {
        return RpcbindAddress{
            m_table->FindAddress(mapping.program, mapping.version, mapping.netid, exact)};
    };
    switch (static_cast<RpcbindProcedure>(call.header.procedure))
    {
    case RpcbindProcedure::NULLPROC:
        return ServeStub<RpcbindNull>(call, [](const XdrVoid&) { return XdrVoid(); });
    case RpcbindProcedure::SET:
        return ServeStub<RpcbindSet>(call, [this, &call](const RpcbindMapping& mapping) {
            return XdrBool{MayChange(call) && m_table->Set(mapping)};
        });
    case RpcbindProcedure::UNSET:
        return ServeStub<RpcbindUnset>(call, [this, &call](const RpcbindMapping& mapping) {
            return XdrBool{MayChange(call) &&
                           m_table->Unset(mapping.program, mapping.version, mapping.netid)};
        });
    case RpcbindProcedure::GETADDR:
        return ServeStub<RpcbindGetaddr>(call, [&find](const RpcbindMapping& mapping) {
            return find(mapping, false);
        });
    case RpcbindProcedure::DUMP:
        return ServeStub<RpcbindDump>(call, [this](const XdrVoid&) {
            return RpcbindMappingList{m_table->GetMappings()};
        });
    case RpcbindProcedure::GETTIME:
        return ServeStub<RpcbindGettime>(call, [](const XdrVoid&) {
            return XdrWord{static_cast<uint32_t>(Simulator::Now().GetSeconds())};
        });
    case RpcbindProcedure::GETVERSADDR:
        if (m_version == RPCBIND_V4)
        {
            return ServeStub<RpcbindGetversaddr>(call, [&find](const RpcbindMapping& mapping) {
                return find(mapping, true);
            });
        }
        break;
    }
    return RefuseStubCall(RpcAcceptStatus::PROC_UNAVAIL);
}

} // namespace ns3::nfsrdma
