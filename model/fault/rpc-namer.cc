/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/rpc-namer.h"

#include "nfs/v2/types2.h"
#include "nfs/v3/acl-messages3.h"
#include "nfs/v3/status3.h"
#include "nfs/v4/protocol/callback-compound.h"
#include "nfs/v4/protocol/compound.h"
#include "rpc/message.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t NFS_V3 = 3;
constexpr std::string_view ACL_PREFIX = "NFSACL3 ";

template <typename Arguments>
void
AddOperations(XdrReader& reader, RpcName& name)
{
    const auto compound = Arguments::Decode(reader);
    if (!compound)
    {
        return;
    }
    for (const auto& op : compound->ops)
    {
        name.procedures.emplace_back(ToString(GetOp(op)));
    }
    using Op = decltype(GetOp(compound->ops.front()));
    if (compound->error && compound->error->op != 0)
    {
        name.procedures.emplace_back(ToString(static_cast<Op>(compound->error->op)));
    }
}

/// Moves \p reader to the arguments; \return whether they can be read.
bool
FindArguments(const RpcCallHeader& header, XdrReader& reader)
{
    if (header.flavor != RpcAuthFlavor::GSS)
    {
        return true;
    }
    if (header.gss.procedure != RpcSecGssProcedure::DATA ||
        header.gss.service == RpcSecGssService::PRIVACY)
    {
        return false;
    }
    if (header.gss.service == RpcSecGssService::INTEGRITY)
    {
        reader.ReadU32(); // Length.
        reader.ReadU32(); // Sequence number.
    }
    return true;
}

void
NameNfs(const RpcCallHeader& header, XdrReader& reader, RpcName& name)
{
    name.program = "nfs";
    const auto procedure = header.procedure;
    if (header.version == NFS_V3 && procedure < NFS3_PROCEDURES)
    {
        name.procedures.emplace_back(ToString(static_cast<Nfs3Procedure>(procedure)));
    }
    else if (header.version == NFS_V2 && procedure < NFS2_PROCEDURES)
    {
        name.procedures.emplace_back(ToString(static_cast<Nfs2Procedure>(procedure)));
    }
    else if (header.version == NFS_V4 && procedure <= 1)
    {
        name.procedures.emplace_back(procedure == 0 ? "NULL" : "COMPOUND");
        if (procedure == 1 && FindArguments(header, reader))
        {
            AddOperations<Compound4Args>(reader, name);
        }
    }
}

} // namespace

RpcName
NameRpcCall(ByteSpan call)
{
    RpcName name;
    XdrReader reader(call);
    const auto header = RpcCallHeader::Decode(reader);
    if (!header)
    {
        return name;
    }
    if (header->program == NFS_PROGRAM)
    {
        NameNfs(*header, reader, name);
    }
    else if (header->program == NFSACL_PROGRAM)
    {
        name.program = "nfsacl";
        if (header->procedure < NFSACL3_PROCEDURES)
        {
            const std::string_view full =
                ToString(static_cast<NfsAcl3Procedure>(header->procedure));
            name.procedures.push_back(full.substr(0, ACL_PREFIX.size()) == ACL_PREFIX
                                          ? full.substr(ACL_PREFIX.size())
                                          : full);
        }
    }
    else if (header->program == NFS4_CALLBACK_PROGRAM)
    {
        name.program = "callback";
        name.procedures.emplace_back(header->procedure == 0 ? "CB_NULL" : "CB_COMPOUND");
        if (header->procedure == 1 && FindArguments(*header, reader))
        {
            AddOperations<CbCompound4Args>(reader, name);
        }
    }
    return name;
}

} // namespace ns3::nfsrdma
