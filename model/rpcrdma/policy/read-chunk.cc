/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/policy/read-chunk.h"

namespace ns3::nfsrdma
{
namespace
{

class NeverPolicy : public ReadChunkPolicy
{
  public:
    [[nodiscard]] bool Provides(const ReplyRoom& /*room*/) const override
    {
        return false;
    }

    [[nodiscard]] bool IsEnabled() const override
    {
        return false;
    }
};

class AnnouncedOnlyPolicy : public ReadChunkPolicy
{
  public:
    [[nodiscard]] bool Provides(const ReplyRoom& /*room*/) const override
    {
        return false;
    }
};

class WhenNeededPolicy : public ReadChunkPolicy
{
  public:
    [[nodiscard]] bool Provides(const ReplyRoom& room) const override
    {
        return !room.inlineFits && !(room.replyChunkOffered && room.replyChunkFits);
    }
};

class PreferOverReplyChunkPolicy : public ReadChunkPolicy
{
  public:
    [[nodiscard]] bool Provides(const ReplyRoom& room) const override
    {
        return !room.inlineFits;
    }
};

} // namespace

bool
ReadChunkPolicy::IsEnabled() const
{
    return true;
}

std::unique_ptr<ReadChunkPolicy>
ReadChunkPolicy::Create(const std::string& name)
{
    if (name == "never")
    {
        return std::make_unique<NeverPolicy>();
    }
    if (name == "announced-only")
    {
        return std::make_unique<AnnouncedOnlyPolicy>();
    }
    if (name == "when-needed")
    {
        return std::make_unique<WhenNeededPolicy>();
    }
    if (name == "prefer-over-reply-chunk")
    {
        return std::make_unique<PreferOverReplyChunkPolicy>();
    }
    return nullptr;
}

std::vector<std::string>
ReadChunkPolicy::GetNames()
{
    return {"never", "announced-only", "when-needed", "prefer-over-reply-chunk"};
}

} // namespace ns3::nfsrdma
