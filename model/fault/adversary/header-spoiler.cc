/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/header-spoiler.h"

#include "rpcrdma/message/transport-header.h"
#include "wire/byte-writer.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t VERSION = 4;
constexpr std::size_t PROC = 12;
constexpr uint32_t HALF = 0x10000;

void
Put(ByteVector& message, std::size_t at, uint32_t word)
{
    ByteWriter writer(MutableByteSpan(message).subspan(at, sizeof(word)));
    writer.WriteU32(word);
}

/// Puts \p words in the place of the chunk lists.
void
ReplaceLists(ByteVector& message, uint32_t headerLength, const std::vector<uint32_t>& words)
{
    ByteVector lists(words.size() * sizeof(uint32_t));
    ByteWriter writer(lists);
    for (const uint32_t word : words)
    {
        writer.WriteU32(word);
    }
    const auto begin = message.begin() + RpcRdmaFixedHeader::SIZE;
    message.erase(begin, message.begin() + headerLength);
    message.insert(message.begin() + RpcRdmaFixedHeader::SIZE, lists.begin(), lists.end());
}

} // namespace

HeaderSpoiler::HeaderSpoiler(Draw draw)
    : m_draw(std::move(draw))
{
}

uint32_t
HeaderSpoiler::DrawWord() const
{
    return m_draw(HALF) * HALF + m_draw(HALF);
}

void
HeaderSpoiler::Flip(ByteVector& message, uint32_t headerLength) const
{
    constexpr uint32_t MOST = 8;
    constexpr uint32_t BITS = 8;
    const uint32_t count = 1 + m_draw(MOST);
    for (uint32_t i = 0; i < count; ++i)
    {
        message[m_draw(headerLength)] ^= static_cast<uint8_t>(1U << m_draw(BITS));
    }
}

std::string
HeaderSpoiler::SpoilBy(uint32_t way, ByteVector& message, uint32_t headerLength) const
{
    constexpr uint32_t MANY = 150;
    constexpr uint32_t HUGE_COUNT = 0x7fffffff;
    switch (way)
    {
    case 0:
        Flip(message, headerLength);
        return "malformed: bits flipped";
    case 1:
        message.resize(1 + m_draw(headerLength - 1));
        return "malformed: cut short";
    case 2:
        Put(message, VERSION, 2 + m_draw(HALF));
        return "malformed: another version";
    case 3: {
        constexpr std::array<uint32_t, 4> PROCS{2, 4, 5, UINT32_MAX};
        Put(message, PROC, PROCS.at(m_draw(PROCS.size())));
        return "malformed: a bad rdma_proc";
    }
    case 4:
        ReplaceLists(message, headerLength, {0, 1, HUGE_COUNT, DrawWord(), DrawWord()});
        return "malformed: a segment count beyond the end";
    case 5: {
        std::vector<uint32_t> words;
        for (uint32_t i = 0; i < MANY; ++i)
        {
            words.insert(words.end(), {1, 0, DrawWord(), m_draw(HALF), 0, 0});
        }
        ReplaceLists(message, headerLength, words);
        return "malformed: a Read list without an end";
    }
    case 6: {
        const uint32_t position = m_draw(2) == 0 ? 1 + 4 * m_draw(HALF) : HUGE_COUNT - 3;
        ReplaceLists(message, headerLength, {1, position, DrawWord(), m_draw(HALF), 0, 0, 0, 0, 0});
        return "malformed: an odd Position";
    }
    default:
        ReplaceLists(message, headerLength, {2 + m_draw(HALF), UINT32_MAX, 2});
        return "malformed: bad discriminators";
    }
}

} // namespace ns3::nfsrdma
