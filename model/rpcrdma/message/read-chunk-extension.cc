/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/message/read-chunk-extension.h"

#include "rpcrdma/message/continuation.h"
#include "rpcrdma/message/private-data.h"
#include "wire/byte-reader.h"
#include "wire/byte-writer.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

std::size_t
FindIdentifier(ByteSpan octets)
{
    const uint32_t size = sizeof(ReadChunkExtension::FORMAT_IDENTIFIER);
    for (std::size_t offset = 0; offset + size <= octets.size(); ++offset)
    {
        if (boost::endian::load_big_u32(octets.data() + offset) ==
            ReadChunkExtension::FORMAT_IDENTIFIER)
        {
            return offset;
        }
    }
    return octets.size();
}

} // namespace

ByteVector
ReadChunkExtension::Encode() const
{
    ByteVector octets(SIZE);
    ByteWriter writer(octets);
    writer.WriteU32(FORMAT_IDENTIFIER);
    writer.WriteU8(VERSION);
    writer.WriteU8((requester ? FLAG_REQUESTER : 0) | (responder ? FLAG_RESPONDER : 0) |
                   (piggyback ? FLAG_PIGGYBACK : 0) |
                   (remoteInvalidation ? FLAG_REMOTE_INVALIDATION : 0) |
                   (continuation ? FLAG_CONTINUATION : 0));
    writer.WriteU16(responder ? doneReceives : replyMessages);
    return octets;
}

bool
ReadChunkExtension::Fits(uint32_t maximum)
{
    return maximum >= RpcRdmaPrivateData::SIZE + SIZE;
}

Decoded<ReadChunkExtension>
ReadChunkExtension::Decode(ByteSpan privateData)
{
    ByteReader reader(privateData.subspan(FindIdentifier(privateData)));
    reader.ReadU32();
    const uint8_t version = reader.ReadU8();
    const uint8_t flags = reader.ReadU8();
    const uint16_t receives = reader.ReadU16();
    if (!reader.Ok())
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    if (version != VERSION)
    {
        return tl::unexpected(WireError::BAD_VERSION);
    }
    ReadChunkExtension extension;
    extension.requester = (flags & FLAG_REQUESTER) != 0;
    extension.responder = (flags & FLAG_RESPONDER) != 0;
    extension.piggyback = (flags & FLAG_PIGGYBACK) != 0;
    extension.remoteInvalidation = (flags & FLAG_REMOTE_INVALIDATION) != 0;
    extension.continuation = (flags & FLAG_CONTINUATION) != 0;
    (extension.responder ? extension.doneReceives : extension.replyMessages) = receives;
    if (extension.responder && receives == 0)
    {
        return tl::unexpected(WireError::BAD_VALUE);
    }
    return extension;
}

ReadChunkAgreement
ReadChunkAgreement::Agree(const ReadChunkExtension& requester, const ReadChunkExtension& responder)
{
    ReadChunkAgreement agreement;
    agreement.active = requester.requester && responder.responder;
    if (agreement.active)
    {
        agreement.piggyback = requester.piggyback && responder.piggyback;
        agreement.remoteInvalidation = requester.remoteInvalidation && responder.remoteInvalidation;
        agreement.doneReceives = responder.doneReceives;
    }
    return agreement;
}

uint32_t
AgreeOnReplyMessages(const ReadChunkExtension& requester, const ReadChunkExtension& responder)
{
    return requester.continuation && responder.continuation
               ? std::clamp<uint32_t>(requester.replyMessages, 1, RpcRdmaContinuation::MAXIMUM)
               : 1;
}

ReadChunkExtension
DecodeReadChunkExtensionOrNone(ByteSpan privateData)
{
    return ReadChunkExtension::Decode(privateData).value_or(ReadChunkExtension());
}

} // namespace ns3::nfsrdma
