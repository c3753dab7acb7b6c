/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/captured-message.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

namespace
{

struct EndedMessage
{
    std::size_t event{0};
    CapturedMessage message;
};

/// Segments of a Read Response may lie between those of a Send: each opcode counts for itself.
void
AddDirection(const MpaConversation& conversation,
             std::size_t side,
             std::vector<EndedMessage>& messages)
{
    std::array<uint64_t, MpaDirection::OPCODES> lengths{};
    for (const CapturedFpdu& fpdu : conversation.GetDirection(side).fpdus)
    {
        if (!fpdu.opcode)
        {
            continue;
        }
        uint64_t& length = lengths.at(static_cast<std::size_t>(*fpdu.opcode));
        length += fpdu.payload.size();
        if (fpdu.last)
        {
            CapturedMessage message;
            message.fromInitiator = side == conversation.GetInitiator();
            message.opcode = *fpdu.opcode;
            message.length = std::exchange(length, 0);
            message.time = conversation.GetTcp().GetEvents()[fpdu.event].time;
            messages.push_back({fpdu.event, message});
        }
    }
}

} // namespace

std::string
CapturedMessage::ToString() const
{
    return std::string(fromInitiator ? "initiator " : "responder ") +
           ns3::nfsrdma::ToString(opcode) + " " + std::to_string(length);
}

bool
CapturedMessage::IsLike(const CapturedMessage& other) const
{
    return fromInitiator == other.fromInitiator && opcode == other.opcode && length == other.length;
}

std::vector<CapturedMessage>
ListMessages(const MpaConversation& conversation)
{
    std::vector<EndedMessage> ended;
    for (std::size_t side = 0; side < TcpConversation::SIDES; ++side)
    {
        AddDirection(conversation, side, ended);
    }
    std::stable_sort(ended.begin(), ended.end(), [](const auto& one, const auto& other) {
        return one.event < other.event;
    });
    std::vector<CapturedMessage> messages;
    messages.reserve(ended.size());
    for (const EndedMessage& one : ended)
    {
        messages.push_back(one.message);
    }
    return messages;
}

tl::expected<std::vector<std::vector<CapturedMessage>>, std::string>
ReadMessages(ByteSpan file)
{
    return ReadMessages(std::make_unique<CaptureOctets>(file));
}

tl::expected<std::vector<std::vector<CapturedMessage>>, std::string>
ReadMessages(std::unique_ptr<CaptureSource> file)
{
    const auto capture = TcpCapture::Read(std::move(file));
    if (!capture)
    {
        return tl::make_unexpected(capture.error().ToString());
    }
    std::vector<std::vector<CapturedMessage>> connections;
    for (const TcpConversation& tcp : capture->conversations)
    {
        const MpaConversation conversation(tcp);
        if (conversation.IsOperational())
        {
            connections.push_back(ListMessages(conversation));
        }
    }
    return connections;
}

} // namespace ns3::nfsrdma
