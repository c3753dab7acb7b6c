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

Registry<ReadChunkPolicy>&
ReadChunkPolicy::GetKinds()
{
    static Registry<ReadChunkPolicy> kinds{
        {"never", Make<NeverPolicy>},
        {"announced-only", Make<AnnouncedOnlyPolicy>},
        {"when-needed", Make<WhenNeededPolicy>},
        {"prefer-over-reply-chunk", Make<PreferOverReplyChunkPolicy>}};
    return kinds;
}

} // namespace ns3::nfsrdma
