/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "rdmap/rdmap-stream.h"

#include <array>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t IRD = 2;
constexpr uint32_t MEMORY = 4096;
constexpr Stag STAG = 1;

class CountingUlpduStream : public UlpduStream
{
  public:
    uint32_t GetMulpdu() const override
    {
        return 128;
    }

    bool CanSend() const override
    {
        return true;
    }

    MutableByteSpan BeginUlpdu(uint32_t length) override
    {
        FuzzExpect(length >= 1 && length <= GetMulpdu());
        m_lent.resize(length);
        return m_lent;
    }

    void CommitUlpdu() override
    {
    }

  private:
    ByteVector m_lent;
};

/// One region of memory and receives of 1024 octets; checks that a stream that is over says
/// nothing.
class CheckingConsumer : public RdmapConsumer
{
  public:
    tl::expected<void, DdpError> PlaceWrite(Stag stag, uint64_t offset, ByteSpan payload) override
    {
        return Place(stag, offset, payload);
    }

    tl::expected<void, DdpError> PlaceReadResponse(Stag stag,
                                                   uint64_t offset,
                                                   ByteSpan payload) override
    {
        return Place(stag, offset, payload);
    }

    void DeliverReadResponse() override
    {
        FuzzExpect(!m_over);
    }

    tl::expected<void, DdpError> PlaceSend(uint32_t msn,
                                           uint32_t messageOffset,
                                           ByteSpan payload) override
    {
        FuzzExpect(!m_over && msn == m_nextMsn && messageOffset == m_messageOffset);
        m_messageOffset += static_cast<uint32_t>(payload.size());
        if (m_messageOffset > 1024)
        {
            return tl::make_unexpected(DdpError::UNTAGGED_TOO_LONG);
        }
        return {};
    }

    tl::expected<void, RdmapError> DeliverSend(const SendDelivery& send) override
    {
        FuzzExpect(!m_over && send.length == m_messageOffset);
        ++m_nextMsn;
        m_messageOffset = 0;
        if (send.invalidateStag > STAG)
        {
            return tl::make_unexpected(RdmapError::PROTECTION_CANNOT_INVALIDATE);
        }
        return {};
    }

    tl::expected<PayloadSource, RdmapError> OpenReadSource(Stag stag,
                                                           uint64_t offset,
                                                           uint32_t length) override
    {
        FuzzExpect(!m_over && length != 0);
        if (stag != STAG)
        {
            return tl::make_unexpected(RdmapError::PROTECTION_INVALID_STAG);
        }
        if (offset > MEMORY || length > MEMORY - offset)
        {
            return tl::make_unexpected(RdmapError::PROTECTION_BOUNDS);
        }
        return [length](uint32_t from, MutableByteSpan out) {
            FuzzExpect(from + out.size() <= length);
            std::fill(out.begin(), out.end(), uint8_t{0x5a});
        };
    }

    void SegmentReceived(RdmapOpcode /*opcode*/, uint32_t /*ulpduLength*/) override
    {
        FuzzExpect(!m_failed);
    }

    void EmissionReady() override
    {
    }

    void StreamFailed(const TerminateMessage& /*message*/) override
    {
        FuzzExpect(!m_over);
        m_over = true;
        m_failed = true;
    }

    void TerminateReceived(const TerminateMessage& /*message*/) override
    {
        FuzzExpect(!m_over);
        m_over = true;
    }

  private:
    tl::expected<void, DdpError> Place(Stag stag, uint64_t offset, ByteSpan payload)
    {
        FuzzExpect(!m_over && !payload.empty());
        if (stag != STAG)
        {
            return tl::make_unexpected(DdpError::TAGGED_INVALID_STAG);
        }
        if (offset > MEMORY || payload.size() > MEMORY - offset)
        {
            return tl::make_unexpected(DdpError::TAGGED_BOUNDS);
        }
        return {};
    }

    uint32_t m_nextMsn{1};
    uint32_t m_messageOffset{0};
    bool m_over{false};
    bool m_failed{false};
};

