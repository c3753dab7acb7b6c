/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/defences.h"

#include "ns3/enum.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RnicDefences);

TypeId
RnicDefences::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RnicDefences")
            .SetParent<RnicLimits>()
            .SetGroupName("NfsRdma")
            .AddAttribute("StagKeys",
                          "Low octet of an STag at the next registration of a region: counter (one "
                          "more), random (any other) or fixed. Default: counter, as Linux.",
                          EnumValue(COUNTER),
                          MakeEnumAccessor(&RnicDefences::m_stagKeys),
                          MakeEnumChecker(COUNTER, "counter", RANDOM, "random", FIXED, "fixed"))
            .AddAttribute("StagIndices",
                          "Order in which STag indices are handed out: sequential, or scattered "
                          "over all 2^24 - 1 at random, as Linux siw begins each search. Default: "
                          "sequential, which keeps captures readable.",
                          EnumValue(SEQUENTIAL),
                          MakeEnumAccessor(&RnicDefences::m_stagIndices),
                          MakeEnumChecker(SEQUENTIAL, "sequential", SCATTERED, "scattered"))
            .AddAttribute("ProtectionDomains",
                          "What shares a protection domain: connection (each has its own) or "
                          "device. Default: connection, as xprtrdma and svcrdma of Linux.",
                          EnumValue(CONNECTION),
                          MakeEnumAccessor(&RnicDefences::m_protectionDomains),
                          MakeEnumChecker(CONNECTION, "connection", DEVICE, "device"))
            .AddAttribute(
                "StartupsPerPeer",
                "Connections of one peer at a listener that have not come through MPA "
                "startup; one more is reset (count; 0: any number). Default: 0, as "
                "Linux, which limits their sum only (ListenBacklog).",
                UintegerValue(0),
                MakeUintegerAccessor(&RnicDefences::SetStartups, &RnicDefences::GetStartups),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "ConnectionsPerPeer",
                "Connections of one peer at a listener; one more is reset (count; 0: any "
                "number). Default: 0, as Linux.",
                UintegerValue(0),
                MakeUintegerAccessor(&RnicDefences::SetConnections, &RnicDefences::GetConnections),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute("ConnectionRate",
                          "New connections of one peer at a listener each second, in the long run; "
                          "one that comes earlier is reset (count; 0: any number). Default: 0, as "
                          "Linux.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RnicDefences::SetRate, &RnicDefences::GetRate),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ConnectionBurst",
                          "New connections of one peer that may come at once, with ConnectionRate "
                          "(count). Default: 8, a client with a few connections that comes back.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&RnicDefences::SetBurst, &RnicDefences::GetBurst),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "FaultLimit",
                "Faults of one peer at a listener (startups that failed or took too "
                "long, connections on which it never spoke, Terminates sent to it) after which its "
                "connections are reset for "
                "IgnoreTime (count; 0: never). Default: 0, as Linux.",
                UintegerValue(0),
                MakeUintegerAccessor(&RnicDefences::SetFaults, &RnicDefences::GetFaultLimit),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "IgnoreTime",
                "How long a peer with too many faults is ignored, and after which without "
                "a fault they are forgotten (s). Default: 1 s.",
                TimeValue(Seconds(1)),
                MakeTimeAccessor(&RnicDefences::SetIgnoreTime, &RnicDefences::GetIgnoreTime),
                MakeTimeChecker(Time(0)))
            .AddAttribute("FirstFpduTimeout",
                          "Time from the MPA Reply in which the first FPDU of an initiator must "
                          "come; else the connection is closed, and counts as a fault (s; 0: any "
                          "time). RFC 5044 section 7.1.2 rule 10 asks consumers for one. Default: "
                          "0, as Linux siw, whose timer ends with siw_accept().",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RnicDefences::m_firstFpduTimeout),
                          MakeTimeChecker(Time(0)));
    return tid;
}

void
RnicDefences::SetStartups(uint32_t count)
{
    m_admission.startups = count;
}

uint32_t
RnicDefences::GetStartups() const
{
    return m_admission.startups;
}

void
RnicDefences::SetConnections(uint32_t count)
{
    m_admission.connections = count;
}

uint32_t
RnicDefences::GetConnections() const
{
    return m_admission.connections;
}

void
RnicDefences::SetRate(uint32_t rate)
{
    m_admission.rate = rate;
}

uint32_t
RnicDefences::GetRate() const
{
    return m_admission.rate;
}

void
RnicDefences::SetBurst(uint32_t count)
{
    m_admission.burst = count;
}

uint32_t
RnicDefences::GetBurst() const
{
    return m_admission.burst;
}

void
RnicDefences::SetFaults(uint32_t count)
{
    m_admission.faults = count;
}

uint32_t
RnicDefences::GetFaultLimit() const
{
    return m_admission.faults;
}

void
RnicDefences::SetIgnoreTime(Time time)
{
    m_admission.ignoreTime = time;
}

Time
RnicDefences::GetIgnoreTime() const
{
    return m_admission.ignoreTime;
}

} // namespace ns3::nfsrdma
