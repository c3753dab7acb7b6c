/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "helper/capture/conversation-replay.h"

#include <array>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint8_t SIDE = 0x80;
constexpr uint8_t END = 0x40;
constexpr uint8_t STARTUP = 0x20;
constexpr uint8_t LENGTH = 0x1f;
/// Of so many lengths of an input one is replayed too: a simulator for each takes its time.
constexpr std::size_t REPLAYED = 16;

class Script
{
  public:
    Script()
        : m_tcp(Open())
    {
        Add(Open());
    }

    void Say(std::size_t side, ByteSpan octets)
    {
        CapturedSegment segment = MakeSegment(side);
        segment.payload = octets;
        m_sequences[side] += static_cast<uint32_t>(octets.size());
        Add(segment);
    }

    void End(std::size_t side, bool reset)
    {
        CapturedSegment segment = MakeSegment(side);
        segment.fin = !reset;
        segment.rst = reset;
        Add(segment);
    }

    [[nodiscard]] const TcpConversation& GetTcp() const
    {
        return m_tcp;
    }

  private:
    static CapturedSegment Open()
    {
        CapturedSegment segment;
        segment.source.port = 1;
        segment.destination.port = 2;
        segment.sequence = UINT32_MAX;
        segment.syn = true;
        return segment;
    }

    [[nodiscard]] CapturedSegment MakeSegment(std::size_t side) const
    {
        CapturedSegment segment;
        segment.source.port = static_cast<uint16_t>(1 + side);
        segment.destination.port = static_cast<uint16_t>(2 - side);
        segment.sequence = m_sequences.at(side);
        return segment;
    }

    void Add(const CapturedSegment& segment)
    {
        CapturedFrame frame;
        frame.number = ++m_frames;
        frame.time = static_cast<int64_t>(m_frames) * 1000000;
        m_tcp.Add(segment, frame);
    }

    TcpConversation m_tcp;
    std::array<uint32_t, TcpConversation::SIDES> m_sequences{};
    uint64_t m_frames{0};
};

} // namespace

/// Input: steps of one octet. 0x80 is the side that speaks. 0x40 ends it, with RST if odd. 0x20
/// says a startup frame whose flags and revision are the two octets that follow. Else it says as
/// many octets, of those that follow, as the low bits tell, four times.
void
FuzzOne(ByteSpan input)
{
    Script script;
    ByteReader steps(input);
    while (steps.Remaining() != 0)
    {
        const uint8_t step = steps.ReadU8();
        const std::size_t side = (step & SIDE) != 0 ? 1 : 0;
        if ((step & END) != 0)
        {
            script.End(side, (step & 1) != 0);
        }
        else if ((step & STARTUP) != 0)
        {
            MpaStartupFrame frame;
            frame.kind = side == 0 ? MpaStartupFrame::Kind::REQUEST : MpaStartupFrame::Kind::REPLY;
            const uint8_t flags = steps.ReadU8();
            frame.markers = (flags & 1) != 0;
            frame.crc = (flags & 2) != 0;
            frame.rejected = (flags & 4) != 0 && side == 1;
            frame.revision = steps.ReadU8() % 4;
            if ((flags & 8) != 0)
            {
                MpaEnhancedBlock block;
                block.peerToPeer = (flags & 16) != 0;
                block.rtrSend = (flags & 32) != 0;
                block.rtrWrite = (flags & 64) != 0;
                block.rtrRead = (flags & 128) != 0;
                block.ird = block.ord = 2;
                frame.SetEnhancedPrivateData(block, {});
            }
            script.Say(side, frame.Encode());
        }
        else
        {
            const std::size_t length = (step & LENGTH) * std::size_t{4};
            script.Say(side, steps.ReadBytes(std::min(length, steps.Remaining())));
        }
    }
    std::vector<MpaConversation> conversations;
    conversations.emplace_back(script.GetTcp());
    const MpaConversation& conversation = conversations.front();
    for (std::size_t side = 0; side < TcpConversation::SIDES; ++side)
    {
        const MpaDirection& direction = conversation.GetDirection(side);
        FuzzExpect(direction.reencodedOctets <= direction.mpaOctets);
        FuzzExpect(direction.mpaOctets + direction.partOctets + direction.unreadOctets ==
                   script.GetTcp().GetDirection(side).octets.size());
        FuzzExpect(direction.reencodedOctets == direction.mpaOctets || !direction.faults.empty());
    }
    if (input.size() % REPLAYED != 0)
    {
        return;
    }
    const NamedStags named(conversations);
    ConversationReplay replay(conversation, named);
    replay.Run();
    for (std::size_t side = 0; side < TcpConversation::SIDES; ++side)
    {
        FuzzExpect(!replay.GetVerdict(side).Describe().empty());
    }
}

} // namespace ns3::nfsrdma
