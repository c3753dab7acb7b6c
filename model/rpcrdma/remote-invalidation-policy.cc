/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/remote-invalidation-policy.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

std::vector<Stag>
GetHandles(const RpcRdmaChunkLists& lists)
{
    std::vector<Stag> handles;
    for (const RpcRdmaReadSegment& segment : lists.readList)
    {
        handles.push_back(segment.target.handle);
    }
    const auto add = [&handles](const RpcRdmaWriteChunk& chunk) {
        for (const RpcRdmaSegment& segment : chunk)
        {
            handles.push_back(segment.handle);
        }
    };
    std::for_each(lists.writeList.begin(), lists.writeList.end(), add);
    if (lists.replyChunk)
    {
        add(*lists.replyChunk);
    }
    return handles;
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
        const std::vector<Stag> handles = GetHandles(call);
        const bool same = std::all_of(handles.begin(), handles.end(), [&handles](Stag handle) {
            return handle == handles.front();
        });
        return same && !handles.empty() ? std::optional(handles.front()) : std::nullopt;
    }
};

class Rfc8797InvalidatePolicy : public RemoteInvalidationPolicy
{
  public:
    [[nodiscard]] std::optional<Stag> Choose(bool requesterSupports,
                                             bool responderSupports,
                                             const RpcRdmaChunkLists& call) const override
    {
        const std::vector<Stag> handles = GetHandles(call);
        return requesterSupports && responderSupports && !handles.empty()
                   ? std::optional(handles.front())
                   : std::nullopt;
    }
};

} // namespace

std::unique_ptr<RemoteInvalidationPolicy>
RemoteInvalidationPolicy::Create(const std::string& name)
{
    if (name == "never")
    {
        return std::make_unique<NeverInvalidatePolicy>();
    }
    if (name == "linux")
    {
        return std::make_unique<LinuxInvalidatePolicy>();
    }
    if (name == "rfc8797")
    {
        return std::make_unique<Rfc8797InvalidatePolicy>();
    }
    return nullptr;
}

std::vector<std::string>
RemoteInvalidationPolicy::GetNames()
{
    return {"never", "linux", "rfc8797"};
}

} // namespace ns3::nfsrdma
