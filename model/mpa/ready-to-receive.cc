/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/ready-to-receive.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::array<uint8_t, 18>
    RTR_SEND{0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
constexpr std::array<uint8_t, 14> RTR_WRITE{0xc1, 0x40, 0, 0, 0, 1};
constexpr std::array<uint8_t, 46> RTR_READ{0x41, 0x41, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0,
                                           0,    0,    0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                           0,    0,    0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
constexpr uint8_t DDP_TAGGED = 0x80;
constexpr uint8_t RDMAP_OPCODE_MASK = 0x0f;
constexpr std::size_t QUEUE_FIELDS = 6;
constexpr std::size_t QUEUE_FIELDS_SIZE = 12;
constexpr std::size_t READ_LENGTH = 30;

struct Name
{
    ReadyToReceive kind;
    const char* text;
};

constexpr std::array<Name, 3> NAMES{Name{ReadyToReceive::SEND, "Send"},
                                    Name{ReadyToReceive::WRITE, "Write"},
                                    Name{ReadyToReceive::READ, "Read"}};

} // namespace

ReadyToReceiveKinds
GetLinuxReadyToReceiveKinds()
{
    return {ReadyToReceive::WRITE, ReadyToReceive::READ};
}

std::optional<ReadyToReceiveKinds>
ParseReadyToReceiveKinds(const std::string& text)
{
    ReadyToReceiveKinds kinds;
    std::istringstream words(text);
    for (std::string word; words >> word;)
    {
        const auto* const name =
            std::find_if(NAMES.begin(), NAMES.end(), [&](const Name& n) { return word == n.text; });
        if (name == NAMES.end() || Includes(kinds, name->kind))
        {
            return std::nullopt;
        }
        kinds.push_back(name->kind);
    }
    return kinds;
}

std::string
ToString(const ReadyToReceiveKinds& kinds)
{
    std::string text;
    for (const ReadyToReceive kind : kinds)
    {
        for (const Name& name : NAMES)
        {
            if (name.kind == kind)
            {
                text += (text.empty() ? "" : " ") + std::string(name.text);
            }
        }
    }
    return text;
}

bool
Includes(const ReadyToReceiveKinds& kinds, ReadyToReceive kind)
{
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

ByteSpan
GetReadyToReceiveUlpdu(ReadyToReceive kind)
{
    switch (kind)
    {
    case ReadyToReceive::NONE:
        break;
    case ReadyToReceive::SEND:
        return RTR_SEND;
    case ReadyToReceive::WRITE:
        return RTR_WRITE;
    case ReadyToReceive::READ:
        return RTR_READ;
    }
    return {};
}

bool
IsReadyToReceiveUlpdu(ReadyToReceive kind, ByteSpan ulpdu)
{
    const ByteSpan own = GetReadyToReceiveUlpdu(kind);
    if (own.empty() || ulpdu.size() != own.size() || ((ulpdu[0] ^ own[0]) & DDP_TAGGED) != 0 ||
        ((ulpdu[1] ^ own[1]) & RDMAP_OPCODE_MASK) != 0)
    {
        return false;
    }
    const auto agrees = [&](std::size_t begin, std::size_t size) {
        return std::equal(ulpdu.begin() + begin, ulpdu.begin() + begin + size, own.begin() + begin);
    };
    switch (kind)
    {
    case ReadyToReceive::NONE:
    case ReadyToReceive::WRITE:
        break;
    case ReadyToReceive::SEND:
        return agrees(QUEUE_FIELDS, QUEUE_FIELDS_SIZE);
    case ReadyToReceive::READ:
        return agrees(QUEUE_FIELDS, QUEUE_FIELDS_SIZE) && agrees(READ_LENGTH, 4);
    }
    return true;
}

} // namespace ns3::nfsrdma
