/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CHARTS_MESSAGE_FOLLOWER_H
#define NFSRDMA_HELPER_CHARTS_MESSAGE_FOLLOWER_H

#include "fault/connection-follower.h"
#include "rdmap/control-field.h"
#include "rdmap/read-request.h"

#include "ns3/nstime.h"

#include <array>
#include <map>
#include <vector>

namespace ns3::nfsrdma
{

/// An RDMAP message that has crossed a place where somebody looks on.
struct WireMessage
{
    std::size_t side{0}; ///< Who sent it: 0 opened the connection.
    uint64_t number{0};  ///< Of those of its side, from 0.
    RdmapOpcode opcode{RdmapOpcode::SEND};
    Time begin;         ///< The frame that completed its first FPDU.
    Time end;           ///< The frame that completed its last one.
    uint64_t length{0}; ///< Octets of the payloads of its DDP segments.
    Stag stag{0};       ///< Target of a tagged message, or what a Send invalidates.
    ByteVector octets;  ///< Of an untagged one, MAX_KEPT at most.

    static constexpr std::size_t MAX_KEPT = 65536;
};

/**
 * \brief Looks on at a TCP connection and puts its RDMAP messages together (RFC 5040), as one place
 * of the network sees them: of a host's port, what it has sent and received.
 *
 * Both ends of a connection see the messages of a direction in the same order, so their numbers
 * agree. As ConnectionFollower, it takes anything.
 */
class MessageFollower
{
  public:
    MessageFollower();

    /// \param side who sends it: 0 opened the connection
    /// \return the messages that \p segment completes
    [[nodiscard]] std::vector<WireMessage> Take(std::size_t side,
                                                const TcpSegment& segment,
                                                Time now);

  private:
    struct Direction
    {
        uint64_t messages{0};
        std::map<RdmapOpcode, WireMessage> open; ///< Their last FPDU is to come.
    };

    void TakeUlpdu(std::size_t side, ByteSpan ulpdu, Time now, std::vector<WireMessage>& done);

    ConnectionFollower m_follower;
    std::array<Direction, ConnectionFollower::SIDES> m_directions;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CHARTS_MESSAGE_FOLLOWER_H
