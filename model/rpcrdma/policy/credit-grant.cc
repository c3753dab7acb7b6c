/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/policy/credit-grant.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

uint32_t
BoundByShare(uint32_t credits, const CreditSituation& situation)
{
    return situation.pressure ? std::min(credits, situation.share) : credits;
}

class FixedCreditGrantPolicy : public CreditGrantPolicy
{
  private:
    [[nodiscard]] uint32_t DoGrant(const CreditSituation& situation) const override
    {
        return BoundByShare(situation.maximum, situation);
    }

    [[nodiscard]] uint32_t DoGrantFirst(const CreditSituation& situation) const override
    {
        return BoundByShare(situation.maximum, situation);
    }
};

class RequestedCreditGrantPolicy : public CreditGrantPolicy
{
  private:
    [[nodiscard]] uint32_t DoGrant(const CreditSituation& situation) const override
    {
        return BoundByShare(situation.requested, situation);
    }
};

class FairShareCreditGrantPolicy : public CreditGrantPolicy
{
  public:
    [[nodiscard]] bool SharesPool() const override
    {
        return true;
    }

  private:
    [[nodiscard]] uint32_t DoGrant(const CreditSituation& situation) const override
    {
        return std::min(situation.requested, situation.pool / std::max(situation.connections, 1U));
    }
};

class AdaptiveCreditGrantPolicy : public CreditGrantPolicy
{
  private:
    static constexpr uint32_t FIRST = 4;

    [[nodiscard]] uint32_t DoGrant(const CreditSituation& situation) const override
    {
        const uint64_t granted = situation.granted;
        const uint64_t inService = situation.inService;
        uint64_t grant = granted;
        if (situation.pressure)
        {
            grant = granted >= situation.mean ? std::max<uint64_t>(granted / 2, 1) : granted;
        }
        else if (4 * inService >= 3 * granted)
        {
            grant = std::max<uint64_t>(2 * granted, FIRST);
        }
        else if (4 * inService <= granted)
        {
            grant = std::max<uint64_t>(granted - 1, FIRST);
        }
        else
        {
            grant = std::max<uint64_t>(granted, FIRST);
        }
        return static_cast<uint32_t>(std::min<uint64_t>(grant, situation.requested));
    }

    [[nodiscard]] uint32_t DoGrantFirst(const CreditSituation& /*situation*/) const override
    {
        return FIRST;
    }
};

} // namespace

uint32_t
CreditGrantPolicy::Grant(const CreditSituation& situation) const
{
    return std::clamp(DoGrant(situation), 1U, situation.maximum);
}

uint32_t
CreditGrantPolicy::GrantFirst(const CreditSituation& situation) const
{
    return std::clamp(DoGrantFirst(situation), 1U, situation.maximum);
}

Registry<CreditGrantPolicy>&
CreditGrantPolicy::GetKinds()
{
    static Registry<CreditGrantPolicy> kinds{{"fixed", Make<FixedCreditGrantPolicy>},
                                             {"requested", Make<RequestedCreditGrantPolicy>},
                                             {"fair-share", Make<FairShareCreditGrantPolicy>},
                                             {"adaptive", Make<AdaptiveCreditGrantPolicy>}};
    return kinds;
}

} // namespace ns3::nfsrdma
