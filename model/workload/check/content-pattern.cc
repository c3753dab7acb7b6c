/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/content-pattern.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t GOLDEN = 0x9e3779b97f4a7c15;
constexpr std::size_t PATTERN_WORD = 8;
constexpr unsigned OCTET_BITS = 8;

constexpr uint64_t
Mix(uint64_t value)
{
    value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27U)) * 0x94d049bb133111eb;
    return value ^ (value >> 31U);
}

void
StoreWord(uint64_t word, uint8_t* out)
{
    for (std::size_t i = 0; i < PATTERN_WORD; ++i)
    {
        out[i] = static_cast<uint8_t>(word >> (OCTET_BITS * i));
    }
}

} // namespace

uint64_t
GetContentSeed(uint32_t client, std::string_view object)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (const char c : object)
    {
        hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
    }
    return Mix(hash + Mix(GOLDEN * (client + uint64_t{1})));
}

ContentPattern::ContentPattern(uint64_t seed, uint64_t generation)
    : m_key(Mix(seed + GOLDEN * Mix(generation + GOLDEN)))
{
}

uint64_t
ContentPattern::GetWord(uint64_t index) const
{
    return Mix(m_key + GOLDEN * (index + 1));
}

void
ContentPattern::Fill(uint64_t offset, MutableByteSpan out) const
{
    uint8_t* to = out.data();
    std::size_t left = out.size();
    uint64_t index = offset / PATTERN_WORD;
    if (const std::size_t skip = offset % PATTERN_WORD; skip != 0 && left != 0)
    {
        std::array<uint8_t, PATTERN_WORD> word{};
        StoreWord(GetWord(index++), word.data());
        const std::size_t length = std::min(left, PATTERN_WORD - skip);
        std::copy_n(word.data() + skip, length, to);
        to += length;
        left -= length;
    }
    for (; left >= PATTERN_WORD; left -= PATTERN_WORD, to += PATTERN_WORD)
    {
        StoreWord(GetWord(index++), to);
    }
    if (left != 0)
    {
        std::array<uint8_t, PATTERN_WORD> word{};
        StoreWord(GetWord(index), word.data());
        std::copy_n(word.data(), left, to);
    }
}

std::optional<std::size_t>
ContentPattern::FindMismatch(uint64_t offset, ByteSpan octets) const
{
    constexpr std::size_t PIECE = 1024;
    std::array<uint8_t, PIECE> expected;
    for (std::size_t done = 0; done < octets.size();)
    {
        const std::size_t length = std::min<std::size_t>(PIECE, octets.size() - done);
        const uint8_t* piece = octets.data() + done;
        Fill(offset + done, MutableByteSpan(expected.data(), length));
        if (std::memcmp(piece, expected.data(), length) != 0)
        {
            const auto differ = std::mismatch(piece, piece + length, expected.data());
            return done + static_cast<std::size_t>(differ.first - piece);
        }
        done += length;
    }
    return std::nullopt;
}

} // namespace ns3::nfsrdma
