/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/credit-grant-policy.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

class FixedCreditGrantPolicy : public CreditGrantPolicy
{
  public:
    [[nodiscard]] uint32_t Grant(uint32_t /*requested*/, uint32_t maximum) const override
    {
        return maximum;
    }
};

class RequestedCreditGrantPolicy : public CreditGrantPolicy
{
  public:
    [[nodiscard]] uint32_t Grant(uint32_t requested, uint32_t maximum) const override
    {
        return std::clamp(requested, 1U, maximum);
    }
};

} // namespace

std::unique_ptr<CreditGrantPolicy>
CreditGrantPolicy::Create(const std::string& name)
{
    if (name == "fixed")
    {
        return std::make_unique<FixedCreditGrantPolicy>();
    }
    if (name == "requested")
    {
        return std::make_unique<RequestedCreditGrantPolicy>();
    }
    return nullptr;
}

std::vector<std::string>
CreditGrantPolicy::GetNames()
{
    return {"fixed", "requested"};
}

} // namespace ns3::nfsrdma
