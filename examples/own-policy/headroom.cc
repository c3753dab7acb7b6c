/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A credit policy of one's own: a reply grants as many credits as the client has calls in service,
// and some to spare. own-policy.ini says how it is built and run.

#include "helper/plugin.h"
#include "rpcrdma/policy/credit-grant.h"
#include "settings/setting.h"

#include <algorithm>

namespace ns3::nfsrdma
{

/// Each row is a key of [rpcrdma], with server_ before it: server_headroom.
struct HeadroomSettings
{
    uint32_t headroom{};

    static const std::vector<Setting<HeadroomSettings>>& GetRows()
    {
        static const std::vector<Setting<HeadroomSettings>> rows{
            NFSRDMA_SETTING_ROW(HeadroomSettings,
                                headroom,
                                "2",
                                Count(0, 1024),
                                "headroom: credits granted beyond the calls in service"),
        };
        return rows;
    }
};

class HeadroomCreditGrant : public CreditGrantPolicy
{
  public:
    HeadroomSettings settings;

  private:
    [[nodiscard]] uint32_t DoGrant(const CreditSituation& situation) const override
    {
        const uint32_t wanted = situation.inService + settings.headroom;
        return std::min(wanted, situation.requested);
    }

    [[nodiscard]] uint32_t DoGrantFirst(const CreditSituation& /* situation */) const override
    {
        return 1 + settings.headroom;
    }
};

NFSRDMA_PLUGIN("headroom", "1.0")
{
    CreditGrantPolicy::Add<HeadroomCreditGrant>("headroom");
}

} // namespace ns3::nfsrdma
