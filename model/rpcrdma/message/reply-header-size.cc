/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/message/reply-header-size.h"

#include "rpcrdma/message/transport-header.h"

namespace ns3::nfsrdma
{
namespace
{

uint32_t
GetChunkSize(uint32_t segments)
{
    return 2 * XDR_WORD + segments * RpcRdmaSegment::SIZE;
}

} // namespace

ReplyHeaderSize::ReplyHeaderSize(uint32_t threshold)
    : m_threshold(threshold)
{
}

uint32_t
ReplyHeaderSize::Get(const std::vector<uint32_t>& writeChunks, std::optional<uint32_t> replyChunk)
{
    uint32_t size = RpcRdmaHeader::MINIMUM_SIZE;
    for (const uint32_t segments : writeChunks)
    {
        size += GetChunkSize(segments);
    }
    return replyChunk ? size - XDR_WORD + GetChunkSize(*replyChunk) : size;
}

uint32_t
ReplyHeaderSize::GetWith(const std::vector<Candidate>& candidates, const std::vector<bool>& used)
{
    std::vector<uint32_t> chunks;
    std::size_t needed = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i)
    {
        chunks.push_back(used[i] ? candidates[i].segments : 0);
        needed = used[i] ? i + 1 : needed;
    }
    chunks.resize(needed);
    return Get(chunks, std::nullopt);
}

std::optional<std::vector<std::size_t>>
ReplyHeaderSize::Solve(uint32_t length, const std::vector<Candidate>& candidates) const
{
    std::vector<std::size_t> solution;
    if (RpcRdmaHeader::MINIMUM_SIZE + length <= m_threshold)
    {
        return solution;
    }
    std::vector<bool> used(candidates.size(), false);
    uint32_t rest = length;
    bool solved = false;
    for (std::size_t round = 0; round < candidates.size() && !solved; ++round)
    {
        std::size_t largest = candidates.size();
        std::size_t best = candidates.size();
        uint32_t smallestHeader = 0;
        for (std::size_t i = 0; i < candidates.size(); ++i)
        {
            if (used[i])
            {
                continue;
            }
            used[i] = true;
            const uint32_t header = GetWith(candidates, used);
            used[i] = false;
            const bool fits = header + rest - candidates[i].maximum <= m_threshold;
            if (fits && (best == candidates.size() || header < smallestHeader))
            {
                best = i;
                smallestHeader = header;
            }
            if (largest == candidates.size() || candidates[i].maximum > candidates[largest].maximum)
            {
                largest = i;
            }
        }
        solved = best != candidates.size();
        const std::size_t chosen = solved ? best : largest;
        used[chosen] = true;
        rest -= candidates[chosen].maximum;
    }
    if (!solved)
    {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < candidates.size(); ++i)
    {
        if (used[i])
        {
            solution.push_back(i);
        }
    }
    return solution;
}

} // namespace ns3::nfsrdma
