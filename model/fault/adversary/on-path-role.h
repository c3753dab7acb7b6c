/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_ON_PATH_ROLE_H
#define NFSRDMA_FAULT_ADVERSARY_ON_PATH_ROLE_H

#include "fault/adversary/link-tap.h"
#include "fault/adversary/role.h"
#include "fault/connection-follower.h"
#include "link/connections-by-flow.h"
#include "link/stream-splice.h"
#include "rpcrdma/message/transport-header.h"

#include "ns3/random-variable-stream.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Somebody on the path between two hosts, at the network's end of the link of one of them:
 * the attacker of RFC 5042 section 2.3 and RFC 8166 section 8, who sees every frame, may keep it,
 * change it and send frames of its own, with all checksums right.
 *
 * It reads TCP, MPA, DDP and RPC as far as they are in clear, and meets each segment once before it
 * goes on (MeetSegment()). Of packets of ESP (RFC 4303) it sees addresses, SPI and sequence number
 * (MeetSealed()). It acts with attribute Probability, Count times at most; before Start and after
 * Stop it reads and does nothing, except that connections into which it has put octets go on being
 * renumbered (StreamSplice).
 */
class OnPathRole : public AdversaryRole
{
  public:
    static TypeId GetTypeId();
    OnPathRole();

    int64_t AssignStreams(int64_t stream) override;

  protected:
    /// One way of a connection.
    struct Direction
    {
        std::optional<uint32_t> end; ///< The sequence number behind the furthest octet seen.
        StreamSplice splice;
    };

    /// What is known of a connection.
    struct Connection
    {
        std::unique_ptr<ConnectionFollower> follower;
        std::array<Direction, ConnectionFollower::SIDES> directions;
        /// Memory offered for the replies to calls that are outstanding, by XID: the first segment
        /// of the first Write chunk, or of the Reply chunk.
        std::map<uint32_t, RpcRdmaSegment> offered;
    };

    /// A segment that passes.
    struct Sight
    {
        const LinkTap::Passage& passage;
        const FollowedFrame& content;
        Connection& connection;
        std::size_t side; ///< Who sent it: 0 opened the connection.
        bool isInOrder;   ///< It begins where what was seen before ends.
    };

    /// What becomes of a frame.
    enum class Fate : uint8_t
    {
        PASSES,
        CHANGED, ///< Goes on, but not as it came.
        STOPPED
    };

    virtual Fate MeetSegment(const Sight& sight, TcpSegment& segment) = 0;
    /// \param packet IP packet of ESP, in its frame
    virtual Fate MeetSealed(const LinkTap::Passage& passage, ByteVector& packet) = 0;

    /// \return whether the role acts now, by Start, Stop, Count and Probability.
    [[nodiscard]] bool Chooses();
    /// Counts \p what, done to a frame from \p sender.
    void Note(const std::string& what, const IpAddress& sender);
    /// \return the addresses of an IP packet in a frame.
    [[nodiscard]] static IpAddress GetSender(ByteSpan frame);
    [[nodiscard]] static IpAddress GetReceiver(ByteSpan frame);
    /// \return where ESP begins in a frame of it.
    [[nodiscard]] static std::size_t FindEsp(ByteSpan frame);

    void Send(const LinkTap::Passage& passage, const ByteVector& frame) const;

    [[nodiscard]] UniformRandomVariable& GetRandom()
    {
        return *m_random;
    }

    void HandleHost() override;
    void DoDispose() override;

    void DoStart() override
    {
    }

    void DoStop() override
    {
    }

  private:
    void Take(const LinkTap::Passage& passage, const Ptr<Packet>& frame);
    void TakeSegment(const LinkTap::Passage& passage,
                     TcpSegment& segment,
                     const Ptr<Packet>& frame);
    void TakeSealed(const LinkTap::Passage& passage, ByteVector octets, const Ptr<Packet>& frame);
    static void Remember(Connection& connection, const FollowedFrame& content);

    double m_probability{1};
    uint64_t m_count{0};
    Ptr<UniformRandomVariable> m_random;
    ConnectionsByFlow<Connection> m_connections;
    std::unique_ptr<LinkTap> m_tap;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_ON_PATH_ROLE_H
