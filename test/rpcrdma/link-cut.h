/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RPCRDMA_LINK_CUT_H
#define NFSRDMA_TEST_RPCRDMA_LINK_CUT_H

#include "link/ethernet-net-device.h"

#include "ns3/error-model.h"
#include "ns3/node.h"

namespace ns3::nfsrdma
{

/// Loses every frame that a node would receive while it is cut.
class LinkCut : public ErrorModel
{
  public:
    static Ptr<LinkCut> Install(const Ptr<Node>& node)
    {
        const auto cut = Create<LinkCut>();
        for (uint32_t i = 0; i < node->GetNDevices(); ++i)
        {
            if (const auto port = DynamicCast<EthernetNetDevice>(node->GetDevice(i)))
            {
                port->SetReceiveErrorModel(cut);
            }
        }
        return cut;
    }

    bool cut{false};

  private:
    bool DoCorrupt(Ptr<Packet> /* packet */) override
    {
        return cut;
    }

    void DoReset() override
    {
        cut = false;
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RPCRDMA_LINK_CUT_H
