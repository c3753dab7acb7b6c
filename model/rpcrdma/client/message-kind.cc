/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/message-kind.h"

#include "rpcrdma/client/reverse-responder.h"

namespace ns3::nfsrdma
{

namespace
{

/// RFC 8167: a reverse-direction Call carries msg_type 0 right after its XID.
bool
IsReverseCall(const RpcRdmaFixedHeader& header, ByteSpan message)
{
    const uint32_t payload = RpcRdmaHeader::MINIMUM_SIZE;
    return header.proc == static_cast<uint32_t>(RpcRdmaProc::MSG) &&
           message.size() >= payload + 8 &&
           boost::endian::load_big_u32(message.data() + payload) == header.xid &&
           boost::endian::load_big_u32(message.data() + payload + 4) == 0;
}

} // namespace

MessageKind
Classify(const Decoded<RpcRdmaFixedHeader>& header,
         ByteSpan message,
         XidState xid,
         bool servesCalls,
         bool agreed)
{
    if (!header || header->version != RpcRdmaHeader::VERSION)
    {
        return MessageKind::MALFORMED;
    }
    const bool mayBeReply = agreed || xid != XidState::UNKNOWN;
    if (servesCalls ? RpcRdmaReverseResponder::IsCall(message) &&
                          (header->proc == static_cast<uint32_t>(RpcRdmaProc::MSG) || !mayBeReply)
                    : IsReverseCall(*header, message))
    {
        return MessageKind::REVERSE_CALL;
    }
    return xid == XidState::AWAITED ? MessageKind::REPLY : MessageKind::UNKNOWN_XID;
}

} // namespace ns3::nfsrdma
