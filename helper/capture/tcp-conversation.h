/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_TCP_CONVERSATION_H
#define NFSRDMA_HELPER_CAPTURE_TCP_CONVERSATION_H

#include "pcap-reader.h"
#include "tcp-segment.h"
#include "wire/tcp-stream-reassembler.h"

#include <array>
#include <vector>

namespace ns3::nfsrdma
{

/// Something that one side of a conversation sent, once it was in order.
struct TcpEvent
{
    enum class Kind
    {
        OCTETS,
        FIN,
        RST
    };

    Kind kind{Kind::OCTETS};
    std::size_t side{0}; ///< Who sent it: 0 or 1.
    uint64_t frame{0};   ///< Number of the frame that put it in order.
    int64_t time{0};     ///< Of that frame, ns.
    uint64_t offset{0};  ///< OCTETS: of the first in the direction.
    uint64_t length{0};  ///< OCTETS.
};

/// One TCP connection of a capture. Side 0 opened it, or was seen first.
class TcpConversation
{
  public:
    static constexpr std::size_t SIDES = 2;

    /// What one side sent.
    struct Direction
    {
        TcpEndpoint source;
        uint64_t frames{0};
        uint64_t cutOctets{0}; ///< Payload octets missing because of a snap length.
        ByteVector octets;     ///< All that is in order; none once the connection is foreign.
        std::optional<uint32_t> synSequence; ///< Sequence number of the SYN.
        TcpStreamReassembler order;
    };

    /// \param first its first segment; Add() it too
    explicit TcpConversation(const CapturedSegment& first);

    void Add(const CapturedSegment& segment, const CapturedFrame& frame);

    /// \return whether \p segment begins another connection between the same ends.
    [[nodiscard]] bool IsEndedBy(const CapturedSegment& segment) const;
    /// \return whether what both sides say begins otherwise than MPA, so that it is not kept.
    [[nodiscard]] bool IsForeign() const;
    /// \return about how many octets of memory the connection takes.
    [[nodiscard]] std::size_t GetMemory() const;
    /// \return whether the connection was there before the capture began.
    [[nodiscard]] bool IsBegunBefore() const;
    [[nodiscard]] const Direction& GetDirection(std::size_t side) const;
    /// \return all events, in the order in which they were captured.
    [[nodiscard]] const std::vector<TcpEvent>& GetEvents() const;

  private:
    void Record(TcpEvent::Kind kind, std::size_t side, const CapturedFrame& frame);
    void ForgetIfForeign();

    std::array<Direction, SIDES> m_directions;
    std::array<bool, SIDES> m_finished{};
    std::vector<TcpEvent> m_events;
    bool m_begunBefore;
    bool m_foreign{false};
};

/// All TCP connections of a capture.
struct TcpCapture
{
    /// Octets of memory that the connections of a capture take at most; what is made of them takes
    /// as much again.
    static constexpr std::size_t MAX_MEMORY = std::size_t{512} << 20;

    uint64_t frames{0};
    std::vector<TcpConversation> conversations; ///< In the order of their first frames.
    FrameMisses misses;                         ///< Frames without a TCP segment.

    /// \param file as PcapReader takes it; may go afterwards
    [[nodiscard]] static tl::expected<TcpCapture, PcapError> Read(ByteSpan file);
    /// Frames are read one at a time; TOO_LARGE when the connections take more than MAX_MEMORY.
    [[nodiscard]] static tl::expected<TcpCapture, PcapError> Read(
        std::unique_ptr<CaptureSource> source);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_TCP_CONVERSATION_H
