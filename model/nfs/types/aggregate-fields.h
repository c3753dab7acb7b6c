/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_AGGREGATE_FIELDS_H
#define NFSRDMA_NFS_TYPES_AGGREGATE_FIELDS_H

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ns3::nfsrdma
{

/**
 * \file
 * The members of an aggregate as a tuple, in the order of its declaration: what C++17 can say of a
 * struct that says nothing of itself. How many there are is tried out, with more and more
 * initializers; structured bindings then name them.
 */

/// Converts to anything, where nothing is evaluated.
struct AnyField
{
    template <typename T>
    operator T() const;
};

// Fewer initializers than members are what is tried.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

template <typename T, std::size_t... I>
constexpr auto
TakesFields(std::index_sequence<I...> /* places */, int /* preferred */)
    -> decltype(T{(static_cast<void>(I), AnyField())...}, bool())
{
    return true;
}

template <typename T, std::size_t... I>
constexpr bool
TakesFields(std::index_sequence<I...> /* places */, long /* otherwise */)
{
    return false;
}

#pragma GCC diagnostic pop

/// \return the members of \p T, an aggregate without a base that has any.
template <typename T, std::size_t N = 0>
constexpr std::size_t
CountFields()
{
    if constexpr (TakesFields<T>(std::make_index_sequence<N + 1>(), 0))
    {
        return CountFields<T, N + 1>();
    }
    else
    {
        return N;
    }
}

/// \return references to the members of \p item, 14 at most.
template <typename T>
constexpr auto
TieFields(T& item)
{
    constexpr std::size_t COUNT = CountFields<std::remove_const_t<T>>();
    static_assert(COUNT <= 14);
    if constexpr (COUNT == 0)
    {
        return std::tie();
    }
    else if constexpr (COUNT == 1)
    {
        auto& [a] = item;
        return std::tie(a);
    }
    else if constexpr (COUNT == 2)
    {
        auto& [a, b] = item;
        return std::tie(a, b);
    }
    else if constexpr (COUNT == 3)
    {
        auto& [a, b, c] = item;
        return std::tie(a, b, c);
    }
    else if constexpr (COUNT == 4)
    {
        auto& [a, b, c, d] = item;
        return std::tie(a, b, c, d);
    }
    else if constexpr (COUNT == 5)
    {
        auto& [a, b, c, d, e] = item;
        return std::tie(a, b, c, d, e);
    }
    else if constexpr (COUNT == 6)
    {
        auto& [a, b, c, d, e, f] = item;
        return std::tie(a, b, c, d, e, f);
    }
    else if constexpr (COUNT == 7)
    {
        auto& [a, b, c, d, e, f, g] = item;
        return std::tie(a, b, c, d, e, f, g);
    }
    else if constexpr (COUNT == 8)
    {
        auto& [a, b, c, d, e, f, g, h] = item;
        return std::tie(a, b, c, d, e, f, g, h);
    }
    else if constexpr (COUNT == 9)
    {
        auto& [a, b, c, d, e, f, g, h, i] = item;
        return std::tie(a, b, c, d, e, f, g, h, i);
    }
    else if constexpr (COUNT == 10)
    {
        auto& [a, b, c, d, e, f, g, h, i, j] = item;
        return std::tie(a, b, c, d, e, f, g, h, i, j);
    }
    else if constexpr (COUNT == 11)
    {
        auto& [a, b, c, d, e, f, g, h, i, j, k] = item;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k);
    }
    else if constexpr (COUNT == 12)
    {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l] = item;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
    }
    else if constexpr (COUNT == 13)
    {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = item;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
    }
    else if constexpr (COUNT == 14)
    {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = item;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
    }
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_AGGREGATE_FIELDS_H
