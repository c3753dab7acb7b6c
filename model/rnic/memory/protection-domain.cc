/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory/protection-domain.h"

#include "ns3/trace-source-accessor.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ProtectionDomain);

TypeId
ProtectionDomain::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::ProtectionDomain")
                            .SetParent<Object>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<ProtectionDomain>()
                            .AddTraceSource("Users",
                                            "Objects that were made in the domain and are alive "
                                            "(count): before, now.",
                                            MakeTraceSourceAccessor(&ProtectionDomain::m_users),
                                            "ns3::TracedValueCallback::Uint32");
    return tid;
}

} // namespace ns3::nfsrdma
