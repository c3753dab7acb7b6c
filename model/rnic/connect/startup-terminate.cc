/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/connect/startup-terminate.h"

#include "ddp/segmenter.h"
#include "ddp/untagged-queue.h"
#include "rdmap/control-field.h"
#include "rdmap/terminate-message.h"

namespace ns3::nfsrdma
{

bool
SendStartupTerminate(MpaConnection& connection, MpaError error)
{
    if (!connection.CanSend())
    {
        return false;
    }
    TerminateMessage message;
    message.reason = TerminateReason::From(error);
    const uint8_t version = connection.GetAgreement().headerVersion;
    DdpSegmenter segmenter(version);
    segmenter.StartUntagged(EncodeRdmapControl(RdmapOpcode::TERMINATE, version),
                            0,
                            static_cast<uint32_t>(DdpQueue::TERMINATE),
                            DdpUntaggedQueue::FIRST_MSN,
                            message.EncodedSize());
    const DdpSegment segment = segmenter.Next(connection.GetMulpdu());
    ByteWriter writer(connection.BeginUlpdu(segment.Size()));
    segment.EncodeHeader(writer);
    message.Encode(writer);
    connection.CommitUlpdu();
    return true;
}

} // namespace ns3::nfsrdma
