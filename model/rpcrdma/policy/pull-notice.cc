/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/policy/pull-notice.h"

namespace ns3::nfsrdma
{
namespace
{

class OutstandingUntilReplyPolicy : public PullNoticePolicy
{
  public:
    [[nodiscard]] bool MayCall(const NoticeUsage& usage) const override
    {
        return usage.calls == 0 || usage.calls + usage.notices < usage.granted;
    }

    [[nodiscard]] bool MayNotify(const NoticeUsage& usage) const override
    {
        return usage.notices == 0 ? usage.calls <= usage.granted
                                  : usage.calls + usage.notices < usage.granted;
    }
};

class ReservedReceivesPolicy : public PullNoticePolicy
{
  public:
    [[nodiscard]] bool MayCall(const NoticeUsage& usage) const override
    {
        return usage.calls == 0 || (usage.calls < usage.granted &&
                                    usage.calls + usage.notices < usage.granted + usage.reserved);
    }

    [[nodiscard]] bool MayNotify(const NoticeUsage& usage) const override
    {
        const uint32_t room = usage.granted + usage.reserved;
        return usage.calls + usage.notices < room && usage.notices + 1 < room;
    }
};

class PiggybackPolicy : public OutstandingUntilReplyPolicy
{
  public:
    [[nodiscard]] bool RidesOnCalls() const override
    {
        return true;
    }
};

} // namespace

Registry<PullNoticePolicy>&
PullNoticePolicy::GetKinds()
{
    static Registry<PullNoticePolicy> kinds{
        {"outstanding-until-reply", Make<OutstandingUntilReplyPolicy>},
        {"reserved-receives", Make<ReservedReceivesPolicy>},
        {"piggyback", Make<PiggybackPolicy>}};
    return kinds;
}

} // namespace ns3::nfsrdma
