/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/security/flavour.h"

#include "rpc/client.h"
#include "rpc/prefix.h"

#include "ns3/abort.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RpcSecurity);
NS_OBJECT_ENSURE_REGISTERED(AuthNoneSecurity);
NS_OBJECT_ENSURE_REGISTERED(AuthSysSecurity);

namespace
{

// What call_allocate of Linux's net/sunrpc/clnt.c has ready, in octets: RPC_CALLHDRSIZE and twice
// au_cslack (NUL_CALLSLACK, UNX_CALLSLACK).
constexpr uint32_t NONE_HEADER_ROOM = 4 * (6 + 2 * 4);
constexpr uint32_t SYS_HEADER_ROOM = 4 * (6 + 2 * (21 + 64 / 4));

void
SubmitWith(RpcCallHeader& header, RpcClient& client, std::unique_ptr<RpcTransportCall> call)
{
    header.xid = call->record.xid;
    header.program = call->record.program;
    header.version = call->record.version;
    header.procedure = call->record.procedure;
    XdrWriter writer;
    writer.Reserve(header.EncodedSize() + call->call.octets.size());
    header.Encode(writer);
    const uint32_t room = header.flavor == RpcAuthFlavor::SYS ? SYS_HEADER_ROOM : NONE_HEADER_ROOM;
    call->call = Prefix(std::move(writer), std::move(call->call), room);
    client.GetTransport()->Submit(std::move(call));
}

} // namespace

TypeId
RpcSecurity::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RpcSecurity").SetParent<Object>().SetGroupName("NfsRdma");
    return tid;
}

TypeId
AuthNoneSecurity::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::AuthNoneSecurity")
                            .SetParent<RpcSecurity>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<AuthNoneSecurity>();
    return tid;
}

void
AuthNoneSecurity::Submit(RpcClient& client, std::unique_ptr<RpcTransportCall> call)
{
    RpcCallHeader header;
    SubmitWith(header, client, std::move(call));
}

TypeId
AuthSysSecurity::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::AuthSysSecurity")
                            .SetParent<RpcSecurity>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<AuthSysSecurity>();
    return tid;
}

void
AuthSysSecurity::SetCredential(const AuthSysCredential& credential)
{
    NS_ABORT_MSG_IF(credential.machineName.size() > AuthSysCredential::MAX_MACHINE_NAME ||
                        credential.gids.size() > AuthSysCredential::MAX_GIDS,
                    "AUTH_SYS credential passes the limits of RFC 5531");
    m_header.flavor = RpcAuthFlavor::SYS;
    m_header.authSys = credential;
}

void
AuthSysSecurity::Submit(RpcClient& client, std::unique_ptr<RpcTransportCall> call)
{
    SubmitWith(m_header, client, std::move(call));
}

} // namespace ns3::nfsrdma
