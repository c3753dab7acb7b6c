/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-interface.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(EthernetInterface);

TypeId
EthernetInterface::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::EthernetInterface").SetParent<NetDevice>().SetGroupName("NfsRdma");
    return tid;
}

} // namespace ns3::nfsrdma
