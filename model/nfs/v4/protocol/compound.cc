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

constexpr uint32_t LAST_MINOR_VERSION = 2;

template <typename Args>
struct ArgsOp
{
    static constexpr Nfs4Op VALUE = Args::OP;
};

template <typename Args, typename Results>
struct SameOrder;

template <typename... Args, typename... Results>
struct SameOrder<std::variant<Args...>, std::variant<Results...>>
{
    static constexpr bool VALUE = (std::is_same_v<typename Args::Result, Results> && ...);
};

static_assert(SameOrder<Nfs4ArgVariant, Nfs4ResVariant>::VALUE,
              "arguments and results by the same order");

using ArgUnion = Nfs4OpUnion<Nfs4ArgOp, ArgsOp>;

template <typename Result, std::size_t I = 0>
constexpr Nfs4Op
FindResultOp()
{
    using Args = std::variant_alternative_t<I, Nfs4ArgVariant>;
    if constexpr (std::is_same_v<typename Args::Result, Result>)
    {
        return Args::OP;
    }
    else
    {
        return FindResultOp<Result, I + 1>();
    }
}

template <typename Result>
struct ResultOp
{
    static constexpr Nfs4Op VALUE = FindResultOp<Result>();
};

using ResUnion = Nfs4OpUnion<Nfs4ResOp, ResultOp>;

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
    const std::size_t index = ResUnion::Find(static_cast<uint32_t>(op));
    Nfs4ResOp result;
    ResUnion::Emplace(result, index < ResUnion::COUNT ? index : ResUnion::COUNT - 1);
    std::visit([status](auto& operation) { operation.status = status; }, result);
    return result;
}

bool
GivesItem(Nfs4Op op)
{
    return op == Nfs4Op::READ || op == Nfs4Op::READLINK;
}

const Nfs3Data*
GetItem(const Nfs4ArgOp& args)
{
    if (const auto* write = std::get_if<WriteArgs4>(&args))
    {
        return &write->data;
    }
    const auto* create = std::get_if<CreateArgs4>(&args);
    return create != nullptr && create->type == Ftype4::LNK ? &create->link : nullptr;
}

const Nfs3Data*
GetItem(const Nfs4ResOp& result)
{
    if (GetStatus(result) != Nfs4Status::OK)
    {
        return nullptr;
    }
    if (const auto* read = std::get_if<ReadRes4>(&result))
    {
        return &read->data;
    }
    const auto* readlink = std::get_if<ReadlinkRes4>(&result);
    return readlink != nullptr ? &readlink->link : nullptr;
}

void
Compound4Args::Encode(XdrWriter& writer, std::vector<uint32_t>* reducedAt) const
{
    Nfs4Encoder encoder(writer, reducedAt);
    encoder(tag, minorVersion, static_cast<uint32_t>(ops.size()));
    for (const Nfs4ArgOp& op : ops)
    {
        ArgUnion::Encode(op, encoder);
    }
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
    if (args.minorVersion > LAST_MINOR_VERSION)
    {
        return args;
    }
    const uint32_t count = std::min({args.opCount, maxOps, NFS4_MAX_DECODED_OPS});
    for (uint32_t i = 0; i < count; ++i)
    {
        const uint32_t op = reader.ReadU32();
        const bool known = IsLegal(op, args.minorVersion) || op == ArgUnion::GetOp(IllegalArgs4());
        if (!reader.Ok() || !known)
        {
            args.error = {op, reader.Ok() ? Nfs4Status::OP_ILLEGAL : Nfs4Status::BADXDR};
            break;
        }
        ArgUnion::Decode(args.ops.emplace_back(), ArgUnion::Find(op), decoder);
        if (!reader.Ok())
        {
            args.ops.pop_back();
            args.error = {op, Nfs4Status::BADXDR};
            break;
        }
    }
    return args;
}

void
Compound4Res::Encode(XdrWriter& writer, std::vector<uint32_t>* reducedAt) const
{
    Nfs4Encoder encoder(writer, reducedAt);
    encoder(status, tag, static_cast<uint32_t>(ops.size()));
    for (const Nfs4ResOp& op : ops)
    {
        ResUnion::Encode(op, encoder);
    }
}

Decoded<Compound4Res>
Compound4Res::Decode(XdrReader& reader, Nfs4DataItems* items)
{
    Compound4Res result;
    Nfs4Decoder decoder(reader, items);
    uint32_t count = 0;
    decoder(result.status, result.tag, count);
    if (count > NFS4_MAX_DECODED_OPS)
    {
        reader.Fail();
    }
    for (uint32_t i = 0; i < count && reader.Ok(); ++i)
    {
        const std::size_t index = ResUnion::Find(reader.ReadU32());
        if (index == ResUnion::COUNT)
        {
            reader.Fail();
            break;
        }
        ResUnion::Decode(result.ops.emplace_back(), index, decoder);
    }
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    return result;
}

} // namespace ns3::nfsrdma
