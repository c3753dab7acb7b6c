/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "rdmap/stream.h"

#include <array>
#include <deque>
#include <utility>

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

/// One region of memory and receives of 1024 octets, of which four are posted at any time; checks
/// that a stream that is over says nothing.
class CheckingConsumer : public RdmapConsumer
{
  public:
    static constexpr uint32_t RECEIVES = 4;

    explicit CheckingConsumer(uint32_t firstMsn)
        : m_nextMsn(firstMsn)
    {
    }

    /// Says whether calls come from PlaceUlpdu().
    void SetAhead(bool ahead)
    {
        m_ahead = ahead;
    }

    [[nodiscard]] bool IsOver() const
    {
        return m_over;
    }

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
        FuzzExpect(!m_over && !m_ahead);
    }

    tl::expected<void, DdpError> PlaceSend(uint32_t msn,
                                           uint32_t messageOffset,
                                           ByteSpan payload) override
    {
        FuzzExpect(!m_over && (m_ahead || msn == m_nextMsn));
        FuzzExpect(!m_ahead || !payload.empty());
        if (msn - m_nextMsn >= RECEIVES)
        {
            FuzzExpect(m_ahead);
            return tl::make_unexpected(DdpError::UNTAGGED_NO_BUFFER);
        }
        if (uint64_t{messageOffset} + payload.size() > 1024)
        {
            return tl::make_unexpected(DdpError::UNTAGGED_TOO_LONG);
        }
        return {};
    }

    tl::expected<void, RdmapError> DeliverSend(const SendDelivery& send) override
    {
        FuzzExpect(!m_over && !m_ahead && send.length <= 1024);
        ++m_nextMsn;
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
        FuzzExpect(!m_over && !m_ahead && length != 0);
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
            return true;
        };
    }

    void SegmentRefused(RdmapOpcode /*opcode*/, DdpError /*error*/) override
    {
        FuzzExpect(!m_over && !m_ahead);
    }

    tl::expected<void, DdpError> DeliverImmediate(RdmapOpcode /*opcode*/,
                                                  const ImmediateData& /*data*/) override
    {
        FuzzExpect(!m_over && !m_ahead);
        ++m_nextMsn;
        return {};
    }

    tl::expected<uint64_t, RdmapError> ExecuteAtomic(const AtomicRequest& request) override
    {
        FuzzExpect(!m_over && !m_ahead && request.remoteOffset % 8 == 0);
        if (request.remoteStag != STAG)
        {
            return tl::make_unexpected(RdmapError::PROTECTION_INVALID_STAG);
        }
        return std::exchange(m_word, request.Apply(m_word));
    }

    tl::expected<void, RdmapError> DeliverAtomicResponse(uint64_t /*value*/) override
    {
        FuzzExpect(!m_over && !m_ahead);
        return {};
    }

    void SegmentReceived(RdmapOpcode /*opcode*/, bool /*isLast*/) override
    {
        FuzzExpect(!m_failed && !m_ahead);
    }

    void EmissionReady() override
    {
        FuzzExpect(!m_ahead);
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

    uint32_t m_nextMsn;
    uint64_t m_word{0};
    bool m_ahead{false};
    bool m_over{false};
    bool m_failed{false};
};

void
StartOwnerMessage(RdmapStream& stream, uint8_t choice, bool extensions)
{
    const PayloadSource zeros = [](uint32_t, MutableByteSpan out) {
        std::fill(out.begin(), out.end(), uint8_t{0});
        return true;
    };
    const uint32_t length = choice * 4U;
    switch (choice % (extensions ? 5 : 3))
    {
    case 0:
        stream.StartSend(RdmapOpcode::SEND, length, 0, zeros);
        break;
    case 1:
        stream.StartWrite(STAG, 0, length, zeros);
        break;
    case 3:
        stream.StartImmediate(RdmapOpcode::IMMEDIATE, {choice});
        break;
    case 4: {
        AtomicRequest request;
        request.identifier = choice;
        stream.StartAtomic(request);
        break;
    }
    default:
        stream.StartReadRequest({STAG, 0, length, STAG, 0});
        break;
    }
}

/// A peer that numbers its untagged messages as it should, whatever they hold.
class OrderlyPeer
{
  public:
    explicit OrderlyPeer(const RdmapStreamOptions& options)
        : m_version(options.version),
          m_extensions(options.HasExtensions())
    {
    }

    /// \return a ULPDU whose opcode, place and payload \p steps choose.
    ByteVector MakeUlpdu(ByteReader& steps)
    {
        const uint8_t choice = steps.ReadU8();
        const auto opcode =
            static_cast<RdmapOpcode>(m_extensions ? (choice & 15) % RDMAP_OPCODES : choice & 7);
        const bool last = (choice & 0x80) != 0;
        const ByteVector payload = MakePayload(opcode, steps);
        ByteVector ulpdu(DdpUntaggedHeader::SIZE + payload.size());
        ByteWriter writer(ulpdu);
        if (opcode == RdmapOpcode::WRITE || opcode == RdmapOpcode::READ_RESPONSE)
        {
            const uint64_t offset = uint64_t{steps.ReadU8()} * 20;
            DdpTaggedHeader{last, EncodeRdmapControl(opcode, m_version), STAG, offset, m_version}
                .Encode(writer);
        }
        else
        {
            const uint32_t queue = QueueOf(opcode);
            Position& position = m_positions[queue];
            DdpUntaggedHeader{last,
                              EncodeRdmapControl(opcode, m_version),
                              STAG,
                              queue,
                              position.msn,
                              position.messageOffset,
                              m_version}
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
        case RdmapOpcode::ATOMIC_REQUEST:
            return 1;
        case RdmapOpcode::ATOMIC_RESPONSE:
            return 3;
        case RdmapOpcode::TERMINATE:
            return 2;
        default:
            return 0;
        }
    }

