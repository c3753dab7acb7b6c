/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory-window.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(MemoryWindow);

TypeId
MemoryWindow::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::MemoryWindow").SetParent<Object>().SetGroupName("NfsRdma");
    return tid;
}

} // namespace ns3::nfsrdma
