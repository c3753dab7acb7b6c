/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "rpc/tcp/record-marking.h"

#include <vector>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t LIMIT = 256;

struct Outcome
{
    std::vector<ByteVector> records;
    bool tooLong{false};
};

Outcome
TakeInPieces(ByteSpan stream, std::size_t piece)
{
    Outcome outcome;
    RecordMarkingDecoder decoder(LIMIT);
    while (!stream.empty() && !outcome.tooLong)
    {
        ByteSpan octets = stream.first(std::min(piece, stream.size()));
        stream = stream.subspan(octets.size());
        while (true)
        {
            auto taken = decoder.Take(octets);
            outcome.tooLong = !taken;
            if (!taken || !*taken)
            {
                break;
            }
            FuzzExpect((**taken).size() <= LIMIT);
            outcome.records.push_back(std::move(**taken));
        }
        FuzzExpect(outcome.tooLong || octets.empty());
    }
    return outcome;
}

} // namespace

/// The first octet says in what pieces the stream comes, and how records are marked again.
void
FuzzOne(ByteSpan input)
{
    if (input.empty())
    {
        return;
    }
    const uint32_t piece = 1U + input[0];
    const ByteSpan stream = input.subspan(1);
    const Outcome whole = TakeInPieces(stream, stream.size());
    const Outcome cut = TakeInPieces(stream, piece);
    FuzzExpect(whole.records == cut.records && whole.tooLong == cut.tooLong);
    ByteVector marked;
    std::vector<ByteVector> filled;
    for (const ByteVector& record : whole.records)
    {
        const ByteVector again = MarkRecord(record, piece);
        marked.insert(marked.end(), again.begin(), again.end());
        if (!record.empty())
        {
            filled.push_back(record);
        }
    }
    FuzzExpect(TakeInPieces(marked, piece).records == filled);
}

} // namespace ns3::nfsrdma
