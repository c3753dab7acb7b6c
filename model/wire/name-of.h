/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WIRE_NAME_OF_H
#define NFSRDMA_WIRE_NAME_OF_H

#include <initializer_list>
#include <utility>

namespace ns3::nfsrdma
{

/// \return what \p names calls \p value, or \p otherwise.
template <typename E>
const char*
NameOf(E value,
       std::initializer_list<std::pair<E, const char*>> names,
       const char* otherwise = "unknown")
{
    for (const auto& [named, name] : names)
    {
        if (named == value)
        {
            return name;
        }
    }
    return otherwise;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_NAME_OF_H
