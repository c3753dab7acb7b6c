/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_FUZZ_XDR_ROUND_TRIP_H
#define NFSRDMA_TEST_FUZZ_XDR_ROUND_TRIP_H

#include "fuzz/fuzz-target.h"
#include "nfs/types/xdr-fields.h"

namespace ns3::nfsrdma
{

/**
 * \brief Decodes a \p Value from the whole input and checks that what is encoded from it decodes to
 * the same.
 * \param options what DecodeXdr() takes after the reader
 */
template <typename Value, typename... Options>
void
CheckXdrRoundTrip(ByteSpan input, Options... options)
{
    XdrReader reader(input);
    const auto value = DecodeXdr<Value>(reader, options...);
    if (!value)
    {
        return;
    }
    FuzzExpect(reader.Ok() && reader.Position() <= input.size());
    XdrWriter writer;
    EncodeXdr(writer, *value);
    XdrReader encoded(writer.GetOctets());
    const auto again = DecodeXdr<Value>(encoded, options...);
    FuzzExpect(again && encoded.Remaining() == 0);
    XdrWriter rewriter;
    EncodeXdr(rewriter, *again);
    FuzzExpect(SameOctets(writer.GetOctets(), rewriter.GetOctets()));
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_FUZZ_XDR_ROUND_TRIP_H
