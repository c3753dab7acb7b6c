/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/limits.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RnicLimits);

TypeId
RnicLimits::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RnicLimits")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddAttribute("MaxPds",
                          "Limit of protection domains (count). Default: that of Linux siw.",
                          UintegerValue(1U << 16),
                          MakeUintegerAccessor(&RnicLimits::m_maxProtectionDomains),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxCqs",
                          "Limit of completion queues (count). Default: room for 65536 queue pairs "
                          "with two each.",
                          UintegerValue(1U << 17),
                          MakeUintegerAccessor(&RnicLimits::m_maxCompletionQueues),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxQps",
                          "Limit of queue pairs (count). Default: as Linux siw, 65536.",
                          UintegerValue(1U << 16),
                          MakeUintegerAccessor(&RnicLimits::m_maxQueuePairs),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxMrs",
                          "Limit of memory regions (count); STag indices have 24 bits. Default: "
                          "1048576.",
                          UintegerValue(1U << 20),
                          MakeUintegerAccessor(&RnicLimits::m_maxMemoryRegions),
                          MakeUintegerChecker<uint32_t>(1, 0xfffffe))
            .AddAttribute("MaxCqDepth",
                          "Limit of the depth of a completion queue (entries). Default: 1048576.",
                          UintegerValue(1U << 20),
                          MakeUintegerAccessor(&RnicLimits::m_maxCqDepth),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxQueueDepth",
                          "Limit of the depth of a send or receive queue (work requests). Default: "
                          "that of Linux siw.",
                          UintegerValue(1U << 15),
                          MakeUintegerAccessor(&RnicLimits::m_maxQueueDepth),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("RdmapExtensions",
                          "Whether queue pairs send and take atomics and Immediate Data, RFC 7306 "
                          "(true or false). Default: false, as Linux siw and cxgb4.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RnicLimits::m_rdmapExtensions),
                          MakeBooleanChecker())
            .AddAttribute("MaxElements",
                          "Limit of scatter/gather elements of a work request (count). Default: "
                          "that of Linux siw.",
                          UintegerValue(6),
                          MakeUintegerAccessor(&RnicLimits::m_maxElements),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxOrd",
                          "Limit of outbound RDMA Reads of a queue pair (count). Default: that of "
                          "Linux siw.",
                          UintegerValue(128),
                          MakeUintegerAccessor(&RnicLimits::m_maxOrd),
                          MakeUintegerChecker<uint32_t>(0, 0x3ffe))
            .AddAttribute("MaxIrd",
                          "Limit of inbound RDMA Reads of a queue pair (count). Default: that of "
                          "Linux siw.",
                          UintegerValue(128),
                          MakeUintegerAccessor(&RnicLimits::m_maxIrd),
                          MakeUintegerChecker<uint32_t>(0, 0x3ffe))
            .AddAttribute("MaxMessage",
                          "Limit of the length of a message (octets). Default: 2^31, as common "
                          "devices report for max_msg_sz.",
                          UintegerValue(1U << 31),
                          MakeUintegerAccessor(&RnicLimits::m_maxMessage),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxFastRegisterPages",
                          "Limit of pages of a fast-register region (4 KiB pages). Default: that "
                          "of Linux siw.",
                          UintegerValue(256),
                          MakeUintegerAccessor(&RnicLimits::m_maxFastRegisterPages),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxInline",
                          "Limit of octets that a work request carries itself (octets). Default: "
                          "that of Linux siw.",
                          UintegerValue(80),
                          MakeUintegerAccessor(&RnicLimits::m_maxInline),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SendWithInvalidate",
                          "Whether queue pairs send RDMA messages that invalidate an STag of the "
                          "peer (true or false). Default: true, as every RNIC of RFC 5040.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RnicLimits::m_sendWithInvalidate),
                          MakeBooleanChecker())
            .AddAttribute("MaxPrivateData",
                          "Limit of the octets that the connection manager carries for its "
                          "consumer (octets). Default: that of MPA; revision 2 takes 4 of them.",
                          UintegerValue(512),
                          MakeUintegerAccessor(&RnicLimits::m_maxPrivateData),
                          MakeUintegerChecker<uint32_t>(0, 512))
            .AddAttribute("MaxWindows",
                          "Limit of memory windows (count). Default: 65536; Linux siw has none.",
                          UintegerValue(1U << 16),
                          MakeUintegerAccessor(&RnicLimits::m_maxMemoryWindows),
                          MakeUintegerChecker<uint32_t>(0, 0xfffffe))
            .AddAttribute("MaxSrqs",
                          "Limit of shared receive queues (count). Default: 65536.",
                          UintegerValue(1U << 16),
                          MakeUintegerAccessor(&RnicLimits::m_maxSharedReceiveQueues),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MaxSrqDepth",
                          "Limit of the depth of a shared receive queue (work requests). Default: "
                          "that of the other queues.",
                          UintegerValue(1U << 15),
                          MakeUintegerAccessor(&RnicLimits::m_maxSharedReceiveDepth),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

} // namespace ns3::nfsrdma
