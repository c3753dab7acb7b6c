/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/xdr-round-trip.h"
#include "rpc/message.h"

namespace ns3::nfsrdma
{

void
FuzzOne(ByteSpan input)
{
    CheckXdrRoundTrip<RpcCallHeader>(input);
    CheckXdrRoundTrip<RpcReplyHeader>(input);
    if (const auto credential = AuthSysCredential::DecodeBody(input))
    {
        XdrWriter writer;
        credential->EncodeBody(writer);
        FuzzExpect(SameOctets(writer.GetOctets(), input));
    }
}

} // namespace ns3::nfsrdma
