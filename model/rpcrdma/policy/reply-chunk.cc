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

Registry<ReplyChunkPolicy>&
ReplyChunkPolicy::GetKinds()
{
    static Registry<ReplyChunkPolicy> kinds{{"linux", Make<AlwaysUsedPolicy>},
                                            {"when-needed", Make<UsedWhenNeededPolicy>}};
    return kinds;
}

} // namespace ns3::nfsrdma
