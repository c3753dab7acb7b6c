/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-behaviour.h"

#include "ns3/boolean.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RnicBehaviour);

TypeId
RnicBehaviour::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RnicBehaviour")
            .SetParent<RnicLimits>()
            .SetGroupName("NfsRdma")
            .AddAttribute("LastWqeReached",
                          "Whether a queue pair with a shared receive queue raises "
                          "QP_LAST_WQE_REACHED when it fails (true or false). Default: false, as "
                          "iWARP devices mostly do not.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RnicBehaviour::m_lastWqeReached),
                          MakeBooleanChecker());
    return tid;
}

} // namespace ns3::nfsrdma
