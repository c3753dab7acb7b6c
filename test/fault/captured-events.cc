/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/captured-events.h"

#include "helper/capture/capture-list.h"
#include "helper/capture/mpa-conversation.h"
#include "helper/capture/rpcrdma-conversation.h"

namespace ns3::nfsrdma::test
{

namespace
{

constexpr uint32_t ETHERNET = 1;

uint64_t
Sum(const MpaDirection& direction, const std::vector<RdmapOpcode>& opcodes)
{
    uint64_t sum = 0;
    for (const auto opcode : opcodes)
    {
        sum += direction.messages.at(static_cast<std::size_t>(opcode));
    }
    return sum;
}

void
CountMpa(const MpaConversation& conversation, EventCounts& counts)
{
    counts["mpa-request"] += conversation.GetRequest() != nullptr ? 1 : 0;
    counts["mpa-reply"] += conversation.GetReply() != nullptr ? 1 : 0;
    for (std::size_t side = 0; side < TcpConversation::SIDES; ++side)
    {
        const auto& direction = conversation.GetDirection(side);
        counts["fpdu"] += direction.fpdus.size();
        counts["rdma-write"] += Sum(direction, {RdmapOpcode::WRITE});
        counts["read-request"] += Sum(direction, {RdmapOpcode::READ_REQUEST});
        counts["read-response"] += Sum(direction, {RdmapOpcode::READ_RESPONSE});
        counts["send"] += Sum(direction,
                              {RdmapOpcode::SEND,
                               RdmapOpcode::SEND_INVALIDATE,
                               RdmapOpcode::SEND_SE,
                               RdmapOpcode::SEND_SE_INVALIDATE});
        counts["send-invalidate"] +=
            Sum(direction, {RdmapOpcode::SEND_INVALIDATE, RdmapOpcode::SEND_SE_INVALIDATE});
        counts["send-solicited"] +=
            Sum(direction, {RdmapOpcode::SEND_SE, RdmapOpcode::SEND_SE_INVALIDATE});
        counts["terminate"] += Sum(direction, {RdmapOpcode::TERMINATE});
    }
}

void
CountRpcRdma(const RpcRdmaConversation& conversation, EventCounts& counts)
{
    for (const auto& message : conversation.GetMessages())
    {
        if (!message.fixed)
        {
            continue;
        }
        const auto proc = static_cast<RpcRdmaProc>(message.fixed->proc);
        // An error has the version that was asked for, any.
        if (message.fixed->version != RpcRdmaHeader::VERSION && proc != RpcRdmaProc::ERROR)
        {
            continue;
        }
        switch (proc)
        {
        case RpcRdmaProc::MSG:
            ++counts["rdma-msg"];
            break;
        case RpcRdmaProc::NOMSG:
            ++counts["rdma-nomsg"];
            break;
        case RpcRdmaProc::ERROR:
            ++counts["rdma-error"];
            break;
        default:
            break;
        }
    }
}

} // namespace

EventCounts
CountCapturedEvents(ByteSpan file)
{
    EventCounts counts;
    const auto capture = TcpCapture::Read(file);
    for (const auto& tcp : capture.value().conversations)
    {
        const MpaConversation mpa(tcp);
        if (!mpa.IsMpa())
        {
            continue;
        }
        CountMpa(mpa, counts);
        if (RpcRdmaConversation::IsRpcRdma(mpa))
        {
            CountRpcRdma(RpcRdmaConversation(mpa), counts);
        }
    }
    return counts;
}

std::vector<ByteSpan>
ListFrames(ByteSpan file)
{
    std::vector<ByteSpan> frames;
    auto reader = PcapReader::Create(file);
    while (reader)
    {
        const auto frame = reader->Next();
        if (!frame || !*frame)
        {
            break;
        }
        frames.push_back((*frame)->octets);
    }
    return frames;
}

ByteVector
ReadCaptureData(const std::string& name)
{
    return ReadCaptureFile(CAPTURES + "/" + name).value();
}

std::vector<std::string>
FindEthernetCaptures()
{
    std::vector<std::string> names;
    for (const auto& name : FindCaptures())
    {
        const auto file = ReadCaptureData(name);
        const auto reader = PcapReader::Create(file);
        const auto capture = TcpCapture::Read(file);
        const bool isEthernet = reader && reader->GetLinkType() == ETHERNET && capture &&
                                !capture->conversations.empty() &&
                                !capture->conversations.front().GetDirection(0).source.ipv6;
        if (isEthernet)
        {
            names.push_back(name);
        }
    }
    return names;
}

} // namespace ns3::nfsrdma::test
