/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_CONNECTIONS_BY_FLOW_H
#define NFSRDMA_LINK_CONNECTIONS_BY_FLOW_H

#include "link/tcp-segment.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace ns3::nfsrdma
{

/**
 * \brief What somebody who looks on knows of each TCP connection whose segments pass: a \p State,
 * made anew by the connection's first SYN, or by the first segment that is seen of it.
 */
template <typename State>
class ConnectionsByFlow
{
  public:
    /// The connection of a segment.
    struct Found
    {
        State& state;
        std::size_t side; ///< Who sent the segment: 0 opened the connection.
        bool isNew;       ///< \c state is as \c make has made it.
    };

    /// \param make gives the State of a connection that is new
    template <typename Make>
    [[nodiscard]] Found Find(const TcpSegment& segment, Make make)
    {
        const auto flow = segment.GetFlow();
        auto [entry, isNew] = m_connections.try_emplace(std::min(flow, segment.GetReverseFlow()));
        auto& connection = entry->second;
        const bool opens = (segment.flags & (TcpSegment::SYN | TcpSegment::ACK)) == TcpSegment::SYN;
        isNew = isNew || (opens && segment.sequence != connection.synSequence);
        if (isNew)
        {
            connection.state = make();
            connection.opener = flow;
            connection.synSequence = segment.sequence;
        }
        return {connection.state, flow == connection.opener ? std::size_t{0} : 1, isNew};
    }

    void Clear()
    {
        m_connections.clear();
    }

  private:
    struct Connection
    {
        State state;
        TcpSegment::Flow opener; ///< Of its first SYN, or first segment seen.
        uint32_t synSequence{0};
    };

    std::map<TcpSegment::Flow, Connection> m_connections; ///< By the lower of their two flows.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_CONNECTIONS_BY_FLOW_H
