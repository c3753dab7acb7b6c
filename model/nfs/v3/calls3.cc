/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/calls3.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(Nfs3Calls);
NS_OBJECT_ENSURE_REGISTERED(NfsAcl3Calls);

TypeId
Nfs3Calls::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::Nfs3Calls").SetParent<Object>().SetGroupName("NfsRdma");
    return tid;
}

TypeId
NfsAcl3Calls::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::NfsAcl3Calls").SetParent<Object>().SetGroupName("NfsRdma");
    return tid;
}

} // namespace ns3::nfsrdma
