/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "mpa/made-stream.h"
#include "mpa/ordered-reader.h"
#include "wire/byte-reader.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint8_t CRC = 0x01;
constexpr uint8_t MARKERS = 0x02;
constexpr uint8_t DROP = 0x04;
constexpr uint8_t LIMIT = 0x08;
constexpr uint8_t LATER_WINS = 0x10;
constexpr uint8_t ARBITRARY = 0x20;

/// Segments hold whatever the input says, wherever it says.
void
TakeArbitraryOctets(OrderedReader& reader, uint64_t limit, ByteReader& steps)
{
    while (steps.Ok() && steps.Remaining() != 0)
    {
        const uint64_t position = steps.ReadU16() % 16384;
        const std::size_t length = std::min<std::size_t>(steps.ReadU8() * 4U, steps.Remaining());
        const bool taken = reader.Arrive(position, steps.ReadBytes(length));
        FuzzExpect(taken || length != 0);
        const uint64_t held = reader.GetReceiver().GetAssembler()->GetHeldOctets();
        FuzzExpect(held <= 16384 + 1024);
        FuzzExpect(limit == UINT64_MAX || reader.error || held <= 16384 + limit);
    }
    const auto asPlaced = static_cast<std::size_t>(
        std::count(reader.deliveredAsPlaced.begin(), reader.deliveredAsPlaced.end(), true));
    FuzzExpect(asPlaced <= reader.placed.size());
}

/// The input chooses sizes of ULPDUs, then which parts of the stream arrive, and which damaged; in
/// the end all arrives.
void
TakeParts(OrderedReader& reader, const FpduFraming& framing, ByteReader& steps)
{
    MadeStream made(framing);
    for (uint8_t size = steps.ReadU8(); size != 0; size = steps.ReadU8())
    {
        made.AddPattern(size * 6U, static_cast<uint8_t>(made.starts.size()));
    }
    if (made.octets.empty())
    {
        return;
    }
    bool damaged = false;
    while (steps.Ok() && steps.Remaining() != 0)
    {
        const uint64_t begin = steps.ReadU16() % made.octets.size();
        const uint8_t length = steps.ReadU8();
        const uint64_t end =
            std::min<uint64_t>(begin + 1 + (length & 0x7f) * 8U, made.octets.size());
        const ByteSpan cut = made.Cut(begin, end);
        ByteVector octets(cut.begin(), cut.end());
        if (framing.crc && (length & 0x80) != 0)
        {
            octets[steps.ReadU8() % octets.size()] ^=
                static_cast<uint8_t>(1U << steps.ReadU8() % 8);
            damaged = true;
        }
        reader.Arrive(begin, octets);
    }
    for (int repeat = 0; repeat < 2; ++repeat)
    {
        reader.Arrive(0, made.octets);
    }
    FuzzExpect(damaged || (!reader.error && reader.delivered.size() == made.ulpdus.size()));
    FuzzExpect(reader.delivered.size() <= made.ulpdus.size());
    FuzzExpect(std::equal(reader.delivered.begin(), reader.delivered.end(), made.ulpdus.begin()));
    for (const ByteVector& ulpdu : reader.placed)
    {
        FuzzExpect(std::find(made.ulpdus.begin(), made.ulpdus.end(), ulpdu) != made.ulpdus.end());
    }
}

} // namespace

/// Input: an octet of settings, then segments.
void
FuzzOne(ByteSpan input)
{
    ByteReader steps(input);
    const uint8_t choice = steps.ReadU8();
    OrderedReader::Settings settings;
    settings.framing = {(choice & CRC) != 0, (choice & MARKERS) != 0};
    settings.lookAhead = true;
    settings.dropBadSegments = (choice & DROP) != 0;
    settings.limit = (choice & LIMIT) != 0 ? 600 : UINT64_MAX;
    OrderedReader reader(settings);
    reader.queue.laterWins = (choice & LATER_WINS) != 0;
    if ((choice & ARBITRARY) != 0)
    {
        TakeArbitraryOctets(reader, settings.limit, steps);
    }
    else
    {
        TakeParts(reader, settings.framing, steps);
    }
}

} // namespace ns3::nfsrdma
