/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "rpcrdma/message/private-data.h"
#include "rpcrdma/message/pull-notice-list.h"
#include "rpcrdma/message/read-chunk-extension.h"

namespace ns3::nfsrdma
{

namespace
{

void
TakeExtension(ByteSpan input)
{
    const auto extension = ReadChunkExtension::Decode(input);
    if (!extension)
    {
        return;
    }
    FuzzExpect(!extension->responder || extension->doneReceives > 0);
    const ByteVector message = extension->Encode();
    const auto again = ReadChunkExtension::Decode(message);
    FuzzExpect(again && SameOctets(again->Encode(), message));
    FuzzExpect(!RpcRdmaPrivateData::Decode(message));
    const auto agreed = ReadChunkAgreement::Agree(*extension, *extension);
    FuzzExpect(agreed.active == (extension->requester && extension->responder));
}

void
TakeNotices(ByteSpan input)
{
    ByteVector message(input.begin(), input.end());
    if (!PullNoticeList::IsIn(message))
    {
        return;
    }
    const auto list = PullNoticeList::TakeFrom(message);
    if (!list)
    {
        FuzzExpect(SameOctets(message, input));
        return;
    }
    FuzzExpect(!list->xids.empty() && list->xids.size() <= PullNoticeList::MAXIMUM);
    FuzzExpect(message.size() + PullNoticeList::GetEncodedSize(list->xids.size()) ==
               static_cast<std::size_t>(input.size()));
    ByteReader reader(message);
    const auto fixed = RpcRdmaFixedHeader::Decode(reader);
    FuzzExpect(fixed && !PullNoticeList::IsIn(message));
    ByteVector back = list->Encode(*fixed);
    back.insert(back.end(), message.begin() + RpcRdmaFixedHeader::SIZE, message.end());
    FuzzExpect(SameOctets(back, input));
}

} // namespace

void
FuzzOne(ByteSpan input)
{
    TakeExtension(input);
    TakeNotices(input);
}

} // namespace ns3::nfsrdma
