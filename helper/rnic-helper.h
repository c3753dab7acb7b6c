/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_RNIC_HELPER_H
#define NFSRDMA_HELPER_RNIC_HELPER_H

#include "helper/stack-attributes.h"
#include "rnic/hardware/device.h"

#include "ns3/node-container.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Puts an RNIC into nodes that have an IP stack, over whatever net devices they have.
 *
 * The device is aggregated to the node, as are its HostMemory and HostCpu where the node has none:
 * node->GetObject<RnicDevice>() finds it. A node takes one. Nothing here is random, so there are no
 * streams to assign.
 */
class RnicHelper
{
  public:
    RnicHelper() = default;
    /// \param attributes for RnicDevice, MpaSettings, MpaTransport, HostMemory and HostCpu; those
    /// of other classes do nothing
    explicit RnicHelper(const StackAttributes& attributes);

    /// \param name an attribute of RnicDevice, or "HostMemory::Name", "MpaSettings::Name", ...
    /// \param value for every device installed from now on
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /// Devices of different nodes count their STags from different numbers, as dissectors of
    /// captures need: from 1 + 65536 * the node's id, modulo half of the 24 bits of an index.
    Ptr<RnicDevice> Install(Ptr<Node> node) const;
    /// As above, with the caller's choice of FirstStagIndex.
    Ptr<RnicDevice> Install(Ptr<Node> node, uint32_t firstStagIndex) const;
    /// \return one device for each node, in their order.
    std::vector<Ptr<RnicDevice>> Install(const NodeContainer& nodes) const;

  private:
    StackAttributes m_attributes;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_RNIC_HELPER_H
