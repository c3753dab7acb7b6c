/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_AGGREGATE_ONCE_H
#define NFSRDMA_LINK_AGGREGATE_ONCE_H

#include "ns3/node.h"

namespace ns3::nfsrdma
{

/// \return a new T that is aggregated to \p node; null when the node has one.
template <typename T>
[[nodiscard]] Ptr<T>
AggregateOnce(const Ptr<Node>& node)
{
    if (node->GetObject<T>())
    {
        return nullptr;
    }
    const auto part = CreateObject<T>();
    node->AggregateObject(part);
    return part;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_AGGREGATE_ONCE_H
