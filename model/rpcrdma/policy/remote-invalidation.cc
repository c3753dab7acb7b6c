/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/policy/remote-invalidation.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

std::vector<RpcRdmaSegment>
GetSegments(const RpcRdmaChunkLists& lists)
{
    std::vector<RpcRdmaSegment> segments;
    for (const RpcRdmaReadSegment& segment : lists.readList)
    {
        segments.push_back(segment.target);
    }
    for (const RpcRdmaWriteChunk& chunk : lists.writeList)
    {
        segments.insert(segments.end(), chunk.begin(), chunk.end());
    }
    if (lists.replyChunk)
    {
        segments.insert(segments.end(), lists.replyChunk->begin(), lists.replyChunk->end());
    }
    return segments;
}

class NeverInvalidatePolicy : public RemoteInvalidationPolicy
{
  public:
    [[nodiscard]] std::optional<Stag> Choose(bool /*requesterSupports*/,
                                             bool /*responderSupports*/,
                                             const RpcRdmaChunkLists& /*call*/) const override
    {
        return std::nullopt;
    }
};

class LinuxInvalidatePolicy : public RemoteInvalidationPolicy
{
  public:
    [[nodiscard]] std::optional<Stag> Choose(bool requesterSupports,
                                             bool /*responderSupports*/,
                                             const RpcRdmaChunkLists& call) const override
    {
        if (!requesterSupports)
        {
            return std::nullopt;
        }
        const std::vector<RpcRdmaSegment> segments = GetSegments(call);
        const bool same =
            std::all_of(segments.begin(), segments.end(), [&segments](const auto& segment) {
                return segment.handle == segments.front().handle;
            });
        return same && !segments.empty() ? std::optional(segments.front().handle) : std::nullopt;
    }
};

class Rfc8797InvalidatePolicy : public RemoteInvalidationPolicy
{
  public:
    [[nodiscard]] std::optional<Stag> Choose(bool requesterSupports,
                                             bool responderSupports,
                                             const RpcRdmaChunkLists& call) const override
    {
        const std::vector<RpcRdmaSegment> segments = GetSegments(call);
        return requesterSupports && responderSupports && !segments.empty()
                   ? std::optional(segments.front().handle)
                   : std::nullopt;
    }
};

class LargestInvalidatePolicy : public RemoteInvalidationPolicy
{
  public:
    [[nodiscard]] std::optional<Stag> Choose(bool requesterSupports,
                                             bool responderSupports,
                                             const RpcRdmaChunkLists& call) const override
    {
        if (!requesterSupports || !responderSupports)
        {
            return std::nullopt;
        }
        const RpcRdmaSegment* largest = nullptr;
        uint64_t most = 0;
        const std::vector<RpcRdmaSegment> segments = GetSegments(call);
        for (const RpcRdmaSegment& segment : segments)
        {
            uint64_t octets = 0;
            for (const RpcRdmaSegment& other : segments)
            {
                octets += other.handle == segment.handle ? other.length : 0;
            }
            if (!largest || octets > most)
            {
                largest = &segment;
                most = octets;
            }
        }
        return largest ? std::optional(largest->handle) : std::nullopt;
    }
};

} // namespace

Registry<RemoteInvalidationPolicy>&
RemoteInvalidationPolicy::GetKinds()
{
    static Registry<RemoteInvalidationPolicy> kinds{{"never", Make<NeverInvalidatePolicy>},
                                                    {"linux", Make<LinuxInvalidatePolicy>},
                                                    {"rfc8797", Make<Rfc8797InvalidatePolicy>},
                                                    {"largest", Make<LargestInvalidatePolicy>}};
    return kinds;
}

} // namespace ns3::nfsrdma
