/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_EXPLORE_FRAME_FATE_H
#define NFSRDMA_HELPER_EXPLORE_FRAME_FATE_H

#include "helper/explore/exploring-simulator.h"
#include "link/ethernet-net-device.h"

#include "ns3/error-model.h"

namespace ns3::nfsrdma
{

/**
 * \brief Does to the frames that reach a device what an ExploringSimulator says: the device counts
 * a lost one as damaged, and takes a doubled one twice, one right after the other.
 */
class FrameFate : public ErrorModel
{
  public:
    static TypeId GetTypeId();

    /// Watches what \p device receives.
    static void Install(const Ptr<ExploringSimulator>& simulator,
                        const Ptr<EthernetNetDevice>& device);

  private:
    bool DoCorrupt(Ptr<Packet> frame) override;
    void DoReset() override;
    void TakeAgain(Ptr<const Packet> frame);

    Ptr<ExploringSimulator> m_simulator;
    EthernetNetDevice* m_device{nullptr}; ///< Owns this.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_EXPLORE_FRAME_FATE_H
