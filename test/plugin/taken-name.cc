/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A plugin whose policy has the name of another.

#include "helper/plugin.h"
#include "rpcrdma/policy/credit-grant.h"

namespace ns3::nfsrdma
{

class AnotherFixed : public CreditGrantPolicy
{
    [[nodiscard]] uint32_t DoGrant(const CreditSituation& situation) const override
    {
        return situation.maximum;
    }
};

} // namespace ns3::nfsrdma

NFSRDMA_PLUGIN("taken-name", "1.0")
{
    ns3::nfsrdma::CreditGrantPolicy::Add<ns3::nfsrdma::AnotherFixed>("fixed");
}
