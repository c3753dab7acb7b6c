/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_OP_UNION_H
#define NFSRDMA_NFS_V4_PROTOCOL_OP_UNION_H

#include "nfs/v4/protocol/any-op.h"
#include "nfs/v4/protocol/xdr.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief A union told by an operation's number (nfs_argop4, nfs_resop4 and those of callbacks) as a
 * Nfs4AnyOp of messages; Nfs4OpOf gives the number of each.
 */
template <typename Union>
class Nfs4OpUnion
{
  public:
    template <std::size_t I>
    using Alternative = std::variant_alternative_t<I, typename Union::Variant>;
    static constexpr std::size_t COUNT = std::variant_size_v<typename Union::Variant>;

    /// \return the alternative with operation number \p op; COUNT: none.
    [[nodiscard]] static std::size_t Find(uint32_t op)
    {
        static constexpr auto NUMBERS = MakeNumbers(std::make_index_sequence<COUNT>());
        for (std::size_t i = 0; i < COUNT; ++i)
        {
            if (NUMBERS[i] == op)
            {
                return i;
            }
        }
        return COUNT;
    }

    /// \return the number of the operation in \p value.
    [[nodiscard]] static uint32_t GetOp(const Union& value)
    {
        static constexpr auto NUMBERS = MakeNumbers(std::make_index_sequence<COUNT>());
        return NUMBERS[value.index()];
    }

    /// Writes the number and the fields.
    static void Encode(const Union& value, Nfs4Encoder& encoder)
    {
        encoder(GetOp(value));
        std::visit([&encoder](const auto& operation) { encoder(operation); }, value);
    }

    /// Makes \p value alternative \p index (below COUNT) with nothing set.
    static void Emplace(Union& value, std::size_t index)
    {
        static constexpr auto MAKERS = MakeMakers(std::make_index_sequence<COUNT>());
        MAKERS[index](value);
    }

    /// Reads the fields of alternative \p index, below COUNT, into \p value.
    static void Decode(Union& value, std::size_t index, Nfs4Decoder& decoder)
    {
        Emplace(value, index);
        std::visit([&decoder](auto& operation) { decoder(operation); }, value);
    }

    static void EncodeAll(const std::vector<Union>& ops, Nfs4Encoder& encoder)
    {
        for (const Union& op : ops)
        {
            Encode(op, encoder);
        }
    }

    /// \return results of \p op (of the last alternative when there is none) with \p status alone.
    [[nodiscard]] static Union MakeResult(uint32_t op, Nfs4Status status)
    {
        const std::size_t index = Find(op);
        Union result;
        Emplace(result, index < COUNT ? index : COUNT - 1);
        std::visit([status](auto& operation) { operation.status = status; }, result);
        return result;
    }

    /**
     * \brief Reads at most \p most operations of a call into args.ops, as far as they can be
     * decoded; which one could not be is in args.error.
     * \param isKnown (number of an operation): whether an alternative has it and it may be called
     */
    template <typename Args, typename IsKnown>
    static void DecodeCalls(Args& args,
                            uint32_t most,
                            XdrReader& reader,
                            Nfs4Decoder& decoder,
                            IsKnown isKnown)
    {
        const uint32_t count = std::min(args.opCount, most);
        for (uint32_t i = 0; i < count; ++i)
        {
            const uint32_t op = reader.ReadU32();
            const bool known = isKnown(op);
            if (!reader.Ok() || !known)
            {
                args.error = {op, reader.Ok() ? Nfs4Status::OP_ILLEGAL : Nfs4Status::BADXDR};
                break;
            }
            Decode(args.ops.emplace_back(), Find(op), decoder);
            if (!reader.Ok())
            {
                args.ops.pop_back();
                args.error = {op, Nfs4Status::BADXDR};
                break;
            }
        }
    }

    /// Reads results.status, results.tag and a list of at most \p most operations into results.ops;
    /// \p reader fails when there are more, or one has no alternative.
    template <typename Results>
    static void DecodeResults(Results& results,
                              uint32_t most,
                              XdrReader& reader,
                              Nfs4Decoder& decoder)
    {
        uint32_t count = 0;
        decoder(results.status, results.tag, count);
        if (count > most)
        {
            reader.Fail();
        }
        for (uint32_t i = 0; i < count && reader.Ok(); ++i)
        {
            const std::size_t index = Find(reader.ReadU32());
            if (index == COUNT)
            {
                reader.Fail();
                break;
            }
            Decode(results.ops.emplace_back(), index, decoder);
        }
    }

  private:
    template <std::size_t... I>
    static constexpr std::array<uint32_t, COUNT> MakeNumbers(std::index_sequence<I...>)
    {
        return {static_cast<uint32_t>(Nfs4OpOf<Alternative<I>>::OP)...};
    }

    using Maker = void (*)(Union&);

    template <std::size_t... I>
    static constexpr std::array<Maker, COUNT> MakeMakers(std::index_sequence<I...>)
    {
        return {[](Union& value) { value.template emplace<I>(); }...};
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_OP_UNION_H
