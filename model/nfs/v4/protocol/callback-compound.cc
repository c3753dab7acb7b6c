/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/callback-compound.h"

#include "nfs/v4/protocol/op-union.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

using CbArgUnion = Nfs4OpUnion<Nfs4CbArgOp>;
using CbResUnion = Nfs4OpUnion<Nfs4CbResOp>;

} // namespace

Nfs4CbOp
GetOp(const Nfs4CbArgOp& args)
{
    return static_cast<Nfs4CbOp>(CbArgUnion::GetOp(args));
}

Nfs4CbOp
GetOp(const Nfs4CbResOp& result)
{
    return static_cast<Nfs4CbOp>(CbResUnion::GetOp(result));
}

Nfs4Status
GetStatus(const Nfs4CbResOp& result)
{
    return std::visit([](const auto& operation) { return operation.status; }, result);
}

Nfs4CbResOp
MakeResult(Nfs4CbOp op, Nfs4Status status)
{
    return CbResUnion::MakeResult(static_cast<uint32_t>(op), status);
}

void
CbCompound4Args::Encode(XdrWriter& writer) const
{
    Nfs4Encoder encoder(writer);
    encoder(tag, minorVersion, callbackIdent, static_cast<uint32_t>(ops.size()));
    CbArgUnion::EncodeAll(ops, encoder);
}

Decoded<CbCompound4Args>
CbCompound4Args::Decode(XdrReader& reader, uint32_t maxOps)
{
    CbCompound4Args args;
    Nfs4Decoder decoder(reader);
    decoder(args.tag, args.minorVersion, args.callbackIdent, args.opCount);
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    CbArgUnion::DecodeCalls(args,
                            std::min(maxOps, NFS4_MAX_DECODED_OPS),
                            reader,
                            decoder,
                            [&args](uint32_t op) {
                                return IsLegalCallback(op, args.minorVersion) ||
                                       op == CbArgUnion::GetOp(CbIllegalArgs4());
                            });
    return args;
}

void
CbCompound4Res::Encode(XdrWriter& writer) const
{
    Nfs4Encoder encoder(writer);
    encoder(status, tag, static_cast<uint32_t>(ops.size()));
    CbResUnion::EncodeAll(ops, encoder);
}

Decoded<CbCompound4Res>
CbCompound4Res::Decode(XdrReader& reader)
{
    CbCompound4Res result;
    Nfs4Decoder decoder(reader);
    CbResUnion::DecodeResults(result, NFS4_MAX_DECODED_OPS, reader, decoder);
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    return result;
}

} // namespace ns3::nfsrdma
