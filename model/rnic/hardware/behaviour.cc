/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/behaviour.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RnicBehaviour);

TypeId
RnicBehaviour::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RnicBehaviour")
            .SetParent<RnicDefences>()
            .SetGroupName("NfsRdma")
            .AddAttribute("FaultStatus",
                          "Statuses of work requests that meet a fault on this side: specified "
                          "(RDMAC verbs), siw or cxgb4 (the Linux drivers). Default: specified.",
                          EnumValue(FaultStatus::SPECIFIED),
                          MakeEnumAccessor(&RnicBehaviour::SetFaultStatus),
                          MakeEnumChecker(FaultStatus::SPECIFIED,
                                          "specified",
                                          FaultStatus::SIW,
                                          "siw",
                                          FaultStatus::CXGB4,
                                          "cxgb4"))
            .AddAttribute("LastWqeReached",
                          "Whether a queue pair with a shared receive queue raises "
                          "QP_LAST_WQE_REACHED when it fails (true or false). Default: false, as "
                          "iWARP devices mostly do not.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RnicBehaviour::m_lastWqeReached),
                          MakeBooleanChecker())
            .AddAttribute("WindowsOfQueuePairs",
                          "Whether a window is open only to the queue pair that bound it (type 2B "
                          "of InfiniBand), not to all of its protection domain (true or false). "
                          "Default: false, one check for every STag.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RnicBehaviour::m_windowsOfQueuePairs),
                          MakeBooleanChecker())
            .AddAttribute("Established",
                          "When a responder is told ESTABLISHED: reply (once the Reply has been "
                          "sent; in the peer-to-peer model at the first FPDU) or first-fpdu. "
                          "Default: reply, as Linux siw.",
                          EnumValue(REPLY),
                          MakeEnumAccessor(&RnicBehaviour::m_established),
                          MakeEnumChecker(REPLY, "reply", FIRST_FPDU, "first-fpdu"))
            .AddAttribute("ListenBacklog",
                          "Connections that a listener may have that wait for a Request or for the "
                          "consumer's decision, unless it names another number (count). Default: "
                          "that of the Linux iWARP connection manager.",
                          UintegerValue(256),
                          MakeUintegerAccessor(&RnicBehaviour::m_listenBacklog),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

RnicBehaviour::RnicBehaviour()
    : m_faultStatus(&FaultStatus::Get(FaultStatus::SPECIFIED))
{
}

void
RnicBehaviour::SetFaultStatus(int kind)
{
    m_faultStatus = &FaultStatus::Get(static_cast<FaultStatus::Kind>(kind));
}

} // namespace ns3::nfsrdma
