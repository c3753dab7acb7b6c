/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/policy/reply-chunk.h"

namespace ns3::nfsrdma
{
namespace
{

class AlwaysUsedPolicy : public ReplyChunkPolicy
{
  public:
    [[nodiscard]] bool IsUsed(const ReplyRoom& room) const override
    {
        return room.replyChunkOffered;
    }
};

class UsedWhenNeededPolicy : public ReplyChunkPolicy
{
  public:
    [[nodiscard]] bool IsUsed(const ReplyRoom& room) const override
    {
        return room.replyChunkOffered && !room.inlineFits;
    }
};

} // namespace

std::unique_ptr<ReplyChunkPolicy>
ReplyChunkPolicy::Create(const std::string& name)
{
    if (name == "linux")
    {
        return std::make_unique<AlwaysUsedPolicy>();
    }
    if (name == "when-needed")
    {
        return std::make_unique<UsedWhenNeededPolicy>();
    }
    return nullptr;
}

std::vector<std::string>
ReplyChunkPolicy::GetNames()
{
    return {"linux", "when-needed"};
}

} // namespace ns3::nfsrdma
