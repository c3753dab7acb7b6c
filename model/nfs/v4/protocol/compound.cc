/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/compound.h"

#include "nfs/v4/protocol/op-union.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

using ArgUnion = Nfs4OpUnion<Nfs4ArgOp>;
using ResUnion = Nfs4OpUnion<Nfs4ResOp>;

template <typename Operation>
const Nfs3Data*
FindItem([[maybe_unused]] const Operation& operation)
{
    if constexpr (Nfs4HasItem<Operation>::value)
    {
        return operation.GetItem();
    }
    else
    {
        return nullptr;
    }
}

} // namespace

Nfs4Op
GetOp(const Nfs4ArgOp& args)
{
    return static_cast<Nfs4Op>(ArgUnion::GetOp(args));
}

Nfs4Op
GetOp(const Nfs4ResOp& result)
{
    return static_cast<Nfs4Op>(ResUnion::GetOp(result));
}

Nfs4Status
GetStatus(const Nfs4ResOp& result)
{
    return std::visit([](const auto& operation) { return operation.status; }, result);
}

Nfs4ResOp
MakeResult(Nfs4Op op, Nfs4Status status)
{
    return ResUnion::MakeResult(static_cast<uint32_t>(op), status);
}

const Nfs3Data*
GetItem(const Nfs4ArgOp& args)
{
    return std::visit([](const auto& operation) { return FindItem(operation); }, args);
}

const Nfs3Data*
GetItem(const Nfs4ResOp& result)
{
    if (GetStatus(result) != Nfs4Status::OK)
    {
        return nullptr;
    }
    return std::visit([](const auto& operation) { return FindItem(operation); }, result);
}

void
Compound4Args::Encode(XdrWriter& writer, std::vector<uint32_t>* reducedAt) const
{
    Nfs4Encoder encoder(writer, reducedAt);
    encoder(tag, minorVersion, static_cast<uint32_t>(ops.size()));
    ArgUnion::EncodeAll(ops, encoder);
}

Decoded<Compound4Args>
Compound4Args::Decode(XdrReader& reader, Nfs4DataItems* items, uint32_t maxOps)
{
    Compound4Args args;
    Nfs4Decoder decoder(reader, items);
    decoder(args.tag, args.minorVersion, args.opCount);
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    if (args.minorVersion > NFS4_LAST_MINOR_VERSION)
    {
        return args;
    }
    ArgUnion::DecodeCalls(args,
                          std::min(maxOps, NFS4_MAX_DECODED_OPS),
                          reader,
                          decoder,
                          [&args](uint32_t op) {
                              return IsLegal(op, args.minorVersion) ||
                                     op == ArgUnion::GetOp(IllegalArgs4());
                          });
    return args;
}

void
Compound4Res::Encode(XdrWriter& writer, std::vector<uint32_t>* reducedAt) const
{
    Nfs4Encoder encoder(writer, reducedAt);
    encoder(status, tag, static_cast<uint32_t>(ops.size()));
    ResUnion::EncodeAll(ops, encoder);
}

Decoded<Compound4Res>
Compound4Res::Decode(XdrReader& reader, Nfs4DataItems* items)
{
    Compound4Res result;
    Nfs4Decoder decoder(reader, items);
    ResUnion::DecodeResults(result, NFS4_MAX_DECODED_OPS, reader, decoder);
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    return result;
}

} // namespace ns3::nfsrdma
