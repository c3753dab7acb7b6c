/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_ANY_OP_H
#define NFSRDMA_NFS_V4_PROTOCOL_ANY_OP_H

#include <type_traits>
#include <utility>
#include <variant>

namespace ns3::nfsrdma
{

/// Whether \p Operation is one of the alternatives of a std::variant.
template <typename Operation, typename OpVariant>
struct IsNfs4Alternative;

template <typename Operation, typename... Alternatives>
struct IsNfs4Alternative<Operation, std::variant<Alternatives...>>
    : std::disjunction<std::is_same<Operation, Alternatives>...>
{
};

/// Whether the arguments or results of an operation can have a DDP-eligible item: GetItem() gives
/// it.
template <typename Operation, typename = void>
struct Nfs4HasItem : std::false_type
{
};

template <typename Operation>
struct Nfs4HasItem<Operation, std::void_t<decltype(std::declval<const Operation&>().GetItem())>>
    : std::true_type
{
};

/// What \p Operation, the arguments or results of one, belongs to: OP, its number; of arguments
/// also Result, the type of the results. One for each row of operations.def and callbacks.def.
template <typename Operation>
struct Nfs4OpOf;

template <typename Args>
using Nfs4ResultOf = typename Nfs4OpOf<Args>::Result;

/// A std::variant of the types after the first, so that each of a list may begin with a comma.
template <typename Start, typename... Operations>
struct Nfs4OpList
{
    using Variant = std::variant<Operations...>;
};

/**
 * \brief An operation of a union such as nfs_argop4: an \p OpVariant (std::variant) in every
 * respect.
 *
 * What copies, moves and destroys one of seventy alternatives is compiled once, for the unions that
 * any-op.cc names, and not in every source that has a list of operations.
 */
template <typename OpVariant>
class Nfs4AnyOp : public OpVariant
{
  public:
    using Variant = OpVariant;

    /// The first alternative.
    Nfs4AnyOp();

    template <
        typename Operation,
        typename = std::enable_if_t<IsNfs4Alternative<std::decay_t<Operation>, Variant>::value>>
    Nfs4AnyOp(Operation&& operation)
        : Variant(std::in_place_type<std::decay_t<Operation>>, std::forward<Operation>(operation))
    {
    }

    Nfs4AnyOp(const Nfs4AnyOp& other);
    Nfs4AnyOp(Nfs4AnyOp&& other) noexcept;
    Nfs4AnyOp& operator=(const Nfs4AnyOp& other);
    Nfs4AnyOp& operator=(Nfs4AnyOp&& other) noexcept;
    ~Nfs4AnyOp();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_ANY_OP_H
