/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_CONNECTION_FOLLOWER_H
#define NFSRDMA_FAULT_CONNECTION_FOLLOWER_H

#include "ddp/segment-header.h"
#include "fault/frame-event.h"
#include "link/tcp-segment.h"
#include "mpa/fpdu-framing.h"
#include "mpa/startup-frame.h"
#include "rdmap/control-field.h"
#include "rpc/tcp/record-marking.h"
#include "wire/tcp-stream-reassembler.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/// An FPDU whose last octet a frame has brought.
struct FollowedFpdu
{
    /// Of its first octet in the frame's payload; negative when it began in an earlier frame.
    int64_t begin{0};
    uint64_t position{0}; ///< As in Marker.
    FpduFraming framing;
    bool tagged{false};
    ByteVector octets; ///< As on the wire.
};

/// What a frame is and brings.
struct FollowedFrame
{
    std::vector<FaultEvent> events;
    std::vector<FollowedFpdu> fpdus;
    bool isTls{false}; ///< It brings octets of TLS.
};

/**
 * \brief Looks on at a TCP connection and names what each segment is and brings, from TCP up to the
 * RPC: FaultEvent.
 *
 * A segment is an event each time it is sent. What lies above TCP is one once: with the segment
 * that completes its FPDU (the first FPDU of a message, which has its headers), however the stream
 * is cut; octets that come again are passed over. FPDUs are looked for when both startup frames
 * were seen; CRCs are not checked. What is said before them (RFC 5044 section 7.1.3) is passed
 * over, and after a rejection startup frames are looked for again.
 *
 * An RPC is named by what stands in the first FPDU of its message. A reply has the name of the call
 * with its XID; a call in a chunk (RDMA_NOMSG) has none.
 *
 * Anything may come in: what cannot be decoded brings no event, and the rest of its direction
 * neither.
 *
 * A connection that begins with a call of NFS in a record (RFC 5531 section 11) carries NFS over
 * TCP: its calls and replies are events of the frame that brings their last octet. Where a record
 * of TLS (RFC 8446 section 5.1) begins in place of one of RPC, the rest of the direction is TLS,
 * which brings no further events.
 */
class ConnectionFollower
{
  public:
    static constexpr std::size_t SIDES = 2;
    /// Octets behind a gap that are kept; a direction with more is given up.
    static constexpr uint64_t MAX_WAITING = uint64_t{1} << 24;
    /// Octets before startup frames that are passed over; a direction with more is given up.
    static constexpr uint64_t MAX_STREAMING = uint64_t{1} << 18;

    /// \param names false: RPCs need no names
    explicit ConnectionFollower(bool names);

    /// \param side who sends it: 0 opened the connection
    [[nodiscard]] FollowedFrame Take(std::size_t side, const TcpSegment& segment);

  private:
    enum class State : uint8_t
    {
        STARTUP,
        FPDUS,
        RECORDS, ///< Of RPC over TCP.
        TLS,     ///< After records in clear.
        LOST
    };

    /// What one side sends.
    struct Direction
    {
        State state{State::STARTUP};
        TcpStreamReassembler order;
        bool started{false};
        uint32_t firstSequence{0}; ///< Of offset 0.
        uint64_t sentEnd{0};       ///< Offset behind the furthest octet seen.
        ByteVector buffer;         ///< In order, not yet read.
        uint64_t bufferOffset{0};  ///< Of its first octet.
        std::optional<MpaStartupFrame> startup;
        uint64_t startupSize{0}; ///< With all before it.
        FpduFraming framing;
        uint8_t headerVersion{DDP_VERSION};
        std::array<bool, RDMAP_OPCODES> inMessage{}; ///< By opcode: its last FPDU is to come.
        RecordMarkingDecoder records{MAX_WAITING};
        std::map<uint32_t, std::shared_ptr<const RpcName>> calls; ///< Not replied to, by XID.
    };

    void NameSegment(Direction& direction, const TcpSegment& segment, FollowedFrame& frame);
    void ReadStartup(std::size_t side, FollowedFrame& frame);
    /// Drops what stands before a startup frame.
    static void SkipStreamingMode(Direction& direction);
    /// Both startup frames are there, if they are: begins with FPDUs.
    void AgreeOnFraming();
    void ReadFpdus(std::size_t side, int64_t payloadOffset, FollowedFrame& frame);
    /// \return whether \p octets begin with a call of NFS in a record, or answer such.
    [[nodiscard]] bool AreRecords(std::size_t side, ByteSpan octets) const;
    /// \return whether \p octets begin with the type and the version of a record of TLS.
    [[nodiscard]] static bool BeginsTls(ByteSpan octets);
    void ReadRecords(std::size_t side, FollowedFrame& frame);
    void NameFpdu(std::size_t side, ByteSpan ulpdu, FollowedFrame& frame);
    void NameSend(std::size_t side, ByteSpan message, FollowedFrame& frame);
    void NameRpc(std::size_t side, uint32_t xid, bool isCall, ByteSpan message, FollowedFrame&);

    bool m_names;
    std::array<Direction, SIDES> m_directions;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_CONNECTION_FOLLOWER_H
