/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_FUZZ_XDR_ROUND_TRIP_H
#define NFSRDMA_TEST_FUZZ_XDR_ROUND_TRIP_H

#include "fuzz/fuzz-target.h"
#include "rpc/xdr-reader.h"
#include "rpc/xdr-writer.h"

namespace ns3::nfsrdma
{

/**
 * \brief Decodes a \p Value from the whole input and checks that what is encoded from it decodes to
 * the same.
 * \param options what Value::Decode() takes after the reader
 */
template <typename Value, typename... Options>
void
CheckXdrRoundTrip(ByteSpan input, Options... options)
{
    XdrReader reader(input);
    const auto value = Value::Decode(reader, options...);
    if (!value)
    {
        return;
    }
    FuzzExpect(reader.Ok() && reader.Position() <= input.size());
    XdrWriter writer;
    value->Encode(writer);
    XdrReader encoded(writer.GetOctets());
    const auto again = Value::Decode(encoded, options...);
    FuzzExpect(again && encoded.Remaining() == 0);
    XdrWriter rewriter;
    again->Encode(rewriter);
    FuzzExpect(SameOctets(writer.GetOctets(), rewriter.GetOctets()));
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_FUZZ_XDR_ROUND_TRIP_H
