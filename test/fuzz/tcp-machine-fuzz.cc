/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "toe/machine.h"
#include "wire/byte-reader.h"

#include <tuple>

namespace ns3::nfsrdma
{

namespace
{

/// What any peer may bring about: nothing is delivered or released twice, or beyond what there is.
class CheckedActions : public TcpMachineActions
{
  public:
    void Transmit(const OutgoingTcpSegment& segment) override
    {
        ByteVector header(segment.header.GetSize());
        FuzzExpect(segment.header.Encode(header));
        FuzzExpect(segment.length == 0 || segment.offset + segment.length <= given);
        FuzzExpect(segment.length == 0 || segment.offset >= released);
        FuzzExpect(!ended);
    }

    bool Offer(uint64_t /* offset */, uint32_t from, uint32_t size) override
    {
        FuzzExpect(from + size <= length);
        return true;
    }

    void Keep(uint64_t offset, uint32_t from, uint32_t size) override
    {
        FuzzExpect(size > 0 && from + size <= length && offset >= delivered);
        kept += size;
    }

    void Deliver(uint64_t end) override
    {
        FuzzExpect(end > delivered && end <= kept);
        delivered = end;
    }

    void Release(uint64_t end) override
    {
        FuzzExpect(end > released && end <= given);
        released = end;
    }

    void Establish() override
    {
    }

    void EndOfStream() override
    {
        FuzzExpect(!endOfStream);
        endOfStream = true;
    }

    void End(TcpEnd /* how */) override
    {
        FuzzExpect(!ended);
        ended = true;
    }

    uint32_t length{0}; ///< Of the segment in hand.
    uint64_t given{0};
    uint64_t released{0};
    uint64_t kept{0};
    uint64_t delivered{0};
    bool endOfStream{false};
    bool ended{false};
};

constexpr uint32_t PEER_INITIAL = 5000;
constexpr uint32_t OWN_INITIAL = 0xffffff00U;

/// A segment near what a true peer would send: 12 octets of input.
TcpWireHeader
ReadSegment(ByteReader& reader, uint32_t& length)
{
    TcpWireHeader header;
    header.flags = static_cast<uint16_t>(reader.ReadU8());
    header.sequence = PEER_INITIAL + static_cast<uint32_t>(static_cast<int16_t>(reader.ReadU16()));
    header.acknowledgment =
        OWN_INITIAL + static_cast<uint32_t>(static_cast<int16_t>(reader.ReadU16()));
    header.window = reader.ReadU16();
    length = reader.ReadU16() % 3000;
    const uint8_t options = reader.ReadU8();
    const uint16_t place = reader.ReadU16();
    header.options.sackPermitted = (options & 1) != 0;
    if ((options & 2) != 0)
    {
        header.options.timestamps = TcpTimestamps{place, static_cast<uint32_t>(options >> 4)};
    }
    if ((options & 4) != 0)
    {
        header.options.sack.Add({OWN_INITIAL + place, OWN_INITIAL + place + (options >> 3) * 64U});
        header.options.sack.Add({OWN_INITIAL + place / 2, OWN_INITIAL + place * 2U});
    }
    if ((options & 8) != 0)
    {
        header.options.windowScale = options >> 4;
        header.options.maximumSegmentSize = place;
    }
    return header;
}

} // namespace

/// Input: settings, and then what happens, an octet each: segments, calls, and time that passes.
void
FuzzOne(ByteSpan input)
{
    ByteReader reader(input);
    TcpEngineSettings settings;
    const uint8_t choice = reader.ReadU8();
    settings.timestamps = (choice & 1) != 0;
    settings.control = static_cast<TcpEngineSettings::Control>((choice >> 1) % 3);
    settings.aligned = (choice & 8) != 0;
    settings.packing = (choice & 16) != 0;
    settings.rack = (choice & 32) != 0;
    settings.pacing = (choice & 64) != 0;
    settings.keepAlive = (choice & 128) != 0;
    settings.receiveBuffer = 4000;
    settings.rtoMin = MilliSeconds(4);
    CheckedActions actions;
    TcpEngineCounters counters;
    TcpMachine machine(settings, actions, counters, {1, 2}, OWN_INITIAL);
    Time now;
    if ((reader.ReadU8() & 1) != 0)
    {
        machine.Connect(now);
    }
    else
    {
        machine.Listen();
    }
    while (reader.Ok() && reader.Remaining() > 0 && !actions.ended)
    {
        const uint8_t event = reader.ReadU8();
        switch (event % 8)
        {
        case 0:
        case 1:
        case 2:
        case 3: {
            const auto header = ReadSegment(reader, actions.length);
            std::ignore = machine.HandleSegment(header, actions.length, (event & 64) != 0, now);
            actions.length = 0;
            break;
        }
        case 4: {
            const uint32_t size = 1U + reader.ReadU16() % 4000;
            actions.given += size;
            if (!machine.Send(size, now))
            {
                actions.given -= size;
            }
            break;
        }
        case 5:
            machine.Consume(reader.ReadU16(), now);
            break;
        case 6:
            if (event >= 250)
            {
                machine.Shutdown(now);
            }
            else if (event >= 240)
            {
                machine.SetPathMss(100U + reader.ReadU16() % 2000, now);
            }
            else if (event >= 230)
            {
                machine.Close(now);
            }
            break;
        default:
            now += MicroSeconds(1LL << (event >> 3));
            for (int i = 0; i < 100 && machine.GetDeadline() && *machine.GetDeadline() <= now; ++i)
            {
                machine.HandleTimers(now);
            }
            break;
        }
        FuzzExpect(machine.GetReceiveSide().GetWaiting() +
                       machine.GetReceiveSide().GetOutOfOrder() <=
                   settings.receiveBuffer);
    }
}

} // namespace ns3::nfsrdma
