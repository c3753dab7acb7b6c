/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/file-client.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(FileClient);

TypeId
FileClient::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::FileClient").SetParent<Object>().SetGroupName("NfsRdma");
    return tid;
}

} // namespace ns3::nfsrdma
