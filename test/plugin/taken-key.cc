/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A plugin whose policy has a setting that is called as a key of responders.

#include "helper/plugin.h"
#include "rpcrdma/policy/credit-grant.h"

namespace ns3::nfsrdma
{

struct TakenSettings
{
    uint32_t credits{};

    static const std::vector<Setting<TakenSettings>>& GetRows()
    {
        static const std::vector<Setting<TakenSettings>> rows{
            NFSRDMA_SETTING_ROW(TakenSettings, credits, "2", Count(1), "credits"),
        };
        return rows;
    }
};

class TakenKeyGrant : public CreditGrantPolicy
{
  public:
    TakenSettings settings;

  private:
    [[nodiscard]] uint32_t DoGrant(const CreditSituation& /* situation */) const override
    {
        return settings.credits;
    }
};

} // namespace ns3::nfsrdma

NFSRDMA_PLUGIN("taken-key", "1.0")
{
    ns3::nfsrdma::CreditGrantPolicy::Add<ns3::nfsrdma::TakenKeyGrant>("taken-key");
}
