/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "rpcrdma/client/inline-limits.h"
#include "rpcrdma/message/private-data.h"

namespace ns3::nfsrdma
{

void
FuzzOne(ByteSpan input)
{
    const auto found = RpcRdmaPrivateData::Decode(input);
    const RpcRdmaPrivateData peer = DecodePrivateDataOrDefault(input);
    const auto isSize = [](uint32_t size) {
        return size % RpcRdmaPrivateData::MINIMUM_INLINE == 0 &&
               size >= RpcRdmaPrivateData::MINIMUM_INLINE &&
               size <= RpcRdmaPrivateData::MAXIMUM_INLINE;
    };
    FuzzExpect(isSize(peer.sendSize) && isSize(peer.receiveSize));
    if (found)
    {
        // Nothing before the message hides it, and what follows does not matter.
        ByteVector again(input.begin(), input.end());
        const ByteVector message = found->Encode();
        again.insert(again.end(), message.begin(), message.end());
        const auto first = RpcRdmaPrivateData::Decode(again);
        FuzzExpect(first && SameOctets(first->Encode(), message));
    }
    else
    {
        FuzzExpect(!peer.remoteInvalidation);
        FuzzExpect(peer.sendSize == RpcRdmaPrivateData::MINIMUM_INLINE);
    }
    const RpcRdmaPrivateData own{true, 4096, 4096};
    const InlineLimits limits = InlineLimits::Negotiate(own, peer, 4);
    FuzzExpect(limits.send <= own.sendSize && limits.send <= peer.receiveSize);
    FuzzExpect(limits.receive <= own.receiveSize && limits.receive <= peer.sendSize);
}

} // namespace ns3::nfsrdma