    static ByteVector MakePayload(RdmapOpcode opcode, ByteReader& steps)
    {
        const uint8_t length = steps.ReadU8();
        switch (opcode)
        {
        case RdmapOpcode::READ_REQUEST:
            return MakeReadRequest(length, steps);
        case RdmapOpcode::ATOMIC_REQUEST: {
            AtomicRequest request;
            request.remoteStag = STAG;
            request.remoteOffset = length & ~7U;
            return EncodeHeader(request);
        }
        case RdmapOpcode::ATOMIC_RESPONSE:
            return EncodeHeader(AtomicResponse{length, 0});
        case RdmapOpcode::IMMEDIATE:
        case RdmapOpcode::IMMEDIATE_SE:
            return ByteVector(ImmediateData::SIZE);
        default:
            return ByteVector(length);
        }
    }

    template <typename Header>
    static ByteVector EncodeHeader(const Header& header)
    {
        ByteVector octets(Header::SIZE);
        ByteWriter writer(octets);
        header.Encode(writer);
        return octets;
    }

    static ByteVector MakeReadRequest(uint8_t length, ByteReader& steps)
    {
        ByteVector payload(RdmaReadRequest::SIZE);
        ByteWriter writer(payload);
        RdmaReadRequest{7, 0, length, STAG, uint64_t{steps.ReadU8()} * 17}.Encode(writer);
        return payload;
    }

    std::array<Position, 4> m_positions{};
    uint8_t m_version;
    bool m_extensions;
};

/// A receiver that may hold ULPDUs back, as one that has lost the first of them.
class Window
{
  public:
    Window(RdmapStream& stream, CheckingConsumer& consumer)
        : m_stream(stream),
          m_consumer(consumer)
    {
    }

    [[nodiscard]] bool HasGap() const
    {
        return !m_held.empty();
    }

    /// \p ulpdu is lost: what is taken next brings it.
    void Lose(ByteVector ulpdu)
    {
        m_held.emplace_back(std::move(ulpdu), false);
    }

    /// \p ulpdu comes ahead of its turn.
    void Hold(ByteVector ulpdu)
    {
        m_consumer.SetAhead(true);
        const bool placed = m_stream.PlaceUlpdu(ulpdu);
        m_consumer.SetAhead(false);
        FuzzExpect(!placed || !m_consumer.IsOver());
        m_held.emplace_back(std::move(ulpdu), placed);
    }

    /// Gaps are filled, then \p ulpdu comes in its turn.
    void Take(ByteSpan ulpdu)
    {
        while (!m_held.empty())
        {
            m_stream.ReceiveUlpdu(m_held.front().first, m_held.front().second);
            m_held.pop_front();
        }
        m_stream.ReceiveUlpdu(ulpdu);
    }

  private:
    RdmapStream& m_stream;
    CheckingConsumer& m_consumer;
    std::deque<std::pair<ByteVector, bool>> m_held;
};

RdmapStreamOptions
MakeOptions(uint8_t choice)
{
    RdmapStreamOptions options;
    options.ird = IRD;
    options.version = (choice & 1) != 0 ? RDMAP_VERSION_RDMAC : RDMAP_VERSION;
    options.extensions = (choice & 2) != 0;
    options.initiator = (choice & 4) != 0;
    options.rtr = static_cast<ReadyToReceive>(choice >> 3 & 3);
    return options;
}

} // namespace

/// Input: an octet that chooses the options, then steps, each one octet that says what to do and
/// what it needs. 0xf0 to 0xff emit a segment, 0xe0 to 0xef start a message by the octet that
/// follows, 0xd0 to 0xdf receive a ULPDU of an orderly peer in its turn, 0xc0 to 0xcf one ahead of
/// its turn, a lower one is the size of a ULPDU that follows: an odd one comes ahead, an even one
/// in its turn.
void
FuzzOne(ByteSpan input)
{
    CountingUlpduStream lower;
    ByteReader steps(input);
    const RdmapStreamOptions options = MakeOptions(steps.ReadU8());
    const bool sendUsedUp = !options.initiator && options.rtr == ReadyToReceive::SEND;
    CheckingConsumer consumer(sendUsedUp ? 2 : 1);
    RdmapStream stream(lower, consumer, options);
    OrderlyPeer peer(options);
    Window window(stream, consumer);
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
                StartOwnerMessage(stream, choice, options.HasExtensions());
            }
        }
        else if (step >= 0xd0)
        {
            window.Take(peer.MakeUlpdu(steps));
        }
        else if (step >= 0xc0)
        {
            if (!window.HasGap())
            {
                window.Lose(peer.MakeUlpdu(steps));
            }
            window.Hold(peer.MakeUlpdu(steps));
        }
        else
        {
            const ByteSpan ulpdu = steps.ReadBytes(std::min<std::size_t>(step, steps.Remaining()));
            if (step % 2 != 0)
            {
                window.Hold(ByteVector(ulpdu.begin(), ulpdu.end()));
            }
            else
            {
                window.Take(ulpdu);
            }
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