void
StartOwnerMessage(RdmapStream& stream, uint8_t choice)
{
    const PayloadSource zeros = [](uint32_t, MutableByteSpan out) {
        std::fill(out.begin(), out.end(), uint8_t{0});
    };
    const uint32_t length = choice * 4U;
    switch (choice % 3)
    {
    case 0:
        stream.StartSend(RdmapOpcode::SEND, length, 0, zeros);
        break;
    case 1:
        stream.StartWrite(STAG, 0, length, zeros);
        break;
    default:
        stream.StartReadRequest({STAG, 0, length, STAG, 0});
        break;
    }
}

/// A peer that numbers its untagged messages as it should, whatever they hold.
class OrderlyPeer
{
  public:
    /// \return a ULPDU whose opcode, place and payload \p steps choose.
    ByteVector MakeUlpdu(ByteReader& steps)
    {
        const uint8_t choice = steps.ReadU8();
        const auto opcode = static_cast<RdmapOpcode>(choice & 7);
        const bool last = (choice & 0x80) != 0;
        const ByteVector payload = MakePayload(opcode, steps);
        ByteVector ulpdu(DdpUntaggedHeader::SIZE + payload.size());
        ByteWriter writer(ulpdu);
        if (opcode == RdmapOpcode::WRITE || opcode == RdmapOpcode::READ_RESPONSE)
        {
            const uint64_t offset = uint64_t{steps.ReadU8()} * 20;
            DdpTaggedHeader{last, EncodeRdmapControl(opcode), STAG, offset}.Encode(writer);
        }
        else
        {
            const uint32_t queue = QueueOf(opcode);
            Position& position = m_positions[queue];
            DdpUntaggedHeader{last,
                              EncodeRdmapControl(opcode),
                              STAG,
                              queue,
                              position.msn,
                              position.messageOffset}
                .Encode(writer);
            position.messageOffset += static_cast<uint32_t>(payload.size());
            if (last)
            {
                position = {position.msn + 1, 0};
            }
        }
        writer.WriteBytes(payload);
        ulpdu.resize(writer.Position());
        return ulpdu;
    }

  private:
    struct Position
    {
        uint32_t msn{1};
        uint32_t messageOffset{0};
    };

    static uint32_t QueueOf(RdmapOpcode opcode)
    {
        switch (opcode)
        {
        case RdmapOpcode::READ_REQUEST:
            return 1;
        case RdmapOpcode::TERMINATE:
            return 2;
        default:
            return 0;
        }
    }

    static ByteVector MakePayload(RdmapOpcode opcode, ByteReader& steps)
    {
        const uint8_t length = steps.ReadU8();
        if (opcode != RdmapOpcode::READ_REQUEST)
        {
            return ByteVector(length);
        }
        ByteVector payload(RdmaReadRequest::SIZE);
        ByteWriter writer(payload);
        RdmaReadRequest{7, 0, length, STAG, uint64_t{steps.ReadU8()} * 17}.Encode(writer);
        return payload;
    }

    std::array<Position, 3> m_positions{};
};

} // namespace

/// Input: steps, each one octet that says what to do and what it needs. 0xf0 to 0xff emit a
/// segment, 0xe0 to 0xef start a message by the octet that follows, 0xd0 to 0xdf receive a ULPDU of
/// an orderly peer, a lower one is the size of a ULPDU that follows.
void
FuzzOne(ByteSpan input)
{
    CountingUlpduStream lower;
    CheckingConsumer consumer;
    RdmapStream stream(lower, consumer, {IRD});
    OrderlyPeer peer;
    ByteReader steps(input);
    while (steps.Remaining() != 0)
    {
        const uint8_t step = steps.ReadU8();
        if (step >= 0xf0)
        {
            if (stream.HasSegment())
            {
                stream.EmitSegment();
            }
        }
        else if (step >= 0xe0)
        {
            const uint8_t choice = steps.ReadU8();
            if (stream.IsIdle())
            {
                StartOwnerMessage(stream, choice);
            }
        }
        else if (step >= 0xd0)
        {
            stream.ReceiveUlpdu(peer.MakeUlpdu(steps));
        }
        else
        {
            stream.ReceiveUlpdu(steps.ReadBytes(std::min<std::size_t>(step, steps.Remaining())));
        }
        FuzzExpect(stream.GetInboundReads() <= IRD);
    }
    for (int segments = 0; stream.HasSegment(); ++segments)
    {
        FuzzExpect(segments < 1000);
        stream.EmitSegment();
    }
}

} // namespace ns3::nfsrdma
