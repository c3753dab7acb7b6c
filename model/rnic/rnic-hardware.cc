/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-hardware.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RnicHardware);

TypeId
RnicHardware::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RnicHardware")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddAttribute("MaxPds",
                          "Limit of protection domains (count). Default: that of Linux siw.",
                          UintegerValue(1U << 16),
                          MakeUintegerAccessor(&RnicHardware::m_maxProtectionDomains),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxCqs",
                          "Limit of completion queues (count). Default: room for 65536 queue pairs "
                          "with two each.",
                          UintegerValue(1U << 17),
                          MakeUintegerAccessor(&RnicHardware::m_maxCompletionQueues),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxQps",
                          "Limit of queue pairs (count). Default: as Linux siw, 65536.",
                          UintegerValue(1U << 16),
                          MakeUintegerAccessor(&RnicHardware::m_maxQueuePairs),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxMrs",
                          "Limit of memory regions (count); STag indices have 24 bits. Default: "
                          "1048576.",
                          UintegerValue(1U << 20),
                          MakeUintegerAccessor(&RnicHardware::m_maxMemoryRegions),
                          MakeUintegerChecker<uint32_t>(1, 0xfffffe))
            .AddAttribute("MaxCqDepth",
                          "Limit of the depth of a completion queue (entries). Default: 1048576.",
                          UintegerValue(1U << 20),
                          MakeUintegerAccessor(&RnicHardware::m_maxCqDepth),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxQueueDepth",
                          "Limit of the depth of a send or receive queue (work requests). Default: "
                          "that of Linux siw.",
                          UintegerValue(1U << 15),
                          MakeUintegerAccessor(&RnicHardware::m_maxQueueDepth),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("RdmapExtensions",
                          "Whether queue pairs send and take atomics and Immediate Data, RFC 7306 "
                          "(true or false). Default: false, as Linux siw and cxgb4.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RnicHardware::m_rdmapExtensions),
                          MakeBooleanChecker())
            .AddAttribute("MaxElements",
                          "Limit of scatter/gather elements of a work request (count). Default: "
                          "that of Linux siw.",
                          UintegerValue(6),
                          MakeUintegerAccessor(&RnicHardware::m_maxElements),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxOrd",
                          "Limit of outbound RDMA Reads of a queue pair (count). Default: that of "
                          "Linux siw.",
                          UintegerValue(128),
                          MakeUintegerAccessor(&RnicHardware::m_maxOrd),
                          MakeUintegerChecker<uint32_t>(0, 0x3ffe))
            .AddAttribute("MaxIrd",
                          "Limit of inbound RDMA Reads of a queue pair (count). Default: that of "
                          "Linux siw.",
                          UintegerValue(128),
                          MakeUintegerAccessor(&RnicHardware::m_maxIrd),
                          MakeUintegerChecker<uint32_t>(0, 0x3ffe))
            .AddAttribute("MaxMessage",
                          "Limit of the length of a message (octets). Default: 2^31, as common "
                          "devices report for max_msg_sz.",
                          UintegerValue(1U << 31),
                          MakeUintegerAccessor(&RnicHardware::m_maxMessage),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxFastRegisterPages",
                          "Limit of pages of a fast-register region (4 KiB pages). Default: that "
                          "of Linux siw.",
                          UintegerValue(256),
                          MakeUintegerAccessor(&RnicHardware::m_maxFastRegisterPages),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Doorbell",
                          "From the post to the device (time): a posted MMIO write takes 200 to "
                          "400 ns on PCIe. Default: low end, a recent host.",
                          TimeValue(NanoSeconds(200)),
                          MakeTimeAccessor(&RnicHardware::m_doorbell),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("WqeFetch",
                          "To fetch the work requests of one doorbell (time): one DMA read round "
                          "trip, 400 to 700 ns on PCIe Gen4. Default: low end, pushed or cached "
                          "descriptors.",
                          TimeValue(NanoSeconds(400)),
                          MakeTimeAccessor(&RnicHardware::m_wqeFetch),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("TxPerWqe",
                          "Transmit engine per work request (time): 50 to 200 ns. Default: low end "
                          "(20 to 30 million small messages a second with TxPerFpdu hidden).",
                          TimeValue(NanoSeconds(30)),
                          MakeTimeAccessor(&RnicHardware::m_txPerWqe),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("TxPerFpdu",
                          "Transmit engine per FPDU (time): 20 to 100 ns, pipelined. Default: low "
                          "end.",
                          TimeValue(NanoSeconds(20)),
                          MakeTimeAccessor(&RnicHardware::m_txPerFpdu),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PcieRate",
                          "Payload rate of the host bus, each direction (bit/s): 26 GB/s for Gen4 "
                          "x16, 13 GB/s for Gen3 x16. Default: Gen4 x16.",
                          DataRateValue(DataRate("208Gb/s")),
                          MakeDataRateAccessor(&RnicHardware::m_pcieRate),
                          MakeDataRateChecker())
            .AddAttribute(
                "PcieLatency",
                "Of a payload transfer over the host bus, its rate apart (time): DMA read "
                "round trip 400 to 700 ns, posted write 200 to 400 ns on Gen4. Default: "
                "between both.",
                TimeValue(NanoSeconds(350)),
                MakeTimeAccessor(&RnicHardware::m_pcieLatency),
                MakeTimeChecker(Time(0)))
            .AddAttribute("RxPerFpdu",
                          "Receive engine per FPDU: checks, CRC, placement (time): 20 to 100 ns, "
                          "pipelined. Default: low end.",
                          TimeValue(NanoSeconds(20)),
                          MakeTimeAccessor(&RnicHardware::m_rxPerFpdu),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ReadRequestTurnaround",
                          "From a Read Request handled to its response queued (time), before the "
                          "stages of a transmission. Default: one engine pass.",
                          TimeValue(NanoSeconds(100)),
                          MakeTimeAccessor(&RnicHardware::m_readRequestTurnaround),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("CqeWrite",
                          "To write a completion where the host sees it (time): 200 to 400 ns with "
                          "the poll. Default: low end.",
                          TimeValue(NanoSeconds(200)),
                          MakeTimeAccessor(&RnicHardware::m_cqeWrite),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "InterruptLatency",
                "From the completion to the notification handler (time): 2 to 5 us; 0 for "
                "a polling consumer. Default: 2 us.",
                TimeValue(MicroSeconds(2)),
                MakeTimeAccessor(&RnicHardware::m_interruptLatency),
                MakeTimeChecker(Time(0)))
            .AddAttribute(
                "RegisterBase",
                "Memory unit per fast registration (time): 0.3 to 1 us. Default: low end.",
                TimeValue(NanoSeconds(300)),
                MakeTimeAccessor(&RnicHardware::m_registerBase),
                MakeTimeChecker(Time(0)))
            .AddAttribute("RegisterPerPage",
                          "Memory unit per page of a fast registration (time): 10 to 20 ns. "
                          "Default: low end.",
                          TimeValue(NanoSeconds(10)),
                          MakeTimeAccessor(&RnicHardware::m_registerPerPage),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("InvalidateCost",
                          "Memory unit per local invalidation (time): 0.3 to 2 us. Default: low "
                          "end.",
                          TimeValue(NanoSeconds(300)),
                          MakeTimeAccessor(&RnicHardware::m_invalidateCost),
                          MakeTimeChecker(Time(0)));
    return tid;
}

uint32_t
RnicHardware::GetMaxFastRegisterPages() const
{
    return m_maxFastRegisterPages;
}

bool
RnicHardware::HasRdmapExtensions() const
{
    return m_rdmapExtensions;
}

uint32_t
RnicHardware::GetMaxElements() const
{
    return m_maxElements;
}

uint32_t
RnicHardware::GetMaxOrd() const
{
    return m_maxOrd;
}

uint32_t
RnicHardware::GetMaxIrd() const
{
    return m_maxIrd;
}

uint32_t
RnicHardware::GetMaxMessage() const
{
    return m_maxMessage;
}

uint32_t
RnicHardware::GetMaxQueueDepth() const
{
    return m_maxQueueDepth;
}

Time
RnicHardware::GetBusTime(uint64_t octets) const
{
    const uint64_t rate = m_pcieRate.GetBitRate();
    if (rate == 0)
    {
        return Time(0);
    }
    constexpr uint64_t BITS_PER_OCTET_NANO = 8000000000;
    return NanoSeconds((octets * BITS_PER_OCTET_NANO + rate - 1) / rate);
}

Time
RnicHardware::GetStartLatency(uint64_t payload) const
{
    Time latency = m_txPerWqe + m_txPerFpdu;
    if (payload != 0)
    {
        latency += m_pcieLatency + GetBusTime(payload);
    }
    return latency;
}

Time
RnicHardware::GetTransmitOccupancy(uint32_t payload, bool first) const
{
    const Time engine = first ? m_txPerWqe + m_txPerFpdu : m_txPerFpdu;
    return std::max(engine, GetBusTime(payload));
}

Time
RnicHardware::GetReadRequestTurnaround() const
{
    return m_readRequestTurnaround;
}

Time
RnicHardware::GetCqeWrite() const
{
    return m_cqeWrite;
}

Time
RnicHardware::GetInterruptLatency() const
{
    return m_interruptLatency;
}

void
RnicHardware::ReceiveFpdu()
{
    m_receiveBusy = std::max(m_receiveBusy, Simulator::Now()) + m_rxPerFpdu;
    m_receiveDone = std::max(m_receiveDone, m_receiveBusy);
}

void
RnicHardware::PlacePayload(uint64_t payload)
{
    if (payload == 0)
    {
        return;
    }
    m_busBusy = std::max(m_busBusy, m_receiveBusy) + GetBusTime(payload);
    m_receiveDone = std::max(m_receiveDone, m_busBusy + m_pcieLatency);
    m_counters.payloadReceived += payload;
}

Time
RnicHardware::QueueMemoryWork(Time ready, Time cost)
{
    m_memoryBusy = std::max(m_memoryBusy, ready) + cost;
    return m_memoryBusy;
}

Time
RnicHardware::QueueRegistration(Time ready, uint32_t pages)
{
    return QueueMemoryWork(ready, m_registerBase + m_registerPerPage * int64_t{pages});
}

Time
RnicHardware::QueueInvalidation(Time ready)
{
    return QueueMemoryWork(ready, m_invalidateCost);
}

} // namespace ns3::nfsrdma
